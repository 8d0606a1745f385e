// The host with every scripted editor, from the first CheckFileInfo to the last Unlock: what goes well, and crashes, sleep, restarts,
// other programs and expired tokens, with which no save may be lost. Each story runs for every editor.

import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { unzipSync } from 'fflate';
import type { DialectKind } from './dialects/dialect.ts';
import { dialectKinds } from './dialects/dialects.ts';
import { fixtureNames, textOf, withText } from './office-zip.ts';
import { createEditor, type EditorTab } from './scripted-editor.ts';
import { openSetup } from './setup.ts';
import { accessOf, jsonOf, lastOf, operations, sentValue } from './wire.ts';

const minutes = 60_000;
const hours = 60 * minutes;

const documentOf = { onlyoffice: 'letter.docx', collabora: 'letter.odt', office: 'talk.pptx' };

async function begin(context: TestContext) {
  const setup = await openSetup(context, { 'list.txt': 'one\n' });
  return {
    ...setup,
    services: setup.host.host.services,
    advance: setup.host.clock.advance,
    /** An editor, which opens documents by their path. */
    editor(kind: DialectKind) {
      const { open, exchanges, crash } = createEditor(kind, setup);
      return {
        exchanges,
        crash,
        open: async (path: string, login?: string) => open(await setup.access(path, { login })),
        /** Opens a copy that the editor has created. */
        openCopy: async (url: string) => open(accessOf(url)),
      };
    },
    /** Changes the document in the editor. */
    type(tab: EditorTab, text: string): Buffer {
      tab.edit(withText(tab.content(), text));
      return tab.content();
    },
    text: async (path: string) => textOf(await setup.onDisk(path)),
    lockOf: async (path: string) => (await setup.host.document(path)).lockId(),
  };
}

type Stories = Awaited<ReturnType<typeof begin>>;
type Editor = ReturnType<Stories['editor']>;

/** A story of every editor. `other` is one of another product. */
function story(
  what: string,
  tell: (
    stories: Stories,
    editor: Editor,
    more: { kind: DialectKind; path: string; other: Editor },
  ) => Promise<void>,
): void {
  for (const [index, kind] of dialectKinds.entries()) {
    test(`${kind}: ${what}`, async (context) => {
      const stories = await begin(context);
      const other = stories.editor(dialectKinds[(index + 1) % dialectKinds.length] ?? kind);
      await tell(stories, stories.editor(kind), { kind, path: documentOf[kind], other });
    });
  }
}

const status = async (saving: Promise<{ status: number } | undefined>): Promise<number | undefined> =>
  (await saving)?.status;

function assertSucceeded({ exchanges }: Editor): void {
  for (const exchange of exchanges) assert.equal(exchange.status, 200, exchange.operation);
}

story(
  'opens, saves, keeps its lock and closes every type, and the replaced contents are kept as versions',
  async ({ type, editor, access, services, onDisk, lockOf }, _editor, { kind }) => {
    for (const name of fixtureNames) {
      const opened = editor(kind);
      const original = await onDisk(name);
      const tab = await opened.open(name);
      assert.equal(tab.mode, 'edit');
      assert.deepEqual(tab.content(), original);
      const once = type(tab, 'once');
      assert.equal(await status(tab.save('timer')), 200);
      assert.deepEqual(await onDisk(name), once);
      assert.equal((await tab.keepAlive()).status, 200);
      const twice = type(tab, 'and twice');
      await tab.close();

      const keepAlive = kind === 'collabora' ? 'Lock' : 'RefreshLock';
      const calls = ['CheckFileInfo', 'Lock', 'GetFile', 'PutFile', keepAlive, 'PutFile', 'Unlock'];
      assert.deepEqual(operations(opened.exchanges), calls);
      assertSucceeded(opened);
      assert.deepEqual(await onDisk(name), twice);
      assert.ok(Object.keys(unzipSync(twice)).length > 3, 'it is a valid document');
      const kept = services.versions.list((await access(name)).fileId);
      const sizes = kept.map(({ size }) => size).toSorted((one, another) => one - another);
      assert.deepEqual(sizes, [original.length, once.length]);
      const savedHow = kept.find(({ size }) => size === once.length)?.savedHow;
      if (kind !== 'office') assert.match(String(savedHow), /autosave/);
      assert.equal(await lockOf(name), '');
    }
  },
);

