// What was typed is saved, automatically and on request, whatever happens to the host, the tab, the token and the file.

import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  addUser,
  startTextEditorLab,
  until,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';

/** Other processes may keep the processor busy. */
const toleranceMs = 700;

let lab: TextEditorLab;
let count = 0;
before(async () => {
  lab = await startTextEditorLab();
  await addUser(lab.host, 'ana', 'Ana');
});
after(async () => lab.close());

/** Creates a separate file for each test. */
async function newFile(content: string, extension = 'txt'): Promise<string> {
  count += 1;
  const name = `file-${count}.${extension}`;
  await writeFile(join(lab.host.folder, name), content);
  return name;
}

const text = async (name: string): Promise<string> => (await lab.onDisk(name)).toString();

async function openToEdit(content: string, options: Parameters<TextEditorLab['open']>[1] = {}) {
  const name = await newFile(content);
  const editor = await lab.open(name, options);
  await editor.untilStatus('Saved');
  return { name, editor };
}

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

const touch = async (name: string): Promise<void> =>
  utimes(join(lab.host.folder, name), new Date(), new Date(Date.now() - 60_000));

/** Waits for two polls, because the first may have begun earlier. */
async function polled(editor: OpenTextEditor): Promise<void> {
  const before = editor.calls('CHECK_FILE_INFO').length;
  await until('two polls', () =>
    editor
      .calls('CHECK_FILE_INFO')
      .slice(before + 2)
      .some(({ status }) => status === 200),
  );
}

describe('saving', () => {
  it('saves at once on Ctrl+S, within 2 s of the last change, and not at all when that was undone', async () => {
    const { name, editor } = await openToEdit('one two');
    await editor.typeAfter('one', 'x');
    await editor.page.keyboard.press('Control+z');
    await editor.untilStatus('Saved');
    await editor.page.waitForTimeout(2500);
    assert.equal(editor.calls('PUT').length, 0);
    assert.equal(await text(name), 'one two');

    await editor.typeAfter('one', '!');
    await editor.page.keyboard.press('Control+s');
    const pressedAtMs = Date.now();
    await until('the text on disk', async () => (await text(name)) === 'one! two');
    assert.ok(Date.now() - pressedAtMs < 1000);
    await editor.untilStatus('Saved');
    assert.equal(editor.calls('PUT').length, 1);
    assert.equal(editor.calls('PUT')[0]?.headers['x-ext-wopi-isautosave'], 'false');

    await editor.typeAfter('one!', ' more');
    const typedAtMs = Date.now();
    assert.equal(await editor.status(), 'Unsaved');
    await until('the text on disk', async () => (await text(name)) === 'one! more two');
    assert.ok(Date.now() - typedAtMs < 2000 + toleranceMs, `after ${Date.now() - typedAtMs} ms`);
    await editor.untilStatus('Saved');
    await editor.close();
  });

  it('saves during continuous typing, so that a crash loses at most 2 s, and one save at a time', async () => {
    const { name, editor } = await openToEdit('MARK');
    await editor.typeAfter('MARK', '');
    const typedAtMs: number[] = [];
    let isTyping = true;
    let oldestMs = 0;
    const watching = (async () => {
      while (isTyping) {
        const saved = (await text(name)).length - 4;
        const firstUnsaved = typedAtMs[saved];
        if (firstUnsaved !== undefined) oldestMs = Math.max(oldestMs, Date.now() - firstUnsaved);
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      }
    })();
    for (let index = 0; index < 30; index += 1) {
      await editor.page.keyboard.type('x');
      typedAtMs.push(Date.now());
      await editor.page.waitForTimeout(160);
    }
    isTyping = false;
    await watching;
    assert.ok(oldestMs < 2000 + toleranceMs, `a letter was unsaved for ${oldestMs} ms`);
    assert.ok(editor.calls('PUT').length >= 3);

    let running = 0;
    let most = 0;
    lab.proxy.delay = async (operation) => {
      if (operation !== 'PUT') return;
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => {
        setTimeout(resolve, 700);
      });
      running -= 1;
    };
    try {
      for (let index = 0; index < 30; index += 1) {
        await editor.page.keyboard.type(String(index % 10));
        if (index % 5 === 0) await editor.page.keyboard.press('Control+s');
        await editor.page.waitForTimeout(60);
      }
      const wanted = `MARK${'x'.repeat(30)}${Array.from({ length: 30 }, (_, index) => index % 10).join('')}`;
      await until('all of it on disk', async () => (await text(name)) === wanted);
      await editor.untilStatus('Saved');
      assert.equal(most, 1);
    } finally {
      lab.proxy.delay = () => undefined;
    }
    await editor.close();
  });
});

