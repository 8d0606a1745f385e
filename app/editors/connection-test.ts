// Tests both directions of a connection: this computer reads the editor's discovery and its page, and the editor's own call for a
// hidden document arrives. Each failure has its own finding, with what to do about it.

import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../contract/clock.ts';
import type { ConnectionStep, ConnectionStepName, ConnectionTest } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import type { MessageKey } from '../contract/messages.ts';
import type { DiscoveryAction, Editor } from '../store/editors.ts';
import { actionUrl } from '../wopi/action-url.ts';
import { typesOf } from './action-choice.ts';
import { askCollabora, explainSilence, recordCall, type NoteStep } from './callback.ts';
import { faultOf } from './editor-fault.ts';
import { createEditorRequest, type EditorRequest } from './editor-request.ts';
import type { Editors } from './editors.ts';
import {
  collaboraFinding,
  discoveryLines,
  finding,
  good,
  ofFault,
  type Finding,
  type FindingPlace,
} from './findings.ts';
import { checkPage, windowCheckOf, type PageForm } from './page-check.ts';
import { probeAction, type Probe, type Probes } from './probes.ts';

export interface ConnectionTestDeps {
  editors: Pick<Editors, 'byId' | 'refresh'>;
  probes: Pick<Probes, 'begin'>;
  clock: Clock;
  /** The base address of that editor. */
  baseUrlOf: (editorId: string) => string;
  /** Where this computer's browser finds the pages that show that editor. */
  pageUrlOf: (editorId: string) => string;
  /**
   * Shows the editor's page of the probe as a browser does, in a hidden window, until the signal aborts it; rejects if the page
   * can't be shown. Absent without a window: then a plain request is sent.
   */
  showPage?: (page: PageForm, signal: AbortSignal) => Promise<void>;
  /** How long to wait for the editor's call. */
  limitMs?: number;
  /** The same, if its page has responded and no browser runs it. */
  quietMs?: number;
  request?: EditorRequest;
}

export type ConnectionTests = ReturnType<typeof createConnectionTest>;

/** The steps in their order, with what is said about one that didn't run. */
const notReached: Record<ConnectionStepName, MessageKey> = {
  discovery: 'host.discovery-not-read',
  page: 'host.page-not-requested',
  callback: 'host.not-tested',
  proof: 'host.no-signed-call',
  clock: 'host.no-call-with-timestamp',
};
const order = Object.keys(notReached) as ConnectionStepName[];
/** A token for the probe lives at most as long as the test; editors need an expiry in the future. */
const tokenLifeMs = 60 * 60_000;

