import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { chooseAction, typesOf } from '../../../app/editors/action-choice.ts';
import type { Editor } from '../../../app/editors/editor.ts';
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

test('editing and viewing take the action of that name', () => {
  const can = { by: 'onlyoffice', canEdit: true, canConvert: false };
  assert.deepEqual(choose([onlyoffice], '.DOCX'), { ...can, action: 'edit' });
  assert.deepEqual(choose([onlyoffice], 'docx', { mode: 'view' }), { ...can, action: 'view' });
});

test('an empty document is made new where the editor has an action for that', () => {
  assert.equal(choose([onlyoffice], 'docx', { size: 0 }).action, 'editnew');
  assert.equal(choose([onlyoffice], 'odt', { size: 0 }).action, 'edit');
  assert.equal(choose([onlyoffice], 'docx', { size: 0, mode: 'view' }).action, 'view');
});

test('an editor with one action for both views by it too', () => {
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

test('comments on a document that cannot be edited otherwise count as editing', () => {
  assert.deepEqual(choose([collabora], 'pdf'), {
    by: 'collabora',
    action: 'view_comment',
    canEdit: true,
    canConvert: false,
  });
});

test('who can edit goes before who can convert, and that before who can only view', () => {
  const viewer = simple('viewer', 'doc view');
  assert.equal(choose([viewer, onlyoffice, collabora], 'doc').by, 'collabora');
  assert.equal(choose([viewer, onlyoffice], 'doc').by, 'onlyoffice');
  assert.equal(choose([viewer, onlyoffice], 'doc', { mode: 'view' }).by, 'viewer');
});

test('of equals the first connected one opens it, unless it cannot be reached', () => {
  const first = simple('first', 'odt edit');
  const second = simple('second', 'odt edit');
  assert.equal(choose([first, second], 'odt').by, 'first');
  assert.equal(choose([{ ...first, problem }, second], 'odt').by, 'second');
  assert.equal(choose([{ ...first, problem }], 'odt').by, 'first');
});

test('the default of an extension goes before all others, and the one that is asked for before that', () => {
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

test('what no editor opens says so, and what to connect', () => {
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

test('the types of an editor are sorted and name what can be done, in one order', () => {
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
