// The bridge of the window in a browser: one WebSocket to the host. It connects again by itself, and then the host pushes the
// whole state. The session is kept for this tab only, so it survives a reload.

import type { Bridge, ImportedFiles } from '../../../app/contract/bridge.ts';
import {
  closeCodes,
  commandPath,
  type AnswerProblem,
  socketPath,
  type DashboardAnswer,
  type DashboardMessage,
  type DashboardQuestion,
  type DashboardRequest,
  type DashboardSessionKey,
} from '../../../app/contract/dashboard.ts';
import { t } from '../../../app/contract/messages.ts';
import type { PushListener } from '../../../app/contract/pushes.ts';
import type { CommandAnswer } from '../../../app/contract/results.ts';
import { setHostTime } from './clock.ts';

type Blocked = { kind: 'show'; url: string } | { kind: 'copy'; text: string };

/** What the page shows besides the window. The same object until something changed. */
export interface DashboardState {
  /** `refused`: `reason` says why, and connecting again is useless. */
  connection: 'connecting' | 'open' | 'lost' | 'refused';
  /** Prints a new link. */
  command: string;
  reason?: 'no-link' | (typeof refusals)[number];
  /** `problem`: why the last answer wasn't accepted. */
  question?: { id: number; question: DashboardQuestion; problem: AnswerProblem | null } | undefined;
  /** The browser wants the user's own click for it. */
  blocked?: Blocked | undefined;
}

export interface DashboardBridge extends Bridge {
  state(): DashboardState;
  subscribe(listener: () => void): () => void;
  answer(answer: DashboardAnswer | null): void;
  /** Does what was blocked; call it in a click. Null: the user doesn't want it. */
  retryBlocked(isWanted: boolean): void;
}

/** Reconnecting won't help after these. */
const refusals = ['linkInvalid', 'linkUsed', 'linkUsedAgain', 'sessionEnded'] as const;

const sessionKey = 'doctray-session';
const retryMs = [500, 1000, 2000, 5000];

const refused = (code: string, message: string) => ({ isDone: false, error: { code, message } }) as const;
const away = refused('host-away', t('window.doctray-didnt-respond-check-that'));
const notOpened = refused('tab-blocked', t('window.the-browser-blocked-the-new'));
const notCopied = {
  declined: refused('not-confirmed', t('window.the-browser-didnt-allow-copying')),
  refused: refused('copy-refused', t('window.the-browser-doesnt-let-this')),
};

