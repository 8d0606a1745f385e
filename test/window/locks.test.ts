// The Locks view. That a lock is force-cleared and restored by keyboard alone: test/dashboard/keyboard.test.ts. That it isn't restored over
// another one: test/e2e.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeTextEditor } from './harness/document-servers.ts';
import { makeLock } from './harness/rows.ts';
import { windowTests } from './open-window.ts';

const stale = 'Letter to the council 7.ods';
const live = 'Minutes 2.ods';
const wide = { size: { width: 1500, height: 800 } };

describe('the Locks view', () => {
  const { open } = windowTests({ view: 'locks' });

  it('lists stale locks first, says why they are stale, and has a button that clears each, which the open details have instead', async () => {
    const { page, table, inPage, press, see, button, upsert } = await open({ ...wide });
    for (const words of [/Stale: .*, gone for 22\smin/, /, token revoked/, 'Editing: Ana Ruiz'])
      await page.getByRole('gridcell', { name: words }).waitFor();
    await see('6 documents are being edited, 2 locks are stale.');
    assert.match((await table.names()).slice(0, 2).join(), /^Roof plan 8\..*,Letter to the council 7\./u);
    const inRows = table.grid.getByRole('button', { name: /^Force-clear… / });
    assert.equal(await inRows.count(), 2);
    const column = page.getByRole('columnheader', { name: 'Force-clear' });
    await table.row(stale).click();
    await page.getByRole('region', { name: stale }).getByRole('button', { name: 'Force-clear…' }).waitFor();
    await column.waitFor({ state: 'detached' });
    assert.equal(await inRows.count(), 0);
    // → leads past the button that is hidden.
    await page.keyboard.press('ArrowRight');
    await page.locator('[role="row"] [data-menu]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await column.waitFor();

    // The first one never ends.
    await inPage(`const clear = answers['locks.forceClear'];
        answers['locks.forceClear'] = () => { answers['locks.forceClear'] = clear; return new Promise(() => {}); };`);
    const question = page.getByRole('alertdialog');
    await button(/^Force-clear… Roof plan 8/u).click();
    await question.getByRole('button', { name: 'Force-clear' }).click();
    await question.waitFor({ state: 'detached' });
    await press(`Force-clear… ${stale}`);
    assert.deepEqual(await table.selected(), [], 'its press selects nothing');
    await question.getByRole('button', { name: 'Force-clear' }).click();
    await table.row(stale).waitFor({ state: 'detached' });

    // Editors have the names that the user gave them.
    const locks = ['Collabora 1', 'Collabora 2'].map((editor, index) =>
      makeLock(90 + index, Date.now(), { editor }),
    );
    await upsert('locks', ...locks);
    for (const { editor } of locks)
      await page.getByRole('gridcell', { name: editor ?? '', exact: true }).waitFor();
  });

  it('says before it force-clears a lock what happens to the user’s work; Escape and Enter in a lock in use clear nothing', async () => {
    const { page, table, change, upsert, sent, pressIn } = await open();
    const question = async (name: string, ...words: RegExp[]) => {
      await table.row(name).click();
      await page.keyboard.press('Delete');
      const dialog = page.getByRole('alertdialog', { name: `Force-clear the lock on ${name}?` });
      const text = await dialog.innerText();
      for (const expected of words) assert.match(text, expected);
      return { dialog, text };
    };
    const ofStale = await question(
      stale,
      /Its editor has been gone for 22\smin\. The lock expires in 8\smin\./,
      /its next save goes to Recovered saves instead of the file/,
    );
    await pressIn(ofStale.dialog, 'Escape');
    await ofStale.dialog.waitFor({ state: 'detached' });
    const ofLive = await question(
      live,
      /Ana Ruiz is editing this document now\./,
      /next save will be rejected with a message\. Its content will be in Recovered saves, in Overview/,
    );
    await pressIn(ofLive.dialog, 'Enter');
    await ofLive.dialog.waitFor({ state: 'detached' });

    const editor = makeTextEditor(Date.now());
    await change({ editors: [editor] });
    await upsert('locks', { ...makeLock(2, Date.now()), path: 'Notes.md', editor: editor.name });
    const { text } = await question('Notes.md', /Unsaved text stays on the text editor’s page/);
    assert.doesNotMatch(text, /Recovered saves/u);
    assert.deepEqual(await sent('locks.forceClear'), []);
  });

  it('keeps the keyboard at the next row, or in the empty table, when other users cleared the locks while a question was open', async () => {
    const { page, table, see, remove, pressIn } = await open();
    const question = page.getByRole('alertdialog');
    await table.row(stale).click();
    await page.keyboard.press('Delete');
    await question.waitFor();
    await remove('locks', 'file6');
    await table.row(stale).waitFor({ state: 'detached' });
    await pressIn(question, 'Escape');
    await question.waitFor({ state: 'detached' });
    await page.locator('[data-row]:focus').waitFor();

    await page.keyboard.press('Delete');
    await question.waitFor();
    await remove('locks', ...Array.from({ length: 8 }, (_, index) => `file${index}`));
    await see('No document is locked');
    await pressIn(question, 'Escape');
    await question.waitFor({ state: 'detached' });
    await page.locator('.table-scroller:focus').waitFor();
  });

  it('force-clears all stale locks at once, keeps Undo in sight when more messages come than there is room for, and stops offering it after a while', async () => {
    const { page, press, see, sent, inPage } = await open();
    await press('Select 2 stale locks', 'Force-clear 2…', 'Force-clear');
    await see('2 locks cleared');
    const [cleared] = (await sent('locks.forceClear')) as { ids: string[] }[];
    assert.deepEqual(cleared?.ids.toSorted(), ['file6', 'file7']);
    // In the page, because messages don't wait for a busy computer.
    const messages = await inPage<string[]>(`
        const shown = () => [...document.querySelectorAll('.toast')].map(({ textContent }) => textContent);
        for (const path of ['gone 1.odt', 'gone 2.odt', 'gone 3.odt', 'gone 4.odt']) {
          host.push('navigate', { view: 'documents', path });
          while (!shown().some((text) => text.includes(path))) await new Promise(requestAnimationFrame);
        }
        return shown();`);
    assert.equal(messages.filter((text) => text.includes('is no longer in this folder')).length, 2);
    assert.equal(messages.filter((text) => text.includes('Undo')).length, 1);
    await page.getByText('2 locks cleared').waitFor({ state: 'detached' });
  });

  it('shows beside the table what it leaves out: times, lock id, sessions and requests; leads to the session and back, and ends it', async () => {
    const { page, table, see, press, sent } = await open();
    await table.row(live).click();
    const panel = page.getByRole('region', { name: live });
    await panel.getByText('6f1c2b7e…').waitFor();
    const words = await panel.innerText();
    for (const fact of ['Finance/Minutes 2.ods', 'Refreshed', 'Expiry', 'Recent requests', 'Ana Ruiz'])
      assert.ok(words.includes(fact), fact);
    assert.deepEqual(await sent('locks.details'), [{ fileId: 'file1' }]);
    await panel.getByRole('button', { name: 'Ana Ruiz' }).click();
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    await page.locator('[data-row="session1"][aria-selected="true"]').waitFor();
    await press('Editing. Show the lock on Minutes 2.ods');
    await page.getByRole('heading', { name: 'Locks', level: 1 }).waitFor();
    await page.locator('[data-row="file1"][aria-selected="true"]').click();
    await press('End session…');
    await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
    await see('No editor is connected.');
  });

  it('opens the details in a narrow window only when asked, and returns the focus on Escape', async () => {
    const { page, table, focused } = await open({ size: { width: 820, height: 640 } });
    await table.row(live).click();
    const panel = page.getByRole('region', { name: live });
    await page.locator('[data-row="file1"][aria-selected="true"]').waitFor();
    assert.equal(await panel.count(), 0);
    await page.keyboard.press('Enter');
    await focused(panel.getByRole('heading', { name: live }));
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    assert.match(await table.focused(), /^Minutes 2\.ods/);
  });

  it('selects the document that the tray opens it for', async () => {
    const { page, table, push } = await open('numbered');
    await table.grid.waitFor();
    await push('navigate', { view: 'locks', path: 'Document 0432.odt' });
    await page.locator('[data-row="file432"]:focus').waitFor();
    assert.equal((await table.selected()).length, 1);
  });

  it('says so when no document is locked, and links to Documents, but not while DocTray doesn’t serve', async () => {
    const { page, see, press, change } = await open('empty');
    await see('No document is locked');
    await press('Show documents');
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
    const problem = { code: 'folder-missing', message: 'It is missing.' };
    await change({ host: { status: 'error', problem } });
    await page.keyboard.press('Control+3');
    await see('Locks appear here once DocTray serves again.');
  });
});
