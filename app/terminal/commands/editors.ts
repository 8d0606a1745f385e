// The `editors` commands. Names, products and URLs come from document servers, so they aren't trusted.

import { Option, type Command } from 'commander';
import { testOutcome, type ConnectionStep, type EditorItem } from '../../contract/editors.ts';
import { formatRelative } from '../../contract/format.ts';
import { t } from '../../contract/messages.ts';
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
  const editors = program.command('editors').description(t('terminal.help-editors'));
  common(editors.command('list', { isDefault: true }).description(t('terminal.help-editors-list'))).action(
    async (options: CommonOptions) => {
      await run(options, 'editors.list', {}, showEditors);
      if (options.json === true) return;
      const { value: isOn } = await call(options, 'settings.get', { key: 'textEditor' });
      if (isOn !== false) return;
      const { sentence, remedy } = textEditorOff;
      terminal.stdout.write(`${withCommandPrefix(`${sentence} ${remedy}`, terminal)}\n`);
    },
  );
  common(editors.command('add <url>').description(t('terminal.help-editors-add')))
    .option('--name <name>', t('terminal.help-editors-add-name'))
    .option('--public-url <url>', t('terminal.help-editors-add-public-url'))
    .option('--accept-other-hosts', t('terminal.help-editors-add-accept'))
    .action(async (url: string, { acceptOtherHosts, name, publicUrl, ...options }: AddOptions) => {
      const args = {
        url,
        ...(name !== undefined && { name }),
        ...(publicUrl !== undefined && { publicUrl }),
        ...(acceptOtherHosts !== undefined && { acceptsOtherHosts: acceptOtherHosts }),
      };
      await run(options, 'editors.add', args, (editor) =>
        safeText(
          t('terminal.editor-is-connected', {
            name: editor.name,
            id: editor.id,
            product: productText(editor),
            url: editor.url,
            types: typesText(editor),
          }),
        ),
      );
    });
  common(editors.command('change <editor>').description(t('terminal.help-editors-change')))
    .option('--name <name>', t('terminal.help-editors-change-name'))
    .option('--public-url <url>', t('terminal.help-editors-change-public-url'))
    .addOption(
      new Option('--proof <mode>', t('terminal.help-editors-change-proof')).choices([
        'off',
        'if-present',
        'required',
      ]),
    )
    .option('--allow-addresses <list>', t('terminal.help-editors-change-addresses'))
    .action(async (editor: string, options: ChangeOptions) => {
      const { name, publicUrl, proof, allowAddresses } = options;
      const change = {
        ...(name !== undefined && { name }),
        ...(publicUrl !== undefined && { publicUrl: orNull(publicUrl) }),
        ...(proof !== undefined && { proofMode: proof }),
        ...(allowAddresses !== undefined && { allowedAddresses: listOf(allowAddresses) }),
      };
      if (Object.keys(change).length === 0) {
        throw new UsageError(t('terminal.choose-what-to-change'));
      }
      await run(options, 'editors.change', { id: editor, ...change }, showChange);
    });
  plain(
    editors.command('refresh <editor>').description(t('terminal.help-editors-refresh')),
    'editors.refresh',
    (id = '') => ({ id }),
    (editor) =>
      safeText(
        t('terminal.editor-was-refreshed', {
          name: editor.name,
          product: productText(editor),
          types: typesText(editor),
        }),
      ),
  );
  common(editors.command('test <editor>').description(t('terminal.help-editors-test'))).action(
    async (editor: string, options: CommonOptions) => {
      const result = await run(options, 'editors.test', { id: editor }, showTest);
      if (testOutcome(result) === 'failed') helpers.end(exitCode.failed);
    },
  );
  plain(
    editors.command('remove <editor>').description(t('terminal.help-editors-remove')),
    'editors.remove',
    (id = '') => ({ id }),
    ({ name, isBuiltIn }) =>
      isBuiltIn
        ? t('terminal.the-text-editor-is-switched-off')
        : safeText(t('terminal.was-disconnected', { name })),
  );
  plain(
    editors.command('default <extension> <editor>').description(t('terminal.help-editors-default')),
    'editors.setDefault',
    (extension = '', editor = '') => ({ extension, editorId: orNull(editor) }),
    ({ extension, editor }) =>
      safeText(
        editor === null
          ? t('terminal.type-opens-in-the-first', { extension })
          : t('terminal.type-opens-in', { extension, editor: editor.name }),
      ),
  );
  addDocumentServerCommands(editors, helpers);
  plain(
    editors.command('addresses').description(t('terminal.help-editors-addresses')),
    'editors.addresses',
    () => ({}),
    showAddresses,
  );
  plain(
    editors.command('use-address <editor> <url>').description(t('terminal.help-editors-use-address')),
    'editors.useAddress',
    (id = '', url = '') => ({ id, url: orNull(url) }),
    ({ name, effectiveUrl }) => safeText(t('terminal.editor-uses-address', { name, url: effectiveUrl })),
  );
}

