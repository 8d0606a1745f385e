// Two users, or two windows of one user, on one document: who edits, who sees changes, and what happens to the text after a lost lock.

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import {
  addUser,
  newContext,
  startTextEditorLab,
  until,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';
import type { RecordedCall } from './recording-proxy.ts';

/** Within this time, a page shows what happened elsewhere. */
const followMs = 2000;

let lab: TextEditorLab;
let count = 0;
before(async () => {
  lab = await startTextEditorLab();
  await addUser(lab.host, 'ana', 'Ana');
  await addUser(lab.host, 'ben', 'Ben');
});
afterEach(() => {
  lab.proxy.delay = () => undefined;
});
after(async () => lab.close());

async function newFile(content: string): Promise<string> {
  count += 1;
  const name = `shared-${count}.txt`;
  await writeFile(join(lab.host.folder, name), content);
  return name;
}

const text = async (name: string): Promise<string> => (await lab.onDisk(name)).toString();

async function edit(name: string, login: string): Promise<OpenTextEditor> {
  const editor = await lab.open(name, { login });
  await editor.untilStatus('Saved');
  return editor;
}

const clearLock = async ({ fileId }: OpenTextEditor): Promise<unknown> =>
  lab.host.host.services.locks.forceClear(fileId, 'owner');

const press = async ({ frame }: OpenTextEditor, name: string): Promise<void> =>
  frame.getByRole('button', { name, exact: true }).click();

const buttons = async ({ frame }: OpenTextEditor): Promise<string[]> =>
  frame.locator('.notice button').allInnerTexts();

/**
 * The page's first poll after a change finds it.
 * @param change when it began, and when it was done
 * @param poll the call of a poll that shows the change
 * @param reaction the page's next call
 */
function assertFollows(
  editor: OpenTextEditor,
  change: { beganAtMs: number; doneAtMs: number },
  poll: string,
  reaction: string,
): void {
  const calls = editor.calls();
  const found = calls.findIndex((call) => call.operation === reaction && call.atMs >= change.beganAtMs);
  assert.notEqual(found, -1, reaction);
  const polls = calls.filter(({ operation }) => operation === poll);
  const needed = polls.filter((call) => call.atMs >= change.doneAtMs && calls.indexOf(call) < found);
  assert.ok(needed.length <= 1, `found by poll ${needed.length}`);
}

/** The shortest pause counts, because timers and calls are late on a busy computer. */
function assertPollsOften(editor: OpenTextEditor): void {
  const atMs = editor.calls('CHECK_FILE_INFO').map((call) => call.atMs);
  const pausesMs = atMs.slice(1).map((ms, index) => ms - (atMs[index] ?? 0));
  assert.ok(Math.min(...pausesMs) < followMs, `${pausesMs.join()} ms between polls`);
}

/** Waits until the page's latest changes are on the screen. */
const drawn = async ({ frame }: OpenTextEditor): Promise<void> =>
  frame.evaluate(
    async () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      }),
  );

