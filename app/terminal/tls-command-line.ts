// The commands about HTTPS as a person types them.

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError, errorCode } from '../contract/errors.ts';
import type { CommandHelpers, CommonOptions } from './command-helpers.ts';

export function addTlsCommands(program: Command, { common, plain, call, terminal }: CommandHelpers): void {
  const tls = program.command('tls').description('HTTPS for other computers');
  plain(
    tls.command('show', { isDefault: true }).description('show the HTTPS mode and the certificate'),
    'tls.show',
    () => ({}),
  );
  plain(
    tls
      .command('authority')
      .description('create a certificate authority on this computer and switch HTTPS on'),
    'tls.useLocalAuthority',
    () => ({}),
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

/** Never over a file that is there: a slip of the finger must not cost a document. */
async function save(path: string, certificate: string): Promise<void> {
  try {
    await writeFile(path, certificate, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') throw new AppError('name-taken', { cause: error, detail: path });
    throw new AppError('disk-refused', { cause: error, detail: `${path} (${code || 'unknown'})` });
  }
}
