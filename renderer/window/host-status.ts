// The host's state for the rail and the Overview. A dashboard that has lost its host doesn't know it, and shows that instead.

import { useMemo } from 'react';
import { hostStatus, type HostStatus } from '../../app/contract/host-status.ts';
import { t } from '../../app/contract/messages.ts';
import type { HostState } from '../../app/contract/state.ts';
import type { IconName } from './parts/icon-shapes.ts';
import { useIsDisconnected, useWindowState } from './state/window-context.tsx';

export interface ShownStatus extends HostStatus {
  icon: IconName;
  tone: 'good' | 'info' | 'warn' | 'bad' | 'muted';
}

export function useHostStatus(): ShownStatus {
  const isDisconnected = useIsDisconnected();
  const host = useWindowState((state) => state.host);
  const editors = useWindowState((state) => state.editors);
  const recovered = useWindowState((state) => state.recovered);
  const conflicts = useWindowState((state) => state.conflicts);
  const locks = useWindowState((state) => state.locks);
  return useMemo(() => {
    const status = hostStatus({ host, editors, recovered, conflicts, locks });
    if (!isDisconnected) return { ...status, ...lookOf(status, host.status) };
    return {
      ...status,
      mark: 'error',
      short: t('Disconnected'),
      long: t('DocTray isn’t reachable'),
      icon: 'error',
      tone: 'bad',
    };
  }, [isDisconnected, host, editors, recovered, conflicts, locks]);
}

function lookOf({ mark }: HostStatus, status: HostState['status']): Pick<ShownStatus, 'icon' | 'tone'> {
  switch (mark) {
    case 'error':
      return { icon: 'error', tone: 'bad' };
    case 'attention':
      return status === 'idle' ? { icon: 'folder', tone: 'muted' } : { icon: 'warning', tone: 'warn' };
    case 'editing':
    case 'serving':
      return { icon: 'good', tone: 'good' };
    case 'paused':
      if (status === 'paused') return { icon: 'pause', tone: 'warn' };
      return { icon: status === 'stopping' ? 'stop' : 'refresh', tone: 'muted' };
  }
}
