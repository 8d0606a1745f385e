// Two users, or two windows of one user, on one document: who edits, who sees changes, and what happens to the text after a lost lock.

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  addUser,
  startTextEditorLab,
  until,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';

const followMs = 2000;
const toleranceMs = 700;

let lab: TextEditorLab;
let count = 0;
before(async () => {
  lab = await startTextEditorLab();
  await addUser(lab.host, 'ana', 'Ana');
  await addUser(lab.host, 'ben', 'Ben');
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

describe('a second user', () => {
  it('sees who is editing, and saves within 2 s, without losing scroll position and selection', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n');
    const name = await newFile(lines);
    const ana = await edit(name, 'ana');
    const ben = await lab.open(name, { login: 'ben' });
    await ben.untilStatus('Read only');
    await until('the notice', async () => (await ben.notices()).length === 1);
    assert.match((await ben.notices())[0] ?? '', /^Ana is editing this document in Text editor\./);
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
    await until('the save', async () => (await text(name)).includes('and more'));
    const savedAtMs = Date.now();
    await until('the text', async () => (await ben.text()).includes('line 3 new\nand more\nline 4\n'));
    assert.ok(Date.now() - savedAtMs < followMs + toleranceMs, `after ${Date.now() - savedAtMs} ms`);
    // drawn with the next frame
    await ben.page.waitForTimeout(200);
    const after = await place();
    assert.equal(after.selected, before.selected);
    assert.ok(Math.abs(after.top - before.top) <= 2, `moved from ${before.top} to ${after.top}`);
    assert.equal(ben.calls('PUT').length, 0);
    assert.deepEqual([...ana.problems, ...ben.problems], []);
    await ben.close();
    await ana.close();
  });

  it('takes over a free document with its latest text', async () => {
    const name = await newFile('MARK');
    const ana = await edit(name, 'ana');
    const ben = await lab.open(name, { login: 'ben' });
    await ben.untilStatus('Read only');
    // until the page is too old to take a free lock automatically
    await ben.page.waitForTimeout(4500);
    await ana.typeAfter('MARK', ' by Ana');
    await ana.leave();
    await ben.frame.getByText('The document is free to edit.').waitFor();
    await press(ben, 'Edit now');
    await ben.untilStatus('Saved');
    assert.equal(await ben.text(), 'MARK by Ana');
    await ben.page.keyboard.type('!');
    await ben.typeAfter('by Ana', ' and Ben');
    await until('both on disk', async () => /MARK by Ana and Ben/.test((await text(name)).replace('!', '')));
    const again = await lab.open(name, { login: 'ana' });
    await until('the name', async () =>
      (await again.notices()).some((notice) => notice.startsWith('Ben is editing')),
    );
    await again.close();
    await ben.close();
    await ana.close();
  });

  it('edits right away when the lock is released while the page opens', async () => {
    const name = await newFile('MARK');
    const ana = await edit(name, 'ana');
    const ben = await lab.open(name, { login: 'ben' });
    await ben.untilStatus('Read only');
    await ana.leave();
    await ben.untilStatus('Saved');
    await ben.close();
    await ana.close();
  });

  it('sees the name of the next user who takes the document', async () => {
    const name = await newFile('MARK');
    const ana = await edit(name, 'ana');
    const reader = await lab.open(name);
    await reader.page.waitForTimeout(4500);
    await clearLock(ana);
    const ben = await lab.open(name, { login: 'ben' });
    await ben.untilStatus('Saved');
    await until('the name', async () =>
      (await reader.notices()).some((notice) => notice.startsWith('Ben is editing')),
    );
    await Promise.all([reader.close(), ben.close(), ana.close()]);
  });

  it('sees changes in view mode, without ever asking for a lock', async () => {
    const name = await newFile('MARK');
    const reader = await lab.open(name, { mode: 'view' });
    const ana = await edit(name, 'ana');
    await ana.typeAfter('MARK', ' seen');
    await until('the text', async () => (await reader.text()) === 'MARK seen');
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
    await press(editor, 'Try again');
    await editor.page.waitForTimeout(500);
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

  it('hand the document over with its latest text, and back again', async () => {
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
    await second.typeAfter('last', ', then here');
    await press(first, 'Edit here');
    await first.untilStatus('Saved');
    assert.equal(await first.text(), 'MARK typed last, then here');
    assert.equal(await text(name), 'MARK typed last, then here');
    await second.untilStatus('Read only');
    await until('the button to edit again', async () => (await buttons(second)).includes('Edit here'));
    assert.deepEqual([...first.problems, ...second.problems], []);
    await Promise.all([first.close(), second.close()]);
  });

  it('keep unsaved text in the one that didn’t respond, which can take the document back', async () => {
    const name = await newFile('MARK');
    const first = await edit(name, 'ana');
    const second = await lab.open(name, { login: 'ana' });
    await until('the Edit here button', async () => (await buttons(second)).includes('Edit here'));
    await first.page.route('**/wopi/files/**', async (route) => route.abort());
    await first.typeAfter('MARK', ' kept');
    await press(second, 'Edit here');
    await second.untilStatus('Saved');
    await first.page.unroute('**/wopi/files/**');
    await until('the choices', async () => (await buttons(first)).includes('Show what changed'));
    assert.deepEqual(await buttons(first), ['Edit here', 'Save a copy…', 'Show what changed']);
    assert.equal(await first.text(), 'MARK kept');
    await press(first, 'Edit here');
    await first.untilStatus('Saved');
    assert.equal(await text(name), 'MARK kept');
    await until('the text', async () => (await second.text()) === 'MARK kept');
    await Promise.all([first.close(), second.close()]);
  });

  it('let the one that takes the document back choose between its unsaved text and the file’s', async () => {
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
    await Promise.all([first.close(), second.close()]);
  });

  it('hand the document over even while one compares changes', async () => {
    const name = await newFile('MARK\n');
    const first = await edit(name, 'ana');
    await first.page.route('**/wopi/files/**', async (route) => route.abort());
    await first.typeAfter('MARK', ' first');
    await clearLock(first);
    await writeFile(join(lab.host.folder, name), 'MARK elsewhere\n');
    await first.page.unroute('**/wopi/files/**');
    await until('the button to edit again', async () => (await buttons(first)).includes('Lock again'));
    await press(first, 'Lock again');
    await until('both texts', async () => (await buttons(first)).includes('Keep editing'));
    const second = await lab.open(name, { login: 'ana' });
    await until('the Edit here button', async () => (await buttons(second)).includes('Edit here'));
    const askedAtMs = Date.now();
    await press(second, 'Edit here');
    await second.untilStatus('Saved');
    assert.ok(Date.now() - askedAtMs < 7500, `after ${Date.now() - askedAtMs} ms`);
    await until('the button to edit again', async () => (await buttons(first)).includes('Edit here'));
    assert.equal(await first.text(), 'MARK first\n');
    assert.equal(await text(name), 'MARK elsewhere\n');
    await Promise.all([first.close(), second.close()]);
  });

  it('hand the document over even during continuous typing', async () => {
    const name = await newFile('MARK');
    const first = await edit(name, 'ana');
    const second = await lab.open(name, { login: 'ana' });
    await until('the Edit here button', async () => (await buttons(second)).includes('Edit here'));
    await first.typeAfter('MARK', ' ');
    let isTyping = true;
    const typing = (async () => {
      for (let count = 0; isTyping; count += 1) await first.page.keyboard.type(`<${count}>`);
    })();
    await first.page.waitForTimeout(900);
    await press(second, 'Edit here');
    await second.untilStatus('Saved');
    isTyping = false;
    await typing;
    await first.untilStatus('Read only');
    assert.equal(await text(name), await first.text());
    await Promise.all([first.close(), second.close()]);
  });
});

describe('a lost lock', () => {
  async function lose(content = 'MARK\none\ntwo\nthree\n') {
    const name = await newFile(content);
    const ana = await edit(name, 'ana');
    await ana.typeAfter('MARK', ' mine');
    await clearLock(ana);
    const clearedAtMs = Date.now();
    await ana.frame.getByText('The lock on this document was cleared.').waitFor();
    return { name, ana, tookMs: Date.now() - clearedAtMs };
  }

  it('is reported at once, and the text stays editable', async () => {
    const { name, ana, tookMs } = await lose();
    assert.ok(tookMs < followMs + toleranceMs, `after ${tookMs} ms`);
    assert.equal(await ana.status(), 'Not saved');
    await ana.page.keyboard.type(' kept');
    assert.equal(await ana.text(), 'MARK mine kept\none\ntwo\nthree\n');
    await ana.page.waitForTimeout(2500);
    assert.equal(await text(name), 'MARK\none\ntwo\nthree\n');
    assert.deepEqual(await buttons(ana), ['Lock again', 'Save a copy…', 'Show what changed']);
    assert.equal((await ana.notices()).join().includes('Your changes are kept on this page'), true);
    assert.deepEqual(ana.problems, []);
    await ana.close();
  });

  it('can be taken again while no other user has it, and everything is saved', async () => {
    const { name, ana } = await lose();
    await press(ana, 'Lock again');
    await ana.untilStatus('Saved');
    assert.equal(await text(name), 'MARK mine\none\ntwo\nthree\n');
    assert.deepEqual(await ana.notices(), []);
    await ana.close();
  });

  it('comes back automatically when the force-clear is undone', async () => {
    const { name, ana } = await lose();
    assert.equal(await lab.host.host.services.locks.undoForceClear(ana.fileId, 'owner'), 'restored');
    await ana.untilStatus('Saved');
    assert.equal(await text(name), 'MARK mine\none\ntwo\nthree\n');
    await ana.close();
  });

  it('lets the user save a copy of the text and then load the file', async () => {
    const { name, ana } = await lose();
    await press(ana, 'Save a copy…');
    await ana.page.keyboard.type('Меn – копия');
    await ana.page.keyboard.press('Enter');
    await ana.frame.getByText('Your text is saved in Меn – копия.txt.').waitFor();
    assert.equal(await text('Меn – копия.txt'), 'MARK mine\none\ntwo\nthree\n');
    await press(ana, 'Load the file');
    await until('the file’s text', async () => (await ana.text()) === 'MARK\none\ntwo\nthree\n');
    await press(ana, 'Edit now');
    await ana.untilStatus('Saved');
    assert.equal(await text(name), 'MARK\none\ntwo\nthree\n');
    await ana.close();
  });

  it('names its new user; both texts can be compared, merged and saved later', async () => {
    const { name, ana } = await lose();
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

  it('with nothing unsaved, shows changes of the file and can be locked again', async () => {
    const name = await newFile('MARK');
    const ana = await edit(name, 'ana');
    await clearLock(ana);
    await ana.frame.getByText('The lock on this document was cleared.').waitFor();
    assert.equal(await ana.status(), 'Not editing');
    await writeFile(join(lab.host.folder, name), 'MARK elsewhere');
    await until('the text', async () => (await ana.text()) === 'MARK elsewhere');
    await press(ana, 'Lock again');
    await ana.untilStatus('Saved');
    await ana.typeAfter('MARK', '!');
    await until('the text on disk', async () => (await text(name)) === 'MARK! elsewhere');
    await ana.close();
  });

  it('noticed by a failed save keeps the text, too', async () => {
    const name = await newFile('MARK');
    const ana = await edit(name, 'ana');
    await ana.page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true });
    });
    // a hidden page polls rarely, so the save comes first
    await ana.page.waitForTimeout(2000);
    await clearLock(ana);
    await ana.typeAfter('MARK', ' mine');
    await ana.frame.getByText('The lock on this document was cleared.').waitFor();
    assert.equal(ana.calls('PUT').filter(({ status }) => status === 409).length, 1);
    assert.equal(await ana.text(), 'MARK mine');
    await ana.close();
  });
});
