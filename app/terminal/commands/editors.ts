// The `editors` commands. Names, products and URLs come from document servers, so they aren't trusted.

import { Option, type Command } from 'commander';
import { testOutcome, type ConnectionStep, type EditorItem } from '../../contract/editors.ts';
import { formatRelative } from '../../contract/format.ts';
import { safeText } from '../../contract/names.ts';
import { textEditorOff } from '../../editors/editor-fault.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { withCommandPrefix } from '../command-prefix.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { formatPairs, listOr, orNone, type Show } from '../table.ts';
import { addDocumentServerCommands } from './document-servers.ts';

interface AddOptions extends CommonOptions {
  name?: string;
  publicUrl?: string;
  acceptOtherHosts?: boolean;
}

interface ChangeOptions extends CommonOptions {
  name?: string;
  publicUrl?: string;
  proof?: 'off' | 'if-present' | 'required';
  allowAddresses?: string;
}

export function addEditorCommands(program: Command, helpers: CommandHelpers): void {
  const { common, plain, call, run, terminal } = helpers;
  const editors = program.command('editors').description('manage document servers and the text editor');
  common(editors.command('list', { isDefault: true }).description('list connected editors')).action(
    async (options: CommonOptions) => {
      await run(options, 'editors.list', {}, showEditors);
      if (options.json === true) return;
      const { value: isOn } = await call(options, 'settings.get', { key: 'textEditor' });
      if (isOn !== false) return;
      const { sentence, remedy } = textEditorOff;
      terminal.stdout.write(`${withCommandPrefix(`${sentence} ${remedy}`, terminal)}\n`);
    },
  );
  common(editors.command('add <url>').description('connect a document server at this URL'))
    .option('--name <name>', 'name in DocTray (default: the product’s name)')
    .option('--public-url <url>', 'URL the editor uses to reach DocTray')
    .option('--accept-other-hosts', 'allow the editor’s pages to be on another host than this URL')
    .action(async (url: string, { acceptOtherHosts, name, publicUrl, ...options }: AddOptions) => {
      const args = {
        url,
        ...(name !== undefined && { name }),
        ...(publicUrl !== undefined && { publicUrl }),
        ...(acceptOtherHosts !== undefined && { acceptsOtherHosts: acceptOtherHosts }),
      };
      await run(options, 'editors.add', args, (editor) =>
        safeText(
          `${editor.name} is connected (${editor.id}): ${productText(editor)} at ${editor.url}. It opens ${typesText(editor)}.`,
        ),
      );
    });
  common(editors.command('change <editor>').description('change an editor’s settings'))
    .option('--name <name>', 'name in DocTray')
    .option('--public-url <url>', 'URL the editor uses to reach DocTray; `none`: the default')
    .addOption(
      new Option('--proof <mode>', 'check the signatures of its calls').choices([
        'off',
        'if-present',
        'required',
      ]),
    )
    .option('--allow-addresses <list>', 'comma-separated addresses it can call from; `none`: anywhere')
    .action(async (editor: string, options: ChangeOptions) => {
      const { name, publicUrl, proof, allowAddresses } = options;
      const change = {
        ...(name !== undefined && { name }),
        ...(publicUrl !== undefined && { publicUrl: orNull(publicUrl) }),
        ...(proof !== undefined && { proofMode: proof }),
        ...(allowAddresses !== undefined && { allowedAddresses: listOf(allowAddresses) }),
      };
      if (Object.keys(change).length === 0) {
        throw new UsageError(
          'Choose what to change: --name, --public-url, --proof or --allow-addresses. See --help.',
        );
      }
      await run(options, 'editors.change', { id: editor, ...change }, showChange);
    });
  plain(
    editors.command('refresh <editor>').description('read an editor’s discovery document again'),
    'editors.refresh',
    (id = '') => ({ id }),
    (editor) => safeText(`${editor.name} is ${productText(editor)} and opens ${typesText(editor)}.`),
  );
  common(editors.command('test <editor>').description('test the connection in both directions')).action(
    async (editor: string, options: CommonOptions) => {
      const result = await run(options, 'editors.test', { id: editor }, showTest);
      if (testOutcome(result) === 'failed') helpers.end(exitCode.failed);
    },
  );
  plain(
    editors.command('remove <editor>').description('disconnect an editor; documents stay'),
    'editors.remove',
    (id = '') => ({ id }),
    ({ name, isBuiltIn }) =>
      isBuiltIn
        ? 'The text editor is switched off. Switch it on again with `settings set textEditor true`.'
        : safeText(`${name} was disconnected.`),
  );
  plain(
    editors
      .command('default <extension> <editor>')
      .description('open a type of document in this editor; `none`: in the first that supports it'),
    'editors.setDefault',
    (extension = '', editor = '') => ({ extension, editorId: orNull(editor) }),
    ({ extension, editor }) =>
      safeText(
        editor === null
          ? `.${extension} opens in the first editor that supports it.`
          : `.${extension} opens in ${editor.name}.`,
      ),
  );
  addDocumentServerCommands(editors, helpers);
  plain(
    editors.command('addresses').description('list the addresses where editors can reach DocTray'),
    'editors.addresses',
    () => ({}),
    showAddresses,
  );
  plain(
    editors
      .command('use-address <editor> <url>')
      .description('make an editor use one of these addresses, and listen there; `none`: the default'),
    'editors.useAddress',
    (id = '', url = '') => ({ id, url: orNull(url) }),
    ({ name, effectiveUrl }) => safeText(`${name} uses ${effectiveUrl} to reach DocTray.`),
  );
}

