// The host with every scripted editor, from the first CheckFileInfo to the last Unlock: what goes well, and crashes, sleep, restarts,
// other programs and expired tokens, with which no save may be lost. Each story runs for every editor.

import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { DialectKind } from './dialects/dialect.ts';
import { dialectKinds } from './dialects/dialects.ts';
import { fixtureNames, textOf, unpack, withText } from './office-zip.ts';
import { createEditor, type EditorTab } from './scripted-editor.ts';
import { openTextSetup, type Setup } from './setup.ts';
import { createTextEditor } from './text-editor.ts';
import { accessOf, jsonOf, lastOf, operations, sentValue, type Exchange } from './wire.ts';

const minutes = 60_000;
const hours = 60 * minutes;

type Kind = DialectKind | 'text';
const kinds: readonly Kind[] = [...dialectKinds, 'text'];
const documentOf = {
  onlyoffice: 'letter.docx',
  collabora: 'letter.odt',
  office: 'talk.pptx',
  text: 'notes.md',
};

/** An editor, which every story opens documents in. */
interface Editor {
  exchanges: Exchange[];
  open(path: string, options?: { mode?: 'edit' | 'view'; login?: string }): Promise<EditorTab>;
  /** Opens a copy that the editor has created. */
  openCopy(answer: { Name: string; Url: string }): Promise<EditorTab>;
  crash(): void;
}

type Stories = Awaited<ReturnType<typeof begin>>;

async function begin(context: TestContext, files: Record<string, Buffer | string> = {}) {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n', 'list.txt': 'one\n', ...files });
  const created: { exchanges: Exchange[] }[] = [];
  context.after(() => setup.assertRules(...created));
  const { recoveredSaves } = setup.host.host.services;
  return {
    ...setup,
    services: setup.host.host.services,
    advance: setup.host.clock.advance,
    editor(kind: Kind): Editor {
      if (kind === 'text') {
        const editor = createTextEditor(setup);
        created.push(editor);
        // A tab that isn't closed has crashed.
        return { ...editor, openCopy: async ({ Name }) => editor.open(Name), crash: () => undefined };
      }
      const editor = createEditor(kind, setup);
      created.push(editor);
      return {
        exchanges: editor.exchanges,
        open: async (path, options = {}) => editor.open(await setup.access(path, options), options),
        openCopy: async ({ Url }) => editor.open(accessOf(Url)),
        crash: editor.crash,
      };
    },
    /** Changes the document in the editor. */
    type(tab: EditorTab, text: string): Buffer {
      tab.edit(withText(tab.content(), text));
      return tab.content();
    },
    /** Restores the only recovered save. @returns its content, which isn't in the document */
    async restored(path: string): Promise<string> {
      const [save, ...others] = recoveredSaves.list();
      assert.deepEqual(others, []);
      const restored = await recoveredSaves.restore(String(save?.id));
      assert.notEqual(restored, path);
      return textOf(await setup.onDisk(restored));
    },
    text: async (path: string) => textOf(await setup.onDisk(path)),
    lockOf: async (path: string) => setup.heldLock((await setup.access(path)).fileId),
  };
}

/** A story of every editor. `other` is one of another product. */
function story(
  what: string,
  tell: (
    stories: Stories,
    editor: Editor,
    more: { kind: Kind; path: string; other: Editor },
  ) => Promise<void>,
  told: readonly Kind[] = kinds,
): void {
  for (const kind of told) {
    test(`${kind}: ${what}`, async (context) => {
      const stories = await begin(context);
      const other = stories.editor(kinds[(kinds.indexOf(kind) + 1) % dialectKinds.length] ?? 'collabora');
      await tell(stories, stories.editor(kind), { kind, path: documentOf[kind], other });
    });
  }
}

const status = async (saving: Promise<{ status: number } | undefined>): Promise<number | undefined> =>
  (await saving)?.status;

/** Saves as a desktop program would while the document is open in an editor. */
async function saveOutside({ host }: Pick<Setup, 'host'>, name: string, content: Buffer): Promise<void> {
  const path = join(host.folder, name);
  await writeFile(path, content);
  await utimes(path, new Date(), new Date(Date.now() + 5_000));
}

