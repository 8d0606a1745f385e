// The commands for the whole host: `pause`, `resume`, `dashboard`, `activity`, `doctor`, `diagnostics` and `quit`.

import type { Command } from 'commander';
import { safeText } from '../../contract/names.ts';
import type { ActivityItem } from '../../contract/pushes.ts';
import { AppError } from '../../contract/errors.ts';
import { countOf, formatElapsed, formatTimestamp } from '../../contract/format.ts';
import { operationWords } from '../../contract/user-actions.ts';
import { wholeNumber, type CommandHelpers, type CommonOptions } from '../command-helpers.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { onStopSignal } from '../stop-signals.ts';
import { formatPairs, type Show } from '../table.ts';

interface ActivityOptions extends CommonOptions {
  follow?: boolean;
  summary?: boolean;
  lines: string;
}

export function addHostCommands(program: Command, helpers: CommandHelpers): void {
  const { terminal, common, asking, confirm, plain, call, run, end } = helpers;
  common(program.command('pause').description('refuse to open documents; open ones can still be saved'))
    .option('--minutes <number>', 'resume after this many minutes (default: when you run resume)')
    .action(async (options: CommonOptions & { minutes?: string }) => {
      const { minutes: typed } = options;
      const minutes = typed === undefined ? null : wholeNumber('--minutes', typed, 1440);
      await run(
        options,
        'host.pause',
        { minutes },
        ({ pausedUntilMs }) =>
          `DocTray is paused${pausedUntilMs === null ? '' : ` until ${formatTimestamp(pausedUntilMs)}`}. Open documents can still be saved. Run \`resume\` to end the pause.`,
      );
    });
  plain(
    program.command('resume').description('open documents again after a pause'),
    'host.resume',
    () => ({}),
    () => 'Documents can be opened again.',
  );
  plain(
    program.command('status').description('show what DocTray serves and what needs attention'),
    'host.status',
    () => ({}),
    showStatus,
  );
  plain(
    program
      .command('dashboard')
      .description('print a link that opens DocTray’s window in a browser on this computer'),
    'host.dashboardLink',
    () => ({}),
    ({ url }) => `${url}\nThe link works once, within 10 minutes.`,
  );
  const entries = program
    .command('activity')
    .description('show the latest requests of editors, and what users did here, or clear them');
  common(
    entries
      .command('list [file]', { isDefault: true })
      .description('show the latest entries, of all documents or of one'),
  )
    .option('--follow', 'print new entries as they arrive, until you press Ctrl+C')
    .option('--lines <number>', 'how many of the latest entries to print', '20')
    .option('--summary', 'print saves, open documents and errors of the last 24 hours instead, hour by hour')
    .action(async (file: string | undefined, options: ActivityOptions) => {
      if (options.summary !== true) await activity(helpers, file, options);
      else if (options.follow === true) throw new UsageError('--summary can’t be combined with --follow.');
      else if (file !== undefined) throw new UsageError('--summary is of all documents. Leave out FILE.');
      else await run(options, 'activity.summary', {}, showSummary);
    });
  asking(entries.command('clear').description('remove all entries; the log and the summary stay')).action(
    async (options: CommonOptions) => {
      await confirm(options, 'Clear the activity?');
      await run(options, 'activity.clear', {}, () => 'The activity was cleared.');
    },
  );
  common(program.command('doctor').description('check that everything DocTray needs is working')).action(
    async (options: CommonOptions) => {
      const findings = await run(options, 'doctor', {}, (all) =>
        formatPairs(
          all.map(({ check, verdict, text }) => [
            { ok: 'ok', note: '--', failed: 'FAILED' }[verdict],
            `${check}: ${text}`,
          ]),
        ),
      );
      if (findings.some(({ verdict }) => verdict === 'failed')) end(exitCode.failed);
    },
  );
  common(
    program
      .command('diagnostics')
      .description('print a report for support, without secrets, paths, and names of documents and users'),
  ).action(async (options: CommonOptions) => {
    const report = await call(options, 'app.diagnostics', {});
    // Not with `run`, which would complete the commands in it with the path of --data.
    terminal.stdout.write(options.json === true ? `${JSON.stringify(report)}\n` : report.text);
  });
  asking(program.command('quit').description('stop the running DocTray')).action((options: CommonOptions) =>
    quit(helpers, options),
  );
}

