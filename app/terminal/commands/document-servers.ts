// The commands `editors detect`, `editors start` and `editors stop`.

import { Argument, Option, type Command } from 'commander';
import {
  containerEngineNames,
  documentServerNames,
  documentServerProducts,
  engineHelpUrls,
  type ContainerEngineName,
  type DetectedServer,
  type DocumentServerProduct,
  type DocumentServerStart,
} from '../../contract/document-servers.ts';
import { formatSize } from '../../contract/format.ts';
import { safeText } from '../../contract/names.ts';
import { cancelOnSignal } from '../cancel-on-signal.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { commandText, withCommandPrefix } from '../command-prefix.ts';
import { exitCode } from '../exit-code.ts';
import { listOr, orNone, type Show } from '../table.ts';

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

/** @param editors the command to add them to */
export function addDocumentServerCommands(editors: Command, helpers: CommandHelpers): void {
  const { plain, common, asking } = helpers;
  const product = (): Argument => new Argument('<product>').choices([...documentServerProducts]);
  plain(
    editors.command('detect').description('find document servers on this computer'),
    'editors.detect',
    () => ({}),
    showDetected,
  );
  common(
    editors
      .command('start')
      .description('run a document server with Docker or Podman, and connect it')
      .addArgument(product()),
  )
    .addOption(
      new Option('--engine <engine>', 'container engine (default: the one that is ready)').choices([
        ...containerEngineNames,
      ]),
    )
    .option('--print', 'print the command instead of running it')
    .addOption(new Option('--image <image>', 'image to run instead of the official one').hideHelp())
    .action((name: DocumentServerProduct, options: StartOptions) => start(helpers, name, options));
  asking(
    editors
      .command('stop')
      .description('stop a document server, remove its container and disconnect it')
      .addArgument(product()),
  )
    .option('--delete-data', 'also delete its data, such as certificates')
    .action((name: DocumentServerProduct, options: StopOptions) => stop(helpers, name, options));
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
    terminal.stderr.write(`Run this command to start ${name}:\n`);
    terminal.stdout.write(`${command}\n`);
    const lines = [
      isReady ? 'Then run:' : `When ${url}/hosting/discovery opens in a browser, run:`,
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
    return 'This finds the container, tries the addresses where it can reach DocTray, makes DocTray listen there if needed, and connects it.';
  }
  if (!hasAddress) return `This connects ${name} and tests both directions.`;
  const where = opensAll
    ? 'on all addresses of this computer, so that the container can reach it'
    : 'where the container can reach it';
  return `This connects ${name}, makes DocTray listen ${where}, and tests both directions.`;
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
    const open = sessions.filter((session) => editorName !== undefined && session.editorName === editorName);
    const warning =
      open.length === 0
        ? ''
        : ` ${open.length === 1 ? 'A document is' : `${open.length} documents are`} open in it. Unsaved changes may be lost.`;
    const name = documentServerNames[product];
    const ask = deleteData
      ? `Stop ${name}, remove its container and delete its data?`
      : `Stop ${name} and remove its container?`;
    await confirm(options, `${ask}${warning}`);
  }
  await run(options, 'documentServers.stop', { product, deleteData }, showStop);
}

const showDetected: Show<'editors.detect'> = ({ servers }) =>
  listOr(
    'No document server found on this computer. Start one with `editors start collabora` or `editors start onlyoffice`.',
    ['ADDRESS', 'PRODUCT', 'CONTAINER', 'STATE'],
    servers.map((server) => [
      server.url,
      [server.product ?? 'a document server', server.version].filter((part) => part !== null).join(' '),
      orNone(server.container),
      detectedText(server),
    ]),
  );

const showStop: Show<'documentServers.stop'> = ({
  product,
  container,
  isRemoved,
  isDataDeleted,
  disconnected,
}) =>
  [
    isRemoved
      ? `${documentServerNames[product]} was stopped, and its container ${container} was removed.`
      : `There was no container ${container}.`,
    ...disconnected.map((name) => safeText(`${name} was disconnected.`)),
    ...(isDataDeleted ? ['Its data was deleted.'] : []),
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

function progressText({ done, total, unit }: NonNullable<DocumentServerStart['progress']>): string {
  if (unit === 'layers') return total === null ? `Layer ${done}.` : `${done} of ${total} layers.`;
  if (total === null) return `${formatSize(done)}.`;
  const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
  return `${formatSize(done)} of ${formatSize(total)} (${percent} %).`;
}

function detectedText({ editorId, problem }: DetectedServer): string {
  if (editorId !== null) return `connected (${editorId})`;
  return problem === null ? 'not connected' : `${problem.sentence} ${problem.remedy}`;
}
