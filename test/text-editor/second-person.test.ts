// Two users, or two windows of one user, on one document: who edits, who sees changes, and what happens to the text after a lost lock.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
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

/** Within this time, a page shows what happened elsewhere. */
const followMs = 2000;
/** A page that was opened longer ago doesn't take a free lock by itself. */
const openingMs = 4000;

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab();
  await addUser(lab, 'ana', 'Ana');
  await addUser(lab, 'ben', 'Ben');
});
after(async () => lab.close());

/** Waits until the notices have these buttons. */
const untilButtons = async ({ frame }: OpenTextEditor, ...names: string[]): Promise<unknown> =>
  until(`the buttons ${names.join()}`, async () => {
    const found = await frame.locator('.notice button').allInnerTexts();
    return found.join() === names.join();
  });

const untilButton = async ({ frame }: OpenTextEditor, name: string): Promise<void> =>
  frame.locator('.notice').getByRole('button', { name, exact: true }).waitFor();

/** None of its calls arrives until the returned function is called. */
async function disconnect({ page }: OpenTextEditor): Promise<() => Promise<void>> {
  await page.route('**/wopi/files/**', async (route) => route.abort());
  return async () => page.unroute('**/wopi/files/**');
}

/** The page's first poll after a save shows it, and polls are frequent. The shortest pause counts: timers are late on a busy computer. */
function assertFollows(
  editor: OpenTextEditor,
  save: { beganAtMs: number; doneAtMs: number },
  sinceMs: number,
): void {
  const calls = editor.calls();
  const read = calls.findIndex(({ operation, atMs }) => operation === 'GET_FILE' && atMs >= save.beganAtMs);
  assert.notEqual(read, -1);
  const polls = calls.slice(0, read).filter(({ operation }) => operation === 'CHECK_FILE_INFO');
  const needed = polls.filter(({ atMs }) => atMs >= save.doneAtMs).length;
  assert.ok(needed <= 1, `found by poll ${needed}`);
  const times = polls.map(({ atMs }) => atMs).filter((atMs) => atMs >= sinceMs);
  const pausesMs = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
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
    const { name, editor: ana } = await lab.openNew(lines, { login: 'ana' });
    const ben = await lab.open(name, { login: 'ben' });
    await ben.untilStatus('Read only');
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

    await ben.setPace(1);
    const slowSinceMs = Date.now();
    await ben.polled();
    await ana.typeAfter('line 3', ' new\nand more');
    const save = await until('the save', () => ana.calls('PUT').find(({ status }) => status !== 0));
    const written = { beganAtMs: save.atMs, doneAtMs: Date.now() };
    await until('the text', async () => (await ben.text()).includes('line 3 new\nand more\nline 4\n'));
    assertFollows(ben, written, slowSinceMs);
    await ben.setPace(pace);
    await drawn(ben);
    const after = await place();
    assert.equal(after.selected, before.selected);
    assert.ok(Math.abs(after.top - before.top) <= 2, `moved from ${before.top} to ${after.top}`);
    assert.equal(ben.calls('PUT').length, 0);

    await ben.passTime(openingMs);
    await lab.forceClear(ana);
    const owner = await lab.open(name);
    await owner.untilStatus('Saved');
    await until('the name of the next user', async () =>
      (await ben.notices()).some((notice) => /^(?!Ana ).+ is editing this document/u.test(notice)),
    );
    await owner.typeAfter('line 5', ' by the owner');
    await owner.close();
    await ben.untilShown('The document is free to edit.');
    await ben.frame.getByRole('button', { name: 'Edit now', exact: true }).press('Enter');
    await ben.untilStatus('Saved');
    assert.equal(
      await ben.text(),
      lines.replace('line 3\n', 'line 3 new\nand more\n').replace('line 5\n', 'line 5 by the owner\n'),
    );
    await ben.page.keyboard.type('Ben was here');
    await until('the text on disk', async () => (await lab.textOnDisk(name)).includes('Ben was here'));
    assert.ok(!viewers().includes('ben'), 'he edits');
    assert.match(await lab.textOnDisk(name), /^line 5 by the owner$/mu);
    assert.deepEqual([...ana.problems, ...ben.problems], []);
    await ben.close();
    await ana.close();
  });

  it('sees changes in view mode without ever asking for a lock, and edits right away when the lock is released while the page opens', async () => {
    const { name, editor: ana } = await lab.openNew('MARK', { login: 'ana' });
    const reader = await lab.open(name, { mode: 'view' });
    const ben = await lab.open(name, { login: 'ben' });
    await ben.untilStatus('Read only');
    // By its clock, the page is still opening, however long that takes.
    await ben.passTime(-60_000);
    await ana.typeAfter('MARK', ' seen');
    await reader.untilText('MARK seen');
    assert.deepEqual(await reader.notices(), ['This document is open for viewing only.']);
    assert.deepEqual([...reader.calls('LOCK'), ...reader.calls('GET_LOCK')], []);
    await ana.leave();
    await ben.untilStatus('Saved');
    for (const one of [reader, ben, ana]) await one.close();
  });

  it('sees who has the file open in a desktop program, and can try again', async () => {
    const name = 'opened.txt';
    await lab.write(name, 'MARK');
    const lockFile = join(lab.host.folder, `.~lock.${name}#`);
    await lab.write(`.~lock.${name}#`, ',Carla,other-machine,20.11.2026 15:03,file:///x;');
    const editor = await lab.open(name);
    await editor.untilStatus('Read only');
    await untilButton(editor, 'Try again');
    assert.match((await editor.notices()).join(), /Carla/);
    const refusals = () => editor.calls('LOCK').filter(({ status }) => status === 409).length;
    const before = refusals();
    await editor.press('Try again');
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
  it('hand the document over with its latest text, and back again during continuous typing; one that didn’t respond keeps unsaved text and can take it back', async () => {
    const { name, editor: first } = await lab.openNew('MARK', { login: 'ana' });
    const second = await lab.open(name, { login: 'ana' });
    await untilButton(second, 'Edit here');
    assert.match(
      (await second.notices()).join(),
      /^You’re editing this document in another window\..* If the other window is still open, it saves first\./,
    );
    // The autosave is held up until the first window was asked to hand over, so the hand-over saves.
    const letGo = await first.holdUp('PUT');
    await first.typeAfter('MARK', ' typed last');
    await second.press('Edit here');
    await second.untilShown('Waiting for the other window to save…');
    await until('a save', () => first.calls('PUT').length > 0);
    letGo();
    await second.untilStatus('Saved');
    assert.equal(await lab.textOnDisk(name), 'MARK typed last');
    assert.equal(await second.text(), 'MARK typed last');
    assert.deepEqual(await second.notices(), []);

    await first.untilStatus('Read only');
    await untilButton(first, 'Edit here');
    const lockStates = () =>
      lab.host.host.services.sessions
        .list()
        .filter(({ fileId }) => fileId === first.fileId)
        .toSorted((one, other) => one.sinceMs - other.sinceMs)
        .map(({ lockState }) => lockState);
    assert.deepEqual(lockStates(), ['released', 'held']);
    await second.typeAfter('last', ', then here');
    let isTyping = true;
    const typing = (async () => {
      for (let count = 0; isTyping; count += 1) await second.page.keyboard.type(`<${count}>`, { delay: 5 });
    })();
    try {
      await until('typed text', async () => (await second.text()).includes('<5>'));
      // As a user on a busy computer, who presses again while nothing happens.
      await until('the lock', async () => {
        if ((await first.status()) === 'Saved') return true;
        const button = first.frame.getByRole('button', { name: 'Edit here', exact: true });
        if (await button.isVisible()) await button.press('Enter', { timeout: 1000 }).catch(() => undefined);
        return false;
      });
    } finally {
      isTyping = false;
      await typing;
    }
    // If the lock had been taken instead, the second window would have unsaved text.
    await second.untilStatus('Read only');
    const text = await second.text();
    assert.match(text, /^MARK typed last, then here<0>.*<5>/u);
    assert.deepEqual([await first.text(), await lab.textOnDisk(name)], [text, text]);
    await untilButton(second, 'Edit here');

    assert.deepEqual(first.problems, []);

    // The first one doesn't respond.
    const connect = await disconnect(first);
    await first.typeAfter('then here', ' kept');
    const kept = text.replace('then here', 'then here kept');
    await second.press('Edit here');
    await second.untilStatus('Saved');
    await connect();
    await untilButtons(first, 'Edit here', 'Save a copy…', 'Show what changed');
    assert.deepEqual(lockStates(), ['lost', 'held']);
    assert.equal(await first.text(), kept);
    await first.press('Edit here');
    await first.untilStatus('Saved');
    assert.equal(await lab.textOnDisk(name), kept);
    await second.untilText(kept);
    assert.deepEqual(second.problems, []);
    await Promise.all([first.close(), second.close()]);
  });

  it('let the one that takes the document back choose between both texts, and hand it over even while one compares', async () => {
    const { name, editor: first } = await lab.openNew('MARK\n', { login: 'ana' });
    const second = await lab.open(name, { login: 'ana' });
    await untilButton(second, 'Edit here');
    const connect = await disconnect(first);
    await first.typeAfter('MARK', ' first');
    await second.passTime(-60_000);
    await lab.forceClear(first);
    await second.untilStatus('Saved');
    await connect();
    await second.typeAfter('MARK', ' second');
    await lab.untilOnDisk(name, 'MARK second\n');
    await first.polled();
    await untilButtons(first, 'Edit here', 'Save a copy…', 'Show what changed');

    // Unsaved until the document is handed over.
    await second.typeAfter('second', ' again');
    await first.press('Edit here');
    await first.frame.locator('.cm-deletedChunk').waitFor();
    assert.deepEqual(await first.frame.locator('.cm-deletedLine').allInnerTexts(), ['MARK second again']);
    await untilButtons(first, 'Keep editing', 'Save a copy…', 'Hide changes');
    assert.doesNotMatch((await first.notices()).join(), /already editing|force-clear|was cleared/);
    assert.equal(await first.text(), 'MARK first\n');
    await Promise.all([first.polled(), second.polled()]);
    assert.equal(await lab.textOnDisk(name), 'MARK second again\n', 'nothing is saved before the choice');
    // The document is in the first window.
    await untilButtons(second, 'Edit here');
    await first.press('Keep editing');
    await first.untilStatus('Saved');
    assert.equal(await lab.textOnDisk(name), 'MARK first\n');
    await second.untilText('MARK first\n');
    assert.deepEqual([...(await first.notices()), ...second.problems], []);

    // The first one compares its text with a change from elsewhere.
    await second.passTime(120_000);
    await first.typeUnsaved('first', ' again');
    await lab.forceClear(first);
    await lab.write(name, 'MARK elsewhere\n');
    await untilButton(first, 'Lock again');
    await first.press('Lock again');
    await untilButton(first, 'Keep editing');
    await untilButton(second, 'Edit here');
    // Otherwise, the host takes the lock for it after 8 s.
    const released = () => first.calls('UNLOCK').filter(({ status }) => status === 200).length;
    const before = released();
    await second.press('Edit here');
    await second.untilStatus('Saved');
    await until('the first window released the lock itself', () => released() === before + 1);
    await untilButton(first, 'Edit here');
    assert.equal(await first.text(), 'MARK first again\n');
    assert.equal(await lab.textOnDisk(name), 'MARK elsewhere\n');
    await Promise.all([first.close(), second.close()]);
  });
});