const texts: Record<string, Buffer> = {
  'prices.csv': Buffer.from('\ufeffname;price\r\ntea;3\r\n'),
  'no final newline.txt': Buffer.from('a\nb'),
  'mixed.log': Buffer.from('a\r\nb\nc\rd'),
  'שלום \u{1f600}.json': Buffer.from('{"שלום":"\u{1f600}"}'),
  Makefile: Buffer.from('all:\n\ttrue\n'),
};

for (const kind of kinds) {
  test(`${kind}: opens, saves, keeps its lock and closes every type, and the replaced contents are kept as versions`, async (context) => {
    const { type, editor, access, services, onDisk, lockOf } = await begin(context, texts);
    for (const name of kind === 'text' ? Object.keys(texts) : fixtureNames) {
      const { open, exchanges } = editor(kind);
      const original = await onDisk(name);
      const tab = await open(name);
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
      assert.deepEqual(operations(exchanges), calls);
      for (const exchange of exchanges) assert.equal(exchange.status, 200, exchange.operation);
      assert.deepEqual(await onDisk(name), twice);
      if (kind !== 'text') assert.ok(unpack(twice).length > 3);
      const kept = services.versions.list((await access(name)).fileId);
      const sizes = kept.map(({ size }) => size).toSorted((one, another) => one - another);
      assert.deepEqual(
        sizes,
        [original.length, once.length].toSorted((one, another) => one - another),
      );
      const savedHow = kept.find(({ size }) => size === once.length)?.savedHow;
      if (kind !== 'office') assert.match(String(savedHow), /autosave/);
      assert.equal(await lockOf(name), '');
    }
  });
}

story(
  'two users share one lock, and the last to close the document saves for all',
  async ({ addUser, type, lockOf, text }, { open, exchanges }, { kind, path }) => {
    await addUser('bjorn', 'editor');
    const ana = await open(path);
    const bjorn = await open(path, { login: 'bjorn' });
    assert.equal(bjorn.mode, 'edit');
    assert.equal(bjorn.lockId(), ana.lockId());
    type(ana, 'by Ana');
    type(bjorn, 'by Ana and Bjorn');
    await bjorn.close();
    assert.equal(await lockOf(path), ana.lockId());
    assert.ok(!operations(exchanges).includes('PutFile'));
    await ana.close();
    for (const exchange of exchanges) assert.equal(exchange.status, 200, exchange.operation);
    assert.equal(await text(path), 'by Ana and Bjorn');
    assert.equal(await lockOf(path), '');
    const [first, second] = [ana, bjorn].map(({ fileInfo }) => fileInfo.UserId);
    const editors = {
      onlyoffice: second,
      collabora: undefined,
      office: `${first},${second}`,
      text: undefined,
    };
    assert.equal(sentValue(lastOf(exchanges, 'PutFile'), 'X-WOPI-Editors'), editors[kind]);
  },
  dialectKinds,
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
      const copy = await openCopy(answer);
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
    const tab = await open(path, { login: 'vera' });
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
    // The lock id of ONLYOFFICE is the file id, and the text editor keeps its own in the browser.
    const canEditAtOnce = kind === 'onlyoffice' || kind === 'text';
    assert.equal((await open(path)).mode, canEditAtOnce ? 'edit' : 'view');
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
  'after three hours of sleep, a save with the lapsed lock succeeds',
  async (stories, { open }, { path }) => {
    const { advance, type, lockOf, onDisk } = stories;
    const tab = await open(path);
    const typed = type(tab, 'written before the sleep');
    advance(3 * hours);
    assert.equal(await lockOf(path), '');
    assert.equal(await status(tab.save()), 200);
    assert.equal(await lockOf(path), tab.lockId());
    await tab.close();
    assert.deepEqual(await onDisk(path), typed);
  },
);

story(
  'rejects and recovers a save if another user took the lock after it lapsed, and names that user',
  async ({ addUser, advance, type, text, restored }, { open, exchanges }, { path, other }) => {
    await addUser('bjorn', 'editor');
    const sleeper = await open(path);
    type(sleeper, 'written before the sleep');
    advance(31 * minutes);
    const second = await other.open(path, { login: 'bjorn' });
    assert.equal(second.mode, 'edit');
    type(second, 'by the second');
    assert.equal(await status(second.save()), 200);

    await sleeper.close();
    const refused = lastOf(exchanges, 'PutFile');
    assert.equal(refused.status, 409);
    assert.equal(refused.received['x-wopi-lock'], second.lockId());
    assert.match(String(refused.received['x-wopi-lockfailurereason']), /^bjorn is editing this document/);
    assert.equal(await text(path), 'by the second');
    assert.equal(await restored(path), 'written before the sleep');
    await second.close();
  },
);

