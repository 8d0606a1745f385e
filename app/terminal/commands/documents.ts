// The document commands: `open`, `new`, `rename`, `move`, `trash`, `import`, `versions`, `restore`, `copy-version`, `recovered` and `conflicts`.

import { resolve } from 'node:path';
import { basename, extname } from 'node:path/posix';
import { Option, type Command } from 'commander';
import type { FoundPath } from '../../commands/documents.ts';
import {
  countOf,
  formatPercent,
  formatRelative,
  formatSize,
  formatTimestamp,
  shellQuoted,
} from '../../contract/format.ts';
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
  common(program.command('open <file>').description('open a document in the default browser'))
    .addOption(
      new Option('--mode <mode>', 'open for editing or viewing').choices(['edit', 'view']).default('edit'),
    )
    .option('--editor <editor>', 'editor to open it in (default: the one for its type)')
    .option('--print', 'print its URLs and an access token instead of opening it')
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
        terminal.stderr.write(`${withCommandPrefix(noEditorHint, terminal)}\n`);
        return;
      }
      const { openInBrowser } = await import('../open-browser.ts');
      const problem = await openInBrowser(opened.url, terminal);
      if (problem === undefined) {
        const text = `Opening ${opened.path} in the browser, with ${opened.editorName}.`;
        terminal.stdout.write(`${safeText(text)}\n`);
        return;
      }
      // The URL is the command's result, so it goes to standard output.
      terminal.stdout.write(`${opened.url}\n`);
      terminal.stderr.write(`${problem} Open this address in a browser within a minute. It works once.\n`);
    });
}

const noEditorHint =
  'No editor is connected. Connect one with `editors add URL`, such as http://localhost:9980.';

function addChanges(program: Command, helpers: CommandHelpers): void {
  const { terminal, common, asking, call, run, runOnAll, end } = helpers;
  const { cwd } = terminal;
  /** Runs a command that creates something with that name. */
  const create = async (
    name: string,
    options: CommonOptions & { folder?: string; template?: string },
    command: 'documents.create' | 'documents.createFolder',
  ): Promise<void> => {
    if (/[/\\]/u.test(name))
      throw new UsageError('The name can’t contain a slash. Choose the folder with --folder DIR.');
    const { folder: folderPath = '', template } = options;
    const args = { name, folderPath, cwd, ...(template !== undefined && { template }) };
    await run(options, command, args, ({ path }) => {
      const note = changedName(name, path);
      return safeText(note === '' ? `${path} was created.` : `Created as ${path}.${note}`);
    });
  };
  common(
    program.command('new <name>').description('create a blank document; the name’s extension sets its type'),
  )
    .option('--folder <dir>', 'folder to create it in (default: the current one, or the hosted folder)')
    .option('--template <template>', 'docx, xlsx, pptx, odt, ods, odp, txt or md (default: by the extension)')
    .action((name: string, options: CommonOptions & { folder?: string; template?: string }) =>
      create(name, options, 'documents.create'),
    );
  common(program.command('new-folder <name>').description('create a folder'))
    .option('--folder <dir>', 'folder to create it in (default: the current one, or the hosted folder)')
    .action((name: string, options: CommonOptions & { folder?: string }) =>
      create(name, options, 'documents.createFolder'),
    );
  common(program.command('duplicate <file>').description('copy a document next to it')).action(
    async (path: string, options: CommonOptions) => {
      await run(options, 'documents.duplicate', { path, cwd }, (copy) =>
        safeText(`${copy.path} was created.`),
      );
    },
  );
  common(program.command('link <file>').description('print a document’s address for other users')).action(
    async (path: string, options: CommonOptions) => {
      const { url } = await run(options, 'documents.colleagueLink', { path, cwd }, showColleagueLink);
      if (url === null) end(exitCode.failed);
    },
  );
  common(program.command('rename <file> <name>').description('rename a document or folder')).action(
    async (path: string, name: string, options: CommonOptions) => {
      if (/[/\\]/u.test(name))
        throw new UsageError('The name can’t contain a slash. To move a document, use `move FILE --to DIR`.');
      await run(options, 'documents.rename', { path, name, cwd }, (renamed) =>
        safeText(`Renamed to ${renamed.path}.${changedName(name, renamed.path)}`),
      );
    },
  );
  common(program.command('move <file...>').description('move documents or folders to another folder'))
    .requiredOption('--to <folder>', 'folder inside the hosted folder')
    .option('--keep-both', 'add a number to a name that is taken there')
    .action((files: string[], options: CommonOptions & { to: string; keepBoth?: boolean }) => {
      const { to: folderPath, keepBoth: keepsBoth = false } = options;
      return runOnAll(
        options,
        files,
        (paths) => call(options, 'documents.move', { paths, folderPath, keepsBoth, cwd }),
        (path) => `Moved to ${path}.`,
      );
    });
  asking(
    program.command('trash <file...>').description('move documents or folders to the system’s trash'),
  ).action((files: string[], options: CommonOptions) => trash(helpers, files, options));
  common(program.command('import <path...>').description('copy files and folders into the hosted folder'))
    .option('--to <folder>', 'folder to copy them to (default: the current one, or the hosted folder)')
    .action((paths: string[], options: CommonOptions & { to?: string }) =>
      importAll(helpers, paths, options),
    );
}

