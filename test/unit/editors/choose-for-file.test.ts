import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { chooseAction, type ChoiceInput } from '../../../app/editors/action-choice.ts';
import { maxTextBytes } from '../../../app/contract/text-documents.ts';
import { chooseForFile, isText } from '../../../app/editors/choose-for-file.ts';
import type { Editor } from '../../../app/store/editors.ts';
import { textEditorDiscovery } from '../../../app/text-editor/discovery.ts';
import { parseDiscovery } from '../../../app/wopi/discovery.ts';
import { discoveryXml } from './editors-fixture.ts';

function editorOf(id: string, change: Partial<Editor>): Editor {
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
    discovery: { actions: [], proofKeys: null },
    addedAtMs: 0,
    discoveredAtMs: 0,
    problem: null,
    ...change,
  };
}
const connected = (id: string, ...actions: string[]): Editor =>
  editorOf(id, { discovery: parseDiscovery(discoveryXml(`http://${id}.test`, actions)) });
const builtIn = (change: Partial<Editor> = {}): Editor =>
  editorOf('text', {
    kind: 'text-editor',
    discovery: textEditorDiscovery('http://localhost:8791', null),
    ...change,
  });
const problem = { code: 'port-taken', sentence: 'Its port is taken.', sinceMs: 0 };

function choose(
  editors: Editor[],
  input: Partial<ChoiceInput> & { extension: string },
  content: Buffer | string = 'text',
  defaults: Record<string, string> = {},
) {
  const asked: number[] = [];
  const choosing = chooseForFile(
    { choose: (given) => chooseAction(editors, defaults, given) },
    { size: 10, mode: 'edit', ...input },
    async (bytes) => {
      asked.push(bytes);
      return Buffer.from(content);
    },
  );
  return { asked, choosing };
}
const by = async (...args: Parameters<typeof choose>): Promise<string> => {
  const { editor, action } = await choose(...args).choosing;
  return `${editor.id} ${action.name}`;
};
const isNoEditor = { code: 'no-editor' };

test('prefers a connected editor to the text editor, in any order, if both support the type and mode', async () => {
  const office = connected('office', 'txt edit', 'txt view', 'docx edit', 'pdf view');
  for (const editors of [
    [builtIn(), office],
    [office, builtIn()],
  ]) {
    assert.equal(await by(editors, { extension: 'txt' }), 'office edit');
    assert.equal(await by(editors, { extension: 'txt', mode: 'view' }), 'office view');
    assert.equal(await by(editors, { extension: 'docx' }), 'office edit');
    assert.equal(await by(editors, { extension: 'docx', mode: 'view' }), 'office edit');
    assert.equal(await by(editors, { extension: 'pdf', mode: 'view' }), 'office view');
    assert.equal(await by(editors, { extension: 'md' }), 'text edit');
  }
});

test('prefers the default or a requested editor to that', async () => {
  const editors = [connected('office', 'txt edit'), builtIn()];
  assert.equal(await by(editors, { extension: 'txt' }, '', { txt: 'text' }), 'text edit');
  assert.equal(await by(editors, { extension: 'txt', editorId: 'text' }), 'text edit');
});

test('prefers the text editor to one that can only view, and keeps an unreachable editor for a type that only it edits', async () => {
  assert.equal(await by([connected('viewer', 'txt view'), builtIn()], { extension: 'txt' }), 'text edit');
  const away = { ...connected('office', 'docx edit'), problem: { ...problem, code: 'refused' } };
  assert.equal(await by([away, builtIn()], { extension: 'docx' }), 'office edit');
});

test('opens an empty document with editnew', async () => {
  assert.equal(await by([builtIn()], { extension: 'md', size: 0 }), 'text editnew');
  assert.equal(await by([builtIn()], { extension: '', size: 0 }, ''), 'text editnew');
});

test('opens a type that no editor lists if its content is text', async () => {
  for (const extension of ['', 'lock2', 'xyz'])
    assert.equal(await by([builtIn()], { extension }), 'text edit');
  assert.equal(await by([builtIn()], { extension: '', mode: 'view' }), 'text view');
  await assert.rejects(
    choose([builtIn()], { extension: 'zip' }, Buffer.from('PK\u0003\u0004\0')).choosing,
    isNoEditor,
  );
  await assert.rejects(
    choose([builtIn()], { extension: 'dat' }, Buffer.from([0x61, 0xff, 0x62])).choosing,
    isNoEditor,
  );
  const large = choose([builtIn()], { extension: '', size: maxTextBytes + 1 });
  await assert.rejects(large.choosing, isNoEditor);
  assert.deepEqual(large.asked, []);
});

test('rejects a binary file without an extension, with the reason', async () => {
  await assert.rejects(choose([builtIn()], { extension: '' }, Buffer.from([0x7f, 0, 0xff])).choosing, {
    ...isNoEditor,
    message: /This file isn’t UTF-8 text\./,
  });
});

test('never opens an office type as text, whatever its content', async () => {
  for (const extension of ['xlsx', 'XLSX', 'doc', 'odt', 'fods', 'pptx'])
    for (const mode of ['edit', 'view'] as const)
      await assert.rejects(choose([builtIn()], { extension, mode }, 'plain text').choosing, {
        ...isNoEditor,
        message: /Connect ONLYOFFICE or Collabora/,
      });
  // A Graphviz diagram, not a Word template.
  assert.equal(await by([builtIn()], { extension: 'dot' }, 'digraph {}'), 'text edit');
});

test('reads the content only if the choice depends on it', async () => {
  const named = choose([builtIn()], { extension: 'md' });
  await named.choosing;
  assert.deepEqual(named.asked, []);
  const none = choose([connected('office', 'docx edit')], { extension: 'zip' });
  await assert.rejects(none.choosing, isNoEditor);
  assert.deepEqual(none.asked, []);
});

test('doesn’t choose a text editor that can’t run, and gives the reason', async () => {
  const away = builtIn({ problem });
  await assert.rejects(choose([away], { extension: 'md' }).choosing, {
    ...isNoEditor,
    message: /Its port is taken\./,
  });
  await assert.rejects(choose([away], { extension: '' }).choosing, isNoEditor);
  assert.equal(await by([away, connected('office', 'md edit')], { extension: 'md' }), 'office edit');
});

test('reports a disk error instead of an unsupported type', async () => {
  const failing = chooseForFile(
    { choose: (given) => chooseAction([builtIn()], {}, given) },
    { extension: '', size: 1, mode: 'edit' },
    () => Promise.reject(new AppError('file-missing')),
  );
  await assert.rejects(failing, { code: 'file-missing' });
});

test('isText accepts UTF-8 without NUL bytes, even if cut off within a character', () => {
  const euro = Buffer.from('€');
  assert.equal(isText(Buffer.alloc(0)), true);
  assert.equal(isText(Buffer.from('\uFEFFmit Umlaut äöü')), true);
  assert.equal(isText(Buffer.concat([Buffer.from('a'), euro.subarray(0, 2)])), true);
  assert.equal(isText(Buffer.concat([euro.subarray(0, 2), Buffer.from('a')])), false);
  assert.equal(isText(Buffer.from('a\0b')), false);
});