const showEditors: Show<'editors.list'> = (editors, nowMs) =>
  listOr(
    'No editor is connected.',
    ['ID', 'NAME', 'PRODUCT', 'ADDRESS', 'DOCTRAY ADDRESS', 'TYPES', 'STATE'],
    editors.map((editor) => [
      editor.id,
      editor.name,
      productText(editor),
      editor.url,
      editor.effectiveUrl,
      String(editor.types.length),
      stateText(editor, nowMs),
    ]),
  );

const showChange: Show<'editors.change'> = (editor) =>
  formatPairs([
    ['name', editor.name],
    ['address', editor.url],
    ['DocTray address', editor.effectiveUrl],
    ['signatures', editor.proofMode],
    ['calls from', editor.allowedAddresses.length === 0 ? 'anywhere' : editor.allowedAddresses.join(', ')],
  ]);

const showTest: Show<'editors.test'> = ({ name, ...test }) =>
  [
    ...test.steps.map(stepText),
    safeText(
      {
        good: `The connection to ${name} works in both directions.`,
        partial: `The connection to ${name} shows no errors so far. Open a document to test the rest.`,
        failed: `The connection to ${name} doesn’t work yet.`,
      }[testOutcome(test)],
    ),
  ].join('\n');

const showAddresses: Show<'editors.addresses'> = (addresses) =>
  listOr(
    'No addresses.',
    ['ADDRESS', 'NETWORK', 'LISTENING', 'FOR'],
    addresses.map(({ url, network, isListening, sentence }) => [
      url,
      orNone(network),
      isListening ? 'yes' : 'when used',
      sentence,
    ]),
  );

function productText({ product, version }: EditorItem): string {
  return [product ?? 'a document server', version].filter((part) => part !== null).join(' ');
}

function stateText({ kind, problem, lastTest }: EditorItem, nowMs: number): string {
  if (problem !== null) {
    const text = [problem.sentence, problem.remedy].filter((part) => part !== undefined).join(' ');
    return `${text} (since ${formatRelative(problem.sinceMs, nowMs)})`;
  }
  if (lastTest === null) return kind === 'text-editor' ? 'built in' : 'not tested';
  return `${testOutcome(lastTest) === 'failed' ? 'test failed' : 'tested'} ${formatRelative(lastTest.testedAtMs, nowMs)}`;
}

const shownTypes = 12;

function typesText({ types }: EditorItem): string {
  if (types.length === 0) return 'no type of document';
  const shown = types.slice(0, shownTypes).map(({ extension }) => `.${extension}`);
  const more = types.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more types` : '');
}

const marks = { passed: 'ok    ', warned: 'note  ', failed: 'FAILED', skipped: '--    ' } as const;

/** The remedy is below the finding. Lines to copy are on their own, without other text. */
function stepText({ name, state, sentence, remedy, lines }: ConnectionStep): string {
  const indent = ' '.repeat(marks.passed.length + 2);
  return [
    safeText(`${marks[state]}  ${name}: ${sentence}`),
    ...(remedy === null ? [] : [safeText(`${indent}${remedy}`)]),
    ...lines.map((line) => safeText(`${indent}  ${line}`)),
  ].join('\n');
}

/** `none` clears the value, as in `settings set`. */
function orNull(typed: string): string | null {
  return typed === 'none' ? null : typed;
}

function listOf(typed: string): string[] {
  if (typed === 'none') return [];
  return typed
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