describe('a document of 40 KB, more than half of what browsers send for a closed page', () => {
  const content = `${'x'.repeat(79)}\n`.repeat(500) + 'MARK';

  it('is saved again and again, and if the page is closed while a save is on its way', async () => {
    const { name, editor } = await openToEdit(content);
    await editor.typeAfter('MARK', '');
    for (const letter of 'abcd') {
      await editor.page.keyboard.type(letter);
      await editor.page.keyboard.press('Control+s');
      await until(`${letter} on disk`, async () => (await text(name)).endsWith(letter), 10_000);
      await editor.untilStatus('Saved');
    }
    assert.deepEqual(await editor.notices(), []);

    let isDelayed = false;
    let letGo = (): void => undefined;
    lab.proxy.delay = (operation) => {
      if (operation !== 'PUT' || isDelayed) return undefined;
      isDelayed = true;
      return new Promise((resolve) => {
        letGo = resolve;
      });
    };
    try {
      await editor.page.keyboard.type(' saved');
      await until('the save', () => isDelayed);
      editor.page.once('dialog', (dialog) => void dialog.accept());
      await editor.page.goto('about:blank');
      await until('the text on disk', async () => (await text(name)).endsWith('MARKabcd saved'), 10_000);
    } finally {
      letGo();
      lab.proxy.delay = () => undefined;
    }
    await editor.close();
  });
});

describe('leaving the page', () => {
  it('asks only while something is unsaved, saves the text if the user leaves, and releases the lock', async () => {
    const { name, editor } = await openToEdit('one two');
    await editor.typeAfter('one', ' saved');
    await editor.untilStatus('Saved');
    let asked = '';
    editor.page.once('dialog', (dialog) => {
      asked = dialog.type();
      void dialog.accept();
    });
    await editor.page.goto('about:blank');
    await until('the released lock', () => editor.calls('UNLOCK').some(({ status }) => status === 200));
    assert.equal(asked, '');
    await editor.close();

    const again = await lab.open(name);
    await again.untilStatus('Saved');
    await again.typeAfter('one', ' kept');
    again.page.once('dialog', (dialog) => {
      asked = dialog.type();
      void dialog.accept();
    });
    await again.page.goto('about:blank');
    assert.equal(asked, 'beforeunload');
    await until('the text on disk', async () => (await text(name)) === 'one kept saved two');
    await again.close();
  });

  it('loses at most 2 s when the tab crashes, and the next tab resumes its lock, but not one beside the first', async () => {
    const { name, editor } = await openToEdit('MARK');
    await editor.typeAfter('MARK', 'first');
    await editor.untilStatus('Saved');
    const second = await lab.open(name, { context: editor.context });
    await second.untilStatus('Read only');
    assert.match((await second.notices()).join(), /^You’re editing this document in another window/);
    await second.close();
    await editor.page.keyboard.type(' lost');
    const session = await editor.context.newCDPSession(editor.page);
    void session.send('Page.crash').catch(() => undefined);
    await until('the crash', () =>
      editor.page
        .evaluate(() => 1)
        .then(
          () => false,
          () => true,
        ),
    );
    assert.equal(await text(name), 'MARKfirst');
    const again = await lab.open(name, { context: editor.context });
    await again.untilStatus('Saved');
    await again.typeAfter('first', ' again');
    await until('the text on disk', async () => (await text(name)) === 'MARKfirst again');
    await again.leave();
    await editor.context.close();
  });
});