describe('a lost lock', () => {
  it('is reported at once, or noticed by a failed save, keeps the text editable, and can be taken again, also when the force-clear is undone; the text can be saved as a copy', async () => {
    const { name, editor: ana } = await lab.openNew('MARK\none\n', { login: 'ana' });
    const cleared = ana.frame.getByText('The lock on this document was cleared.');
    const clear = async () => {
      await lab.forceClear(ana);
      await cleared.waitFor();
    };
    await ana.typeUnsaved('MARK', ' mine');
    await clear();
    assert.equal(ana.calls('PUT').length, 0, 'a poll found it');
    await ana.untilStatus('Not saved');
    await ana.page.keyboard.type(' kept');
    assert.equal(await ana.text(), 'MARK mine kept\none\n');
    await ana.polled();
    assert.equal(await lab.textOnDisk(name), 'MARK\none\n');
    await untilButtons(ana, 'Lock again', 'Save a copy…', 'Show what changed');
    assert.equal((await ana.notices()).join().includes('Your changes are kept on this page'), true);

    await ana.press('Lock again');
    await ana.untilStatus('Saved');
    assert.equal(await lab.textOnDisk(name), 'MARK mine kept\none\n');
    assert.deepEqual(await ana.notices(), []);

    await ana.typeUnsaved('kept', ', undone');
    await clear();
    assert.equal(await lab.host.host.services.locks.undoForceClear(ana.fileId, 'owner'), 'restored');
    await ana.untilStatus('Saved');
    assert.equal(await lab.textOnDisk(name), 'MARK mine kept, undone\none\n');

    // Nothing is unsaved.
    await clear();
    await ana.untilStatus('Not editing');
    await lab.write(name, 'MARK elsewhere');
    await ana.untilText('MARK elsewhere');
    await ana.press('Lock again');
    await ana.untilStatus('Saved');
    await ana.typeAfter('MARK', '!');
    await lab.untilOnDisk(name, 'MARK! elsewhere');
    await ana.untilStatus('Saved');

    // so that no poll finds it first
    await ana.setPace(0.01);
    await lab.forceClear(ana);
    await ana.typeAfter('elsewhere', ' mine');
    await ana.page.keyboard.press('Control+s');
    await cleared.waitFor();
    await ana.setPace(pace);
    assert.equal(ana.calls('PUT').filter(({ status }) => status === 409).length, 1);
    assert.equal(await ana.text(), 'MARK! elsewhere mine');
    await ana.press('Save a copy…');
    await ana.frame.getByLabel('Name of the copy').fill('Меn – копия');
    await ana.frame.getByLabel('Name of the copy').press('Enter');
    await ana.untilShown('Saved a copy: Меn – копия.txt');
    assert.equal(await lab.textOnDisk('Меn – копия.txt'), 'MARK! elsewhere mine');
    assert.equal(await lab.textOnDisk(name), 'MARK! elsewhere');
    assert.deepEqual(ana.problems, []);
    await ana.close();
  });

  it('names its new user; both texts can be compared, merged and saved later', async () => {
    const { name, editor: ana } = await lab.openNew('MARK\none\ntwo\nthree\n', { login: 'ana' });
    await ana.typeUnsaved('MARK', ' mine');
    await lab.forceClear(ana);
    await ana.untilShown('The lock on this document was cleared.');
    const ben = await lab.open(name, { login: 'ben' });
    await ben.untilStatus('Saved');
    await until('the name', async () =>
      (await ana.notices()).some((notice) => notice.startsWith('Ben is editing')),
    );
    await untilButtons(ana, 'Save a copy…', 'Show what changed');
    await ben.typeAfter('two', ' by Ben');
    await ben.untilStatus('Saved');
    await ana.press('Show what changed');
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
    await ana.untilShown('The file has changed on disk.');
    await untilButtons(ana, 'Lock again', 'Save a copy…', 'Show what changed');
    await ana.press('Show what changed');
    await untilButton(ana, 'Hide changes');
    await ana.frame
      .locator('.cm-deletedChunk')
      .last()
      .getByRole('button', { name: 'Use the file’s' })
      .click();
    await ana.press('Lock again');
    await ana.untilStatus('Saved');
    assert.equal(await lab.textOnDisk(name), 'MARK mine\none\ntwo by Ben\nthree!\n');
    assert.equal(await ana.frame.locator('.cm-deletedChunk').count(), 0);
    await Promise.all([ana.close(), ben.close()]);
  });
});
