// The `uninstall` command.

import type { Command } from 'commander';
import { AppError } from '../../contract/errors.ts';
import { t, type MessageKey } from '../../contract/messages.ts';
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
  asking(program.command('uninstall').description(t('terminal.help-uninstall')))
    .option('--delete-data', t('terminal.help-uninstall-delete-data'))
    .option('--delete-recovered', t('terminal.help-uninstall-delete-recovered'))
    .action(async (options: UninstallOptions) => {
      const { deleteData = false, deleteRecovered = false, yes = false } = options;
      if (deleteRecovered && !deleteData)
        throw new UsageError(t('terminal.delete-recovered-needs-delete-data'));
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
      detail: () => t('terminal.unlock-the-keychain-or-add-yes'),
    });
  }
  const deletion =
    recoveredSaves.length === 0
      ? 'terminal.permanently-delete'
      : 'terminal.permanently-delete-with-recovered';
  const question = t(deleteData ? deletion : 'terminal.remove-what-is-outside', { dataDir });
  await confirm(options, safeText(question));
}

/** @throws AppError uninstall-refused */
function refuseRecoveredSaves({ recoveredSaves }: Uninstall): void {
  if (recoveredSaves.length === 0) return;
  const detail = t('terminal.recovered-saves-only-here', {
    count: recoveredSaves.length,
    paths: safeText(recoveredSaves.join(', ')),
  });
  throw new AppError('uninstall-refused', { detail });
}

/** A read-only disk keeps thousands. */
const maxNamed = 20;

const dataFolderStates = {
  deleted: 'terminal.deleted-the-data',
  emptied: 'terminal.deleted-the-data-emptied',
  incomplete: 'terminal.deleted-some-of-the-data',
  kept: 'terminal.the-data-is-still-in',
  missing: 'terminal.there-is-no-data-folder',
} as const satisfies Record<Uninstalled['dataFolder']['state'], MessageKey>;

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
    ...removed.map((one) => t('terminal.removed', { path: one })),
    ...kept.map((one) => t('terminal.was-kept', { path: one })),
    t(dataFolderStates[state], { path }),
    ...undeleted.slice(0, maxNamed).map((one) => t('terminal.not-deleted', one)),
    ...(undeleted.length > maxNamed
      ? [t('terminal.not-deleted-more', { count: undeleted.length - maxNamed })]
      : []),
    ...recoveredSaves.map((one) => t('terminal.deleted-a-recovered-save', { path: one })),
    ...links.map((one) => t('terminal.only-the-link-was-deleted', one)),
    ...(otherFiles.length === 0
      ? []
      : [t('terminal.other-files-were-kept', { path, names: otherFiles.join(', ') })]),
    ...{
      none: [],
      removed: [t('terminal.removed-from-the-keychain')],
      'moved-to-file': [t('terminal.secrets-moved-to-file')],
      unreachable: [
        state === 'deleted' || state === 'emptied'
          ? t('terminal.delete-keychain-entries-yourself')
          : t('terminal.uninstall-again'),
      ],
    }[secrets],
    ...containers.map(({ name, removeWith }) =>
      t('terminal.the-container-still-exists', { name, command: removeWith }),
    ),
    ...(folder === null ? [] : [t('terminal.documents-werent-changed', { folder })]),
    program,
  ];
}