describe('the host', () => {
  it('gets the undone text after the response to a save was lost', async () => {
    const { name, editor } = await openToEdit('one two');
    const { proxy } = lab;
    let isCut = false;
    await editor.page.route('**/contents', async (route) => {
      if (route.request().method() !== 'POST' || isCut) {
        await route.continue();
        return;
      }
      isCut = true;
      await route.fetch();
      await route.abort();
    });
    await editor.typeAfter('one', ' extra');
    await until('the text on disk', async () => (await text(name)) === 'one extra two');
    for (let index = 0; index < 6; index += 1) await editor.page.keyboard.press('Control+z');
    assert.equal(await editor.text(), 'one two');
    await until('the undone text on disk', async () => (await text(name)) === 'one two');
    await editor.untilStatus('Saved');
    assert.equal(await editor.text(), 'one two');
    assert.deepEqual(
      (await readdir(lab.host.folder)).filter((file) => file.includes('conflict')),
      [],
    );
    assert.deepEqual(proxy.strange, []);
    await editor.close();
  });

  it('gets a RefreshLock every 10 minutes', async () => {
    const { editor } = await openToEdit('one', { hasOwnClock: true });
    const polls = () => editor.calls('CHECK_FILE_INFO').filter(({ status }) => status === 200).length;
    const before = polls();
    await editor.page.clock.fastForward(9 * 60_000);
    await until('a poll', () => polls() > before);
    assert.equal(editor.calls('REFRESH_LOCK').length, 0);
    await editor.page.clock.fastForward(62_000);
    await until('the refresh', () => editor.calls('REFRESH_LOCK').some(({ status }) => status === 200));
    await editor.close();
  });

  it('grants a lock that expired while the computer slept again, without a notice, and still saves when the token has expired', async () => {
    const { name, editor } = await openToEdit('MARK');
    lab.host.clock.advance(45 * 60_000);
    await until('the refreshed lock', () =>
      editor.calls('REFRESH_LOCK').some(({ status }) => status === 200),
    );
    await editor.typeAfter('MARK', ' after sleep');
    await until('the text on disk', async () => (await text(name)) === 'MARK after sleep');
    assert.deepEqual(await editor.notices(), []);

    lab.host.clock.advance(11 * 60 * 60_000);
    await editor.frame.getByText('Your access to this document has expired.').waitFor();
    await editor.typeAfter('after sleep', ' still');
    await until('the text on disk', async () => (await text(name)) === 'MARK after sleep still');
    await editor.untilStatus('Saved');
    await editor.close();
  });
});

describe('an access token', () => {
  it('when revoked, is reported at once, and unsaved text can be downloaded', async () => {
    const { name, editor } = await openToEdit('MARK\r\n');
    await editor.typeAfter('MARK', ' unsaved');
    const { accessTokens } = lab.host.host.services;
    for (const { id } of accessTokens.list()) accessTokens.revoke(id);
    await editor.frame.getByText('Your access to this document was revoked.').waitFor({ timeout: 2500 });
    assert.equal(await editor.status(), 'Not saved');
    await editor.page.keyboard.type(' more');
    assert.equal(await editor.text(), 'MARK unsaved more\n');
    const downloading = editor.page.waitForEvent('download');
    await editor.frame.getByRole('button', { name: 'Download my text' }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), name);
    assert.equal((await readFile(await download.path())).toString(), 'MARK unsaved more\r\n');
    assert.equal(await text(name), 'MARK\r\n');
    await editor.close();
  });

  it('when revoked with nothing unsaved, makes the page read-only', async () => {
    const { editor } = await openToEdit('MARK');
    const { accessTokens } = lab.host.host.services;
    for (const { id } of accessTokens.list()) accessTokens.revoke(id);
    await editor.frame.getByText('Open the document again from DocTray.').waitFor();
    await editor.typeAfter('MARK', 'x');
    assert.equal(await editor.text(), 'MARK');
    await editor.close();
  });
});