story(
  'two users share one lock, and the last to close the document saves for all',
  async ({ addUser, type, lockOf, text }, editor, { kind, path }) => {
    await addUser('bjorn', 'editor');
    const ana = await editor.open(path);
    const bjorn = await editor.open(path, 'bjorn');
    assert.equal(bjorn.mode, 'edit');
    assert.equal(bjorn.lockId(), ana.lockId());
    type(ana, 'by Ana');
    type(bjorn, 'by Ana and Bjorn');
    await bjorn.close();
    assert.equal(await lockOf(path), ana.lockId());
    assert.ok(!operations(editor.exchanges).includes('PutFile'));
    await ana.close();
    assertSucceeded(editor);
    assert.equal(await text(path), 'by Ana and Bjorn');
    assert.equal(await lockOf(path), '');
    const [first, second] = [ana, bjorn].map(({ fileInfo }) => fileInfo.UserId);
    const editors = { onlyoffice: second, collabora: undefined, office: `${first},${second}` };
    assert.equal(sentValue(lastOf(editor.exchanges, 'PutFile'), 'X-WOPI-Editors'), editors[kind]);
  },
);

const scripts = ['_', 'a+b', '\u00e9', '\u{1f600}', '\u65e5\u672c', '%20', 'Q1 (final) [v2]'];

story(
  'saves copies with names in different scripts, and opens them; the document is renamed, and saved afterwards',
  async ({ type, onDisk, names, text }, { open, openCopy }, { path }) => {
    const extension = path.slice(path.lastIndexOf('.'));
    const original = await onDisk(path);
    const tab = await open(path);
    const typed = type(tab, 'not saved yet');
    for (const name of scripts) {
      const { answer } = await tab.saveAs(name + extension);
      assert.equal(answer?.Name, name + extension);
      assert.deepEqual(await onDisk(answer.Name), typed);
      const copy = await openCopy(answer.Url);
      assert.equal(copy.mode, 'edit');
      assert.deepEqual(copy.content(), typed);
      await copy.close();
    }
    assert.deepEqual(await onDisk(path), original);
    const { answer } = await tab.rename('Minutes of \u65e5\u672c_\u00e9');
    assert.equal(answer?.Name, 'Minutes of \u65e5\u672c_\u00e9');
    type(tab, 'after the rename');
    await tab.close();
    assert.equal(await text(`Minutes of \u65e5\u672c_\u00e9${extension}`), 'after the rename');
    assert.ok(!(await names()).includes(path));
  },
);

story(
  'a viewer opens the document read-only, without a lock, and can’t save',
  async ({ addUser, onDisk }, { open, exchanges }, { path }) => {
    await addUser('vera', 'viewer');
    const original = await onDisk(path);
    const tab = await open(path, 'vera');
    assert.equal(tab.mode, 'view');
    assert.deepEqual(operations(exchanges), ['CheckFileInfo', 'GetFile']);
    assert.deepEqual([tab.fileInfo.UserCanWrite, tab.fileInfo.UserCanNotWriteRelative], [false, true]);
    assert.equal((await tab.saveAs(`copy of ${path}`)).status, 501);
    assert.equal(await status(tab.save('overwrite')), 401);
    assert.deepEqual(await onDisk(path), original);
  },
);

