// The `uninstall` command.

import { t, type MessageKey } from '../../contract/messages.ts';
import { safeText } from '../../contract/names.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { withCommandPrefix } from '../command-prefix.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import type { Uninstalled } from '../uninstall.ts';

interface UninstallOptions extends CommonOptions {
  deleteData?: boolean;
  deleteRecovered?: boolean;
}

export function addUninstallCommand({ add, confirm, terminal, end }: CommandHelpers): void {
  add('uninstall [--yes] [--delete-data] [--delete-recovered]', async (options: UninstallOptions) => {
    const { data, deleteData = false, deleteRecovered = false } = options;
    if (deleteRecovered && !deleteData)
      throw new UsageError(t('terminal.delete-recovered-needs-delete-data'));
    const { dataFolderOf, dataFolderOption } = await import('../data-folder.ts');
    const { uninstall } = await import('../uninstall.ts');
    const result = await uninstall(
      dataFolderOf({ ...terminal, data }),
      {
        deleteData,
        deleteRecovered,
        isChosen: dataFolderOption({ ...terminal, data }) !== undefined,
        confirm: (question) => confirm(options, safeText(question)),
      },
      terminal,
    );
    const text =
      options.json === true
        ? JSON.stringify(result)
        : withCommandPrefix(sentences(result).map(safeText).join('\n'), terminal);
    terminal.stdout.write(`${text}\n`);
    if (result.undeleted.length > 0) end(exitCode.failed);
  });
}

const dataFolderStates = {
  deleted: 'terminal.deleted-the-data',
  incomplete: 'terminal.deleted-some-of-the-data',
  kept: 'terminal.the-data-is-still-in',
  missing: 'terminal.there-is-no-data-folder',
} as const satisfies Record<Uninstalled['dataFolder']['state'], MessageKey>;

const secretStates = {
  none: [],
  removed: ['terminal.removed-from-the-keychain'],
  kept: ['terminal.secrets-are-still-in-the-keychain'],
} as const satisfies Record<Uninstalled['secrets'], readonly MessageKey[]>;

function sentences(result: Uninstalled): string[] {
  const { undeleted, otherFiles, folder } = result;
  const { path, state } = result.dataFolder;
  const names = otherFiles.join(', ');
  return [
    ...result.removed.map((one) => t('terminal.removed', { path: one })),
    ...result.keptCaches.map((one) => t('terminal.kept-a-cache', { path: one })),
    t(dataFolderStates[state], { path }),
    ...undeleted.map((one) => t('terminal.not-deleted', one)),
    ...result.recoveredSaves.map((one) => t('terminal.deleted-a-recovered-save', { path: one })),
    ...(names === '' ? [] : [t('terminal.other-files-were-kept', { path, names })]),
    ...secretStates[result.secrets].map((key) => t(key)),
    ...result.containers.map(({ name, removeWith }) =>
      t('terminal.the-container-still-exists', { name, command: removeWith }),
    ),
    ...(folder === null ? [] : [t('terminal.documents-werent-changed', { folder })]),
    result.program,
  ];
}
