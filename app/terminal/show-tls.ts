// What the commands about HTTPS answer, as text for people.

import type { TlsState } from '../contract/state.ts';
import { orNone, untilText, type Shower } from './shower.ts';
import { formatPairs } from './table.ts';

const modes: Record<TlsState['mode'], string> = {
  off: 'off',
  files: 'your own certificate',
  'local-authority': 'local authority',
};

function tlsText(state: TlsState, nowMs: number): string {
  return formatPairs([
    ['HTTPS', modes[state.mode]],
    ...(state.problem === null ? [] : [['problem', state.problem.message] satisfies [string, string]]),
    ['names', state.names.length === 0 ? '-' : state.names.join(', ')],
    ['expires', state.validUntilMs === null ? '-' : untilText(state.validUntilMs, nowMs)],
    ['authority', orNone(state.authorityFingerprint)],
  ]);
}

export const showTls: {
  [Name in 'tls.show' | 'tls.useLocalAuthority' | 'tls.authority']: Shower<Name>;
} = {
  'tls.show': tlsText,
  'tls.useLocalAuthority': (state, nowMs) =>
    `${tlsText(state, nowMs)}\n\nEditors and browsers must trust the local authority. Save its certificate with \`tls save FILE\`. The help page /help/network shows where to install it.`,
  'tls.authority': ({ certificate }) => certificate.trimEnd(),
};
