// The host's state in words, with a sign: the same in the rail and in the overview.

import type { HostState } from '../../app/contract/state.ts';
import type { IconName } from './parts/icon-shapes.ts';

export interface HostWords {
  /** `Serving`, for the rail. */
  short: string;
  /** `Serving Documents`, for the overview. */
  long: string;
  icon: IconName;
  tone: 'good' | 'info' | 'warn' | 'bad' | 'muted';
}

export function hostWords(host: HostState): HostWords {
  const folder = host.folderName ?? 'the folder';
  switch (host.status) {
    case 'starting':
      return { short: 'Starting…', long: 'Starting…', icon: 'refresh', tone: 'muted' };
    case 'idle':
      return { short: 'No folder yet', long: 'No folder is chosen yet', icon: 'folder', tone: 'muted' };
    case 'serving':
      return { short: 'Serving', long: `Serving ${folder}`, icon: 'good', tone: 'good' };
    case 'paused':
      return { short: 'Paused', long: `${folder} is paused`, icon: 'pause', tone: 'warn' };
    case 'error':
      return { short: 'Not serving', long: `${folder} is not served`, icon: 'error', tone: 'bad' };
    case 'stopping':
      return { short: 'Stopping…', long: 'Stopping…', icon: 'stop', tone: 'muted' };
  }
}
