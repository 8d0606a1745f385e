// The `tls` commands.

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError, errorCode } from '../../contract/errors.ts';
import type { TlsState } from '../../contract/state.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { formatPairs, formatUntil, orNone } from '../table.ts';

export function addTlsCommands(program: Command, { common, plain, call, terminal }: CommandHelpers): void {
  const tls = program.command('tls').description('set up HTTPS for other computers');
  plain(
    tls.command('show', { isDefault: true }).description('show the HTTPS mode and the certificate'),
    'tls.show',
    () => ({}),
    tlsText,
  );
  plain(
    tls
      .command('authority')
      .description('create a certificate authority on this computer and switch HTTPS on'),
    'tls.useLocalAuthority',
    () => ({}),
    (state, nowMs) =>
      `${tlsText(state, nowMs)}\n\nEditors and browsers must trust the local authority. Save its certificate with \`tls save FILE\`. The help page /help/network shows where to install it.`,
  );
  common(
    tls.command('save <file>').description('save the local authority’s certificate for others to trust'),
  ).action(async (file: string, options: CommonOptions) => {
    const { certificate, fingerprint } = await call(options, 'tls.authority', {});
    const savedTo = resolve(terminal.cwd, file);
    await save(savedTo, certificate);
    const text =
      options.json === true
        ? JSON.stringify({ savedTo, fingerprint })
        : `Saved to ${savedTo}.\nIts SHA-256 fingerprint: ${fingerprint ?? '-'}`;
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
    throw new AppError('disk-refused', { cause: error, detail: `${path} (${code || 'unknown'})` });
  }
}

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
    ['expires', state.validUntilMs === null ? '-' : formatUntil(state.validUntilMs, nowMs)],
    ['authority', orNone(state.authorityFingerprint)],
  ]);
}