export function openDashboardBridge(): DashboardBridge {
  const listeners = new Set<() => void>();
  const pushListeners = new Set<PushListener>();
  const questions = new Map<number, NonNullable<DashboardState['question']>>();
  /** `request` is sent once the session is open. */
  const running = new Map<
    number,
    { request: DashboardRequest; settle(answer: CommandAnswer<unknown>): void }
  >();
  /** Calls that open a document, whose answer waits for the user if the browser blocks the tab. */
  const opening = new Set<number>();
  /** What the browser does only when the user presses a button; `state.blocked` is the first. */
  const presses: { blocked: Blocked; press(isWanted: boolean): void }[] = [];
  let blockedTab: Promise<boolean> | undefined;
  let lastId = 0;
  let retries = 0;
  let socket: WebSocket | undefined;
  let state: DashboardState = { connection: 'connecting', command: 'doctray dashboard' };

  let link = linkInAddress();
  // The link stays neither in the address bar nor in the history.
  if (link !== '') history.replaceState(null, '', location.pathname);
  // A new link that was entered in this tab.
  addEventListener('hashchange', () => {
    if (linkInAddress() !== '') location.reload();
  });

  const set = (change: Partial<DashboardState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  /** One after the other. */
  const showQuestion = (): void => set({ question: [...questions.values()][0] });
  const showBlocked = (): void => set({ blocked: presses[0]?.blocked });
  /** `retry` runs within the press, so the browser allows it. */
  const pressed = async (
    blocked: Blocked,
    retry: () => boolean | Promise<boolean>,
  ): Promise<'done' | 'refused' | 'declined'> => {
    const { promise, resolve } = Promise.withResolvers<boolean | Promise<boolean> | undefined>();
    presses.push({ blocked, press: (isWanted) => resolve(isWanted ? retry() : undefined) });
    showBlocked();
    const isDone = await promise;
    if (isDone === undefined) return 'declined';
    return isDone ? 'done' : 'refused';
  };
  const push: PushListener = (...pushed) => {
    for (const listener of pushListeners) listener(...pushed);
  };
  const send = (request: DashboardRequest): void => socket?.send(JSON.stringify(request));

  function connect(): void {
    const session = storedSession();
    const nonce = base64url(crypto.getRandomValues(new Uint8Array(32)));
    if (link === '' && session === null) {
      set({ connection: 'refused', reason: 'no-link' });
      return;
    }
    const opening = new WebSocket(
      `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${socketPath}`,
    );
    socket = opening;
    opening.addEventListener('open', () => {
      if (link !== '') send({ type: 'open', link });
      else if (session !== null) send({ type: 'resume', id: session.id, nonce });
    });
    // Another program may listen there by now: until it has proved that it is the host, it isn't believed.
    let isTrusted = link !== '';
    opening.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as DashboardMessage;
      if (isTrusted) receive(message);
      else if (message.type === 'prove' && session !== null) {
        void prove(session.secret, nonce, message).then((proof) => {
          isTrusted = proof !== undefined;
          if (proof === undefined) opening.close();
          else opening.send(JSON.stringify({ type: 'proof', proof } satisfies DashboardRequest));
        });
      } else opening.close();
    });
    opening.addEventListener('close', ({ code }) => closed(code));
  }

  function closed(code: number): void {
    for (const { settle } of running.values()) settle(away);
    running.clear();
    opening.clear();
    questions.clear();
    showQuestion();
    const reason = refusals.find((name) => closeCodes[name] === code);
    if (reason !== undefined) {
      sessionStorage.removeItem(sessionKey);
      set({ connection: 'refused', reason });
    } else {
      set({ connection: state.connection === 'connecting' ? 'connecting' : 'lost' });
      setTimeout(connect, retryMs[Math.min(retries, retryMs.length - 1)]);
      retries += 1;
    }
  }

  /** Once the host is trusted. */
  function receive(message: DashboardMessage): void {
    switch (message.type) {
      case 'opened':
        link = '';
        retries = 0;
        if (message.session !== null) sessionStorage.setItem(sessionKey, JSON.stringify(message.session));
        setHostTime(message.nowMs);
        set({ connection: 'open' });
        for (const { request } of running.values()) send(request);
        break;
      case 'prove':
        // Handled where the connection opens.
        break;
      case 'result':
        void settle(message.id, message.answer);
        break;
      case 'push':
        push(...message.push);
        break;
      case 'ask': {
        const { id, question, problem } = message;
        questions.set(id, { id, question, problem });
        showQuestion();
        break;
      }
      case 'settled':
        questions.delete(message.id);
        showQuestion();
        break;
      case 'save':
        download(message.name, message.text);
        break;
      case 'show':
        if (!openTab(message.url)) {
          const { url } = message;
          blockedTab = pressed({ kind: 'show', url }, () => openTab(url)).then((end) => {
            blockedTab = undefined;
            return end === 'done';
          });
        }
        break;
    }
  }

  async function call(name: string, args: unknown): Promise<CommandAnswer<unknown>> {
    const own = await ownAnswer(name, args);
    if (own !== undefined) return own;
    if (state.connection === 'lost' || state.connection === 'refused') return away;
    lastId += 1;
    const id = lastId;
    if (name === 'documents.openInEditor') opening.add(id);
    return new Promise((settle) => {
      const request = { type: 'call', id, name, args } as const;
      running.set(id, { request, settle });
      if (state.connection === 'open') send(request);
    });
  }

  /** A document isn't open before its tab is. */
  async function settle(id: number, answer: CommandAnswer<unknown>): Promise<void> {
    const isBlocked = opening.delete(id) && answer.isDone && blockedTab !== undefined;
    const isOpen = !isBlocked || (await blockedTab);
    running.get(id)?.settle(isOpen === true ? answer : notOpened);
    running.delete(id);
  }

  /** What the browser does itself; undefined for the host's commands. */
  async function ownAnswer(name: string, args: unknown): Promise<CommandAnswer<unknown> | undefined> {
    if (name === 'app.copyText') {
      const { text } = args as { text: string };
      if (await copy(text)) return { isDone: true, result: null };
      const end = await pressed({ kind: 'copy', text }, () => copy(text));
      return end === 'done' ? { isDone: true, result: null } : notCopied[end];
    }
    if (name === 'app.saveText') {
      const { suggestedName, text } = args as { suggestedName: string; text: string };
      download(suggestedName, text);
      return { isDone: true, result: { savedTo: suggestedName } };
    }
    return undefined;
  }

  connect();
  fetch(commandPath)
    .then(async (response) => (response.ok ? set({ command: await response.text() }) : undefined))
    .catch(() => undefined);
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    answer(answer) {
      if (state.question === undefined) return;
      send({ type: 'answer', id: state.question.id, answer });
    },
    retryBlocked(isWanted) {
      presses.shift()?.press(isWanted);
      showBlocked();
    },
    call,
    onPush(name, listener) {
      const own: PushListener = (...pushed) => {
        if (pushed[0] === name) listener(pushed[1] as never);
      };
      pushListeners.add(own);
      return () => void pushListeners.delete(own);
    },
    async importFiles(folderPath, files) {
      let failure: ImportedFiles['failure'] = null;
      const readable: File[] = [];
      for (const file of files as readonly File[]) {
        const problem = await problemOf(file);
        if (problem === null) readable.push(file);
        else failure = problem;
      }
      const jobIds: string[] = [];
      if (readable.length > 0) {
        // The rest of the files would not be copied. A function of its own for each drop, because several can run at once.
        const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();
        addEventListener('beforeunload', askBeforeLeaving);
        const answer = await upload(folderPath, readable);
        removeEventListener('beforeunload', askBeforeLeaving);
        if (answer.isDone) jobIds.push(answer.result);
        else failure = answer.error;
      }
      return { isDone: true, result: { jobIds, withoutPath: 0, failure } };
    },
  };
}

