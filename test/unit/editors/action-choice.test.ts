import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { chooseAction, openingEditors, typesOf } from '../../../app/editors/action-choice.ts';
import type { Editor } from '../../../app/store/editors.ts';
import { parseDiscovery } from '../../../app/wopi/discovery.ts';
import { discoveryXml } from './editors-fixture.ts';

const fixture = (name: string) =>
  parseDiscovery(readFileSync(join(import.meta.dirname, `../../fixtures/discovery/${name}.xml`), 'utf8'));

function editorOf(id: string, discovery: Editor['discovery'], change: Partial<Editor> = {}): Editor {
  return {
    id,
    name: id,
    url: `http://${id}.test`,
    kind: 'other',
    product: null,
    version: null,
    publicUrl: null,
    proofMode: 'off',
    allowedAddresses: [],
    acceptsOtherHosts: false,
    discovery,
    addedAtMs: 0,
    discoveredAtMs: 0,
    problem: null,
    ...change,
  };
}
const simple = (id: string, ...actions: string[]): Editor =>
  editorOf(id, parseDiscovery(discoveryXml(`http://${id}.test`, actions)));
const problem = { code: 'refused', sentence: 'x', sinceMs: 0 };

const onlyoffice = editorOf('onlyoffice', fixture('onlyoffice'));
const collabora = editorOf('collabora', fixture('collabora'));
const choose = (
  editors: Editor[],
  extension: string,
  rest: Partial<Parameters<typeof chooseAction>[2]> = {},
) => {
  const choice = chooseAction(editors, {}, { extension, size: 10, mode: 'edit', ...rest });
  const { editor, action, canEdit, canConvert } = choice;
  return { by: editor.id, action: action.name, canEdit, canConvert };
};

test('uses the edit action to edit and the view action to view', () => {
  const can = { by: 'onlyoffice', canEdit: true, canConvert: false };
  assert.deepEqual(choose([onlyoffice], '.DOCX'), { ...can, action: 'edit' });
  assert.deepEqual(choose([onlyoffice], 'docx', { mode: 'view' }), { ...can, action: 'view' });
});

test('uses the editnew action for an empty document if the editor has it', () => {
  assert.equal(choose([onlyoffice], 'docx', { size: 0 }).action, 'editnew');
  assert.equal(choose([onlyoffice], 'odt', { size: 0 }).action, 'edit');
  assert.equal(choose([onlyoffice], 'docx', { size: 0, mode: 'view' }).action, 'view');
});

test('uses the edit action to view if the editor has no view action', () => {
  assert.equal(choose([collabora], 'odt', { mode: 'view' }).action, 'edit');
});

test('a type that can be viewed and converted opens for viewing and offers the conversion', () => {
  const choice = chooseAction([onlyoffice], {}, { extension: 'doc', size: 10, mode: 'edit' });
  assert.equal(choice.action.name, 'view');
  assert.equal(choice.canEdit, false);
  assert.equal(choice.canConvert, true);
  assert.match(choice.convert?.urlsrc ?? '', /convert-and-edit\/doc\/docx/u);
});

test('a type that can only be viewed opens for viewing', () => {
  assert.deepEqual(choose([onlyoffice], 'pdf'), {
    by: 'onlyoffice',
    action: 'view',
    canEdit: false,
    canConvert: false,
  });
});

test('treats view_comment as editing if there is no edit action', () => {
  assert.deepEqual(choose([collabora], 'pdf'), {
    by: 'collabora',
    action: 'view_comment',
    canEdit: true,
    canConvert: false,
  });
});

test('prefers an editor that can edit to one that can convert, and that to one that can only view', () => {
  const viewer = simple('viewer', 'doc view');
  assert.equal(choose([viewer, onlyoffice, collabora], 'doc').by, 'collabora');
  assert.equal(choose([viewer, onlyoffice], 'doc').by, 'onlyoffice');
  assert.equal(choose([viewer, onlyoffice], 'doc', { mode: 'view' }).by, 'viewer');
});