describe('a user who lost the permission to edit', () => {
  const users = () => lab.host.host.services.users;
  const noPermission = 'You don’t have permission to edit this document.';

  it('keeps unsaved text, can download it, sees changes, and can save when the permission is back, also if the lock couldn’t be released', async () => {
    const { name, editor } = await openToEdit('MARK', { login: 'ana' });
    await editor.typeAfter('MARK', ' mine');
    users().setRole('ana', 'viewer');
    await editor.frame.getByText(noPermission).waitFor();
    assert.equal(await editor.status(), 'Not saved');
    await editor.page.keyboard.type(' kept');
    assert.equal(await editor.text(), 'MARK mine kept');
    assert.deepEqual(await editor.frame.locator('.notice button').allInnerTexts(), [
      'Download my text',
      'Show what changed',
    ]);
    const downloading = editor.page.waitForEvent('download');
    await editor.frame.getByRole('button', { name: 'Download my text' }).click();
    assert.equal((await readFile(await (await downloading).path())).toString(), 'MARK mine kept');
    await polled(editor);
    assert.equal(await text(name), 'MARK');
    users().setRole('ana', 'editor');
    await until('the text on disk', async () => (await text(name)) === 'MARK mine kept');
    await editor.untilStatus('Saved');
    assert.deepEqual(await editor.notices(), []);

    await editor.typeAfter('kept', ' too');
    await chmod(join(lab.host.folder, name), 0o444);
    await editor.frame.getByText(noPermission).waitFor();
    assert.equal(await editor.text(), 'MARK mine kept too');
    assert.equal(await editor.status(), 'Not saved');
    await chmod(join(lab.host.folder, name), 0o644);
    await until('the text on disk', async () => (await text(name)) === 'MARK mine kept too');
    await editor.untilStatus('Saved');

    // Nothing is unsaved.
    users().setRole('ana', 'viewer');
    await editor.frame.getByText(noPermission).waitFor();
    await editor.untilStatus('Read only');
    await editor.typeAfter('MARK', 'x');
    await writeFile(join(lab.host.folder, name), 'MARK elsewhere');
    await until('the text', async () => (await editor.text()) === 'MARK elsewhere');
    users().setRole('ana', 'editor');
    await until('the permission', async () => !(await editor.notices()).includes(noPermission));
    if ((await editor.status()) !== 'Saved')
      await editor.frame.getByRole('button', { name: 'Edit now' }).click();
    await editor.untilStatus('Saved');

    // The lock can't be released.
    const calls = '**/wopi/files/*';
    let refused = 0;
    await editor.page.route(calls, async (route) => {
      const isUnlock = (await route.request().allHeaders())['x-wopi-override'] === 'UNLOCK';
      await (isUnlock ? route.abort() : route.continue());
      refused += isUnlock ? 1 : 0;
    });
    users().setRole('ana', 'viewer');
    await editor.untilStatus('Read only');
    await until('the release failed', () => refused > 0);
    await editor.page.unroute(calls);
    users().setRole('ana', 'editor');
    await editor.untilStatus('Saved');
    assert.deepEqual(await editor.notices(), []);
    await editor.close();
  });
});

