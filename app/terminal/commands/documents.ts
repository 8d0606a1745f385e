// The document commands: `open`, `new`, `rename`, `move`, `trash`, `import`, `versions`, `restore`, `copy-version`, `recovered` and `conflicts`.

import { resolve } from 'node:path';
import { basename, extname } from 'node:path/posix';
import type { FoundPath } from '../../commands/documents.ts';
import { formatPercent, formatRelative, formatSize, formatTimestamp } from '../../contract/format.ts';
import { t } from '../../contract/messages.ts';
import { safeText } from '../../contract/names.ts';
import { recoveredReason } from '../../contract/recovered-reasons.ts';
import type { JobItem } from '../../contract/state.ts';
import { cancelOnSignal } from '../cancel-on-signal.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { withCommandPrefix } from '../command-prefix.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { formatPairs, formatUntil, listOf, type Show } from '../table.ts';

interface OpenOptions extends CommonOptions {
  mode: 'edit' | 'view';
  editor?: string;
  print?: boolean;
}

export function addDocumentCommands(helpers: CommandHelpers): void {
  addOpen(helpers);
  addChanges(helpers);
  addVersions(helpers);
  addConflicts(helpers);
}

function addOpen({ terminal, add, call, run }: CommandHelpers): void {
  const usage = 'open <file> [--mode <mode>=edit] [--editor <editor>] [--print]';
  add(usage, async (file: string, options: OpenOptions) => {
    const { mode, editor, print = false, json = false } = options;
    const args = { file, cwd: terminal.cwd, mode, editor };
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

function addChanges(helpers: CommandHelpers): void {
  const { terminal, add, command, call, run, runOnAll, end } = helpers;
  const { cwd } = terminal;
  /** For a command that creates something with that name. */
  const create =
    (name: 'documents.create' | 'documents.createFolder') =>
    async (typed: string, options: CommonOptions & { folder?: string; template?: string }): Promise<void> => {
      if (/[/\\]/u.test(typed)) throw new UsageError(t('terminal.slash-in-new-name'));
      const { folder: folderPath = '', template } = options;
      const args = { name: typed, folderPath, cwd, template };
      await run(options, name, args, ({ path }) =>
        safeText(
          isKept(typed, path)
            ? t('terminal.was-created', { path })
            : t('terminal.created-as', { path, typed }),
        ),
      );
    };
  add('new <name> [--folder <dir>] [--template <template>]', create('documents.create'));
  add('new-folder <name> [--folder <dir>]', create('documents.createFolder'));
  command('duplicate <file>', 'documents.duplicate', showCreated);
  add('link <file>', async (path: string, options: CommonOptions) => {
    const { url } = await run(options, 'documents.colleagueLink', { path, cwd }, showColleagueLink);
    if (url === null) end(exitCode.failed);
  });
  add('rename <file> <name>', async (file: string, typed: string, options: CommonOptions) => {
    if (/[/\\]/u.test(typed)) throw new UsageError(t('terminal.slash-in-name'));
    await run(options, 'documents.rename', { path: file, name: typed, cwd }, ({ path }) =>
      safeText(
        isKept(typed, path)
          ? t('terminal.renamed-to', { path })
          : t('terminal.renamed-to-changed', { path, typed }),
      ),
    );
  });
  add(
    'move <file...> --to <folder> [--keep-both]',
    (files: string[], options: CommonOptions & { to: string; keepBoth?: boolean }) => {
      const { to: folderPath, keepBoth: keepsBoth = false } = options;
      return runOnAll(
        options,
        files,
        (paths) => call(options, 'documents.move', { paths, folderPath, keepsBoth, cwd }),
        (path) => t('terminal.moved-to', { path }),
      );
    },
  );
  add('trash <file...> [--yes]', (files: string[], options: CommonOptions) => trash(helpers, files, options));
  add(
    'import <path...> [--to <folder>]',
    async (paths: string[], options: CommonOptions & { to?: string }) => {
      const sources = paths.map((path) => resolve(cwd, path));
      const args = { folderPath: options.to ?? '', sources, cwd };
      await waitForJob(helpers, options, call(options, 'documents.import', args));
    },
  );
}

const showCreated = ({ path }: { path: string }): string => safeText(t('terminal.was-created', { path }));

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
  const free = found.filter(({ isLocked }) => !isLocked);
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

function addVersions(helpers: CommandHelpers): void {
  const { add, command, call } = helpers;
  command('versions list <file>', 'versions.list', showVersions);
  command('versions usage', 'versions.usage', ({ count, bytes }) =>
    t('terminal.versions-of-all-documents', { count, size: formatSize(bytes) }),
  );
  add('versions clean-up', (options: CommonOptions) =>
    waitForJob(helpers, options, call(options, 'versions.cleanUp', {})),
  );
  command('restore <file> <version>', 'versions.restore', ({ path, size }) =>
    safeText(t('terminal.was-restored', { path, size: formatSize(size) })),
  );
  command('copy-version <file> <version> [--name <name>]', 'versions.saveCopy', showCreated);
  command('recovered list', 'recovered.list', showRecovered);
  command('recovered restore <id>', 'recovered.restore', ({ path }) =>
    safeText(t('terminal.restored-as', { path })),
  );
  command(
    'recovered save <id> [--yes]',
    'recovered.saveAnyway',
    ({ path }) => safeText(t('terminal.saved-path', { path })),
    { question: (id: string) => t('terminal.replace-with-recovered-save', { id }) },
  );
  add('recovered discard <id> [--yes]', async (id: string, options: CommonOptions) => {
    await helpers.confirm(options, t('terminal.delete-recovered-save', { id }));
    await helpers.run(options, 'recovered.discard', { id }, () =>
      t('terminal.recovered-save-was-deleted', { id }),
    );
  });
}

function addConflicts({ command }: CommandHelpers): void {
  command('conflicts list', 'conflicts.list', (copies, nowMs) =>
    listOf(t('terminal.no-conflict-copies'), copies, {
      'terminal.column-copy': ({ copy }) => copy,
      'terminal.column-document': ({ path }) => path,
      'terminal.column-created': ({ madeAtMs }) => formatRelative(madeAtMs, nowMs),
    }),
  );
  command('conflicts dismiss <copy>', 'conflicts.dismiss', ({ id }) =>
    safeText(t('terminal.is-no-longer-listed', { id })),
  );
}

const showAccess: Show<'editors.access'> = (access, nowMs) =>
  formatPairs([
    [t('terminal.label-document'), access.path],
    [t('terminal.label-file-id'), access.fileId],
    [t('terminal.label-editor'), access.page?.editorName],
    [t('terminal.label-page'), access.page?.url],
    [t('terminal.label-edit-page'), access.hostEditUrl],
    [t('terminal.label-view-page'), access.hostViewUrl],
    [t('terminal.label-wopi-source'), access.wopiSrc],
    [t('terminal.label-access-token'), access.accessToken],
    [t('terminal.label-token-ttl'), String(access.accessTokenTtl)],
    [t('terminal.label-for'), t(access.mode === 'edit' ? 'terminal.editing' : 'terminal.viewing')],
    [t('terminal.label-until'), formatUntil(access.accessTokenTtl, nowMs)],
  ]);

const showVersions: Show<'versions.list'> = ({ path, versions }) =>
  listOf(safeText(t('terminal.has-no-earlier-versions', { path })), versions, {
    'terminal.column-id': ({ id }) => id,
    'terminal.column-version': ({ itemVersion }) => itemVersion,
    'terminal.column-saved': ({ writtenAtMs }) => formatTimestamp(writtenAtMs),
    'terminal.column-by': ({ savedBy }) => savedBy?.join(', ') ?? null,
    'terminal.column-how': ({ savedHow }) => (savedHow === 'unwritten' ? t('shared.not-written') : savedHow),
    'terminal.column-size': ({ size }) => formatSize(size),
    'terminal.column-replaced': ({ keptAtMs }) => formatTimestamp(keptAtMs),
  });

const showRecovered: Show<'recovered.list'> = (saves) =>
  listOf(t('terminal.no-recovered-saves'), saves, {
    'terminal.column-id': ({ id }) => id,
    'terminal.column-document': ({ path }) => path,
    'terminal.column-size': ({ size }) => formatSize(size),
    'terminal.column-received': ({ receivedAtMs }) => formatTimestamp(receivedAtMs),
    'terminal.column-why': ({ reason }) => recoveredReason(reason),
  });
