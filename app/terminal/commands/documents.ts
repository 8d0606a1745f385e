// The document commands: `open`, `new`, `rename`, `move`, `trash`, `import`, `versions`, `restore`, `copy-version`, `recovered` and `conflicts`.

import { resolve } from 'node:path';
import { basename, extname } from 'node:path/posix';
import { Option, type Command } from 'commander';
import type { FoundPath } from '../../commands/documents.ts';
import {
  formatPercent,
  formatRelative,
  formatSize,
  formatTimestamp,
  shellQuoted,
} from '../../contract/format.ts';
import { t } from '../../contract/messages.ts';
import { safeText } from '../../contract/names.ts';
import { recoveredReason } from '../../contract/recovered-reasons.ts';
import type { JobItem } from '../../contract/state.ts';
import { cancelOnSignal } from '../cancel-on-signal.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { withCommandPrefix } from '../command-prefix.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { formatPairs, formatUntil, listOr, orNone, type Show } from '../table.ts';

interface OpenOptions extends CommonOptions {
  mode: 'edit' | 'view';
  editor?: string;
  print?: boolean;
}

export function addDocumentCommands(program: Command, helpers: CommandHelpers): void {
  addOpen(program, helpers);
  addChanges(program, helpers);
  addVersions(program, helpers);
  addConflicts(program, helpers);
}

function addOpen(program: Command, { terminal, common, call, run }: CommandHelpers): void {
  common(program.command('open <file>').description(t('terminal.help-open')))
    .addOption(
      new Option('--mode <mode>', t('terminal.help-open-mode')).choices(['edit', 'view']).default('edit'),
    )
    .option('--editor <editor>', t('terminal.help-open-editor'))
    .option('--print', t('terminal.help-open-print'))
    .action(async (file: string, options: OpenOptions) => {
      const { mode, editor, print = false, json = false } = options;
      const args = { file, cwd: terminal.cwd, mode, ...(editor !== undefined && { editor }) };
      if (print || json) {
        await run(options, 'editors.access', args, showAccess);
        return;
      }
      const opened = await call(options, 'editors.link', args);
      if (opened === null) {
        await run(options, 'editors.access', args, showAccess);
        terminal.stderr.write(`${withCommandPrefix(t('terminal.no-editor-is-connected-hint'), terminal)}\n`);
        return;
      }
      const { openInBrowser } = await import('../open-browser.ts');
      const problem = await openInBrowser(opened.url, terminal);
      if (problem === undefined) {
        const { path, editorName } = opened;
        const text = t('terminal.opening-in-the-browser', { path, editor: editorName });
        terminal.stdout.write(`${safeText(text)}\n`);
        return;
      }
      // The URL is the command's result, so it goes to standard output.
      terminal.stdout.write(`${opened.url}\n`);
      terminal.stderr.write(`${t('terminal.open-this-address', { problem })}\n`);
    });
}

