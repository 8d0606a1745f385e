// The `uninstall` command.

import type { Command } from 'commander';
import { AppError } from '../../contract/errors.ts';
import { countOf } from '../../contract/format.ts';
import { safeText } from '../../contract/names.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { withCommandPrefix } from '../command-prefix.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import type { Uninstall, Uninstalled } from '../uninstall.ts';

interface UninstallOptions extends CommonOptions {
  deleteData?: boolean;
  deleteRecovered?: boolean;
}

export function addUninstallCommand(program: Command, helpers: CommandHelpers): void {
  const { asking, terminal, end } = helpers;
  asking(program.command('uninstall').description('remove what DocTray stores outside the hosted folder'))
    .option('--delete-data', 'also delete the data folder: settings, users and earlier versions')
    .option('--delete-recovered', 'with --delete-data: also delete recovered saves')
    .action(async (options: UninstallOptions) => {
      const { deleteData = false, deleteRecovered = false, yes = false } = options;
      if (deleteRecovered && !deleteData) throw new UsageError('--delete-recovered needs --delete-data.');
      const { dataFolderOf, dataFolderOption } = await import('../data-folder.ts');
      const { prepareUninstall } = await import('../uninstall.ts');
      const dataFolder = dataFolderOf({ ...terminal, data: options.data });
      const isChosen = dataFolderOption({ ...terminal, data: options.data }) !== undefined;
      const uninstall = await prepareUninstall(dataFolder, { deleteData, isChosen }, terminal);
      try {
        if (!deleteRecovered) refuseRecoveredSaves(uninstall);
        if (!yes) await confirmUninstall(uninstall, options, helpers);
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
      if (result.secrets === 'unreachable' || result.undeleted.length > 0) end(exitCode.failed);
    });
}

/** @throws AppError uninstall-refused, UsageError, Interrupted */
async function confirmUninstall(
  uninstall: Uninstall,
  options: UninstallOptions,
  { confirm }: CommandHelpers,
): Promise<void> {
  const { deleteData = false } = options;
  const { dataDir, recoveredSaves, isKeychainReachable } = uninstall;
  if (deleteData && !isKeychainReachable) {
    throw new AppError('uninstall-refused', {
      detail:
        'DocTray can’t reach the keychain that holds its secrets. Unlock it and try again, or add --yes to leave them there.',
    });
  }
  const deleted =
    recoveredSaves.length === 0
      ? 'settings, users and earlier versions'
      : 'settings, users, earlier versions and recovered saves';
  const question = deleteData
    ? `Permanently delete ${dataDir}, including ${deleted}? Your documents stay.`
    : `Remove start at login, links, cache and keychain entries? DocTray’s data stays in ${dataDir}.`;
  await confirm(options, safeText(question));
}

/** @throws AppError uninstall-refused */
function refuseRecoveredSaves({ recoveredSaves }: Uninstall): void {
  if (recoveredSaves.length === 0) return;
  const count = countOf(recoveredSaves.length, 'recovered save is', 'recovered saves are');
  const detail = `${count} only in the data folder: ${safeText(recoveredSaves.join(', '))}. Restore what you need with \`recovered restore ID\`, or add --delete-recovered to delete them.`;
  throw new AppError('uninstall-refused', { detail });
}

/** A read-only disk keeps thousands. */
const maxNamed = 20;

function show(result: Uninstalled): string[] {
  const {
    dataFolder,
    undeleted,
    otherFiles,
    links,
    secrets,
    recoveredSaves,
    removed,
    kept,
    containers,
    folder,
    program,
  } = result;
  const { path, state } = dataFolder;
  return [
    ...removed.map((one) => `Removed ${one}.`),
    ...kept.map((one) => `${one} was kept, because your data or documents are in the same place.`),
    {
      deleted: `Deleted the data in ${path}.`,
      emptied: `Deleted the data in ${path}. The empty folder can’t be removed and stays.`,
      incomplete: `Some of the data in ${path} couldn’t be deleted. Fix what is named below, then run \`uninstall --delete-data\` again.`,
      kept: `DocTray’s data is still in ${path}.`,
      missing: `There is no data folder at ${path}.`,
    }[state],
    ...undeleted.slice(0, maxNamed).map((one) => `Not deleted: ${one.path}. ${one.reason}`),
    ...(undeleted.length > maxNamed ? [`Not deleted: ${undeleted.length - maxNamed} more.`] : []),
    ...recoveredSaves.map((one) => `Deleted a recovered save of ${one}.`),
    ...links.map((one) => `Only the link ${one.path} was deleted. The files in ${one.target} stay.`),
    ...(otherFiles.length === 0 ? [] : [`Other files in ${path} were kept: ${otherFiles.join(', ')}.`]),
    ...{
      none: [],
      removed: ['Removed DocTray’s entries from the keychain.'],
      'moved-to-file': ['Its secrets moved from the keychain to secrets.json there, readable only by you.'],
      unreachable: [
        state === 'deleted' || state === 'emptied'
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
