// The `tls` commands.

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError, errorCode } from '../../contract/errors.ts';
import { t } from '../../contract/messages.ts';
import type { TlsState } from '../../contract/state.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { formatPairs, formatUntil, orNone } from '../table.ts';

export function addTlsCommands({ add, command, call, terminal }: CommandHelpers): void {
  command('tls show', 'tls.show', tlsText);
  command(
    'tls authority',
    'tls.useLocalAuthority',
    (state, nowMs) => `${tlsText(state, nowMs)}\n\n${t('terminal.editors-must-trust-the-authority')}`,
  );
  add('tls save <file>', async (file: string, options: CommonOptions) => {
    const { certificate, fingerprint } = await call(options, 'tls.authority', {});
    const savedTo = resolve(terminal.cwd, file);
    await save(savedTo, certificate);
    const text =
      options.json === true
        ? JSON.stringify({ savedTo, fingerprint })
        : t('terminal.saved-to', { path: savedTo, fingerprint: orNone(fingerprint) });
    terminal.stdout.write(`${text}\n`);
  });
}

/** Never overwrites an existing file: a typo must not destroy a document. */
async function save(path: string, certificate: string): Promise<void> {
  try {
    await writeFile(path, certificate, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') throw new AppError('name-taken', { cause: error, detail: path });
    throw new AppError('disk-refused', {
      cause: error,
      detail: `${path} (${code || t('terminal.unknown')})`,
    });
  }
}

function tlsText(state: TlsState, nowMs: number): string {
  return formatPairs([
    ['HTTPS', t(`terminal.tls-${state.mode}`)],
    [t('terminal.label-problem'), state.problem?.message],
    [t('terminal.label-names'), state.names.length === 0 ? '-' : state.names.join(', ')],
    [t('terminal.label-expires'), state.validUntilMs === null ? '-' : formatUntil(state.validUntilMs, nowMs)],
    [t('terminal.label-authority'), orNone(state.authorityFingerprint)],
  ]);
}