describe('a second user', () => {
  it('sees who is editing, and saves within 2 s, where it was; then takes over a free document with its latest text', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n');
    const name = await newFile(lines);
    const ana = await edit(name, 'ana');
    const ben = await lab.open(name, { login: 'ben' });
    await ben.untilStatus('Read only');
    const openAtMs = Date.now();
    await until('the notice', async () => (await ben.notices()).length === 1);
    assert.match((await ben.notices())[0] ?? '', /^Ana is editing this document in Text editor\./);
    const viewers = () =>
      lab.host.host.services.sessions
        .list()
        .filter(({ fileId, lockState }) => fileId === ben.fileId && lockState === 'refused')
        .map(({ userLogin }) => userLogin);
    assert.deepEqual(viewers(), ['ben']);
    await ben.typeAfter('line 300', 'x');
    assert.equal(await ben.text(), lines);
    const place = async () =>
      ben.frame.evaluate(() => {
        const line = [...document.querySelectorAll('.cm-line')].find(
          ({ textContent }) => textContent === 'line 300',
        );
        return { top: Math.round(line?.getBoundingClientRect().top ?? 0), selected: String(getSelection()) };
      });
    await ben.page.keyboard.press('Shift+Home');
    const before = await place();
    assert.deepEqual(before.selected, 'line 300');

    await ana.typeAfter('line 3', ' new\nand more');
    const save = await until('the save', () => ana.calls('PUT').find(({ status }) => status !== 0));
    const change = { beganAtMs: save.atMs, doneAtMs: Date.now() };
    await until('the text', async () => (await ben.text()).includes('line 3 new\nand more\nline 4\n'));
    assertFollows(ben, change, 'CHECK_FILE_INFO', 'GET_FILE');
    await drawn(ben);
    const after = await place();
    assert.equal(after.selected, before.selected);
    assert.ok(Math.abs(after.top - before.top) <= 2, `moved from ${before.top} to ${after.top}`);
    assert.equal(ben.calls('PUT').length, 0);

    // until the page is too old to take a free lock automatically
    await ben.page.waitForTimeout(Math.max(0, 4500 - (Date.now() - openAtMs)));
    await clearLock(ana);
    const owner = await lab.open(name);
    await owner.untilStatus('Saved');
    await until('the name of the next user', async () =>
      (await ben.notices()).some((notice) => /^(?!Ana ).+ is editing this document/u.test(notice)),
    );
    await owner.typeAfter('line 5', ' by the owner');
    await owner.close();
    await ben.frame.getByText('The document is free to edit.').waitFor();
    await ben.frame.getByRole('button', { name: 'Edit now', exact: true }).press('Enter');
    await ben.untilStatus('Saved');
    assert.equal(
      await ben.text(),
      lines.replace('line 3\n', 'line 3 new\nand more\n').replace('line 5\n', 'line 5 by the owner\n'),
    );
    await ben.page.keyboard.type('Ben was here');
    await until('the text on disk', async () => (await text(name)).includes('Ben was here'));
    assert.ok(!viewers().includes('ben'), 'he edits');
    assert.match(await text(name), /^line 5 by the owner$/mu);
    assertPollsOften(ben);
    assert.deepEqual([...ana.problems, ...ben.problems], []);
    await ben.close();
    await ana.close();
  });

  it('edits right away when the lock is released while the page opens', async () => {
    const name = await newFile('MARK');
    const ana = await edit(name, 'ana');
    // By this page's clock, it is still opening, however long that takes.
    const context = await newContext(lab.browser);
    await context.clock.setFixedTime(Date.now());
    const ben = await lab.open(name, { login: 'ben', context });
    await ben.untilStatus('Read only');
    await ana.leave();
    await ben.untilStatus('Saved');
    await ben.close();
    await context.close();
    await ana.close();
  });

  it('sees changes in view mode, without ever asking for a lock', async () => {
    const name = await newFile('MARK');
    const reader = await lab.open(name, { mode: 'view' });
    const ana = await edit(name, 'ana');
    await ana.typeAfter('MARK', ' seen');
    await until('the text', async () => (await reader.text()) === 'MARK seen');
    assert.deepEqual(await reader.notices(), ['This document is open for viewing only.']);
    assert.deepEqual(reader.calls('LOCK'), []);
    assert.deepEqual(reader.calls('GET_LOCK'), []);
    await reader.close();
    await ana.close();
  });

  it('sees who has the file open in a desktop program, and can try again', async () => {
    const name = await newFile('MARK');
    const lockFile = join(lab.host.folder, `.~lock.${name}#`);
    await writeFile(lockFile, ',Carla,other-machine,20.11.2026 15:03,file:///x;');
    const editor = await lab.open(name);
    await editor.untilStatus('Read only');
    await until('the Try again button', async () => (await buttons(editor)).includes('Try again'));
    assert.match((await editor.notices()).join(), /Carla/);
    const refusals = () => editor.calls('LOCK').filter(({ status }) => status === 409).length;
    const before = refusals();
    await press(editor, 'Try again');
    await until('the refusal', () => refusals() > before);
    await drawn(editor);
    assert.equal(await editor.status(), 'Read only');
    await rm(lockFile);
    await until('the lock', async () => {
      if ((await editor.status()) === 'Saved') return true;
      // The button may disappear while it is pressed.
      const button = editor.frame.getByRole('button', { name: 'Try again', exact: true });
      await button.click({ timeout: 1000 }).catch(() => undefined);
      return false;
    });
    await editor.close();
  });
});

