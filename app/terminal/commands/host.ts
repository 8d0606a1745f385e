// The commands for the whole host: `pause`, `resume`, `dashboard`, `activity`, `doctor` and `quit`.

import { safeText } from '../../contract/names.ts';
import type { ActivityItem } from '../../contract/pushes.ts';
import { AppError } from '../../contract/errors.ts';
import { formatElapsed, formatTimestamp } from '../../contract/format.ts';
import { t } from '../../contract/messages.ts';
import { operationWords } from '../../contract/user-actions.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { exitCode } from '../exit-code.ts';
import { onStopSignal } from '../stop-signals.ts';
import { formatPairs, type Show } from '../table.ts';

interface ActivityOptions extends CommonOptions {
  follow?: boolean;
  lines: number;
}

export function addHostCommands(helpers: CommandHelpers): void {
  const { add, command, run, end } = helpers;
  command(
    'pause [--minutes <number>]',
    'host.pause',
    ({ pausedUntilMs }) =>
      pausedUntilMs === null
        ? t('terminal.paused')
        : t('terminal.paused-until', { time: formatTimestamp(pausedUntilMs) }),
    { args: ({ minutes = null }: { minutes?: number | null }) => ({ minutes }) },
  );
  command('resume', 'host.resume', () => t('terminal.documents-can-be-opened-again'));
  command('status', 'host.status', showStatus);
  command('dashboard', 'host.dashboardLink', ({ url }) => t('terminal.the-link-works-once', { url }));
  add(
    'activity list [file] [--follow] [--lines <number>=20]',
    (file: string | undefined, options: ActivityOptions) => activity(helpers, file, options),
  );
  command('activity clear [--yes]', 'activity.clear', () => t('terminal.the-activity-was-cleared'), {
    question: () => t('shared.clear-the-activity'),
  });
  add('doctor', async (options: CommonOptions) => {
    const findings = await run(options, 'doctor', {}, (all) =>
      formatPairs(
        all.map(({ check, verdict, text }) => [
          { ok: t('terminal.mark-ok'), note: '--', failed: t('terminal.mark-failed') }[verdict],
          `${t(`terminal.check-${check}`)}: ${text}`,
        ]),
      ),
    );
    if (findings.some(({ verdict }) => verdict === 'failed')) end(exitCode.failed);
  });
  add('quit [--yes]', (options: CommonOptions) => quit(helpers, options));
}

const shownDocuments = 10;

const showStatus: Show<'host.status'> = ({
  status,
  folder,
  baseUrl,
  pausedUntilMs,
  openDocuments,
  attention,
}) => {
  const statusText =
    status === 'paused' && pausedUntilMs !== null
      ? t('terminal.status-paused-until', { time: formatTimestamp(pausedUntilMs) })
      : t(`terminal.status-${status}`);
  const [first = '-', ...edited] = openDocuments.slice(0, shownDocuments);
  const left = openDocuments.length - shownDocuments;
  const pairs = formatPairs([
    [t('terminal.label-status'), statusText],
    [t('terminal.label-folder'), folder ?? '-'],
    [t('terminal.label-address'), baseUrl ?? '-'],
    [t('terminal.label-being-edited'), first],
    ...edited.map((path): [string, string] => ['', path]),
    ['', left > 0 ? t('host.and-count-more', { count: left }) : undefined],
  ]);
  const list = attention.map(({ title, remedy }) =>
    safeText(`  ${title}${title.endsWith('.') ? '' : '.'} ${remedy}`),
  );
  return [
    pairs,
    '',
    ...(list.length === 0
      ? [t('terminal.nothing-needs-attention')]
      : [t('terminal.needs-attention'), ...list]),
  ].join('\n');
};

/** With --follow, --json prints one object per line. */
async function activity(
  { terminal, call }: CommandHelpers,
  file: string | undefined,
  options: ActivityOptions,
): Promise<void> {
  const { stdout, cwd } = terminal;
  const typed = file === undefined ? {} : { document: { file, cwd } };
  const first = await call(options, 'activity.since', { after: null, ...typed });
  const document = first.fileId === null ? {} : { document: { fileId: first.fileId } };
  let { last, items } = first;
  items = items.slice(-options.lines);
  if (options.follow !== true) {
    const text = items.length === 0 ? t('terminal.no-activity-to-show') : textOf(items);
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
    await confirm(options, t('terminal.quit-while-edited', { count: openDocuments.length }));
  }
  const { pid } = await call(options, 'host.quit', {});
  await hasExited(pid);
  terminal.stdout.write(
    options.json === true ? '{"stopped":true}\n' : `${t('terminal.doctray-was-stopped')}\n`,
  );
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
    await new Promise((resolve) => setTimeout(resolve, quitCheckMs));
  }
  throw new AppError('no-answer');
}