const showStatus: Show<'host.status'> = ({
  status,
  folder,
  baseUrl,
  pausedUntilMs,
  openDocuments,
  attention,
}) => {
  const until = pausedUntilMs === null ? '' : ` until ${formatTimestamp(pausedUntilMs)}`;
  const pairs = formatPairs([
    ['status', status === 'paused' ? `paused${until}` : status],
    ['folder', folder ?? '-'],
    ['address', baseUrl ?? '-'],
    ['being edited', openDocuments.length === 0 ? '-' : openDocuments.join(', ')],
  ]);
  const list = attention.map(({ title, remedy }) =>
    safeText(`  ${title}${title.endsWith('.') ? '' : '.'} ${remedy}`),
  );
  return [
    pairs,
    '',
    ...(list.length === 0 ? ['Nothing needs attention.'] : ['Needs attention:', ...list]),
  ].join('\n');
};

/** Without the hours in which nothing happened. */
const showSummary: Show<'activity.summary'> = ({ hours }) => {
  const busy = hours.filter(({ saves, documents, errors }) => saves + documents + errors > 0);
  if (busy.length === 0) return 'No activity in the last 24 hours.';
  return formatPairs(
    busy.map(({ startMs, saves, documents, errors }) => [
      formatTimestamp(startMs),
      [countOf(saves, 'save'), countOf(documents, 'open document'), countOf(errors, 'error')].join(', '),
    ]),
  );
};

/** With --follow, --json prints one object per line. */
async function activity(
  { terminal, call }: CommandHelpers,
  file: string | undefined,
  options: ActivityOptions,
): Promise<void> {
  const count = wholeNumber('--lines', options.lines, 10_000);
  const { stdout, cwd } = terminal;
  const typed = file === undefined ? {} : { document: { file, cwd } };
  const first = await call(options, 'activity.since', { after: null, ...typed });
  const document = first.fileId === null ? {} : { document: { fileId: first.fileId } };
  let { last, items } = first;
  items = items.slice(-count);
  if (options.follow !== true) {
    const text = items.length === 0 ? 'No activity to show.' : textOf(items);
    stdout.write(`${options.json === true ? JSON.stringify(items) : text}\n`);
    return;
  }
  const { promise: isEnded, resolve } = Promise.withResolvers<'ended'>();
  const stop = (): void => resolve('ended');
  const removeHandlers = onStopSignal(stop);
  // A reader such as `| head` has closed the pipe.
  stdout.on('error', stop);
  try {
    for (;;) {
      const lines =
        options.json === true ? items.map((item) => JSON.stringify(item)).join('\n') : textOf(items);
      if (items.length > 0) stdout.write(`${lines}\n`);
      // oxlint-disable-next-line no-await-in-loop
      const next = await Promise.race([
        isEnded,
        call(options, 'activity.since', { after: last, ...document }),
      ]);
      if (next === 'ended') return;
      ({ last, items } = next);
    }
  } finally {
    removeHandlers();
    stdout.off('error', stop);
  }
}

/** Fixed column widths, since later entries aren't known yet. */
function textOf(items: readonly ActivityItem[]): string {
  return items
    .map(({ atMs, status, operation, user, path, durationMs, method }) => {
      const at = `${formatTimestamp(atMs)}:${String(new Date(atMs).getSeconds()).padStart(2, '0')}`;
      const isAction = method === '';
      const took = isAction ? '' : `  ${formatElapsed(durationMs)}`;
      const result = isAction ? '-  ' : status;
      const what = operationWords(operation).padEnd(24);
      return safeText(`${at}  ${result}  ${what}  ${(user ?? '-').padEnd(12)}  ${path}${took}`);
    })
    .join('\n');
}

/** Asks for confirmation here if documents are open; the window then doesn't ask. */
async function quit(
  { terminal, confirm, requireAnswer, call }: CommandHelpers,
  options: CommonOptions,
): Promise<void> {
  const { openDocuments } = await call(options, 'host.status', {});
  if (options.yes !== true && openDocuments.length > 0) {
    await requireAnswer(options);
    for (const path of openDocuments) terminal.stderr.write(`${safeText(path)}\n`);
    const question = `${countOf(openDocuments.length, 'document is', 'documents are')} being edited. DocTray finishes running saves, but later ones fail. Quit?`;
    await confirm(options, question);
  }
  const { pid } = await call(options, 'host.quit', {});
  await hasExited(pid);
  terminal.stdout.write(options.json === true ? '{"stopped":true}\n' : 'DocTray was stopped.\n');
}

/** The host finishes running saves first. */
const quitLimitMs = 60_000;
const quitCheckMs = 100;

/** @throws AppError no-answer */
async function hasExited(pid: number): Promise<void> {
  const endMs = performance.now() + quitLimitMs;
  while (performance.now() < endMs) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, quitCheckMs));
  }
  throw new AppError('no-answer');
}