describe('two windows of one user', () => {
  const isPut = (call: { operation: string }): boolean => call.operation === 'PUT';

  it('hand the document over with its latest text, and back again; one that didn’t respond keeps unsaved text and can take it back', async () => {
    const name = await newFile('MARK');
    const first = await edit(name, 'ana');
    const second = await lab.open(name, { login: 'ana' });
    await until('the Edit here button', async () => (await buttons(second)).includes('Edit here'));
    assert.match(
      (await second.notices()).join(),
      /^You’re editing this document in another window\..* If the other window is still open, it saves first\./,
    );
    // The autosave is held up until the first window was asked to hand over, so the hand-over saves.
    let heldUp = true;
    lab.proxy.delay = (operation) =>
      operation === 'PUT' && heldUp ? until('the hand-over', () => !heldUp).then(() => undefined) : undefined;
    await first.typeAfter('MARK', ' typed last');
    await press(second, 'Edit here');
    await second.frame.getByText('Waiting for the other window to save…').waitFor();
    await until('a save', () => first.calls().some(isPut));
    heldUp = false;
    await second.untilStatus('Saved');
    lab.proxy.delay = () => undefined;
    assert.equal(await text(name), 'MARK typed last');
    assert.equal(await second.text(), 'MARK typed last');
    assert.deepEqual(await second.notices(), []);

    await first.untilStatus('Read only');
    await until('the button to edit again', async () => (await buttons(first)).includes('Edit here'));
    const lockStates = () =>
      lab.host.host.services.sessions
        .list()
        .filter(({ fileId }) => fileId === first.fileId)
        .toSorted((one, other) => one.sinceMs - other.sinceMs)
        .map(({ lockState }) => lockState);
    assert.deepEqual(lockStates(), ['released', 'held']);
    await second.typeAfter('last', ', then here');
    await press(first, 'Edit here');
    await first.untilStatus('Saved');
    assert.equal(await first.text(), 'MARK typed last, then here');
    assert.equal(await text(name), 'MARK typed last, then here');
    await second.untilStatus('Read only');
    await until('the button to edit again', async () => (await buttons(second)).includes('Edit here'));

    assert.deepEqual(first.problems, []);

    // The first one doesn't respond.
    await first.page.route('**/wopi/files/**', async (route) => route.abort());
    await first.typeAfter('then here', ' kept');
    await press(second, 'Edit here');
    await second.untilStatus('Saved');
    await first.page.unroute('**/wopi/files/**');
    await until('the choices', async () => (await buttons(first)).includes('Show what changed'));
    assert.deepEqual(await buttons(first), ['Edit here', 'Save a copy…', 'Show what changed']);
    assert.deepEqual(lockStates(), ['lost', 'held']);
    assert.equal(await first.text(), 'MARK typed last, then here kept');
    await press(first, 'Edit here');
    await first.untilStatus('Saved');
    assert.equal(await text(name), 'MARK typed last, then here kept');
    await until('the text', async () => (await second.text()) === 'MARK typed last, then here kept');
    assert.deepEqual(second.problems, []);
    await Promise.all([first.close(), second.close()]);
  });

  it('let the one that takes the document back choose between both texts, and hand it over even while one compares', async () => {
    const name = await newFile('MARK\n');
    const first = await edit(name, 'ana');
    const second = await lab.open(name, { login: 'ana' });
    await until('the Edit here button', async () => (await buttons(second)).includes('Edit here'));
    await first.page.route('**/wopi/files/**', async (route) => route.abort());
    await first.typeAfter('MARK', ' first');
    await press(second, 'Edit here');
    await second.untilStatus('Saved');
    await first.page.unroute('**/wopi/files/**');
    await second.typeAfter('MARK', ' second');
    await second.untilStatus('Saved');
    await until('the file of the second', async () => (await text(name)) === 'MARK second\n');
    await until('a poll', async () => (await buttons(first)).includes('Show what changed'));
    await first.page.waitForTimeout(2000);
    assert.deepEqual(await buttons(first), ['Edit here', 'Save a copy…', 'Show what changed']);

    // Unsaved until the document is handed over.
    await second.typeAfter('second', ' again');
    await press(first, 'Edit here');
    await first.frame.locator('.cm-deletedChunk').waitFor();
    assert.deepEqual(await first.frame.locator('.cm-deletedLine').allInnerTexts(), ['MARK second again']);
    assert.deepEqual(await buttons(first), ['Keep editing', 'Save a copy…', 'Hide changes']);
    assert.doesNotMatch((await first.notices()).join(), /already editing|force-clear|was cleared/);
    await until('the button to edit again', async () => (await buttons(second)).includes('Edit here'));
    assert.equal(await first.text(), 'MARK first\n');
    await first.page.waitForTimeout(3000);
    assert.equal(await text(name), 'MARK second again\n', 'nothing is saved before the choice');
    assert.deepEqual(await buttons(second), ['Edit here'], 'the document is in the first window');
    await press(first, 'Keep editing');
    await first.untilStatus('Saved');
    assert.equal(await text(name), 'MARK first\n');
    await until('the text', async () => (await second.text()) === 'MARK first\n');
    assert.deepEqual([...(await first.notices()), ...second.problems], []);

    // The first one compares its text with a change from elsewhere.
    await first.page.route('**/wopi/files/**', async (route) => route.abort());
    await first.typeAfter('first', ' again');
    await clearLock(first);
    await writeFile(join(lab.host.folder, name), 'MARK elsewhere\n');
    await first.page.unroute('**/wopi/files/**');
    await until('the button to edit again', async () => (await buttons(first)).includes('Lock again'));
    await press(first, 'Lock again');
    await until('both texts', async () => (await buttons(first)).includes('Keep editing'));
    await until('the Edit here button', async () => (await buttons(second)).includes('Edit here'));
    // Otherwise, the host takes the lock for it after 8 s.
    const released = () => first.calls('UNLOCK').filter(({ status }) => status === 200).length;
    const before = released();
    await press(second, 'Edit here');
    await second.untilStatus('Saved');
    assert.equal(released(), before + 1, 'the first window released the lock itself');
    await until('the button to edit again', async () => (await buttons(first)).includes('Edit here'));
    assert.equal(await first.text(), 'MARK first again\n');
    assert.equal(await text(name), 'MARK elsewhere\n');
    await Promise.all([first.close(), second.close()]);
  });
});

