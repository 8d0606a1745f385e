// The `editors` commands. Names, products and URLs come from document servers, so they aren't trusted.

import { testOutcome, type ConnectionStep, type EditorItem } from '../../contract/editors.ts';
import { formatRelative } from '../../contract/format.ts';
import { t } from '../../contract/messages.ts';
import { safeText } from '../../contract/names.ts';
import type { CommandHelpers, CommonOptions } from '../command-helpers.ts';
import { withCommandPrefix } from '../command-prefix.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { formatPairs, listOf, type Show } from '../table.ts';
import { addDocumentServerCommands, productText } from './document-servers.ts';

interface ChangeOptions extends CommonOptions {
  name?: string;
  publicUrl?: string;
  proof?: 'off' | 'if-present' | 'required';
  allowAddresses?: string;
}

export function addEditorCommands(helpers: CommandHelpers): void {
  const { add, command, call, run, terminal, end } = helpers;
  add('editors list', async (options: CommonOptions) => {
    await run(options, 'editors.list', {}, showEditors);
    if (options.json === true) return;
    const { value: isOn } = await call(options, 'settings.get', { key: 'textEditor' });
    if (isOn !== false) return;
    const sentences = `${t('host.text-editor-is-off')} ${t('host.switch-on-with-settings-set')}`;
    terminal.stdout.write(`${withCommandPrefix(sentences, terminal)}\n`);
  });
  command(
    'editors add <url> [--name <name>] [--public-url <url>] [--accept-other-hosts]',
    'editors.add',
    (editor) => safeText(t('terminal.editor-is-connected', valuesOf(editor))),
  );
  command(
    'editors change <editor> [--name <name>] [--public-url <url>] [--proof <mode>] [--allow-addresses <list>]',
    'editors.change',
    showChange,
    {
      args: (id: string, { name, publicUrl, proof, allowAddresses }: ChangeOptions) => {
        const change = {
          name,
          publicUrl: publicUrl === undefined ? undefined : orNull(publicUrl),
          proofMode: proof,
          allowedAddresses: allowAddresses === undefined ? undefined : entriesOf(allowAddresses),
        };
        if (Object.values(change).every((value) => value === undefined))
          throw new UsageError(t('terminal.choose-what-to-change'));
        return { id, ...change };
      },
    },
  );
  command('editors refresh <editor>', 'editors.refresh', (editor) =>
    safeText(t('terminal.editor-was-refreshed', valuesOf(editor))),
  );
  add('editors test <editor>', async (id: string, options: CommonOptions) => {
    const result = await run(options, 'editors.test', { id }, showTest);
    if (testOutcome(result) === 'failed') end(exitCode.failed);
  });
  command('editors remove <editor>', 'editors.remove', ({ name, isBuiltIn }) =>
    isBuiltIn
      ? t('terminal.the-text-editor-is-switched-off')
      : safeText(t('terminal.was-disconnected', { name })),
  );
  command(
    'editors default <extension> <editor>',
    'editors.setDefault',
    ({ extension, editor }) =>
      safeText(
        editor === null
          ? t('terminal.type-opens-in-the-first', { extension })
          : t('terminal.type-opens-in', { extension, editor: editor.name }),
      ),
    { args: (extension: string, editor: string) => ({ extension, editorId: orNull(editor) }) },
  );
  addDocumentServerCommands(helpers);
  command('editors addresses', 'editors.addresses', showAddresses);
  command(
    'editors use-address <editor> <url>',
    'editors.useAddress',
    ({ name, effectiveUrl }) => safeText(t('terminal.editor-uses-address', { name, url: effectiveUrl })),
    { args: (id: string, url: string) => ({ id, url: orNull(url) }) },
  );
}

const valuesOf = (editor: EditorItem) => ({
  name: editor.name,
  id: editor.id,
  url: editor.url,
  product: productText(editor),
  types: typesText(editor),
});

const showEditors: Show<'editors.list'> = (editors, nowMs) =>
  listOf(t('shared.no-editor-is-connected'), editors, {
    'terminal.column-id': ({ id }) => id,
    'terminal.column-name': ({ name }) => name,
    'terminal.column-product': productText,
    'terminal.column-address': ({ url }) => url,
    'terminal.column-doctray-address': ({ effectiveUrl }) => effectiveUrl,
    'terminal.column-types': ({ types }) => String(types.length),
    'terminal.column-state': (editor) => stateText(editor, nowMs),
  });

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

const testResults = {
  good: 'terminal.test-good',
  partial: 'terminal.test-partial',
  failed: 'terminal.test-failed',
} as const;

const showTest: Show<'editors.test'> = ({ name, ...test }) =>
  [...test.steps.map(stepText), safeText(t(testResults[testOutcome(test)], { name }))].join('\n');

const showAddresses: Show<'editors.addresses'> = (addresses) =>
  listOf(t('terminal.no-addresses'), addresses, {
    'terminal.column-address': ({ url }) => url,
    'terminal.column-network': ({ network }) => network,
    'terminal.column-listening': ({ isListening }) =>
      t(isListening ? 'terminal.listens' : 'terminal.listens-when-used'),
    'terminal.column-for': ({ sentence }) => sentence,
  });

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

function entriesOf(typed: string): string[] {
  if (typed === 'none') return [];
  return typed
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