const showEditors: Show<'editors.list'> = (editors, nowMs) =>
  listOr(
    t('shared.no-editor-is-connected'),
    [
      'terminal.column-id',
      'terminal.column-name',
      'terminal.column-product',
      'terminal.column-address',
      'terminal.column-doctray-address',
      'terminal.column-types',
      'terminal.column-state',
    ],
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
    [t('terminal.label-name'), editor.name],
    [t('terminal.label-address'), editor.url],
    [t('terminal.label-doctray-address'), editor.effectiveUrl],
    [t('terminal.label-signatures'), editor.proofMode],
    [
      t('terminal.label-calls-from'),
      editor.allowedAddresses.length === 0 ? t('terminal.anywhere') : editor.allowedAddresses.join(', '),
    ],
  ]);

const showTest: Show<'editors.test'> = ({ name, ...test }) =>
  [
    ...test.steps.map(stepText),
    safeText(
      t(
        (
          {
            good: 'terminal.test-good',
            partial: 'terminal.test-partial',
            failed: 'terminal.test-failed',
          } as const
        )[testOutcome(test)],
        { name },
      ),
    ),
  ].join('\n');

const showAddresses: Show<'editors.addresses'> = (addresses) =>
  listOr(
    t('terminal.no-addresses'),
    [
      'terminal.column-address',
      'terminal.column-network',
      'terminal.column-listening',
      'terminal.column-for',
    ],
    addresses.map(({ url, network, isListening, sentence }) => [
      url,
      orNone(network),
      t(isListening ? 'terminal.listens' : 'terminal.listens-when-used'),
      sentence,
    ]),
  );

function productText({ product, version }: EditorItem): string {
  return [product ?? t('terminal.a-document-server'), version].filter((part) => part !== null).join(' ');
}

function stateText({ kind, problem, lastTest }: EditorItem, nowMs: number): string {
  if (problem !== null) {
    const text = [problem.sentence, problem.remedy].filter((part) => part !== undefined).join(' ');
    return `${text} ${t('terminal.since-time', { time: formatRelative(problem.sinceMs, nowMs) })}`;
  }
  if (lastTest === null) return kind === 'text-editor' ? t('terminal.built-in') : t('shared.not-tested');
  return t(testOutcome(lastTest) === 'failed' ? 'terminal.last-test-failed' : 'terminal.last-test', {
    time: formatRelative(lastTest.testedAtMs, nowMs),
  });
}

const shownTypes = 12;

function typesText({ types }: EditorItem): string {
  if (types.length === 0) return t('terminal.no-type-of-document');
  const shown = types.slice(0, shownTypes).map(({ extension }) => `.${extension}`);
  const count = types.length - shown.length;
  const text = shown.join(', ');
  return count > 0 ? t('terminal.types-and-more', { types: text, count }) : text;
}

const marks = () => ({
  passed: t('terminal.mark-ok'),
  warned: t('terminal.mark-note'),
  failed: t('terminal.mark-failed'),
  skipped: '--',
});

/** The remedy is below the finding. Lines to copy are on their own, without other text. */
function stepText({ name, state, sentence, remedy, lines }: ConnectionStep): string {
  const all = marks();
  const width = Math.max(...Object.values(all).map((mark) => mark.length)) + 2;
  const indent = ' '.repeat(width);
  return [
    safeText(`${all[state].padEnd(width)}${name}: ${sentence}`),
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