story(
  'rejects and recovers a save after the lock was force-cleared',
  async ({ access, services, type, onDisk, restored }, { open, exchanges }, { path }) => {
    const original = await onDisk(path);
    const tab = await open(path);
    const { path: cleared } = await services.locks.forceClear((await access(path)).fileId, 'owner');
    assert.equal(cleared, path);
    type(tab, 'while it was cleared');
    assert.equal(await status(tab.save()), 409);
    assert.equal(lastOf(exchanges, 'PutFile').received['x-wopi-lock'], '');
    assert.deepEqual(await onDisk(path), original);
    assert.equal(await restored(path), 'while it was cleared');
  },
);

for (const isRestarted of [false, true]) {
  story(
    `when another program changed the document${isRestarted ? ' and the host has restarted' : ''}, the save makes its content a conflict copy`,
    async (stories, { open, exchanges }, { kind, path }) => {
      const { host, onDisk, type, text, names } = stories;
      const original = await onDisk(path);
      const tab = await open(path);
      await saveOutside(stories, path, withText(original, 'from the desktop'));
      if (isRestarted) await host.restart();
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
      const copies = (await names()).filter((name) => name.includes('conflict'));
      const [copy = '', ...others] = copies;
      assert.deepEqual(others, []);
      assert.match(copy, /^[a-z]+ \(conflict \d{4}-\d\d-\d\d \d{4}\)\.[a-z]+$/);
      assert.equal(await text(copy), 'from the desktop');
    },
  );
}

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

test('four editors save concurrently, and one of the four gets the lock of a shared document', async (context) => {
  const { type, editor, text, services, onDisk } = await begin(context);
  const editors = kinds.map(editor);
  const tabs = await Promise.all(editors.map(({ open }, index) => open(documentOf[kinds[index]!])));
  for (let round = 1; round <= 5; round += 1) {
    const contents = tabs.map((tab) => type(tab, `round ${round}`));
    const saved = await Promise.all(tabs.map(async (tab) => status(tab.save())));
    assert.deepEqual(saved, [200, 200, 200, 200]);
    for (const [index, kind] of kinds.entries()) {
      assert.deepEqual(await onDisk(documentOf[kind]), contents[index]);
    }
  }
  assert.equal(services.locks.list().length, 4);
  await Promise.all(tabs.map(async (tab) => tab.close()));

  const views = await Promise.all(editors.map(({ open }) => open('list.txt')));
  assert.deepEqual(views.map(({ mode }) => mode).toSorted(), ['edit', 'view', 'view', 'view']);
  for (const view of views) assert.equal(view.content().toString(), 'one\n');
  type(
    views.find(({ mode }) => mode === 'edit')!,
    'by the one who may',
  );
  await Promise.all(views.map(async (view) => view.close()));
  assert.equal(await text('list.txt'), 'by the one who may');
  assert.deepEqual(services.locks.list(), []);
});

test('concurrent saves of one document leave one complete content, each with its own version', async (context) => {
  const { type, editor, onDisk, names } = await begin(context);
  const before = await names();
  const { open, exchanges } = editor('office');
  const tab = await open('letter.docx');
  const contents: Buffer[] = [];
  const saves = Array.from({ length: 12 }, async (_, index) => {
    contents.push(type(tab, `save ${index}`));
    return status(tab.save());
  });
  assert.deepEqual(new Set(await Promise.all(saves)), new Set([200]));
  const answers = exchanges.filter(({ operation }) => operation === 'PutFile');
  assert.equal(new Set(answers.map(({ received }) => received['x-wopi-itemversion'])).size, contents.length);
  const onDiskNow = await onDisk('letter.docx');
  assert.ok(contents.some((content) => content.equals(onDiskNow)));
  await tab.close();
  assert.deepEqual(await names(), before);
});
