// Which editor opens a document, and with which of its actions.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { chooseAction, openingEditors, typesOf } from '../../../app/editors/action-choice.ts';
import type { ChoiceInput } from '../../../app/editors/action-choice.ts';
import { maxTextBytes } from '../../../app/contract/text-documents.ts';
import { chooseForFile, isText } from '../../../app/editors/choose-for-file.ts';
import type { Editor } from '../../../app/store/editors.ts';
import { textEditorDiscovery } from '../../../app/text-editor/discovery.ts';
import { parseDiscovery } from '../../../app/wopi/discovery.ts';
import { discoveryXml, editorOf } from './editors-fixture.ts';

const fixture = (id: string): Editor => {
  const path = join(import.meta.dirname, `../../fixtures/discovery/${id}.xml`);
  return editorOf(id, { discovery: parseDiscovery(readFileSync(path, 'utf8')) });
};
const connected = (id: string, ...actions: string[]): Editor =>
  editorOf(id, { discovery: parseDiscovery(discoveryXml(`http://${id}.test`, actions)) });
const problem = { code: 'port-taken', sentence: 'Its port is taken.', sinceMs: 0 };
const ownDiscovery = textEditorDiscovery('http://localhost:8791', null);
const text = editorOf('text', { kind: 'text-editor', discovery: ownDiscovery });
const office = connected('office', 'txt edit', 'txt view', 'docx edit', 'pdf view');
const viewer = connected('viewer', 'doc view', 'txt view');
const first = connected('first', 'odt edit');
const second = connected('second', 'odt edit');
const [onlyoffice, collabora] = [fixture('onlyoffice'), fixture('collabora')];
const away = (editor: Editor): Editor => ({ ...editor, problem });

interface Asked extends Partial<ChoiceInput> {
  content?: Buffer | string;
  defaults?: Record<string, string>;
}

/** `office edit, can edit`, and after it `, read` if the content was read. */
async function choose(editors: Editor[], extension: string, asked: Asked = {}): Promise<string> {
  const { content = 'text', defaults = {}, ...input } = asked;
  let read = '';
  const { editor, action, canEdit, canConvert } = await chooseForFile(
    { choose: (given) => chooseAction(editors, defaults, given) },
    { extension, size: 10, mode: 'edit', ...input },
    async () => {
      read = ', read';
      return Buffer.from(content);
    },
  );
  const can = canEdit ? ', can edit' : canConvert ? ', can convert' : '';
  return `${editor.id} ${action.name}${can}${read}`;
}

const notes = connected('notes', 'md edit');
const asksForText = { editorId: 'text', defaults: { txt: 'office' } };
const choices: [what: string, editors: Editor[], extension: string, asked: Asked, expected: string][] = [
  ['edits with edit', [onlyoffice], '.DOCX', {}, 'onlyoffice edit, can edit'],
  ['views with view', [onlyoffice], 'docx', { mode: 'view' }, 'onlyoffice view, can edit'],
  ['views with edit if there is no view', [collabora], 'odt', { mode: 'view' }, 'collabora edit, can edit'],
  ['fills an empty document with editnew', [onlyoffice], 'docx', { size: 0 }, 'onlyoffice editnew, can edit'],
  ['edits an empty document without editnew', [onlyoffice], 'odt', { size: 0 }, 'onlyoffice edit, can edit'],
  ['views an empty document', [onlyoffice], 'docx', { size: 0, mode: 'view' }, 'onlyoffice view, can edit'],
  ['views what it could convert, and offers that', [onlyoffice], 'doc', {}, 'onlyoffice view, can convert'],
  ['views what it can only view', [onlyoffice], 'pdf', {}, 'onlyoffice view'],
  ['treats view_comment as editing', [collabora], 'pdf', {}, 'collabora view_comment, can edit'],
  ['prefers editing to converting', [viewer, onlyoffice, collabora], 'doc', {}, 'collabora edit, can edit'],
  ['prefers converting to viewing', [viewer, onlyoffice], 'doc', {}, 'onlyoffice view, can convert'],
  ['views in the first that can', [viewer, onlyoffice], 'doc', { mode: 'view' }, 'viewer view'],
  ['prefers the first connected', [first, second], 'odt', {}, 'first edit, can edit'],
  ['prefers one that responds', [away(first), second], 'odt', {}, 'second edit, can edit'],
  ['keeps one that doesn’t respond', [away(first), text], 'odt', {}, 'first edit, can edit'],
  ['prefers the default', [first, second], 'odt', { defaults: { odt: 'second' } }, 'second edit, can edit'],
  ['ignores a default that is gone', [first], 'odt', { defaults: { odt: 'x' } }, 'first edit, can edit'],
  ['prefers a requested one to the default', [office, text], 'txt', asksForText, 'text edit, can edit'],
  ['prefers a server to the text editor', [text, office], 'txt', {}, 'office edit, can edit'],
  ['views in a server rather than as text', [office, text], 'txt', { mode: 'view' }, 'office view, can edit'],
  ['prefers editing as text to viewing', [viewer, text], 'txt', {}, 'text edit, can edit'],
  ['uses a server if the text editor can’t run', [away(text), notes], 'md', {}, 'notes edit, can edit'],
  ['doesn’t read what a list decides', [text, office], 'md', {}, 'text edit, can edit'],
  ['fills an empty text', [text], 'md', { size: 0 }, 'text editnew, can edit'],
  ['fills an empty file of no type', [text], '', { size: 0, content: '' }, 'text editnew, can edit, read'],
  ['opens any text', [text], 'xyz', {}, 'text edit, can edit, read'],
  ['views a text of no type', [text], '', { mode: 'view' }, 'text view, can edit, read'],
  // A Graphviz diagram, not a Word template.
  ['opens a diagram', [text], 'dot', { content: 'digraph {}' }, 'text edit, can edit, read'],
];
for (const [what, editors, extension, asked, expected] of choices) {
  test(`${what}: “${extension}”`, async () => {
    assert.equal(await choose(editors, extension, asked), expected);
  });
}