function addChanges(program: Command, helpers: CommandHelpers): void {
  const { terminal, common, asking, call, run, runOnAll, end } = helpers;
  const { cwd } = terminal;
  /** Runs a command that creates something with that name. */
  const create = async (
    name: string,
    options: CommonOptions & { folder?: string; template?: string },
    command: 'documents.create' | 'documents.createFolder',
  ): Promise<void> => {
    if (/[/\\]/u.test(name)) throw new UsageError(t('terminal.slash-in-new-name'));
    const { folder: folderPath = '', template } = options;
    const args = { name, folderPath, cwd, ...(template !== undefined && { template }) };
    await run(options, command, args, ({ path }) =>
      safeText(
        isKept(name, path)
          ? t('terminal.was-created', { path })
          : t('terminal.created-as', { path, typed: name }),
      ),
    );
  };
  common(program.command('new <name>').description(t('terminal.help-new')))
    .option('--folder <dir>', t('terminal.help-new-folder-option'))
    .option('--template <template>', t('terminal.help-new-template'))
    .action((name: string, options: CommonOptions & { folder?: string; template?: string }) =>
      create(name, options, 'documents.create'),
    );
  common(program.command('new-folder <name>').description(t('terminal.help-new-folder')))
    .option('--folder <dir>', t('terminal.help-new-folder-option'))
    .action((name: string, options: CommonOptions & { folder?: string }) =>
      create(name, options, 'documents.createFolder'),
    );
  common(program.command('duplicate <file>').description(t('terminal.help-duplicate'))).action(
    async (path: string, options: CommonOptions) => {
      await run(options, 'documents.duplicate', { path, cwd }, (copy) =>
        safeText(t('terminal.was-created', { path: copy.path })),
      );
    },
  );
  common(program.command('link <file>').description(t('terminal.help-link'))).action(
    async (path: string, options: CommonOptions) => {
      const { url } = await run(options, 'documents.colleagueLink', { path, cwd }, showColleagueLink);
      if (url === null) end(exitCode.failed);
    },
  );
  common(program.command('rename <file> <name>').description(t('terminal.help-rename'))).action(
    async (path: string, name: string, options: CommonOptions) => {
      if (/[/\\]/u.test(name)) throw new UsageError(t('terminal.slash-in-name'));
      await run(options, 'documents.rename', { path, name, cwd }, (renamed) =>
        safeText(
          isKept(name, renamed.path)
            ? t('terminal.renamed-to', { path: renamed.path })
            : t('terminal.renamed-to-changed', { path: renamed.path, typed: name }),
        ),
      );
    },
  );
  common(program.command('move <file...>').description(t('terminal.help-move')))
    .requiredOption('--to <folder>', t('terminal.help-move-to'))
    .option('--keep-both', t('terminal.help-move-keep-both'))
    .action((files: string[], options: CommonOptions & { to: string; keepBoth?: boolean }) => {
      const { to: folderPath, keepBoth: keepsBoth = false } = options;
      return runOnAll(
        options,
        files,
        (paths) => call(options, 'documents.move', { paths, folderPath, keepsBoth, cwd }),
        (path) => t('terminal.moved-to', { path }),
      );
    });
  asking(program.command('trash <file...>').description(t('terminal.help-trash'))).action(
    (files: string[], options: CommonOptions) => trash(helpers, files, options),
  );
  common(program.command('import <path...>').description(t('terminal.help-import')))
    .option('--to <folder>', t('terminal.help-import-to'))
    .action((paths: string[], options: CommonOptions & { to?: string }) =>
      importAll(helpers, paths, options),
    );
}

const settingsToChange = {
  networkPages: '`settings set networkPages true`',
  host: '`settings set host ADDRESS`',
} as const;

const showColleagueLink: Show<'documents.colleagueLink'> = ({ url, settings, needsUser }) => {
  const users = needsUser ? ` ${t('terminal.only-user-so-far')}` : '';
  if (url !== null) return `${url}\n${t('terminal.users-sign-in-there')}${users}`;
  const [one = '', other] = settings.map((setting) => settingsToChange[setting]);
  const commands = other === undefined ? one : t('terminal.one-and-other', { one, other });
  return `${t('terminal.other-computers-cant-open', { commands })}${users}`;
};

/** Whether the path ends with the typed name, perhaps with an extension that wasn't typed; else it had to be changed. */
function isKept(typed: string, path: string): boolean {
  const wanted = typed.normalize('NFC').trim().toLowerCase();
  const name = basename(path).toLowerCase();
  return name === wanted || (name.startsWith(`${wanted}.`) && extname(name) === name.slice(wanted.length));
}

async function trash(
  { terminal, confirm, requireAnswer, call, runOnAll }: CommandHelpers,
  files: string[],
  options: CommonOptions,
): Promise<void> {
  await requireAnswer(options);
  const all = await call(options, 'documents.find', { paths: files, cwd: terminal.cwd });
  // A path given twice is one document.
  const found = [...new Map(all.map((one) => [one.path, one])).values()];
  const locked = found.flatMap(({ locks }) => locks);
  for (const { path, user, state, takenAtMs } of locked) {
    const text = t(state === 'stale' ? 'terminal.has-a-stale-lock' : 'terminal.has-a-lock', {
      path,
      user: user ?? t('terminal.an-unknown-user'),
      time: formatTimestamp(takenAtMs),
      command: `unlock ${shellQuoted(path)}`,
    });
    terminal.stderr.write(`${safeText(withCommandPrefix(text, terminal))}\n`);
  }
  const free = found.filter(({ locks }) => locks.length === 0);
  if (options.yes !== true && free.length > 0) {
    for (const { path, isFolder } of free) terminal.stderr.write(`${safeText(path)}${isFolder ? '/' : ''}\n`);
    await confirm(options, trashQuestion(free));
  }
  const paths = found.map(({ path }) => path);
  await runOnAll(
    options,
    paths,
    (some) => call(options, 'documents.trash', { paths: some }),
    (path) => t('terminal.was-moved-to-the-trash', { path }),
  );
}