const settingsToChange = {
  networkPages: '`settings set networkPages true`',
  host: '`settings set host ADDRESS`',
} as const;

const showColleagueLink: Show<'documents.colleagueLink'> = ({ url, settings, needsUser }) => {
  const users = needsUser ? ' You’re the only user so far. Add another with `users add LOGIN`.' : '';
  const changes = settings.map((setting) => settingsToChange[setting]).join(' and ');
  return url === null
    ? `Other computers can’t open documents yet. Run ${changes}, then run \`link\` again.${users}`
    : `${url}\nUsers sign in there.${users}`;
};

/** Says that a name had to be changed; '' if the path ends with it, perhaps with an extension that wasn't typed. */
function changedName(typed: string, path: string): string {
  const wanted = typed.normalize('NFC').trim().toLowerCase();
  const name = basename(path).toLowerCase();
  const isKept =
    name === wanted || (name.startsWith(`${wanted}.`) && extname(name) === name.slice(wanted.length));
  return isKept ? '' : ` “${typed}” isn’t a valid name.`;
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
    const how = state === 'stale' ? 'a stale lock' : 'a lock';
    const text = `${path} has ${how} held by ${user ?? 'an unknown user'} since ${formatTimestamp(takenAtMs)}. Run \`unlock ${shellQuoted(path)}\` to clear it.`;
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
    (path) => `${path} was moved to the trash.`,
  );
}

function trashQuestion(found: readonly FoundPath[]): string {
  const folders = found.filter(({ isFolder }) => isFolder).length;
  const documents = found.length - folders;
  const parts = [
    ...(documents === 0 ? [] : [countOf(documents, 'document')]),
    ...(folders === 0
      ? []
      : [`${countOf(folders, 'folder')} with everything in ${folders === 1 ? 'it' : 'them'}`]),
  ];
  return `Move ${parts.join(' and ')} to the trash?`;
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
  const text = options.json === true ? JSON.stringify(job) : safeText(job.sentence ?? 'Stopped.');
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
  return safeText(`${title}: ${amount(done)} of ${amount(total)} (${formatPercent(done / total)})`);
}