const connect = /type of document\. Connect ONLYOFFICE or Collabora to open \.\w+ files\.$/u;
const unread = { content: Buffer.from('never read') };
const refusals: [editors: Editor[], extension: string, asked: Asked, reason: RegExp][] = [
  [[], 'abc', {}, /Connect a document server/u],
  [[], 'xlsx', {}, connect],
  [[text], 'xlsx', {}, connect],
  [[text], 'DOC', { mode: 'view' }, connect],
  [[text], 'fods', {}, connect],
  [[first], 'xyz', unread, /\.xyz files aren’t supported\.$/u],
  [[collabora], '', {}, /without an extension/u],
  [[collabora], 'constructor', {}, /\.constructor/u],
  [[onlyoffice, collabora], 'wpd', { editorId: 'onlyoffice' }, /\.wpd files aren’t supported/u],
  [[text], 'zip', { content: 'PK\u0003\u0004\0' }, /\.zip/u],
  [[text], 'dat', { content: Buffer.from([0x61, 0xff, 0x62]) }, /\.dat/u],
  [[text], '', { content: Buffer.from([0x7f, 0, 0xff]) }, /This file isn’t UTF-8 text\./u],
  [[text], '', { size: maxTextBytes + 1 }, /without an extension/u],
  [[first, away(text)], 'md', {}, /type of document\. Its port is taken\.$/u],
  [[away(text)], '', {}, /./u],
];
test('says why no editor opens a document, and what to connect', async () => {
  for (const [editors, extension, asked, message] of refusals)
    await assert.rejects(choose(editors, extension, asked), { code: 'no-editor', message }, extension);
  await assert.rejects(choose([first], 'odt', { editorId: 'x' }), { code: 'editor-unknown' });
});

test('reports a disk error instead of an unsupported type', async () => {
  const editors = { choose: (given: ChoiceInput) => chooseAction([text], {}, given) };
  const failing = () => Promise.reject(new AppError('file-missing'));
  const choosing = chooseForFile(editors, { extension: '', size: 1, mode: 'edit' }, failing);
  await assert.rejects(choosing, { code: 'file-missing' });
});

test('isText accepts UTF-8 without NUL bytes, even if cut off within a character', () => {
  const euro = Buffer.from('€');
  assert.equal(isText(Buffer.alloc(0)), true);
  assert.equal(isText(Buffer.from('\uFEFFmit Umlaut äöü')), true);
  assert.equal(isText(Buffer.concat([Buffer.from('a'), euro.subarray(0, 2)])), true);
  assert.equal(isText(Buffer.concat([euro.subarray(0, 2), Buffer.from('a')])), false);
  assert.equal(isText(Buffer.from('a\0b')), false);
});

test('lists the types of an editor sorted, with their actions in a fixed order', () => {
  const listed = ({ discovery }: Editor) =>
    typesOf(discovery).map(({ extension, actions }) => `${extension} ${actions.join(' ')}`);
  const edited = ['doc view edit', 'docx view edit', 'odt view edit', 'pdf view edit'];
  assert.deepEqual(listed(collabora), [...edited, 'wpd view']);
  assert.deepEqual(listed(onlyoffice).slice(0, 2), ['doc view convert', 'docx view edit editnew']);
});

test('each type opens in the best editor or the user’s default, and one that is only created in none', async () => {
  const editors = [connected('preview', 'docx view', 'md edit'), connected('server', 'docx edit', 'md view')];
  const opening = (given: Editor[], defaults = {}) => Object.fromEntries(openingEditors(given, defaults));
  assert.deepEqual(opening(editors), { docx: 'server', md: 'preview' });
  assert.deepEqual(opening(editors, { docx: 'preview' }), { docx: 'preview', md: 'preview' });
  const only = connected('only', 'odg editnew', 'odt edit');
  assert.deepEqual(opening([only]), { odt: 'only' });
  await assert.rejects(choose([only], 'odg'), /\.odg files aren’t supported/u);
  assert.equal(await choose([only], 'odg', { size: 0 }), 'only editnew, can edit');
});