story(
  'opens a document that another editor has locked read-only, with a reason, and can edit once that has closed it',
  async ({ type, text, lockOf }, { open, exchanges }, { path, other }) => {
    const first = await other.open(path);
    const waiting = await open(path);
    assert.equal(waiting.mode, 'view');
    assert.match(waiting.refusal, /You're already editing this document/);
    assert.deepEqual(operations(exchanges), ['CheckFileInfo', 'Lock', 'GetFile']);
    assert.equal(lastOf(exchanges, 'Lock').received['x-wopi-lock'], first.lockId());
    await waiting.close();
    type(first, 'by the first');
    await first.close();

    const second = await open(path);
    assert.equal(second.mode, 'edit');
    assert.equal(textOf(second.content()), 'by the first');
    type(second, 'by the second');
    await second.close();
    assert.equal(await text(path), 'by the second');
    assert.equal(await lockOf(path), '');
  },
);

story(
  'after a crash, another editor can edit when the lock lapses after 30 minutes',
  async ({ advance, type, text }, { open, crash }, { kind, path, other }) => {
    await open(path);
    crash();
    // The lock id of ONLYOFFICE is the file id.
    assert.equal((await open(path)).mode, kind === 'onlyoffice' ? 'edit' : 'view');
    crash();
    advance(29 * minutes);
    assert.equal((await other.open(path)).mode, 'view');
    advance(minutes + 1_000);
    const tab = await other.open(path);
    assert.equal(tab.mode, 'edit');
    type(tab, 'after the crash');
    await tab.close();
    assert.equal(await text(path), 'after the crash');
  },
);

story(
  'rejects and recovers a save if another user took the lock after it lapsed, and names that user',
  async ({ addUser, advance, type, text, services, onDisk }, { open, exchanges }, { path, other }) => {
    await addUser('bjorn', 'editor');
    const sleeper = await open(path);
    type(sleeper, 'written before the sleep');
    advance(31 * minutes);
    const second = await other.open(path, 'bjorn');
    assert.equal(second.mode, 'edit');
    type(second, 'by the second');
    assert.equal(await status(second.save()), 200);

    await sleeper.close();
    const refused = lastOf(exchanges, 'PutFile');
    assert.equal(refused.status, 409);
    assert.equal(refused.received['x-wopi-lock'], second.lockId());
    assert.match(String(refused.received['x-wopi-lockfailurereason']), /^bjorn is editing this document/);
    assert.equal(await text(path), 'by the second');
    const [save, ...others] = services.recoveredSaves.list();
    assert.deepEqual(others, []);
    const restored = await services.recoveredSaves.restore(String(save?.id));
    assert.equal(textOf(await onDisk(restored)), 'written before the sleep');
    await second.close();
    assert.equal(await text(path), 'by the second');
  },
);

story(
  'when another program changed the document and the host has restarted, the save makes its content a conflict copy',
  async ({ host, onDisk, type, text, names }, { open, exchanges }, { kind, path }) => {
    const tab = await open(path);
    const absolute = join(host.folder, path);
    await writeFile(absolute, withText(await onDisk(path), 'from the desktop'));
    await utimes(absolute, new Date(), new Date(Date.now() + 5_000));
    await host.restart();
    type(tab, 'from the editor');
    if (kind === 'collabora') {
      // Its save has the time of the document: “document has been changed in storage”.
      assert.equal(await status(tab.save()), 409);
      const refused = jsonOf(lastOf(exchanges, 'PutFile'));
      assert.deepEqual(refused, { COOLStatusCode: 1010, LOOLStatusCode: 1010 });
      const { answer } = await tab.saveAs(`mine of ${path}`);
      assert.equal(await text(String(answer?.Name)), 'from the editor');
      assert.equal(await text(path), 'from the desktop');
    }
    assert.equal(await status(tab.save('overwrite')), 200);
    await tab.close();
    assert.equal(await text(path), 'from the editor');
    const [copy = '', ...others] = (await names()).filter((name) => name.includes('conflict'));
    assert.deepEqual(others, []);
    assert.match(copy, /^[a-z]+ \(conflict \d{4}-\d\d-\d\d \d{4}\)\.[a-z]+$/);
    assert.equal(await text(copy), 'from the desktop');
  },
);

story(
  'an expired token still saves and unlocks with its lock, but saves nothing a day later',
  async ({ advance, type, text, lockOf, onDisk }, { open, exchanges }, { path }) => {
    const tab = await open(path);
    const forgotten = await open('list.txt');
    type(tab, 'a long day');
    advance(11 * hours);
    assert.equal((await tab.keepAlive()).status, 200);
    await tab.close();
    assert.equal(await text(path), 'a long day');
    assert.equal(lastOf(exchanges, 'Unlock').status, 200);
    assert.equal(await lockOf(path), '');
    const before = await onDisk('list.txt');
    advance(24 * hours);
    type(forgotten, 'too late');
    assert.equal(await status(forgotten.save()), 401);
    assert.deepEqual(await onDisk('list.txt'), before);
  },
);
