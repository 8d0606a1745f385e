// Loaded into an app's main process by NODE_OPTIONS. Answers the bench's questions over the IPC channel, and does nothing else, so
// that it doesn't affect the measurements.

import { createHook, executionAsyncResource, type AsyncHook } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as electronModule from 'electron';

/** The count of an interval, or of one-off timers with the same code and delay. */
export interface TimerCount {
  what: string;
  delayMs: number;
  count: number;
  /** Between two firings; null if it fired once. */
  shortestGapMs: number | null;
}

export interface ProbeAnswers {
  /** The result of a script in the page. Waits until the window's page is loaded. */
  run: unknown;
  isVisible: boolean;
  /** Null with real Electron, whose main process is the browser process. */
  browserPid: number | null;
  startTimers: null;
  endTimers: TimerCount[];
}

export interface ProbeQuestion {
  id: number;
  ask: keyof ProbeAnswers;
  /** For `run`. */
  script?: string;
  /** For `isVisible`: shows or hides the window first. */
  wanted?: boolean;
}

export type ProbeReply = { id: number } & ({ answer: unknown } | { problem: string });

interface StandIn {
  __standin?: { chromiumPid: number };
}

interface TimeoutResource {
  _idleTimeout: number;
  _onTimeout: unknown;
  _repeat: number | null;
}

const pollMs = 5;

async function loadElectron(): Promise<typeof electronModule> {
  // Before the stand-in is installed, `electron` would resolve to the npm package, which only exports a path.
  const isThere = (): boolean => '__standin' in globalThis || 'electron' in process.versions;
  while (!isThere()) await sleep(pollMs);
  return import('electron');
}

async function openWindow(): Promise<electronModule.BrowserWindow> {
  const { BrowserWindow, app } = await loadElectron();
  await app.whenReady();
  for (;;) {
    const [window] = BrowserWindow.getAllWindows();
    const url = window?.webContents.getURL() ?? '';
    if (window && url !== '' && url !== 'about:blank' && !window.webContents.isLoading()) return window;
    await sleep(pollMs);
  }
}

let hook: AsyncHook | undefined;
let timers = new Map<unknown, TimerCount & { lastAtMs: number }>();

function noteTimer(): void {
  const resource = executionAsyncResource() as Partial<TimeoutResource>;
  if (resource.constructor?.name !== 'Timeout') return;
  const atMs = performance.now();
  const delayMs = resource['_idleTimeout'] ?? Number.NaN;
  const code = String(resource['_onTimeout']);
  const isItself = resource['_repeat'] != null || code.includes('[native code]');
  const key = isItself ? resource : `${delayMs} ${code}`;
  const known = timers.get(key);
  const gapMs = known === undefined ? null : atMs - known.lastAtMs;
  timers.set(key, {
    what: code.replaceAll(/\s+/g, ' ').slice(0, 80),
    delayMs,
    count: (known?.count ?? 0) + 1,
    shortestGapMs: gapMs === null ? null : Math.min(gapMs, known?.shortestGapMs ?? gapMs),
    lastAtMs: atMs,
  });
}

const answers: {
  [Ask in keyof ProbeAnswers]: (question: ProbeQuestion) => ProbeAnswers[Ask] | Promise<ProbeAnswers[Ask]>;
} = {
  async run({ script = '' }) {
    const { webContents } = await openWindow();
    return webContents.executeJavaScript(script);
  },
  async isVisible({ wanted }) {
    const window = await openWindow();
    if (wanted === true) window.show();
    if (wanted === false) window.hide();
    return window.isVisible();
  },
  browserPid: () => (globalThis as StandIn)['__standin']?.chromiumPid ?? null,
  startTimers() {
    timers = new Map();
    hook = createHook({ before: noteTimer }).enable();
    return null;
  },
  endTimers() {
    hook?.disable();
    return [...timers.values()].map(({ lastAtMs: _, ...timer }) => timer);
  },
};

process.on('message', (question: ProbeQuestion) => {
  const answer = async (): Promise<void> => {
    try {
      process.send?.({ id: question.id, answer: await answers[question.ask](question) });
    } catch (error) {
      process.send?.({ id: question.id, problem: String(error) });
    }
  };
  void answer();
});
// The channel must not keep the app running.
process.channel?.unref();
