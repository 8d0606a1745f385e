// Connected document servers as the window and the terminal show them. No token and no key is part of it.

/**
 * By what discovery and the product itself say; `other` speaks WOPI all the same. `text-editor` is the built-in one, whatever
 * else says that it is.
 */
export type EditorKind = 'onlyoffice' | 'collabora' | 'office-online' | 'text-editor' | 'other';

/**
 * Whether an editor's calls must be signed. `if-present`: a signature that is there must be right.
 * @see behaviour page section 7
 */
export type ProofMode = 'off' | 'if-present' | 'required';

export const editorActions = ['view', 'edit', 'editnew', 'convert'] as const;
export type EditorAction = (typeof editorActions)[number];

export interface EditorType {
  /** Lower case, without the dot. */
  extension: string;
  actions: EditorAction[];
}

export interface EditorProblem {
  code: string;
  sentence: string;
  /** Of the built-in text editor: what to do in the terminal. The window has words of its own for each code. */
  remedy?: string;
  sinceMs: number;
}

export interface EditorItem {
  id: string;
  name: string;
  /** Where this machine reaches it, without a slash at its end. */
  url: string;
  kind: EditorKind;
  /** `ONLYOFFICE Docs`, `Collabora Online Development Edition`, …; null where it does not say. */
  product: string | null;
  version: string | null;
  /** The address under which this editor reaches DocTray, as it was chosen; null: the one DocTray has anyway. */
  publicUrl: string | null;
  /** The address it is given: `publicUrl`, or the one DocTray has anyway. */
  effectiveUrl: string;
  proofMode: ProofMode;
  /** Its discovery brought keys to check signatures with. */
  hasProofKeys: boolean;
  /** Addresses and networks its calls may come from; an empty list allows all. */
  allowedAddresses: string[];
  /** Its pages may lie on another host than `url`. */
  acceptsOtherHosts: boolean;
  types: EditorType[];
  /** Extensions it is the default for, because the user said so. */
  defaultFor: string[];
  addedAtMs: number;
  /** When its discovery was read last. */
  discoveredAtMs: number;
  /** It did not answer since then; what was known of it before is kept. */
  problem: EditorProblem | null;
  /** The last test of the connection, since DocTray was started. */
  lastTest: ConnectionTest | null;
}

/**
 * `discovery`: this machine reaches the editor. `callback`: the editor reaches this machine. `proof`: its signature is
 * right. `clock`: both clocks agree. `page`: a browser may show its page.
 */
export type ConnectionStepName = 'discovery' | 'page' | 'callback' | 'proof' | 'clock';

export interface ConnectionStep {
  name: ConnectionStepName;
  /** `skipped`: a step before it failed, or there is nothing to look at. */
  state: 'passed' | 'warned' | 'failed' | 'skipped';
  /** A code of its own for every failure, such as `name-not-resolved`; null where it passed. */
  code: string | null;
  /** What was seen. */
  sentence: string;
  /** What to do; null where nothing is to be done. */
  remedy: string | null;
  /** Exact lines for the editor's own configuration, to be copied. */
  lines: string[];
}

export interface ConnectionTest {
  editorId: string;
  testedAtMs: number;
  isGood: boolean;
  steps: ConnectionStep[];
}

/**
 * `partial`: nothing failed, but not every step could be tried, such as a call back from an editor whose page needs a browser.
 */
export function testOutcome({ isGood, steps }: ConnectionTest): 'good' | 'partial' | 'failed' {
  if (isGood) return 'good';
  return steps.some(({ state }) => state === 'failed') ? 'failed' : 'partial';
}

/** An address under which an editor may reach this machine. */
export interface ReachableAddress {
  /** As it is given to the editor: `http://192.168.1.5:8790`. */
  url: string;
  /**
   * `loopback`: editors on this machine. `interface`: those in that network. `docker`: those in a container on this machine.
   * `name`: those that know this machine by its name. `public`: the one from the settings (a reverse proxy or a tunnel).
   */
  kind: 'loopback' | 'interface' | 'docker' | 'name' | 'public';
  /** `eth0`, `Wi-Fi`, …; null where it is none. */
  interfaceName: string | null;
  /** `192.168.1.0/24`; null where there is none. */
  network: string | null;
  /** A sentence: who can reach it. */
  sentence: string;
  /** DocTray listens there by the settings of now. */
  isListening: boolean;
  /** What `host` must be set to so that it listens there; null where nothing has to change or no setting can help. */
  neededHost: string | null;
}

/** What `editors.findAddress` came to. */
export interface FoundAddress {
  /** The address the editor is given now; null where none worked. */
  url: string | null;
  /** The address that DocTray listens on because of this search; null where nothing was opened. */
  openedHost: string | null;
  /** Where one works: what the test found besides, or could not try. */
  warning: string | null;
  /** Where none works: the step that failed first, with what to do. */
  failed: ConnectionStep | null;
}

/** It doesn't answer, or its last test failed. */
export function editorNeedsAttention({
  problem,
  lastTest,
}: Pick<EditorItem, 'problem' | 'lastTest'>): boolean {
  return problem !== null || (lastTest !== null && testOutcome(lastTest) === 'failed');
}
