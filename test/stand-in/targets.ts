// New pages in Chromium: the stand-in's own, and popups, which are closed. `Page.windowOpen` asks the app about those.

import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';
import type { Cdp } from './cdp.ts';

export type Targets = Awaited<ReturnType<typeof watchTargets>>;

export async function watchTargets(deps: { cdp: Cdp; onDestroyed: (targetId: string) => void }) {
  const { cdp } = deps;
  const own = new Set<string>();
  const sessions = new Map<string, string>();
  const waiting = new Map<string, (sessionId: string) => void>();
  /** A page may be attached before the answer to the command that created it. */
  let created: Promise<unknown> = Promise.resolve();

  async function isOwn(targetId: string): Promise<boolean> {
    if (!own.has(targetId)) await created;
    return own.has(targetId);
  }

  cdp.onSession('', (message) => {
    if (message.method === 'Target.attachedToTarget') {
      const { sessionId, targetInfo } = message.params as unknown as Protocol.Target.attachedToTargetPayload;
      const { targetId, type } = targetInfo;
      if (type !== 'page') {
        void cdp.send('Runtime.runIfWaitingForDebugger', {}, sessionId).catch(() => undefined);
        return;
      }
      sessions.set(targetId, sessionId);
      waiting.get(targetId)?.(sessionId);
      void isOwn(targetId)
        .then(async (isKept) => {
          if (!isKept) await cdp.send('Target.closeTarget', { targetId });
        })
        .catch(() => undefined);
    } else if (message.method === 'Target.targetDestroyed')
      deps.onDestroyed(message.params?.['targetId'] as string);
  });
  await Promise.all([
    cdp.send('Target.setDiscoverTargets', { discover: true }),
    cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
  ]);

  return {
    /** Whether the stand-in created it. */
    isOwn,
    /** Creates a page and resolves once its session is attached; the page waits to be released. */
    async create({ width, height }: { width: number; height: number }) {
      const creating = cdp
        .send('Target.createTarget', { url: 'about:blank', newWindow: true, width, height })
        .then(({ targetId }) => {
          own.add(targetId);
          return targetId;
        });
      created = Promise.allSettled([created, creating]);
      const targetId = await creating;
      const sessionId =
        sessions.get(targetId) ??
        (await new Promise<string>((resolve) => void waiting.set(targetId, resolve)));
      return { targetId, sessionId };
    },
  };
}