function trashQuestion(found: readonly FoundPath[]): string {
  const folders = found.filter(({ isFolder }) => isFolder).length;
  const documents = found.length - folders;
  if (folders === 0) return t('terminal.move-documents-to-the-trash', { documents });
  if (documents === 0) return t('terminal.move-folders-to-the-trash', { folders });
  return t('terminal.move-both-to-the-trash', { documents, folders });
}

function importAll(
  helpers: CommandHelpers,
  paths: string[],
  options: CommonOptions & { to?: string },
): Promise<void> {
  const { cwd } = helpers.terminal;
  const sources = paths.map((path) => resolve(cwd, path));
  const { to: folderPath = '' } = options;
  return waitForJob(
    helpers,
    options,
    helpers.call(options, 'documents.import', { folderPath, sources, cwd }),
  );
}

/** Until it ends; Ctrl+C cancels it. On a terminal, one line shows its progress. */
async function waitForJob(
  { terminal, call, end }: CommandHelpers,
  options: CommonOptions,
  started: Promise<{ jobId: string }>,
): Promise<void> {
  const { stdout, stderr } = terminal;
  const canceling = cancelOnSignal(started, ({ jobId: id }) => call(options, 'jobs.cancel', { id }));
  const isShown = stderr.isTTY && options.json !== true;
  let job: JobItem | undefined;
  try {
    const { jobId: id } = await started;
    while (job === undefined || job.state === 'running') {
      // oxlint-disable-next-line no-await-in-loop
      job = await call(options, 'jobs.progress', { id, done: job?.done ?? -1 });
      if (isShown) stderr.write(`${startOfLine}${job.state === 'running' ? progressText(job) : ''}`);
    }
  } finally {
    canceling.release();
  }
  await canceling.done();
  await call(options, 'jobs.dismiss', { id: job.id });
  const text = options.json === true ? JSON.stringify(job) : safeText(job.sentence ?? t('host.stopped'));
  const out = job.state === 'done' || options.json === true ? stdout : stderr;
  out.write(`${text}\n`);
  if (job.state === 'failed' || job.isPartial === true) end(exitCode.failed);
  if (job.state === 'canceled') end(exitCode.interrupted);
}

/** Returns the cursor to the start of the line and clears it. */
const startOfLine = '\r\u001b[K';

function progressText({ title, done, total, unit }: JobItem): string {
  if (total === null || total === 0) return safeText(`${title}…`);
  const amount = unit === 'bytes' ? formatSize : String;
  const percent = formatPercent(done / total);
  return safeText(t('terminal.job-progress', { title, done: amount(done), total: amount(total), percent }));
}

function addVersions(program: Command, helpers: CommandHelpers): void {
  const { terminal, common, asking, confirm, plain, call, run } = helpers;
  const { cwd } = terminal;
  const versions = program.command('versions').description(t('terminal.help-versions'));
  common(
    versions.command('list <file>', { isDefault: true }).description(t('terminal.help-versions-list')),
  ).action(async (path: string, options: CommonOptions) => {
    await run(options, 'versions.list', { path, cwd }, showVersions);
  });
  plain(
    versions.command('usage').description(t('terminal.help-versions-usage')),
    'versions.usage',
    () => ({}),
    ({ count, bytes }) => t('terminal.versions-of-all-documents', { count, size: formatSize(bytes) }),
  );
  common(versions.command('clean-up').description(t('terminal.help-versions-clean-up'))).action(
    (options: CommonOptions) => waitForJob(helpers, options, call(options, 'versions.cleanUp', {})),
  );
  common(program.command('restore <file> <version>').description(t('terminal.help-restore'))).action(
    async (path: string, versionId: string, options: CommonOptions) => {
      await run(options, 'versions.restore', { path, cwd, versionId }, ({ path, size }) =>
        safeText(t('terminal.was-restored', { path, size: formatSize(size) })),
      );
    },
  );

  common(program.command('copy-version <file> <version>').description(t('terminal.help-copy-version')))
    .option('--name <name>', t('terminal.help-copy-version-name'))
    .action(async (path: string, versionId: string, options: CommonOptions & { name?: string }) => {
      const { name } = options;
      const args = { path, cwd, versionId, ...(name !== undefined && { name }) };
      await run(options, 'versions.saveCopy', args, (copy) =>
        safeText(t('terminal.was-created', { path: copy.path })),
      );
    });

  const recovered = program.command('recovered').description(t('terminal.help-recovered'));
  plain(
    recovered.command('list', { isDefault: true }).description(t('terminal.help-recovered-list')),
    'recovered.list',
    () => ({}),
    showRecovered,
  );
  plain(
    recovered.command('restore <id>').description(t('terminal.help-recovered-restore')),
    'recovered.restore',
    (id = '') => ({ id }),
    ({ path }) => safeText(t('terminal.restored-as', { path })),
  );
  asking(recovered.command('save <id>').description(t('terminal.help-recovered-save'))).action(
    async (id: string, options: CommonOptions) => {
      await confirm(options, t('terminal.replace-with-recovered-save', { id }));
      await run(options, 'recovered.saveAnyway', { id }, ({ path }) =>
        safeText(t('terminal.saved-path', { path })),
      );
    },
  );
  asking(recovered.command('discard <id>').description(t('terminal.help-recovered-discard'))).action(
    async (id: string, options: CommonOptions) => {
      await confirm(options, t('terminal.delete-recovered-save', { id }));
      await run(options, 'recovered.discard', { id }, () => t('terminal.recovered-save-was-deleted', { id }));
    },
  );
}

