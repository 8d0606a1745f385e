// `uninstall`, as it is typed and shown.

import type { Command } from 'commander';
import { AppError } from '../../contract/errors.ts';
import { countOf } from '../../contract/format.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { withCommandPrefix } from '../command-prefix.ts';
import { exitCode, Interrupted } from '../exit-code.ts';
import { safeText } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import type { Uninstall, Uninstalled } from '../uninstall.ts';

interface UninstallOptions extends CommonOptions {
  deleteData?: boolean;
  yes?: boolean;
}

export function addUninstallCommand(program: Command, { common, terminal, end }: CommandHelpers): void {
  common(
    program
      .command('uninstall')
      .description('remove what DocTray stores outside the hosted folder, before you remove DocTray itself'),
  )
    .option('--delete-data', 'also delete the data folder: settings, earlier versions and recovered saves')
    .option('--yes', 'don’t ask for confirmation, and delete recovered saves too')
    .action(async (options: UninstallOptions) => {
      const { deleteData = false, yes = false } = options;
      const { dataFolderOf } = await import('../data-folder.ts');
      const { prepareUninstall } = await import('../uninstall.ts');
      const dataFolder = dataFolderOf({ ...terminal, data: options.data });
      const uninstall = await prepareUninstall(dataFolder, { deleteData }, terminal);
      try {
        if (!yes) await agree(uninstall, deleteData, terminal);
      } catch (error) {
        uninstall.cancel();
        throw error;
      }
      const result = await uninstall.run();
      const text =
        options.json === true
          ? JSON.stringify(result)
          : withCommandPrefix(show(result).map(safeText).join('\n'), terminal);
      terminal.stdout.write(`${text}\n`);
      if (result.secrets === 'unreachable') end(exitCode.failed);
    });
}

/** @throws AppError uninstall-refused, UsageError, Interrupted */
async function agree(uninstall: Uninstall, deleteData: boolean, terminal: Terminal): Promise<void> {
  const { dataDir, recoveredSaves, isKeychainReachable } = uninstall;
  if (deleteData) {
    if (recoveredSaves.length > 0) throw refusedFor(recoveredSaves);
    if (!isKeychainReachable) {
      throw new AppError('uninstall-refused', {
        detail:
          'DocTray can’t reach the keychain that holds its secrets. Unlock it and try again, or add --yes to leave them there.',
      });
    }
  }
  const { confirm } = await import('../prompt.ts');
  const question = deleteData
    ? `Delete ${dataDir} with settings, users and earlier versions permanently? Your documents stay.`
    : `Remove DocTray’s entries from this account? Its data stays in ${dataDir}.`;
  if (!(await confirm(terminal, safeText(question)))) throw new Interrupted();
}

function refusedFor(recoveredSaves: readonly string[]): AppError {
  const count = countOf(recoveredSaves.length, 'recovered save is', 'recovered saves are');
  const detail = `${count} only in the data folder: ${safeText(recoveredSaves.join(', '))}. Restore what you need with \`recovered restore ID\`, or add --yes to delete them.`;
  return new AppError('uninstall-refused', { detail });
}

function show(result: Uninstalled): string[] {
  const { dataFolder, notOurs, secrets, recoveredSaves, removed, containers, folder, program } = result;
  const { path, state } = dataFolder;
  return [
    ...removed.map((one) => `Removed ${one}.`),
    {
      deleted: `Deleted the data in ${path}.`,
      kept: `DocTray’s data is still in ${path}.`,
      missing: `There is no data folder at ${path}.`,
    }[state],
    ...recoveredSaves.map((one) => `Deleted a recovered save of ${one}.`),
    ...(notOurs.length === 0 ? [] : [`Other files in ${path} were kept: ${notOurs.join(', ')}.`]),
    ...{
      none: [],
      removed: ['Removed DocTray’s entries from the keychain.'],
      'moved-to-file': ['Its secrets moved from the keychain to secrets.json there, readable only by you.'],
      unreachable: [
        state === 'deleted'
          ? 'DocTray couldn’t reach the keychain. Delete the entries “DocTray” in your keychain app.'
          : 'DocTray couldn’t reach the keychain. Unlock it, then run `uninstall` again.',
      ],
    }[secrets],
    ...containers.map(
      ({ name, removeWith }) => `The container ${name} still exists. To remove it, run: ${removeWith}`,
    ),
    ...(folder === null ? [] : [`The documents in ${folder} weren’t changed.`]),
    program,
  ];
}
