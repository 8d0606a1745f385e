// Connected document servers as the window and the terminal show them. Contains no token and no key.

import { t, type MessageKey } from './messages.ts';

/**
 * As discovery and the product report it; `other` still speaks WOPI. `text-editor` is always the built-in one, whatever another
 * server claims.
 */
export type EditorKind = 'onlyoffice' | 'collabora' | 'office-online' | 'text-editor' | 'other';

/**
 * Whether an editor's calls must be signed. `if-present`: a signature must be valid if there is one.
 * @see docs/protocol.md, “Signatures”
 */
export type ProofMode = 'off' | 'if-present' | 'required';

export const editorActions = ['view', 'edit', 'editnew', 'convert'] as const;
export type EditorAction = (typeof editorActions)[number];

/** The built-in text editor's name is stored in English, and is shown in the user's language. */
export function shownEditorName(name: string): string {
  return name === 'Text editor' ? t('host.text-editor') : name;
}

export interface EditorType {
  /** Lower case, without the dot. */
  extension: string;
  actions: EditorAction[];
}

export interface EditorProblem {
  code: string;
  sentence: string;
  /** What to do. For the built-in text editor, that is in the terminal, and the window has its own text for each code: see `problemWords`. */
  remedy?: string | undefined;
  sinceMs: number;
}

export interface EditorItem {
  /** Eight hexadecimal digits. */
  id: string;
  name: string;
  /** The URL for this computer, without a trailing slash. */
  url: string;
  kind: EditorKind;
  /** `ONLYOFFICE Docs`, `Collabora Online Development Edition`, …; null if it doesn't say. */
  product: string | null;
  version: string | null;
  /** The base address chosen for this editor; null: DocTray's default. */
  publicUrl: string | null;
  /** The base address in use: `publicUrl`, or DocTray's default. */
  effectiveUrl: string;
  /** The search for its address waits for the user's answer, whether DocTray may listen on more addresses. */
  isAwaitingConfirmation: boolean;
  proofMode: ProofMode;
  /** Its discovery contains keys to check signatures with. */
  hasProofKeys: boolean;
  /** Addresses and networks its calls may come from; an empty list allows all. */
  allowedAddresses: string[];
  /** Its pages may be on another host than `url`. */
  acceptsOtherHosts: boolean;
  types: EditorType[];
  /** Extensions the user made it the default for. */
  defaultFor: string[];
  /** Extensions that *Open* opens in it: the user's default, or the best of all editors. */
  opens: string[];
  addedAtMs: number;
  /** When its discovery was last read. */
  discoveredAtMs: number;
  /** It hasn't responded since then; DocTray keeps what it knew before. */
  problem: EditorProblem | null;
  /** The last test of the connection, since DocTray was started. */
  lastTest: ConnectionTest | null;
}

/**
 * `discovery`: this computer reaches the editor. `callback`: the editor reaches this computer. `proof`: its signature is valid.
 * `clock`: both clocks agree. `page`: a browser may show its page.
 */
export type ConnectionStepName = 'discovery' | 'page' | 'callback' | 'proof' | 'clock';

export interface ConnectionStep {
  name: ConnectionStepName;
  /** `skipped`: an earlier step failed, or there is nothing to check. */
  state: 'passed' | 'warned' | 'failed' | 'skipped';
  /** A distinct code for every failure, such as `name-not-resolved`; null if it passed. */
  code: string | null;
  /** What was found. */
  sentence: string;
  /** What to do; null if there is nothing to do. */
  remedy: string | null;
  /** Exact lines to copy into the editor's own configuration. */
  lines: string[];
}

export interface ConnectionTest {
  editorId: string;
  testedAtMs: number;
  isGood: boolean;
  steps: ConnectionStep[];
}

/** `partial`: nothing failed, but some steps couldn't be tried, such as a callback from an editor whose page needs a browser. */
export function testOutcome({ isGood, steps }: ConnectionTest): 'good' | 'partial' | 'failed' {
  if (isGood) return 'good';
  return steps.some(({ state }) => state === 'failed') ? 'failed' : 'partial';
}

/** An address where an editor may reach this computer. */
export interface ReachableAddress {
  /** As the editor receives it: `http://192.168.1.5:8790`. */
  url: string;
  /**
   * `loopback`: editors on this computer. `interface`: editors in that network. `docker`: editors in a container on this
   * computer. `name`: editors that know this computer by its host name. `public`: the one from the settings (a reverse proxy or
   * tunnel).
   */
  kind: 'loopback' | 'interface' | 'docker' | 'name' | 'public';
  /** `eth0`, `Wi-Fi`, …; null if there is none. */
  interfaceName: string | null;
  /** The address with the size of its network, `192.168.1.5/24`; null if there is none. */
  network: string | null;
  /** A sentence that says who can reach it. */
  sentence: string;
  /** DocTray listens there with the current settings. */
  isListening: boolean;
  /** The value of `host` that would make DocTray listen there; null if nothing has to change or no setting can help. */
  neededHost: string | null;
}

/** The result of `editors.findAddress`. */
export interface FoundAddress {
  /** The address the editor now uses; null if none worked. */
  url: string | null;
  /** The address DocTray listens on because of this search; null if no address was opened. */
  openedHost: string | null;
  /** If one works: what else the test found, or couldn't try. */
  warning: string | null;
  /** If none works: the step that failed first, with what to do. */
  failed: ConnectionStep | null;
  /** The user didn't allow the addresses that other computers can reach, so they weren't tried. */
  isDeclined: boolean;
}

/** It doesn't answer, or its last test failed. */
export function editorNeedsAttention({
  problem,
  lastTest,
}: Pick<EditorItem, 'problem' | 'lastTest'>): boolean {
  return problem !== null || (lastTest !== null && testOutcome(lastTest) === 'failed');
}

/** What to do about the built-in text editor, by the code of what is wrong. */
const builtInRemedies: Readonly<Record<string, MessageKey>> = {
  'port-taken': 'shared.choose-another-port-in-settings',
  'address-unavailable': 'shared.choose-an-address-of-this',
  'same-origin': 'shared.change-its-public-url-in',
  'loopback-refused': 'shared.add-it-to-the-allowed',
};

/** The remedy of a step or a problem, without the commands for the terminal. */
export function remedyOf({ code, remedy }: { code: string | null; remedy: string | null }): string | null {
  const builtIn = builtInRemedies[code ?? ''];
  if (builtIn !== undefined) return t(builtIn);
  return remedy === null ? null : withoutCommands(remedy);
}

/** A problem and its remedy, without hints for the terminal. */
export function problemWords(problem: {
  sentence: string;
  code?: string | null;
  remedy?: string | null | undefined;
}): string {
  const { code = null, sentence, remedy = null } = problem;
  const words = remedyOf({ code, remedy });
  return words === null ? sentence : `${sentence} ${words}`;
}

/** Without the hints for the terminal, such as ` (\`editors refresh\`)`. */
function withoutCommands(text: string): string {
  return text.replaceAll(/ \([^()`]*`[^()]*\)/gu, '');
}
