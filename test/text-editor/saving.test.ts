// What was typed is saved, automatically and on request, whatever happens to the host, the tab, the token and the file.

import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  addUser,
  pace,
  startTextEditorLab,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';
import { until } from '../until.ts';

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab();
  await addUser(lab, 'ana', 'Ana');
});
after(async () => lab.close());

const conflictCopies = async (): Promise<string[]> =>
  (await readdir(lab.host.folder)).filter((file) => file.includes('conflict'));

/** Lets the next save succeed but loses its response. Later saves don't reach the host until `restore`. */
async function loseAnswer({ page }: OpenTextEditor): Promise<{ restore(): void }> {
  let state: 'reached' | 'away' | 'restored' = 'reached';
  await page.route('**/contents', async (route) => {
    if (route.request().method() !== 'POST' || state === 'restored') {
      await route.continue();
      return;
    }
    if (state === 'reached') await route.fetch();
    state = 'away';
    await route.abort();
  });
  return { restore: () => (state = 'restored') };
}

/** Presses the button, and returns the file that the browser gets. */
async function download({ page, press }: OpenTextEditor): Promise<{ name: string; text: string }> {
  const downloading = page.waitForEvent('download');
  await press('Download my text');
  const file = await downloading;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

describe('saving', () => {
  it('is at once on Ctrl+S, automatic even during continuous typing, and not at all when the change was undone', async () => {
    const { name, editor } = await lab.openNew('one two');
    await editor.typeAfter('one', 'x');
    await editor.page.keyboard.press('Control+z');
    await editor.untilStatus('Saved');
    await editor.polled();
    assert.equal(editor.calls('PUT').length, 0);
    assert.equal(await lab.textOnDisk(name), 'one two');

    // so that it isn't the automatic one
    await editor.setPace(0.01);
    await editor.typeAfter('one', '!');
    await editor.page.keyboard.press('Control+s');
    await lab.untilOnDisk(name, 'one! two');
    const save = await until('the save', () => editor.calls('PUT')[0]);
    assert.equal(save.headers['x-ext-wopi-isautosave'], 'false');

    await editor.setPace(pace);
    await editor.untilStatus('Saved');
    await editor.typeAfter('two', '');
    let typed = '';
    await until('automatic saves', async () => {
      typed += 'x';
      await editor.page.keyboard.insertText('x');
      return editor.calls('PUT').length > 3;
    });
    await lab.untilOnDisk(name, `one! two${typed}`);
    assert.equal(editor.calls('PUT').at(-1)?.headers['x-ext-wopi-isautosave'], 'true');

    // Typed while a save is on its way, and nothing after it.
    await editor.untilStatus('Saved');
    const release = await editor.holdUp('PUT');
    await editor.page.keyboard.insertText('y');
    await until('a save is on its way', () => editor.calls('PUT').at(-1)?.status === 0);
    await editor.page.keyboard.insertText('z');
    release();
    await lab.untilOnDisk(name, `one! two${typed}yz`);
    await editor.close();
  });

  it('of 40 KB, more than half of what browsers send for a closed page, works again and again, and if the page is closed while a save is on its way', async () => {
    const { name, editor } = await lab.openNew(`${'x'.repeat(79)}\n`.repeat(500) + 'MARK');
    await editor.typeAfter('MARK', '');
    for (const letter of 'abcd') {
      await editor.page.keyboard.type(letter);
      await editor.page.keyboard.press('Control+s');
      await until(`${letter} on disk`, async () => (await lab.textOnDisk(name)).endsWith(letter));
      await editor.untilStatus('Saved');
    }
    assert.deepEqual(await editor.notices(), []);

    await editor.holdUp('PUT');
    await editor.page.keyboard.type(' saved');
    await editor.untilStatus('Saving…');
    await until('the save', () => editor.calls('PUT').at(-1)?.status === 0);
    await editor.page.unroute('**/wopi/files/**');
    await editor.leave();
    await until('the text on disk', async () => (await lab.textOnDisk(name)).endsWith('MARKabcd saved'));
    await editor.close();
  });
});

describe('leaving the page', () => {
  it('asks only while something is unsaved, saves the text if the user leaves, and releases the lock', async () => {
    const { name, editor } = await lab.openNew('one two');
    await editor.typeAfter('one', ' saved');
    await editor.untilStatus('Saved');
    let asked = '';
    const accept = ({ page }: OpenTextEditor) =>
      page.once('dialog', (dialog) => {
        asked = dialog.type();
        void dialog.accept();
      });
    accept(editor);
    await editor.page.goto('about:blank');
    await editor.untilUnlocked();
    assert.equal(asked, '');
    assert.equal(editor.calls('PUT').length, 1, 'nothing is written twice');
    await editor.close();

    const again = await lab.open(name);
    await again.untilStatus('Saved');
    await again.typeUnsaved('one', ' kept');
    accept(again);
    await again.page.goto('about:blank');
    assert.equal(asked, 'beforeunload');
    await lab.untilOnDisk(name, 'one kept saved two');
    await again.untilUnlocked();
    await again.close();
  });

  it('loses nothing that was saved when the tab crashes, and the next tab resumes its lock, but not one beside the first', async () => {
    const { name, editor } = await lab.openNew('MARK');
    await editor.typeAfter('MARK', 'first');
    await lab.untilOnDisk(name, 'MARKfirst');
    const second = await lab.open(name, { context: editor.context });
    await second.untilStatus('Read only');
    assert.match((await second.notices()).join(), /^You’re editing this document in another window/);
    await second.close();
    await editor.typeUnsaved('first', ' lost');
    const session = await editor.context.newCDPSession(editor.page);
    const crashed = editor.page.waitForEvent('crash');
    void session.send('Page.crash').catch(() => undefined);
    await crashed;
    assert.equal(await lab.textOnDisk(name), 'MARKfirst');
    const again = await lab.open(name, { context: editor.context });
    await again.untilStatus('Saved');
    await again.typeAfter('first', ' again');
    await lab.untilOnDisk(name, 'MARKfirst again');
    await again.leave();
    await editor.context.close();
  });
});

it('the lock is refreshed every 10 minutes, taken again without a notice after the computer slept, and text is saved even when the token has expired', async () => {
  const { name, editor } = await lab.openNew('MARK');
  const refreshes = () => editor.calls('REFRESH_LOCK').filter(({ status }) => status === 200).length;
  await editor.passTime(9 * 60_000);
  await editor.polled();
  assert.equal(refreshes(), 0);
  await editor.passTime(62_000);
  await until('the refresh', () => refreshes() === 1);

  lab.host.clock.advance(45 * 60_000);
  await until('the refreshed lock', () => refreshes() === 2);
  await editor.typeAfter('MARK', ' after sleep');
  await lab.untilOnDisk(name, 'MARK after sleep');
  assert.deepEqual(await editor.notices(), []);

  lab.host.clock.advance(11 * 60 * 60_000);
  await editor.untilShown('Your access to this document has expired.');
  await editor.typeAfter('after sleep', ' still');
  await lab.untilOnDisk(name, 'MARK after sleep still');
  await editor.untilStatus('Saved');
  await editor.close();
});

it('a user who lost the permission to edit keeps unsaved text, can download it, sees changes, and can save when the permission is back, also if the lock couldn’t be released', async () => {
  const { users } = lab.host.host.services;
  const noPermission = 'You don’t have permission to edit this document.';
  const { name, editor } = await lab.openNew('MARK', { login: 'ana' });
  await editor.typeUnsaved('MARK', ' mine');
  users.setRole('ana', 'viewer');
  await editor.untilShown(noPermission);
  assert.equal(await editor.status(), 'Not saved');
  await editor.page.keyboard.type(' kept');
  assert.deepEqual(await editor.frame.locator('.notice button').allInnerTexts(), [
    'Download my text',
    'Show what changed',
  ]);
  assert.equal((await download(editor)).text, 'MARK mine kept');
  await editor.polled();
  assert.equal(await lab.textOnDisk(name), 'MARK');
  users.setRole('ana', 'editor');
  await lab.untilOnDisk(name, 'MARK mine kept');
  await editor.untilStatus('Saved');
  assert.deepEqual(await editor.notices(), []);

  await editor.typeUnsaved('kept', ' too');
  await chmod(join(lab.host.folder, name), 0o444);
  await editor.untilShown(noPermission);
  assert.equal(await editor.text(), 'MARK mine kept too');
  assert.equal(await editor.status(), 'Not saved');
  await chmod(join(lab.host.folder, name), 0o644);
  await lab.untilOnDisk(name, 'MARK mine kept too');
  await editor.untilStatus('Saved');

  // Nothing is unsaved.
  users.setRole('ana', 'viewer');
  await editor.untilShown(noPermission);
  await editor.untilStatus('Read only');
  await editor.typeAfter('MARK', 'x');
  await lab.write(name, 'MARK elsewhere');
  await editor.untilText('MARK elsewhere');
  users.setRole('ana', 'editor');
  await until('the permission', async () => !(await editor.notices()).includes(noPermission));
  if ((await editor.status()) !== 'Saved') await editor.press('Edit now');
  await editor.untilStatus('Saved');

  // The lock can't be released.
  const calls = '**/wopi/files/*';
  let refused = 0;
  await editor.page.route(calls, async (route) => {
    const isUnlock = route.request().headers()['x-wopi-override'] === 'UNLOCK';
    await (isUnlock ? route.abort() : route.continue());
    refused += isUnlock ? 1 : 0;
  });
  users.setRole('ana', 'viewer');
  await editor.untilStatus('Read only');
  await until('the release failed', () => refused > 0);
  await editor.page.unroute(calls);
  users.setRole('ana', 'editor');
  await editor.untilStatus('Saved');
  assert.deepEqual(await editor.notices(), []);
  await editor.close();
});

describe('a file that changes', () => {
  it('is updated on the page while nothing is unsaved, without moving the cursor; a poll before the response to the page’s own save reports no change, a read that ends inside a character is repeated, and while the file isn’t text, the page is read-only; a revoked access token is reported by the next poll, and unsaved text can be downloaded', async () => {
    const { name, editor } = await lab.openNew('one\r\ntwo MARK\r\nthree\r\n');
    // Just after it was opened, a page takes the free lock.
    await editor.passTime(4000);
    await editor.typeAfter('MARK', '');
    await lab.write(name, 'zero\none\r\ntwo MARK\r\nthree\r\nfour\n');
    await editor.untilText('zero\none\ntwo MARK\nthree\nfour\n');
    await editor.page.keyboard.type('!');
    await lab.untilOnDisk(name, 'zero\none\r\ntwo MARK!\r\nthree\r\nfour\n');
    await editor.untilStatus('Saved');

    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await editor.page.route('**/contents', async (route) => {
      if (route.request().method() !== 'POST') {
        await route.continue();
        return;
      }
      const response = await route.fetch();
      await answered;
      await route.fulfill({ response });
    });
    await editor.typeAfter('MARK!', ' mine');
    await until('the text on disk', async () => (await lab.textOnDisk(name)).includes('MARK! mine'));
    await editor.polled();
    answer();
    await editor.untilStatus('Saved');
    await editor.polled();
    assert.deepEqual(await editor.notices(), []);
    await editor.page.unroute('**/contents');

    const damaged = Buffer.from('MARK\nGrü').subarray(0, -1);
    const reads = (): number =>
      editor.calls('GET_FILE').filter(({ status }) => status === 200 || status === 206).length;
    const readsBefore = reads();
    await lab.write(name, damaged);
    await until('the read', () => reads() > readsBefore);
    await lab.write(name, 'MARK\nGrüße\n');
    await editor.untilText('MARK\nGrüße\n');
    assert.deepEqual([await editor.status(), await editor.notices()], ['Saved', []]);
    await editor.typeAfter('Grüße', '!');
    await lab.untilOnDisk(name, 'MARK\nGrüße!\n');
    await editor.untilStatus('Saved');

    // Nothing can be typed that the file's text would then replace.
    const release = await editor.holdUp('UNLOCK');
    await lab.write(name, damaged);
    await editor.untilStatus('Read only');
    release();
    await editor.untilShown('This file isn’t valid UTF-8 text');
    await lab.write(name, 'MARK again\r\n');
    await editor.untilText('MARK again\n');
    await editor.press('Edit now');
    await editor.untilStatus('Saved');
    assert.deepEqual(await editor.notices(), []);

    await editor.typeUnsaved('MARK again', ' unsaved');
    lab.revokeTokens();
    await editor.frame.getByText('Your access to this document was revoked.').waitFor();
    await editor.untilStatus('Not saved');
    await editor.page.keyboard.insertText(' more');
    assert.deepEqual(await download(editor), { name, text: 'MARK again unsaved more\r\n' });
    assert.equal(await lab.textOnDisk(name), 'MARK again\r\n');
    await editor.close();
  });

  it('counts as saved if it has the text of a save without a response, even without the lock; text that was undone or typed since is saved', async () => {
    const { name, editor } = await lab.openNew('MARK');
    const lock = async (): Promise<void> => {
      await editor.press('Lock again');
      await editor.untilStatus('Saved');
    };
    let saves = await loseAnswer(editor);
    await editor.typeAfter('MARK', ' mine');
    await lab.untilOnDisk(name, 'MARK mine');
    await lab.forceClear(editor);
    await utimes(join(lab.host.folder, name), new Date(), new Date(Date.now() - 60_000));
    await editor.untilShown('Everything you typed so far is saved.');
    assert.equal(await editor.status(), 'Not editing');
    saves.restore();
    await lock();
    await editor.page.keyboard.type('!');
    await lab.untilOnDisk(name, 'MARK mine!');
    await editor.untilStatus('Saved');

    // This time, more is typed afterwards.
    saves = await loseAnswer(editor);
    await editor.page.keyboard.type('?');
    await lab.untilOnDisk(name, 'MARK mine!?');
    await editor.page.keyboard.type(' more');
    await lab.forceClear(editor);
    await editor.untilShown('Your changes are kept on this page');
    await editor.frame.getByRole('button', { name: 'Lock again' }).waitFor();
    // The next poll recognizes the page's own text in the file.
    await until(
      'the poll to recognize its own save',
      async () => !/changed on disk/.test((await editor.notices()).join()),
    );
    saves.restore();
    await lock();
    assert.equal(await lab.textOnDisk(name), 'MARK mine!? more');

    // This time, it is undone afterwards.
    saves = await loseAnswer(editor);
    await editor.typeAfter('MARK', ' extra');
    await lab.untilOnDisk(name, 'MARK extra mine!? more');
    for (let index = 0; index < 6; index += 1) await editor.page.keyboard.press('Backspace');
    saves.restore();
    await lab.untilOnDisk(name, 'MARK mine!? more');
    await editor.untilStatus('Saved');
    assert.equal(await editor.text(), 'MARK mine!? more');
    assert.deepEqual(await editor.notices(), []);
    assert.deepEqual(await conflictCopies(), []);
    await editor.close();
  });

  it('becomes a conflict copy when something is unsaved, also if it isn’t text any more, and the page says so', async () => {
    const { name, editor } = await lab.openNew('MARK');
    const expectConflict = async (content: Buffer): Promise<void> => {
      await editor.untilShown('The file changed on disk while you had unsaved changes.');
      const [copy, ...more] = await conflictCopies();
      assert.deepEqual(more, []);
      assert.deepEqual(await lab.onDisk(copy ?? ''), content);
      await rm(join(lab.host.folder, copy ?? ''));
    };
    // The poll notices the change, but its read reaches the host only after the save.
    let reads = 0;
    await editor.page.route('**/contents', async (route) => {
      reads += route.request().method() === 'GET' ? 1 : 0;
      if (route.request().method() === 'GET' && reads === 1)
        // On a busy computer, the first read may be the one that the save waits for.
        await until('the save', async () => (await lab.textOnDisk(name)) === 'MARK mine', 5000).catch(
          () => undefined,
        );
      await route.continue();
    });
    await editor.typeUnsaved('MARK', ' mine');
    await lab.write(name, 'theirs');
    await until('the read', () => reads > 0);
    await editor.page.keyboard.press('Control+s');
    await lab.untilOnDisk(name, 'MARK mine');
    await expectConflict(Buffer.from('theirs'));
    await editor.untilStatus('Saved');
    await editor.press('Dismiss');
    assert.deepEqual(await editor.notices(), []);

    // Its new content isn't text, and the user types while it is read.
    const damaged = Buffer.from('Gr\xfc\xdfe\n', 'latin1');
    let isTyped = false;
    await editor.page.unroute('**/contents');
    await editor.page.route('**/contents', async (route) => {
      if (route.request().method() === 'GET' && !isTyped) {
        const response = await route.fetch();
        await editor.typeAfter('MARK', '!');
        isTyped = true;
        await route.fulfill({ response });
      } else await route.continue();
    });
    await lab.write(name, damaged);
    await lab.untilOnDisk(name, 'MARK! mine');
    await expectConflict(damaged);
    await editor.close();
  });

  it('is created again by a save after it was deleted, even just before; when its folder was deleted, it can be downloaded, and is saved once the folder is back', async () => {
    const folder = join(lab.host.folder, 'sub');
    const path = 'sub/x.txt';
    await mkdir(folder);
    await lab.write(path, 'MARK');
    const editor = await lab.open(path);
    await editor.untilStatus('Saved');
    const putBack = 'x.txt was deleted or moved while you were editing. Your save put it back.';
    const assertPutBack = async (): Promise<void> => {
      await editor.untilShown(putBack);
      await until('only that notice', async () => (await editor.notices()).length === 1);
      await editor.untilStatus('Saved');
      await editor.press('Dismiss');
    };
    await rm(join(folder, 'x.txt'));
    await editor.untilShown('The file was deleted or moved to another folder.');
    await editor.press('Save');
    await lab.untilOnDisk(path, 'MARK');
    await assertPutBack();

    // so that no poll finds it first
    await editor.setPace(0.01);
    await rm(join(folder, 'x.txt'));
    await editor.typeAfter('MARK', '!');
    await editor.page.keyboard.press('Control+s');
    await lab.untilOnDisk(path, 'MARK!');
    await assertPutBack();
    const { journal } = lab.host.host.services;
    const lastSave = () => journal.newest(100).findLast(({ operation }) => operation === 'PutFile');
    assert.equal(lastSave()?.lock, 'The document had been deleted or moved; the save created it again');

    await editor.setPace(pace);
    await rm(folder, { recursive: true });
    await editor.typeAfter('MARK!', ' kept');
    await editor.untilShown(/couldn’t create it again: .*The folder no longer exists\./);
    assert.equal(lastSave()?.code, 'disk-refused');
    await editor.polled();
    const notices = await editor.notices();
    assert.equal(notices.length, 1);
    assert.doesNotMatch(notices.join(), /is created again/);
    assert.equal((await download(editor)).text, 'MARK! kept');
    await mkdir(folder);
    await lab.untilOnDisk(path, 'MARK! kept');
    await assertPutBack();
    await editor.close();
  });
});