function addConflicts(program: Command, { terminal, common, plain, run }: CommandHelpers): void {
  const { cwd } = terminal;
  const conflicts = program.command('conflicts').description(t('terminal.help-conflicts'));
  plain(
    conflicts.command('list', { isDefault: true }).description(t('terminal.help-conflicts-list')),
    'conflicts.list',
    () => ({}),
    (copies, nowMs) =>
      listOr(
        t('terminal.no-conflict-copies'),
        ['terminal.column-copy', 'terminal.column-document', 'terminal.column-created'],
        copies.map(({ copy, path, madeAtMs }) => [copy, path, formatRelative(madeAtMs, nowMs)]),
      ),
  );
  common(conflicts.command('dismiss <copy>').description(t('terminal.help-conflicts-dismiss'))).action(
    async (id: string, options: CommonOptions) => {
      await run(options, 'conflicts.dismiss', { id, cwd }, (dismissed) =>
        safeText(t('terminal.is-no-longer-listed', { id: dismissed.id })),
      );
    },
  );
}

const showAccess: Show<'editors.access'> = (access, nowMs) =>
  formatPairs([
    [t('terminal.label-document'), access.path],
    [t('terminal.label-file-id'), access.fileId],
    ...(access.page === null
      ? []
      : ([
          [t('terminal.label-editor'), access.page.editorName],
          [t('terminal.label-page'), access.page.url],
        ] satisfies [string, string][])),
    [t('terminal.label-edit-page'), access.hostEditUrl],
    [t('terminal.label-view-page'), access.hostViewUrl],
    [t('terminal.label-wopi-source'), access.wopiSrc],
    [t('terminal.label-access-token'), access.accessToken],
    [t('terminal.label-token-ttl'), String(access.accessTokenTtl)],
    [t('terminal.label-for'), t(access.mode === 'edit' ? 'terminal.editing' : 'terminal.viewing')],
    [t('terminal.label-until'), formatUntil(access.accessTokenTtl, nowMs)],
  ]);

const showVersions: Show<'versions.list'> = ({ path, versions }) =>
  listOr(
    safeText(t('terminal.has-no-earlier-versions', { path })),
    [
      'terminal.column-id',
      'terminal.column-version',
      'terminal.column-saved',
      'terminal.column-by',
      'terminal.column-how',
      'terminal.column-size',
      'terminal.column-replaced',
    ],
    versions.map((version) => [
      version.id,
      version.itemVersion,
      formatTimestamp(version.writtenAtMs),
      orNone(version.savedBy?.join(', ') ?? null),
      version.savedHow === 'unwritten' ? t('shared.not-written') : orNone(version.savedHow),
      formatSize(version.size),
      formatTimestamp(version.keptAtMs),
    ]),
  );

const showRecovered: Show<'recovered.list'> = (saves) =>
  listOr(
    t('terminal.no-recovered-saves'),
    [
      'terminal.column-id',
      'terminal.column-document',
      'terminal.column-size',
      'terminal.column-received',
      'terminal.column-why',
    ],
    saves.map((save) => [
      save.id,
      save.path,
      formatSize(save.size),
      formatTimestamp(save.receivedAtMs),
      recoveredReason(save.reason),
    ]),
  );