test('of equal editors, chooses the first connected one unless it is unreachable', () => {
  const first = simple('first', 'odt edit');
  const second = simple('second', 'odt edit');
  assert.equal(choose([first, second], 'odt').by, 'first');
  assert.equal(choose([{ ...first, problem }, second], 'odt').by, 'second');
  assert.equal(choose([{ ...first, problem }], 'odt').by, 'first');
});

test('prefers the default editor of an extension, and a requested editor to the default', () => {
  const first = simple('first', 'odt edit');
  const second = simple('second', 'odt view');
  const input = { extension: 'odt', size: 1, mode: 'edit' } as const;
  assert.equal(chooseAction([first, second], { odt: 'second' }, input).editor.id, 'second');
  assert.equal(
    chooseAction([first, second], { odt: 'second' }, { ...input, editorId: 'first' }).editor.id,
    'first',
  );
  assert.equal(chooseAction([first], { odt: 'second' }, input).editor.id, 'first');
});

test('reports that no editor opens a type, and what to connect', () => {
  const failsAs = (code: string, text: RegExp) => (error: unknown) =>
    error instanceof AppError && error.code === code && text.test(error.message);
  assert.throws(() => choose([], 'abc'), failsAs('no-editor', /Connect a document server/u));
  const connect = /type of document\. Connect ONLYOFFICE or Collabora to open \.xlsx files\.$/u;
  assert.throws(() => choose([], 'xlsx'), failsAs('no-editor', connect));
  const text: Editor = { ...simple('text', 'txt edit'), kind: 'text-editor' };
  assert.throws(() => choose([text], 'xlsx'), failsAs('no-editor', connect));
  assert.throws(
    () => choose([simple('first', 'odt edit', 'ods edit')], 'xyz'),
    failsAs('no-editor', /\.xyz files aren’t supported\.$/u),
  );
  assert.throws(() => choose([collabora], ''), failsAs('no-editor', /without an extension/u));
  assert.throws(() => choose([collabora], 'constructor'), failsAs('no-editor', /\.constructor/u));
  assert.throws(() => choose([collabora], 'odt', { editorId: 'x' }), failsAs('editor-unknown', /./u));
  assert.throws(
    () => choose([onlyoffice, collabora], 'wpd', { editorId: 'onlyoffice' }),
    failsAs('no-editor', /./u),
  );
});

test('lists the types of an editor sorted, with their actions in a fixed order', () => {
  assert.deepEqual(typesOf(collabora.discovery), [
    { extension: 'doc', actions: ['view', 'edit'] },
    { extension: 'docx', actions: ['view', 'edit'] },
    { extension: 'odt', actions: ['view', 'edit'] },
    { extension: 'pdf', actions: ['view', 'edit'] },
    { extension: 'wpd', actions: ['view'] },
  ]);
  const types = typesOf(onlyoffice.discovery);
  assert.deepEqual(types[0], { extension: 'doc', actions: ['view', 'convert'] });
  assert.deepEqual(types[1], { extension: 'docx', actions: ['view', 'edit', 'editnew'] });
});

test('each type opens in the best editor, or in the one that the user made its default', () => {
  const xml = (actions: string) =>
    parseDiscovery(
      `<wopi-discovery><net-zone name="external-http"><app name="a">${actions}</app></net-zone></wopi-discovery>`,
    );
  const action = (name: string, ext: string) =>
    `<action name="${name}" ext="${ext}" urlsrc="http://editor.test/?a"/>`;
  const preview = editorOf('preview', xml(action('view', 'docx') + action('edit', 'md')));
  const server = editorOf('server', xml(action('edit', 'docx') + action('view', 'md')));
  const editors = [preview, server];
  assert.deepEqual(Object.fromEntries(openingEditors(editors, {})), { docx: 'server', md: 'preview' });
  assert.deepEqual(Object.fromEntries(openingEditors(editors, { docx: 'preview' })), {
    docx: 'preview',
    md: 'preview',
  });
});

test('a type whose documents an editor only creates opens in none', () => {
  const only = simple('only', 'odg editnew', 'odt edit');
  assert.deepEqual(Object.fromEntries(openingEditors([only], {})), { odt: 'only' });
  assert.throws(() => choose([only], 'odg'), /\.odg files aren’t supported/u);
  assert.equal(choose([only], 'odg', { size: 0 }).action, 'editnew');
});