describe('a file that changes', () => {
  it('is read again when a read ends inside a character, and loads once it is valid text', async () => {
    const { name, editor } = await openToEdit('MARK\n');
    const write = async (content: string | Buffer) => writeFile(join(lab.host.folder, name), content);
    const damaged = Buffer.from('MARK\nGrü').subarray(0, -1);
    const reads = () =>
      editor.calls('GET_FILE').filter(({ status }) => status === 200 || status === 206).length;
    const readsBefore = reads();
    await write(damaged);
    await until('the read', () => reads() > readsBefore);
    await write('MARK\nGrüße\n');
    await until('the text', async () => (await editor.text()) === 'MARK\nGrüße\n');
    assert.deepEqual([await editor.status(), await editor.notices()], ['Saved', []]);
    await editor.typeAfter('Grüße', '!');
    await until('the text on disk', async () => (await text(name)) === 'MARK\nGrüße!\n');
    await editor.untilStatus('Saved');

    await write(damaged);
    await editor.untilStatus('Read only');
    await editor.frame.getByText('This file isn’t valid UTF-8 text').waitFor();
    await write('MARK again\n');
    await until('the text', async () => (await editor.text()) === 'MARK again\n');
    await editor.frame.getByRole('button', { name: 'Edit now' }).click();
    await editor.untilStatus('Saved');
    assert.deepEqual(await editor.notices(), []);
    await editor.close();
  });

  it('is updated on the page while nothing is unsaved, without moving the cursor, and isn’t reported as changed by a poll before the response to the page’s own save', async () => {
    const { name, editor } = await openToEdit('one\r\ntwo MARK\r\nthree\r\n');
    await editor.typeAfter('MARK', '');
    await writeFile(join(lab.host.folder, name), 'zero\none\r\ntwo MARK\r\nthree\r\nfour\n');
    await until('the new text', async () => (await editor.text()) === 'zero\none\ntwo MARK\nthree\nfour\n');
    await editor.page.keyboard.type('!');
    await until(
      'the text on disk',
      async () => (await text(name)) === 'zero\none\r\ntwo MARK!\r\nthree\r\nfour\n',
    );
    await editor.untilStatus('Saved');

    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
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
    await until('the text on disk', async () => (await text(name)).includes('MARK! mine'));
    await polled(editor);
    answer();
    await editor.untilStatus('Saved');
    await polled(editor);
    assert.deepEqual(await editor.notices(), []);
    await editor.close();
  });

  it('counts as saved if it has the text of a save without a response, even without the lock, and takes later text', async () => {
    const { name, editor } = await openToEdit('MARK');
    const saves = await loseAnswer(editor);
    await editor.typeAfter('MARK', ' mine');
    await until('the text on disk', async () => (await text(name)) === 'MARK mine');
    await lab.host.host.services.locks.forceClear(editor.fileId, 'owner');
    await touch(name);
    await editor.frame.getByText('Everything you typed so far is saved.').waitFor();
    assert.equal(await editor.status(), 'Not editing');
    saves.restore();
    await editor.frame.getByRole('button', { name: 'Lock again' }).click();
    await editor.untilStatus('Saved');
    await editor.page.keyboard.type('!');
    await until('the text on disk', async () => (await text(name)) === 'MARK mine!');
    await editor.untilStatus('Saved');
    assert.deepEqual(await conflictCopies(), []);

    // This time, more is typed afterwards.
    const moreSaves = await loseAnswer(editor);
    await editor.page.keyboard.type('?');
    await until('the text on disk', async () => (await text(name)) === 'MARK mine!?');
    await editor.page.keyboard.type(' more');
    await lab.host.host.services.locks.forceClear(editor.fileId, 'owner');
    await editor.frame.getByText('Your changes are kept on this page').waitFor();
    await editor.frame.getByRole('button', { name: 'Lock again' }).waitFor();
    // The next poll recognizes the page's own text in the file.
    await until(
      'the poll to recognize its own save',
      async () => !/changed on disk/.test((await editor.notices()).join()),
    );
    moreSaves.restore();
    await editor.frame.getByRole('button', { name: 'Lock again' }).click();
    await editor.untilStatus('Saved');
    assert.equal(await text(name), 'MARK mine!? more');
    assert.deepEqual(await editor.notices(), []);
    assert.deepEqual(await conflictCopies(), []);
    await editor.close();
  });

  it('becomes a conflict copy when something is unsaved, also if it isn’t text any more, and the page says so', async () => {
    const { name, editor } = await openToEdit('MARK');
    let reads = 0;
    // The poll notices the change, but its read reaches the host only after the save.
    lab.proxy.delay = async (operation) => {
      if (operation !== 'GET_FILE') return;
      reads += 1;
      if (reads > 1) return;
      await Promise.race([
        until('the save', async () => (await text(name)) === 'MARK mine'),
        // On a busy computer, the first read may be the one that the save waits for.
        editor.page.waitForTimeout(5000),
      ]);
    };
    await editor.typeAfter('MARK', ' mine');
    await writeFile(join(lab.host.folder, name), 'theirs');
    await until('the save', async () => (await text(name)) === 'MARK mine');
    lab.proxy.delay = () => undefined;
    const copies = (await readdir(lab.host.folder)).filter((file) => file.includes('conflict'));
    assert.equal(copies.length, 1);
    assert.equal((await lab.onDisk(copies[0] ?? '')).toString(), 'theirs');
    await editor.frame.getByText('The file changed on disk while you had unsaved changes.').waitFor();
    await rm(join(lab.host.folder, copies[0] ?? ''));
    await editor.untilStatus('Saved');
    await editor.frame.getByRole('button', { name: 'Dismiss' }).click();
    assert.deepEqual(await editor.notices(), []);

    // Its new content isn't text, and the user types while it is read.
    const damaged = Buffer.from('Gr\xfc\xdfe\n', 'latin1');
    let isTyped = false;
    await editor.page.route('**/contents', async (route) => {
      if (route.request().method() === 'GET' && !isTyped) {
        const response = await route.fetch();
        await editor.typeAfter('MARK', '!');
        isTyped = true;
        await route.fulfill({ response });
      } else await route.continue();
    });
    await writeFile(join(lab.host.folder, name), damaged);
    await until('the save', async () => (await text(name)) === 'MARK! mine');
    await editor.frame.getByText('The file changed on disk while you had unsaved changes.').waitFor();
    const stem = name.replace('.txt', '');
    const others = (await readdir(lab.host.folder)).filter((one) => one.startsWith(`${stem} (conflict`));
    assert.deepEqual(await lab.onDisk(String(others)), damaged);
    await rm(join(lab.host.folder, String(others)));
    await editor.close();
  });

  it('is created again by a save after it was deleted, and the page says so, even if the deletion was just before', async () => {
    const { name, editor } = await openToEdit('MARK');
    await rm(join(lab.host.folder, name));
    await editor.frame.getByText('The file was deleted or moved to another folder.').waitFor();
    await editor.frame.getByRole('button', { name: 'Save', exact: true }).click();
    await until('the file', async () => (await text(name).catch(() => '')) === 'MARK');
    await editor.frame
      .getByText(`${name} was deleted or moved while you were editing. Your save put it back.`)
      .waitFor();
    await until('only that notice', async () => (await editor.notices()).length === 1);

    // deleted just before a save
    await editor.untilStatus('Saved');
    await editor.frame.getByRole('button', { name: 'Dismiss' }).click();
    await editor.page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true });
    });
    // a hidden page polls rarely, so the save comes first
    await editor.page.waitForTimeout(2000);
    await rm(join(lab.host.folder, name));
    await editor.typeAfter('MARK', '!');
    await until('the file', async () => (await text(name).catch(() => '')) === 'MARK!');
    await editor.frame
      .getByText(`${name} was deleted or moved while you were editing. Your save put it back.`)
      .waitFor();
    assert.equal((await editor.notices()).length, 1);
    const save = lab.host.host.services.journal
      .newest(100)
      .findLast(({ operation }) => operation === 'PutFile');
    assert.equal(save?.lock, 'The document had been deleted or moved; the save created it again');
    await editor.close();
  });

  it('can be downloaded when its folder was deleted; no notice says that a save creates it', async () => {
    await mkdir(join(lab.host.folder, 'sub'));
    await writeFile(join(lab.host.folder, 'sub', 'x.txt'), 'MARK');
    const editor = await lab.open('sub/x.txt');
    await editor.untilStatus('Saved');
    await rm(join(lab.host.folder, 'sub'), { recursive: true });
    await editor.typeAfter('MARK', ' kept');
    await editor.frame.getByText(/couldn’t create it again: .*The folder no longer exists\./).waitFor();
    await editor.page.waitForTimeout(3000);
    const notices = await editor.notices();
    assert.equal(notices.length, 1);
    assert.doesNotMatch(notices.join(), /is created again/);
    const download = editor.page.waitForEvent('download');
    await editor.frame.getByRole('button', { name: 'Download my text' }).click();
    assert.equal((await readFile(await (await download).path())).toString(), 'MARK kept');
    await mkdir(join(lab.host.folder, 'sub'));
    await editor.frame.getByText('Your save put it back.').waitFor();
    assert.equal(await text('sub/x.txt'), 'MARK kept');
    await editor.close();
  });
});

