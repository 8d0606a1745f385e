// What the commands about TLS answer, as text for people.

import type { TlsState } from '../contract/state.ts';
import { orNone, untilText, type Shower } from './shower.ts';
import { formatPairs } from './table.ts';

const modes: Record<TlsState['mode'], string> = {
  off: 'off',
  files: 'by certificate files of yours',
  'local-authority': 'by the local authority',
};

function tlsText(state: TlsState, nowMs: number): string {
  return formatPairs([
    ['TLS', modes[state.mode]],
    ...(state.problem === null ? [] : [['problem', state.problem.message] satisfies [string, string]]),
    ['certificate for', state.names.length === 0 ? '-' : state.names.join(', ')],
    ['valid until', state.validUntilMs === null ? '-' : untilText(state.validUntilMs, nowMs)],
    ['local authority', orNone(state.authorityFingerprint)],
  ]);
}

export const showTls: {
  [Name in 'tls' | 'use-local-authority' | 'tls-authority']: Shower<Name>;
} = {
  tls: tlsText,
  'use-local-authority': (state, nowMs) =>
    `${tlsText(state, nowMs)}\n\nEditors and browsers must trust the local authority: \`tls save FILE\` writes its certificate; the help page /help/network says where to put it.`,
  'tls-authority': ({ certificate }) => certificate.trimEnd(),
};
