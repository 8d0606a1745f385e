// A line above every view while the host is paused, with the one button that ends it.

import { useCallback } from 'react';
import { Button } from './parts/button.tsx';
import { formatRelative, relativeChangesInMs } from '../../app/contract/format.ts';
import { formatTimeOfDay } from './parts/format.ts';
import { Icon } from './parts/icon.tsx';
import { useTimedText } from './parts/ticker.tsx';
import { useAction } from './state/use-action.ts';
import { useWindowState } from './state/window-context.tsx';

export function Banner() {
  const status = useWindowState((state) => state.host.status);
  const untilMs = useWindowState((state) => state.host.pausedUntilMs);
  const resume = useAction('host.resume', { failure: 'Could not resume' });
  if (status !== 'paused') return null;
  return (
    <section className="banner tone-warn" aria-label="Paused">
      <Icon name="pause" />
      <p className="banner-words">
        Paused{untilMs === null ? ' until you resume it' : <Until atMs={untilMs} />}. Nobody can open
        documents; what is open still saves.
      </p>
      <Button isPending={resume.isPending} onPress={() => void resume.run({})}>
        Resume
      </Button>
    </section>
  );
}

function Until({ atMs }: { atMs: number }) {
  return useTimedText(
    useCallback(
      (nowMs: number) => ` until ${formatTimeOfDay(atMs).slice(0, -3)} (${formatRelative(atMs, nowMs)})`,
      [atMs],
    ),
    useCallback((nowMs: number) => relativeChangesInMs(atMs, nowMs), [atMs]),
  );
}
