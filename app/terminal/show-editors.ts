// What the commands about document servers answer, as text for people. Names, products and addresses come from those servers.

import { testOutcome, type ConnectionStep, type EditorItem } from '../contract/editors.ts';
import { listOr, orNone, untilText, type Shower } from './shower.ts';
import { formatDistance, formatPairs, safeText } from './table.ts';

type EditorCommand =
  | 'editors.access'
  | 'editors.link'
  | 'editors.list'
  | 'editors.add'
  | 'editors.change'
  | 'editors.refresh'
  | 'editors.test'
  | 'editors.remove'
  | 'editors.setDefault'
  | 'editors.addresses'
  | 'editors.useAddress';

export const showEditors: { [Name in EditorCommand]: Shower<Name> } = {
  'editors.access': (access, nowMs) =>
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
      ['until', untilText(access.accessTokenTtl, nowMs)],
    ]),
  'editors.link': (opened) =>
    opened === null
      ? 'No editor is connected.'
      : safeText(`${opened.path} opens in ${opened.editorName}, in the browser.`),

  'editors.list': (editors, nowMs) =>
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
    ),
  'editors.add': (editor) =>
    safeText(
      `${editor.name} is connected (${editor.id}): ${productText(editor)} at ${editor.url}. It opens ${typesText(editor)}.`,
    ),
  'editors.change': (editor) =>
    formatPairs([
      ['name', editor.name],
      ['address', editor.url],
      ['DocTray address', editor.effectiveUrl],
      ['signatures', editor.proofMode],
      ['calls from', editor.allowedAddresses.length === 0 ? 'anywhere' : editor.allowedAddresses.join(', ')],
    ]),
  'editors.refresh': (editor) =>
    safeText(`${editor.name} is ${productText(editor)} and opens ${typesText(editor)}.`),
  'editors.test': ({ name, ...test }) =>
    [
      ...test.steps.map(stepText),
      safeText(
        {
          good: `The connection to ${name} works in both directions.`,
          partial: `The connection to ${name} shows no errors so far. Open a document to test the rest.`,
          failed: `The connection to ${name} doesn’t work yet.`,
        }[testOutcome(test)],
      ),
    ].join('\n'),
  'editors.remove': ({ name, isBuiltIn }) =>
    isBuiltIn
      ? 'The text editor is switched off. Switch it on again with `settings set textEditor true`.'
      : safeText(`${name} was disconnected.`),
  'editors.setDefault': ({ extension, editor }) =>
    safeText(
      editor === null
        ? `.${extension} opens in the first editor that supports it.`
        : `.${extension} opens in ${editor.name}.`,
    ),

  'editors.addresses': (addresses) =>
    listOr(
      'There are no addresses.',
      ['ADDRESS', 'NETWORK', 'LISTENING', 'FOR'],
      addresses.map(({ url, network, isListening, sentence }) => [
        url,
        orNone(network),
        isListening ? 'yes' : 'when used',
        sentence,
      ]),
    ),
  'editors.useAddress': ({ name, effectiveUrl }) =>
    safeText(`${name} uses ${effectiveUrl} to reach DocTray.`),
};

function productText({ product, version }: EditorItem): string {
  return [product ?? 'a document server', version].filter((part) => part !== null).join(' ');
}

function stateText({ problem, lastTest, isReady }: EditorItem & { isReady: boolean }, nowMs: number): string {
  if (problem !== null) {
    const text = [problem.sentence, problem.remedy].filter((part) => part !== undefined).join(' ');
    return `${text} (since ${formatDistance(problem.sinceMs, nowMs)})`;
  }
  if (lastTest === null) return isReady ? 'ready' : 'not tested';
  return `${testOutcome(lastTest) === 'failed' ? 'test failed' : 'tested'} ${formatDistance(lastTest.testedAtMs, nowMs)}`;
}

const shownTypes = 12;

function typesText({ types }: EditorItem): string {
  if (types.length === 0) return 'no type of document';
  const shown = types.slice(0, shownTypes).map(({ extension }) => `.${extension}`);
  const more = types.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more types` : '');
}

const marks = { passed: 'ok    ', warned: 'note  ', failed: 'FAILED', skipped: '--    ' } as const;

/** What to do is below what was seen; lines to copy stand alone. */
function stepText({ name, state, sentence, remedy, lines }: ConnectionStep): string {
  const indent = ' '.repeat(marks.passed.length + 2);
  return [
    safeText(`${marks[state]}  ${name}: ${sentence}`),
    ...(remedy === null ? [] : [safeText(`${indent}${remedy}`)]),
    ...lines.map((line) => safeText(`${indent}  ${line}`)),
  ].join('\n');
}
