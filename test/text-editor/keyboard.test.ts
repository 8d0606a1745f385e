// The editor without a mouse: everything can be reached with keys, and the focus is always visible and never lost.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  addUser,
  startTextEditorLab,
  until,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';

const markdown = '# Title\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n';

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab();
  await addUser(lab.host, 'ana', 'Ana');
});
after(async () => lab.close());

describe('without a mouse', () => {
  const focused = async ({ frame }: OpenTextEditor): Promise<string> =>
    frame.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });

  it('the text has the focus at the start, Tab indents, Escape, then Tab leaves it; the menu and the search work', async () => {
    await lab.write('keys.txt', 'one two\none\n');
    const editor = await lab.open('keys.txt');
    await editor.untilStatus('Saved');
    assert.equal(await focused(editor), 'Text of keys.txt');
    assert.equal(
      await editor.frame.locator('.cm-content').evaluate((element) => {
        const id = element.getAttribute('aria-describedby') ?? '';
        return document.getElementById(id)?.textContent;
      }),
      'Press Escape, then Tab to leave the text.',
    );
    await editor.page.keyboard.press('Tab');
    assert.equal(await editor.text(), '\tone two\none\n');
    await editor.page.keyboard.press('Shift+Tab');
    assert.equal(await editor.text(), 'one two\none\n');
    // The status line follows the cursor a moment later.
    await editor.frame.getByRole('button', { name: 'Line 1, column 1' }).waitFor();
    await editor.page.keyboard.press('Escape');
    await editor.page.keyboard.press('Tab');
    assert.equal(await focused(editor), 'Line 1, column 1');
    assert.equal(await editor.text(), 'one two\none\n');
    await editor.page.keyboard.press('Shift+Tab');
    assert.equal(await focused(editor), 'Text of keys.txt');
    await editor.page.keyboard.press('Escape');
    await editor.page.keyboard.press('Shift+Tab');
    assert.equal(await focused(editor), 'More');

    // the menu
    await editor.page.keyboard.press('Enter');
    assert.match(await focused(editor), /^Save/);
    await editor.page.keyboard.press('ArrowDown');
    assert.equal(await focused(editor), 'Save a copy…');
    await editor.page.keyboard.press('End');
    assert.equal(await focused(editor), 'Help');
    await editor.page.keyboard.press('ArrowDown');
    assert.match(await focused(editor), /^Save/);
    await editor.page.keyboard.press('Escape');
    // A menu returns the focus in a later frame.
    await until('the focus of the menu’s button', async () => (await focused(editor)) === 'More');
    assert.equal(await editor.frame.getByRole('menu').isVisible(), false);
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.press('ArrowDown');
    await editor.page.keyboard.press('ArrowDown');
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.type('a/b');
    await editor.page.keyboard.press('Enter');
    await editor.frame.getByText('A name can’t contain').waitFor();
    assert.equal(editor.calls('RENAME_FILE').length, 0);
    const name = 'Größe 日本 😀 50% + more.txt';
    await editor.page.keyboard.press('Control+a');
    await editor.page.keyboard.type(name.replace('.txt', ''));
    await editor.page.keyboard.press('Enter');
    await editor.frame.getByRole('heading', { name }).waitFor();
    assert.equal(await focused(editor), `Text of ${name}`);
    assert.equal(await lab.textOnDisk(name), 'one two\none\n');

    // the search
    await editor.page.keyboard.press('Control+f');
    await editor.page.keyboard.type('one');
    await editor.frame.getByRole('textbox', { name: 'Replace' }).focus();
    await editor.page.keyboard.type('1');
    await editor.frame.getByRole('button', { name: 'Replace all' }).focus();
    await editor.page.keyboard.press('Enter');
    assert.equal(await editor.text(), '1 two\n1\n');
    await editor.page.keyboard.press('Escape');
    await editor.frame.getByRole('button', { name: /^Line/ }).focus();
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.type('2');
    await editor.page.keyboard.press('Enter');
    await editor.frame.getByRole('button', { name: 'Line 2, column 1' }).waitFor();
    await editor.close();
  });

  /** The focused element is visible and has a caret or a focus ring. */
  const isFocusVisible = async ({ frame }: OpenTextEditor): Promise<boolean> =>
    frame.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return false;
      const { width, height } = element.getBoundingClientRect();
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const hasCaret = element.matches('.cm-content');
      const hasRing = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
      return width > 0 && height > 0 && (hasCaret || hasRing);
    });

  /** Presses Tab until this has the focus, and checks every stop on the way. */
  async function tabTo(editor: OpenTextEditor, wanted: string, key = 'Tab'): Promise<void> {
    const seen: string[] = [];
    for (let presses = 0; presses < 25; presses += 1) {
      const name = await focused(editor);
      if (name === wanted) return;
      // inside the text, Tab indents
      if (name.startsWith('Text of')) await editor.page.keyboard.press('Escape');
      await editor.page.keyboard.press(key);
      seen.push(await focused(editor));
      assert.ok(await isFocusVisible(editor), `the focus isn’t visible on ${seen.at(-1)}`);
    }
    assert.fail(`${wanted} isn't reached: ${seen.join(', ')}`);
  }

  it('every button and the preview work with Tab, Enter and Space', async () => {
    await lab.write('tabs.md', '# Title\n\n[There](#title) MARK\n');
    const editor = await lab.open('tabs.md');
    await editor.untilStatus('Saved');
    const { frame, page } = editor;
    const pressed = async (name: string): Promise<string | null> =>
      frame.getByRole('button', { name }).getAttribute('aria-pressed');
    // drawn a moment after the text is shown
    await frame.getByRole('link', { name: 'There' }).waitFor();
    await tabTo(editor, 'Preview', 'Shift+Tab');
    await page.keyboard.press('Enter');
    assert.equal(await pressed('Preview'), 'false');
    assert.equal(await focused(editor), 'Preview');
    await page.keyboard.press('Space');
    assert.equal(await pressed('Preview'), 'true');
    await tabTo(editor, 'Wrap lines');
    await page.keyboard.press('Space');
    assert.equal(await pressed('Wrap lines'), 'false');
    await tabTo(editor, 'Text of tabs.md');
    await tabTo(editor, 'There');
    await page.keyboard.press('Enter');
    assert.equal(await focused(editor), 'Title');
    await tabTo(editor, 'Line 1, column 1');
    await page.keyboard.press('Space');
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    assert.equal(await focused(editor), 'Text of tabs.md');
    await tabTo(editor, 'Find', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.type('MARK');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    assert.equal(await focused(editor), 'Text of tabs.md');
    await page.keyboard.type('word');
    await page.keyboard.press('Control+s');
    await editor.untilStatus('Saved');
    assert.equal((await lab.onDisk('tabs.md')).toString(), '# Title\n\n[There](#title) word\n');
    await editor.close();
  });

  it('a dialog traps the focus and returns it to the text', async () => {
    await lab.write('dialog.txt', 'one\n');
    const editor = await lab.open('dialog.txt');
    await editor.untilStatus('Saved');
    const { frame, page } = editor;
    await tabTo(editor, 'More', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await frame.getByRole('dialog', { name: 'Save a copy' }).waitFor();
    for (let presses = 0; presses < 6; presses += 1) {
      await page.keyboard.press('Tab');
      // between the last and the first stop, the browser's own bar has the focus
      if (await frame.evaluate(() => document.activeElement === document.body)) continue;
      assert.ok(await frame.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null));
      assert.ok(await isFocusVisible(editor));
    }
    await page.keyboard.press('Escape');
    await until('the focus in the text', async () => (await focused(editor)) === 'Text of dialog.txt');
    // The copy has what isn't saved yet.
    await editor.typeUnsaved('', 'new ');
    await tabTo(editor, 'More', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Kopie für Ана');
    await page.keyboard.press('Enter');
    await frame.getByRole('link', { name: 'Open copy' }).waitFor();
    assert.equal(await lab.textOnDisk('Kopie für Ана.txt'), 'new one\n');
    assert.equal(await focused(editor), 'Text of dialog.txt');
    await tabTo(editor, 'Dismiss', 'Shift+Tab');
    await page.keyboard.press('Enter');
    assert.deepEqual(await editor.notices(), []);
    assert.ok(await isFocusVisible(editor), 'the focus isn’t lost with the notice');
    await editor.close();
  });

  it('a lost lock is announced and can be resolved: compare, use the file’s text, lock again', async () => {
    await lab.write('lost.txt', 'one\ntwo\n');
    const editor = await lab.open('lost.txt', { login: 'ana' });
    await editor.untilStatus('Saved');
    await editor.typeUnsaved('two', '!');
    await lab.forceClear(editor);
    const alert = editor.frame
      .getByRole('alert')
      .filter({ hasText: 'The lock on this document was cleared.' });
    await alert.waitFor();
    assert.equal(await focused(editor), 'Text of lost.txt', 'the focus stays in the text');
    await tabTo(editor, 'Show what changed', 'Shift+Tab');
    await editor.page.keyboard.press('Enter');
    await alert.getByRole('button', { name: 'Hide changes' }).waitFor();
    assert.ok(await isFocusVisible(editor), 'the focus isn’t lost with the buttons of the notice');
    await tabTo(editor, 'Use the file’s');
    await editor.page.keyboard.press('Enter');
    await until('the file’s text', async () => (await editor.text()) === 'one\ntwo\n');
    assert.ok(await isFocusVisible(editor), 'the focus isn’t lost with the difference');
    await tabTo(editor, 'Lock again', 'Shift+Tab');
    await editor.page.keyboard.press('Enter');
    await editor.untilStatus('Saved');
    assert.equal(await focused(editor), 'Text of lost.txt');
    await editor.close();
  });

  it('everything is visible at a zoom of 400 %', async () => {
    await lab.write('zoom.md', markdown);
    const editor = await lab.open('zoom.md', { size: { width: 320, height: 400 } });
    await editor.untilStatus('Saved');
    const overflow = await editor.frame.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
    for (const name of ['Preview', 'Find', 'Wrap lines', 'More']) {
      const box = await editor.frame.getByRole('button', { name }).boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320, `${name} can be seen`);
    }
    const text = await editor.frame.locator('.cm-scroller').boundingBox();
    assert.ok((text?.height ?? 0) > 150, 'there is room for the text');
    await editor.close();
  });
});
