// New pages in Chromium: those that the stand-in created, and popups, which stay hidden until the app's window-open handler allows them.

import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';
import type { Cdp } from './cdp.ts';

type TargetInfo = Protocol.Target.TargetInfo;

export interface Targets {
  /** Creates a page and resolves once its session is attached; the page waits to be released. */
  create(size: { width: number; height: number }): Promise<{ targetId: string; sessionId: string }>;
  /** Whether another client may see the target; undefined if it isn't a page. */
  verdict(target: TargetInfo): Promise<boolean> | undefined;
  onDestroyed(listener: (targetId: string) => void): void;
}

export interface TargetsDeps {
  cdp: Cdp;
  /** Returns true if it took over the popup, which then stays open. */
  onPopup: (target: TargetInfo, sessionId: string) => Promise<boolean>;
}

interface Verdict {
  promise: Promise<boolean>;
  decide: (isShown: boolean) => void;
}

export async function watchTargets(deps: TargetsDeps): Promise<Targets> {
  const { cdp } = deps;
  const verdicts = new Map<string, Verdict>();
  const attached = new Map<string, { sessionId: string; info: TargetInfo }>();
  const attachWaiters = new Map<string, (sessionId: string) => void>();
  const own = new Set<string>();
  let creating = 0;
  const afterCreating: (() => void)[] = [];
  const destroyedListeners: ((targetId: string) => void)[] = [];

  function verdictOf(targetId: string): Verdict {
    let verdict = verdicts.get(targetId);
    if (!verdict) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      verdict = { promise, decide: resolve };
      verdicts.set(targetId, verdict);
    }
    return verdict;
  }

  async function judge(info: TargetInfo, sessionId: string): Promise<void> {
    if (own.has(info.targetId)) return;
    if (info.openerId === undefined && creating > 0) {
      await new Promise<void>((resolve) => afterCreating.push(resolve));
      if (own.has(info.targetId)) return;
    }
    const isKept = await deps.onPopup(info, sessionId);
    verdictOf(info.targetId).decide(isKept);
    if (!isKept) await cdp.send('Target.closeTarget', { targetId: info.targetId }).catch(() => undefined);
  }

  cdp.onSession('', (message) => {
    const params = message.params ?? {};
    switch (message.method) {
      case 'Target.attachedToTarget': {
        const { sessionId, targetInfo } = params as unknown as Protocol.Target.attachedToTargetPayload;
        if (targetInfo.type !== 'page') {
          void cdp.send('Runtime.runIfWaitingForDebugger', {}, sessionId).catch(() => undefined);
          return;
        }
        attached.set(targetInfo.targetId, { sessionId, info: targetInfo });
        attachWaiters.get(targetInfo.targetId)?.(sessionId);
        void judge(targetInfo, sessionId);
        return;
      }
      case 'Target.targetDestroyed':
        for (const listener of destroyedListeners) listener(params['targetId'] as string);
        return;
      default:
    }
  });
  await Promise.all([
    cdp.send('Target.setDiscoverTargets', { discover: true }),
    cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
  ]);

  return {
    async create({ width, height }) {
      creating++;
      let targetId: string;
      try {
        ({ targetId } = await cdp.send('Target.createTarget', {
          url: 'about:blank',
          newWindow: true,
          width,
          height,
        }));
        own.add(targetId);
        verdictOf(targetId).decide(true);
      } finally {
        creating--;
        for (const resume of afterCreating.splice(0)) resume();
      }
      const known = attached.get(targetId);
      const sessionId =
        known?.sessionId ?? (await new Promise<string>((resolve) => attachWaiters.set(targetId, resolve)));
      return { targetId, sessionId };
    },
    verdict: (target) => (target.type === 'page' ? verdictOf(target.targetId).promise : undefined),
    onDestroyed: (listener) => void destroyedListeners.push(listener),
  };
}