describe('a lost lock', () => {
  it('is reported at once, keeps the text editable, and can be taken again, also when the force-clear is undone', async () => {
    const name = await newFile('MARK\none\n');
    const ana = await edit(name, 'ana');
    const cleared = ana.frame.getByText('The lock on this document was cleared.');
    const clear = async () => {
      const beganAtMs = Date.now();
      await clearLock(ana);
      const doneAtMs = Date.now();
      await cleared.waitFor();
      return { beganAtMs, doneAtMs };
    };
    // The next save would be refused, too.
    let isReported = false;
    lab.proxy.delay = (operation) =>
      operation === 'PUT' ? until('the report', () => isReported).then(() => undefined) : undefined;
    await ana.typeAfter('MARK', ' mine');
    assertFollows(ana, await clear(), 'GET_LOCK', 'REFRESH_LOCK');
    isReported = true;
    lab.proxy.delay = () => undefined;
    assert.equal(await ana.status(), 'Not saved');
    await ana.page.keyboard.type(' kept');
    assert.equal(await ana.text(), 'MARK mine kept\none\n');
    await ana.page.waitForTimeout(2500);
    assert.equal(await text(name), 'MARK\none\n');
    assert.deepEqual(await buttons(ana), ['Lock again', 'Save a copy…', 'Show what changed']);
    assert.equal((await ana.notices()).join().includes('Your changes are kept on this page'), true);

    await press(ana, 'Lock again');
    await ana.untilStatus('Saved');
    assert.equal(await text(name), 'MARK mine kept\none\n');
    assert.deepEqual(await ana.notices(), []);

    await ana.typeAfter('kept', ', undone');
    await clear();
    assert.equal(await lab.host.host.services.locks.undoForceClear(ana.fileId, 'owner'), 'restored');
    await ana.untilStatus('Saved');
    assert.equal(await text(name), 'MARK mine kept, undone\none\n');

    // Nothing is unsaved.
    await clear();
    assert.equal(await ana.status(), 'Not editing');
    await writeFile(join(lab.host.folder, name), 'MARK elsewhere');
    await until('the text', async () => (await ana.text()) === 'MARK elsewhere');
    await press(ana, 'Lock again');
    await ana.untilStatus('Saved');
    await ana.typeAfter('MARK', '!');
    await until('the text on disk', async () => (await text(name)) === 'MARK! elsewhere');
    assert.deepEqual(ana.problems, []);
    await ana.close();
  });

  it('noticed by a failed save keeps the text, too, and lets the user save a copy and then load the file', async () => {
    const name = await newFile('MARK');
    const ana = await edit(name, 'ana');
    await ana.page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    });
    // After this poll, the hidden page polls rarely, so the save comes first.
    const hiddenAtMs = Date.now();
    const isPoll = ({ atMs, status }: RecordedCall): boolean => atMs >= hiddenAtMs && status !== 0;
    await until(
      'a poll',
      () => ana.calls('GET_LOCK').some(isPoll) && ana.calls('CHECK_FILE_INFO').some(isPoll),
    );
    await drawn(ana);
    await clearLock(ana);
    await ana.typeAfter('MARK', ' mine');
    await ana.frame.getByText('The lock on this document was cleared.').waitFor();
    assert.equal(ana.calls('PUT').filter(({ status }) => status === 409).length, 1);
    assert.equal(await ana.text(), 'MARK mine');

    await press(ana, 'Save a copy…');
    await ana.page.keyboard.type('Меn – копия');
    await ana.page.keyboard.press('Enter');
    await ana.frame.getByText('Your text is saved in Меn – копия.txt.').waitFor();
    assert.equal(await text('Меn – копия.txt'), 'MARK mine');
    await press(ana, 'Load the file');
    await until('the file’s text', async () => (await ana.text()) === 'MARK');
    await press(ana, 'Edit now');
    await ana.untilStatus('Saved');
    assert.equal(await text(name), 'MARK');
    await ana.close();
  });

  it('names its new user; both texts can be compared, merged and saved later', async () => {
    const name = await newFile('MARK\none\ntwo\nthree\n');
    const ana = await edit(name, 'ana');
    await ana.typeAfter('MARK', ' mine');
    await clearLock(ana);
    await ana.frame.getByText('The lock on this document was cleared.').waitFor();
    const ben = await edit(name, 'ben');
    await until('the name', async () =>
      (await ana.notices()).some((notice) => notice.startsWith('Ben is editing')),
    );
    assert.deepEqual(await buttons(ana), ['Save a copy…', 'Show what changed']);
    await ben.typeAfter('two', ' by Ben');
    await ben.untilStatus('Saved');
    await press(ana, 'Show what changed');
    await ana.frame.locator('.cm-deletedChunk').nth(1).waitFor();
    assert.deepEqual(await ana.frame.locator('.cm-deletedLine').allInnerTexts(), ['MARK', 'two by Ben']);
    assert.deepEqual(await ana.frame.locator('.cm-changedLine').allInnerTexts(), ['MARK mine', 'two']);
    await ana.frame
      .locator('.cm-deletedChunk')
      .nth(1)
      .getByRole('button', { name: 'Use the file’s' })
      .click();
    assert.equal(await ana.text(), 'MARK mine\none\ntwo by Ben\nthree\n');

    await ben.typeAfter('three', '!');
    await ben.untilStatus('Saved');
    await ben.leave();
    // the document is free, but its text isn't the one compared
    await ana.frame.getByText('The file has changed on disk.').waitFor();
    assert.deepEqual(await buttons(ana), ['Lock again', 'Save a copy…', 'Show what changed']);
    await press(ana, 'Show what changed');
    await until('both texts', async () => (await buttons(ana)).includes('Hide changes'));
    await ana.frame
      .locator('.cm-deletedChunk')
      .last()
      .getByRole('button', { name: 'Use the file’s' })
      .click();
    await press(ana, 'Lock again');
    await ana.untilStatus('Saved');
    assert.equal(await text(name), 'MARK mine\none\ntwo by Ben\nthree!\n');
    assert.equal(await ana.frame.locator('.cm-deletedChunk').count(), 0);
    await Promise.all([ana.close(), ben.close()]);
  });
});