function addVersions(program: Command, helpers: CommandHelpers): void {
  const { terminal, common, asking, confirm, plain, call, run } = helpers;
  const { cwd } = terminal;
  const versions = program
    .command('versions')
    .description('list earlier versions of a document, or show and free the space they all take');
  common(
    versions.command('list <file>', { isDefault: true }).description('list earlier versions of a document'),
  ).action(async (path: string, options: CommonOptions) => {
    await run(options, 'versions.list', { path, cwd }, showVersions);
  });
  plain(
    versions.command('usage').description('show how much space the versions of all documents take'),
    'versions.usage',
    () => ({}),
    ({ count, bytes }) => `${countOf(count, 'version')} of all documents: ${formatSize(bytes)}.`,
  );
  common(
    versions.command('clean-up').description('remove versions beyond the limits in the settings now'),
  ).action((options: CommonOptions) => waitForJob(helpers, options, call(options, 'versions.cleanUp', {})));
  common(program.command('restore <file> <version>').description('restore an earlier version')).action(
    async (path: string, versionId: string, options: CommonOptions) => {
      await run(options, 'versions.restore', { path, cwd, versionId }, ({ path, size }) =>
        safeText(`${path} was restored (${formatSize(size)}). The previous content is kept as a version.`),
      );
    },
  );

  common(
    program.command('copy-version <file> <version>').description('save an earlier version as a new document'),
  )
    .option('--name <name>', 'name of the new document (default: with the time of the version)')
    .action(async (path: string, versionId: string, options: CommonOptions & { name?: string }) => {
      const { name } = options;
      const args = { path, cwd, versionId, ...(name !== undefined && { name }) };
      await run(options, 'versions.saveCopy', args, (copy) => safeText(`${copy.path} was created.`));
    });

  const recovered = program
    .command('recovered')
    .description('list, restore, save or discard recovered saves');
  plain(
    recovered.command('list', { isDefault: true }).description('list recovered saves'),
    'recovered.list',
    () => ({}),
    showRecovered,
  );
  plain(
    recovered.command('restore <id>').description('create a document from a recovered save'),
    'recovered.restore',
    (id = '') => ({ id }),
    ({ path }) => safeText(`Restored as ${path}.`),
  );
  asking(
    recovered.command('save <id>').description('write an unreadable save to its document anyway'),
  ).action(async (id: string, options: CommonOptions) => {
    await confirm(
      options,
      `Replace the content of the document with recovered save ${id}? Its current content is kept as a version.`,
    );
    await run(options, 'recovered.saveAnyway', { id }, ({ path }) =>
      safeText(`Saved ${path}. The previous content is kept as a version.`),
    );
  });
  asking(recovered.command('discard <id>').description('delete a recovered save permanently')).action(
    async (id: string, options: CommonOptions) => {
      await confirm(options, `Delete recovered save ${id} permanently?`);
      await run(options, 'recovered.discard', { id }, () => `Recovered save ${id} was deleted.`);
    },
  );
}

function addConflicts(program: Command, { terminal, common, plain, run }: CommandHelpers): void {
  const { cwd } = terminal;
  const conflicts = program
    .command('conflicts')
    .description('list conflict copies, or take one off the list');
  plain(
    conflicts.command('list', { isDefault: true }).description('list conflict copies'),
    'conflicts.list',
    () => ({}),
    (copies, nowMs) =>
      listOr(
        'No conflict copies.',
        ['COPY', 'DOCUMENT', 'CREATED'],
        copies.map(({ copy, path, madeAtMs }) => [copy, path, formatRelative(madeAtMs, nowMs)]),
      ),
  );
  common(
    conflicts.command('dismiss <copy>').description('take a copy off this list; both documents are kept'),
  ).action(async (id: string, options: CommonOptions) => {
    await run(options, 'conflicts.dismiss', { id, cwd }, (dismissed) =>
      safeText(`${dismissed.id} is no longer listed. The file is kept.`),
    );
  });
}

const showAccess: Show<'editors.access'> = (access, nowMs) =>
  formatPairs([
    ['document', access.path],
    ['file id', access.fileId],
    ...(access.page === null
      ? []
      : ([
          ['editor', access.page.editorName],
          ['page', access.page.url],
        ] satisfies [string, string][])),
    ['edit page', access.hostEditUrl],
    ['view page', access.hostViewUrl],
    ['WOPI source', access.wopiSrc],
    ['access token', access.accessToken],
    ['token ttl', String(access.accessTokenTtl)],
    ['for', access.mode === 'edit' ? 'editing' : 'viewing'],
    ['until', formatUntil(access.accessTokenTtl, nowMs)],
  ]);

const showVersions: Show<'versions.list'> = ({ path, versions }) =>
  listOr(
    safeText(`${path} has no earlier versions.`),
    ['ID', 'VERSION', 'SAVED', 'BY', 'HOW', 'SIZE', 'REPLACED'],
    versions.map((version) => [
      version.id,
      version.itemVersion,
      formatTimestamp(version.writtenAtMs),
      orNone(version.savedBy?.join(', ') ?? null),
      version.savedHow === 'unwritten'
        ? 'not written: the editor reported no changes'
        : orNone(version.savedHow),
      formatSize(version.size),
      formatTimestamp(version.keptAtMs),
    ]),
  );

const showRecovered: Show<'recovered.list'> = (saves) =>
  listOr(
    'No recovered saves.',
    ['ID', 'DOCUMENT', 'SIZE', 'RECEIVED', 'WHY'],
    saves.map((save) => [
      save.id,
      save.path,
      formatSize(save.size),
      formatTimestamp(save.receivedAtMs),
      recoveredReason(save.reason),
    ]),
  );
