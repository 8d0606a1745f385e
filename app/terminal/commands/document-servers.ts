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
  const args = { product, engine: engine ?? null, image };
  if (options.print === true) {
    if (options.json === true) {
      await run(options, 'documentServers.command', args, ({ command }) => command);
      return;
    }
    const { command, url, isReady, steps, opensAll } = await call(options, 'documentServers.command', args);
    const name = documentServerNames[product];
    terminal.stderr.write(`${t('terminal.run-this-command-to-start', { name })}\n`);
    terminal.stdout.write(`${command}\n`);
    const next = isReady ? t('terminal.then-run') : t('terminal.when-discovery-opens', { url });
    const lines = [next, ...steps.map((step) => `  ${commandText(terminal, step)}`)];
    if (opensAll) lines.push(t('terminal.this-connects-and-opens-all', { name }));
    terminal.stderr.write(`${lines.join('\n')}\n`);
    return;
  }
  const started = call(options, 'documentServers.start', args);
  const canceling = cancelOnSignal(started, ({ id }) => call(options, 'documentServers.cancel', { id }));
  const textOf = (start: DocumentServerStart): string => withCommandPrefix(startText(start), terminal);
  let shown = '';
  let now: DocumentServerStart;
  try {
    now = await started;
    while (now.state === 'running') {
      if (options.json !== true && textOf(now) !== shown) {
        shown = textOf(now);
        terminal.stderr.write(`${shown}\n`);
      }
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

async function stop(
  { confirm, run }: CommandHelpers,
  product: DocumentServerProduct,
  options: StopOptions,
): Promise<void> {
  const { deleteData = false } = options;
  const name = documentServerNames[product];
  await confirm(options, t(deleteData ? 'terminal.stop-and-delete' : 'terminal.stop-and-remove', { name }));
  await run(options, 'documentServers.stop', { product, deleteData }, showStop);
}

export function productText({ product, version }: Pick<DetectedServer, 'product' | 'version'>): string {
  return [product ?? t('terminal.a-document-server'), version].filter((part) => part !== null).join(' ');
}

const showDetected: Show<'editors.detect'> = ({ servers }) =>
  listOf(t('terminal.no-document-server-found'), servers, {
    'terminal.column-address': ({ url }) => url,
    'terminal.column-product': productText,
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
