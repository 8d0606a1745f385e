// Counts how often a page's timers fire. A script that runs before the page's own wraps them. It is added over the DevTools protocol,
// whose connection is closed before the count starts.

import type { StartedApp } from './desktop-app.ts';
import type { TimerCount } from './desktop-probe.ts';

/** Runs in the page. Like desktop-probe.ts, it counts one-off timers with the same code and delay as one timer. */
const wrapper = `(() => {
  const timers = new Map();
  const note = (key, code, delayMs) => {
    const atMs = performance.now();
    const known = timers.get(key);
    const gapMs = known === undefined ? null : atMs - known.lastAtMs;
    const shortestGapMs = gapMs === null ? null : Math.min(gapMs, known.shortestGapMs ?? gapMs);
    const what = code.replaceAll(/\\s+/g, ' ').slice(0, 80);
    timers.set(key, { what, delayMs, count: (known?.count ?? 0) + 1, shortestGapMs, lastAtMs: atMs });
  };
  const wrap = (name, isRepeated) => {
    const original = globalThis[name].bind(globalThis);
    globalThis[name] = (work, delayMs, ...rest) => {
      const code = name + ': ' + String(work);
      const key = isRepeated ? {} : code + String(delayMs);
      return original((...given) => {
        note(key, code, Number(delayMs ?? 0));
        return work(...given);
      }, delayMs, ...rest);
    };
  };
  wrap('setTimeout', false);
  wrap('setInterval', true);
  wrap('requestAnimationFrame', false);
  wrap('requestIdleCallback', false);
  globalThis.benchTimers = timers;
})();`;

interface Answer {
  id?: number;
  result?: { sessionId?: string; targetInfos?: { type: string; targetId: string }[] };
  error?: { message: string };
}

/** Reloads the page with counted timers. The app must be started with --remote-debugging-port=0. */
export async function countPageTimers(app: StartedApp): Promise<void> {
  const [, address = ''] = await app.waitForOutput(/^DevTools listening on (ws:\S+)/m);
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The app’s DevTools address does not answer.')));
  });
  let asked = 0;
  const send = (
    method: string,
    params: object = {},
    sessionId?: string,
  ): Promise<NonNullable<Answer['result']>> =>
    new Promise((resolve, reject) => {
      asked += 1;
      const id = asked;
      const onMessage = ({ data }: MessageEvent): void => {
        const answer = JSON.parse(String(data)) as Answer;
        if (answer.id !== id) return;
        socket.removeEventListener('message', onMessage);
        if (answer.error) reject(new Error(`${method}: ${answer.error.message}`));
        else resolve(answer.result ?? {});
      };
      socket.addEventListener('message', onMessage);
      socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    });
  try {
    const { targetInfos = [] } = await send('Target.getTargets');
    const page = targetInfos.find(({ type }) => type === 'page');
    const { sessionId } = await send('Target.attachToTarget', { targetId: page?.targetId, flatten: true });
    await send('Page.enable', {}, sessionId);
    await send('Page.addScriptToEvaluateOnNewDocument', { source: wrapper }, sessionId);
    await send('Page.reload', {}, sessionId);
    const untilThere = performance.now() + 10_000;
    while (!(await app.run<boolean>(`return 'benchTimers' in globalThis;`).catch(() => false)))
      if (performance.now() > untilThere) throw new Error('The page wasn’t reloaded.');
  } finally {
    socket.close();
  }
}

/** Returns the counts since the last call. */
export async function takePageTimers(app: StartedApp): Promise<TimerCount[]> {
  return app.run<TimerCount[]>(`
    const counts = [...globalThis.benchTimers.values()].map(({ lastAtMs, ...timer }) => timer);
    globalThis.benchTimers.clear();
    return counts;`);
}