/** The key of a one-time link; empty if the address has none. A hash such as `#/locks` names a view. */
function linkInAddress(): string {
  return location.hash.startsWith('#/') ? '' : location.hash.slice(1);
}

function storedSession(): DashboardSessionKey | null {
  return JSON.parse(sessionStorage.getItem(sessionKey) ?? 'null') as DashboardSessionKey | null;
}

/** The page's proof for the host; undefined if the other side doesn't know the session. */
async function prove(
  secret: string,
  nonce: string,
  theirs: { nonce: string; proof: string },
): Promise<string | undefined> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const digest = await crypto.subtle.digest('SHA-256', bytes(secret));
  const key = await crypto.subtle.importKey('raw', digest, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const sign = async (text: string) =>
    base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(text))));
  return (await sign(`host ${nonce}`)) === theirs.proof ? sign(`page ${theirs.nonce}`) : undefined;
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function problemOf(file: File): Promise<ImportedFiles['failure']> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return null;
  } catch {
    return { code: 'invalid-argument', message: t('window.name-is-a-folder-or', { name: file.name }) };
  }
}

/** @returns the id of their job, which has ended */
async function upload(folderPath: string, files: readonly File[]): Promise<CommandAnswer<string>> {
  const list = new Blob([JSON.stringify(files.map(({ name, size }) => ({ name, size })))]);
  const query = new URLSearchParams({ folderPath, listBytes: String(list.size) });
  try {
    const response = await fetch(`/upload?${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${storedSession()?.secret ?? ''}` },
      body: new Blob([list, ...files]),
    });
    const body = (await response.json()) as { jobId?: string; error?: { type: string; message: string } };
    if (body.jobId !== undefined) return { isDone: true, result: body.jobId };
    const { type = 'internal', message = t('window.doctray-refused-it') } = body.error ?? {};
    return refused(type, message);
  } catch {
    return refused('body-incomplete', t('window.the-connection-was-closed'));
  }
}

/** False if the browser refused. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text]));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** False if the browser blocked it as a popup. */
function openTab(url: string): boolean {
  const tab = window.open('about:blank', '_blank');
  if (tab === null) return false;
  tab.opener = null;
  // It begins with a copy of this tab's.
  tab.sessionStorage.removeItem(sessionKey);
  tab.location.href = url;
  return true;
}
