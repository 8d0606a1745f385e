// The commands `editors detect`, `editors start` and `editors stop`.

import {
  documentServerNames,
  engineHelpUrls,
  type ContainerEngineName,
  type DetectedServer,
  type DocumentServerProduct,
  type DocumentServerStart,
} from '../../contract/document-servers.ts';
import { t } from '../../contract/messages.ts';
import { safeText } from '../../contract/names.ts';
import { cancelOnSignal } from '../cancel-on-signal.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { commandText, withCommandPrefix } from '../command-prefix.ts';
import { exitCode } from '../exit-code.ts';
import { listOf, type Show } from '../table.ts';

interface StartOptions extends CommonOptions {
  engine?: ContainerEngineName;
  image?: string;
  print?: boolean;
}

interface StopOptions extends CommonOptions {
  deleteData?: boolean;
}

/** The shortest time between two progress lines that differ only in the number. */
const progressEveryMs = 1000;

export function addDocumentServerCommands(helpers: CommandHelpers): void {
  helpers.command('editors detect', 'editors.detect', showDetected);
  helpers.add(
    'editors start <product> [--engine <engine>] [--print] [--image <image>]',
    (product: DocumentServerProduct, options: StartOptions) => start(helpers, product, options),
  );
  helpers.add(
    'editors stop <product> [--yes] [--delete-data]',
    (product: DocumentServerProduct, options: StopOptions) => stop(helpers, product, options),
  );
}

async function start(
  { terminal, call, run, end }: CommandHelpers,
  product: DocumentServerProduct,
  options: StartOptions,
): Promise<void> {
  const { engine, image } = options;
  const args = { product, engine: engine ?? null, ...(image !== undefined && { image }) };
  if (options.print === true) {
    if (options.json === true) {
      await run(options, 'documentServers.command', args, ({ command }) => command);
      return;
    }
    const { command, url, isReady, steps, opensAll } = await call(options, 'documentServers.command', args);
    const name = documentServerNames[product];
    terminal.stderr.write(`${t('terminal.run-this-command-to-start', { name })}\n`);
    terminal.stdout.write(`${command}\n`);
    const lines = [
      isReady ? t('terminal.then-run') : t('terminal.when-discovery-opens', { url }),
      ...steps.map((step) => `  ${commandText(terminal, step)}`),
      whatStepsDo({ name, isReady, opensAll, hasAddress: steps.length > 2 }),
    ];
    terminal.stderr.write(`${lines.join('\n')}\n`);
    return;
  }
  const started = call(options, 'documentServers.start', args);
  const canceling = cancelOnSignal(started, ({ id }) => call(options, 'documentServers.cancel', { id }));
  const textOf = (start: DocumentServerStart): string => withCommandPrefix(startText(start), terminal);
  const printProgress = progressLines(terminal.stderr, textOf);
  let now: DocumentServerStart;
  try {
    now = await started;
    while (now.state === 'running') {
      if (options.json !== true) printProgress(now);
      // oxlint-disable-next-line no-await-in-loop
      now = await call(options, 'documentServers.progress', { id: now.id, after: now.revision });
    }
  } finally {
    canceling.release();
  }
  await canceling.done();
  const out = now.state === 'done' || options.json === true ? terminal.stdout : terminal.stderr;
  out.write(`${options.json === true ? JSON.stringify(now) : textOf(now)}\n`);
  if (now.state === 'failed') end(exitCode.failed);
  if (now.state === 'canceled') end(exitCode.interrupted);
}

function whatStepsDo(about: {
  name: string;
  isReady: boolean;
  opensAll: boolean;
  hasAddress: boolean;
}): string {
  const { name, isReady, opensAll, hasAddress } = about;
  if (isReady) {
    return t('terminal.this-finds-the-container');
  }
  if (!hasAddress) return t('terminal.this-connects', { name });
  return t(opensAll ? 'terminal.this-connects-and-opens-all' : 'terminal.this-connects-and-listens', {
    name,
  });
}

async function stop(
  { confirm, requireAnswer, call, run }: CommandHelpers,
  product: DocumentServerProduct,
  options: StopOptions,
): Promise<void> {
  const { deleteData = false } = options;
  if (options.yes !== true) {
    await requireAnswer(options);
    const { servers } = await call(options, 'documentServers.refresh', {});
    const editorId = servers.find((server) => server.product === product)?.editorId ?? null;
    const editors = await call(options, 'editors.list', {});
    const editorName = editors.find(({ id }) => id === editorId)?.name;
    const sessions = await call(options, 'sessions.list', {});
    const count = sessions.filter(
      (session) => editorName !== undefined && session.editorName === editorName,
    ).length;
    const name = documentServerNames[product];
    const ask = t(deleteData ? 'terminal.stop-and-delete' : 'terminal.stop-and-remove', { name });
    await confirm(options, count === 0 ? ask : `${ask} ${t('terminal.documents-are-open-in-it', { count })}`);
  }
  await run(options, 'documentServers.stop', { product, deleteData }, showStop);
}

const showDetected: Show<'editors.detect'> = ({ servers }) =>
  listOf(t('terminal.no-document-server-found'), servers, {
    'terminal.column-address': ({ url }) => url,
    'terminal.column-product': ({ product, version }) =>
      [product ?? t('terminal.a-document-server'), version].filter((part) => part !== null).join(' '),
    'terminal.column-container': ({ container }) => container,
    'terminal.column-state': detectedText,
  });

const showStop: Show<'documentServers.stop'> = ({
  product,
  container,
  isRemoved,
  isDataDeleted,
  disconnected,
}) =>
  [
    isRemoved
      ? t('terminal.stopped-and-removed', { name: documentServerNames[product], container })
      : t('terminal.there-was-no-container', { container }),
    ...disconnected.map((name) => safeText(t('terminal.was-disconnected', { name }))),
    ...(isDataDeleted ? [t('terminal.its-data-was-deleted')] : []),
  ].join('\n');

/** Prints a line only if it changed, and limits how often a changed number is printed. */
function progressLines(
  stderr: NodeJS.WritableStream,
  textOf: (start: DocumentServerStart) => string,
): (start: DocumentServerStart) => void {
  let last = { sentence: '', hasNumber: false, text: '', atMs: -Infinity };
  return (start) => {
    const text = textOf(start);
    const atMs = performance.now();
    const hasNumber = start.progress !== null;
    const isOnlyNumber =
      last.hasNumber && start.sentence === last.sentence && atMs - last.atMs < progressEveryMs;
    if (text === last.text || isOnlyNumber) return;
    last = { sentence: start.sentence, hasNumber, text, atMs };
    stderr.write(`${text}\n`);
  };
}

/** The current step and its progress on one line. */
function startText({ sentence, progress, error }: DocumentServerStart): string {
  const lines = [safeText(progress === null ? sentence : `${sentence} ${progressText(progress)}`)];
  const help = error?.help ?? null;
  if (help !== null) lines.push(engineHelpUrls[help]);
  return lines.join('\n');
}

function progressText({ done, total }: NonNullable<DocumentServerStart['progress']>): string {
  return total === null ? t('terminal.layer', { done }) : t('terminal.layers', { done, total });
}

function detectedText({ editorId, problem }: DetectedServer): string {
  if (editorId !== null) return t('terminal.connected-id', { id: editorId });
  return problem === null ? t('terminal.not-connected') : `${problem.sentence} ${problem.remedy}`;
}