describe('renaming and copying', () => {
  it('rejects an invalid name without calling the host, renames to one in any script, and saves a copy of the current text', async () => {
    const { editor } = await openToEdit('MARK\r\n');
    const press = async (item: string): Promise<void> => {
      await editor.frame.getByRole('button', { name: 'More' }).click();
      await editor.frame.getByRole('menuitem', { name: item }).click();
    };
    await press('Rename…');
    await editor.page.keyboard.type('a/b');
    await editor.page.keyboard.press('Enter');
    await editor.frame.getByText('A name can’t contain').waitFor();
    await editor.page.keyboard.press('Escape');
    assert.equal(editor.calls('RENAME_FILE').length, 0);

    const name = 'Größe 日本 😀 50% + more.txt';
    await press('Rename…');
    await editor.page.keyboard.type(name.replace('.txt', ''));
    await editor.page.keyboard.press('Enter');
    await editor.frame.getByRole('heading', { name }).waitFor();
    assert.equal(await text(name), 'MARK\r\n');

    await editor.typeAfter('MARK', ' new');
    await press('Save a copy…');
    await editor.page.keyboard.type('Kopie für Ана');
    await editor.page.keyboard.press('Enter');
    await editor.frame.getByText('Saved a copy: Kopie für Ана.txt').waitFor();
    assert.equal(await text('Kopie für Ана.txt'), 'MARK new\r\n');
    await until('the text on disk', async () => (await text(name)) === 'MARK new\r\n');
    await editor.close();
  });
});