export function createConnectionTest(deps: ConnectionTestDeps) {
  const { editors, clock, limitMs = 20_000, quietMs = 4000, request = createEditorRequest() } = deps;
  const last = new Map<string, Result>();
  const running = new Map<string, Promise<Result>>();

  const test = async (editorId: string): Promise<Result> => {
    const steps = new Map<ConnectionStepName, KeptStep>();
    await tryAll(editorId, (name, state, found) => void steps.set(name, { state, found }));
    const testedAtMs = clock();
    const isGood =
      [...steps.values()].every(({ state }) => state !== 'failed') &&
      steps.get('callback')?.state === 'passed';
    const result: Result = () => ({
      editorId,
      testedAtMs,
      isGood,
      steps: order.map((name) => {
        const { state, found } = steps.get(name) ?? { state: 'skipped', found: good(notReached[name]) };
        return { name, state, ...found };
      }),
    });
    // It may have been removed.
    if (editors.byId(editorId) === undefined) throw new AppError('editor-unknown');
    last.set(editorId, result);
    return result;
  };

  const tryAll = async (editorId: string, note: NoteStep): Promise<void> => {
    const editor = await readDiscovery(deps, editorId, note);
    if (editor === undefined) return;
    const place = { editor, baseUrl: deps.baseUrlOf(editorId) };
    const action = probeAction(editor);
    if (action === undefined) {
      note('page', 'failed', finding('no-view-action', place));
      return;
    }
    const probe = deps.probes.begin(editorId, action.extension);
    const ending = new AbortController();
    try {
      await tryPage({ place, editor, action, probe, signal: ending.signal }, note);
    } finally {
      ending.abort();
      probe.end();
    }
  };

  const tryPage = async ({ place, editor, action, probe, signal }: Trial, note: NoteStep): Promise<void> => {
    const form: PageForm = {
      action: actionUrl(action.urlsrc, {
        wopiSrc: `${place.baseUrl}/wopi/files/${probe.fileId}`,
        values: { UI_LLCC: 'en-US', DC_LLCC: 'en-US' },
      }),
      accessToken: probe.token,
      accessTokenTtl: clock() + tokenLifeMs,
    };
    const { showPage } = deps;
    const startedAtMs = performance.now();
    const isCollabora = editor.kind === 'collabora';
    const status = isCollabora ? await askCollabora(request, place, probe) : undefined;
    const isReached = status === 'Ok' || status === 'NotHttpSuccess';
    const reason = collaboraFinding(place, status);
    const within = new URL(deps.pageUrlOf(editor.id)).origin;
    let page = await checkPage({ request, place, form, within, limitMs });
    // A check without a reason isn't the last word, unless there is no browser in which its page could call.
    const isDecided =
      showPage === undefined ? isCollabora : reason !== undefined && status !== 'UnspecifiedError';
    if (page.state !== 'unreachable' && probe.call() === undefined && !isDecided) {
      const showing = showPage?.(form, signal).then(never, (error: unknown) => {
        page = windowCheckOf(place, error);
      });
      const leftMs = Math.max(0, limitMs - (performance.now() - startedAtMs));
      const silentMs = showPage === undefined ? Math.min(leftMs, quietMs) : leftMs;
      const timeout = setTimeout(silentMs, undefined, { signal }).catch(() => undefined);
      await Promise.race([probe.firstCall, showing ?? never(), timeout]);
    }
    const call = probe.call();
    // Without a call, the next step has the reason.
    if (page.state === 'unsure') note('page', call === undefined ? 'warned' : 'failed', page.finding);
    else note('page', page.state === 'unreachable' ? 'failed' : page.state, page.finding);
    if (call !== undefined) recordCall(place, editor, call, note);
    if (call !== undefined || page.state === 'unreachable') return;
    const [address] = probe.tokenlessCallers;
    if (showPage === undefined && isReached && address !== undefined) {
      note('callback', 'passed', good('host.own-check-reached-doctray-from', { address }));
    } else if (showPage === undefined && isCollabora && status === undefined) {
      note('callback', 'warned', finding('needs-browser', place));
    } else {
      note('callback', 'failed', reason ?? (await explainSilence(request, place, probe, isReached)));
    }
  };

  return {
    /** One at a time for each editor. @throws AppError editor-unknown */
    async run(editorId: string): Promise<ConnectionTest> {
      const started = running.get(editorId) ?? test(editorId).finally(() => running.delete(editorId));
      running.set(editorId, started);
      const result = await started;
      return result();
    },
    /** Since the host was started. */
    last(editorId: string): ConnectionTest | undefined {
      const result = last.get(editorId)?.();
      const { addedAtMs = Infinity } = editors.byId(editorId) ?? {};
      // The built-in one keeps its id when it's switched on again, moves or recovers.
      return result !== undefined && result.testedAtMs >= addedAtMs ? result : undefined;
    },
  };
}

interface KeptStep {
  state: ConnectionStep['state'];
  found: Finding;
}

/** Words its steps for whoever reads it. */
type Result = () => ConnectionTest;

interface Trial {
  place: FindingPlace;
  editor: Editor;
  action: DiscoveryAction;
  probe: Probe;
  signal: AbortSignal;
}

async function readDiscovery(
  { editors }: ConnectionTestDeps,
  editorId: string,
  note: NoteStep,
): Promise<Editor | undefined> {
  const known = editors.byId(editorId);
  if (known === undefined) throw new AppError('editor-unknown');
  try {
    const editor = await editors.refresh(editorId);
    const { product, version, url } = editor;
    const count = typesOf(editor.discovery).length;
    const found =
      product === null
        ? good('host.document-server-opens-types', { url, count })
        : good('host.product-opens-types', { product: `${product} ${version ?? ''}`.trim(), url, count });
    note('discovery', 'passed', found);
    return editor;
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    const isSwitchedOff = fault.code === 'status' || fault.code === 'no-discovery';
    note('discovery', 'failed', ofFault(fault, isSwitchedOff ? discoveryLines(known.kind) : []));
    return undefined;
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
