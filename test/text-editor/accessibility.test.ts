// The editor without a mouse and for everybody: everything can be reached with keys, the focus is always visible and never lost, and
// axe-core finds nothing in light, dark, forced colors and a narrow window. The steps of a describe share one page.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { axeFindings, axeFindingsInAllLooks } from '../axe.ts';
import { addUser, startTextEditorLab, type OpenTextEditor, type TextEditorLab } from './open-text-editor.ts';
import { until } from '../until.ts';

let lab: TextEditorLab;
let editor: OpenTextEditor;
before(async () => {
  lab = await startTextEditorLab();
  await addUser(lab, 'ana', 'Ana');
});
after(async () => lab.close());

const nameOfFocused = async (): Promise<string> =>
  editor.frame.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });
/** A later frame may give it the focus. */
const assertFocused = async (name: string): Promise<unknown> =>
  until(`the focus on ${name}`, async () => (await nameOfFocused()).startsWith(name));

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await editor.page.keyboard.press(key);
}

/** The focused element is visible and has a caret or a focus ring. */
const isFocusVisible = async (): Promise<boolean> =>
  editor.frame.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return false;
    const { width, height } = element.getBoundingClientRect();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const hasCaret = element.matches('.cm-content');
    const hasRing = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    return width > 0 && height > 0 && (hasCaret || hasRing);
  });

/** Presses Tab until this has the focus, and checks every stop on the way. */
async function tabTo(wanted: string, key = 'Tab'): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 25; presses += 1) {
    const name = await nameOfFocused();
    if (name === wanted) return;
    // inside the text, Tab indents
    if (name.startsWith('Text of')) await press('Escape');
    await press(key);
    seen.push(await nameOfFocused());
    assert.ok(await isFocusVisible(), `the focus isn’t visible on ${seen.at(-1)}`);
  }
  assert.fail(`${wanted} isn't reached: ${seen.join(', ')}`);
}

/** @param hasNarrowLayout the layout is different in a narrow window */
async function assertAccessible(hasNarrowLayout = false): Promise<void> {
  const { page, frame } = editor;
  const found = await axeFindingsInAllLooks(page, { place: frame });
  const size = page.viewportSize();
  if (hasNarrowLayout && size !== null) {
    await page.setViewportSize({ width: 380, height: 640 });
    found.push(...(await axeFindings(frame)));
    await page.setViewportSize(size);
  }
  assert.deepEqual(found, []);
}

describe('a text, without a mouse', () => {
  before(async () => {
    await lab.write('keys.txt', 'one two\none\n');
    editor = await lab.open('keys.txt');
    await editor.untilStatus('Saved');
  });
  after(async () => editor.close());

  it('the text has the focus at the start, Tab indents, and Escape, then Tab leaves it', async () => {
    await assertFocused('Text of keys.txt');
    assert.equal(
      await editor.frame.locator('.cm-content').evaluate((element) => {
        const id = element.getAttribute('aria-describedby') ?? '';
        return document.getElementById(id)?.textContent;
      }),
      'Press Escape, then Tab to leave the text.',
    );
    await press('Tab');
    assert.equal(await editor.text(), '\tone two\none\n');
    await press('Shift+Tab');
    assert.equal(await editor.text(), 'one two\none\n');
    // The status line follows the cursor a moment later.
    await editor.frame.getByRole('button', { name: 'Line 1, column 1' }).waitFor();
    await press('Escape', 'Tab');
    await assertFocused('Line 1, column 1');
    assert.equal(await editor.text(), 'one two\none\n');
    await press('Shift+Tab');
    await assertFocused('Text of keys.txt');
    await press('Escape', 'Shift+Tab');
    await assertFocused('More');
  });

  it('the menu', async () => {
    await press('Enter');
    await assertFocused('Save');
    await assertAccessible();
    await press('ArrowDown');
    await assertFocused('Save a copy…');
    await press('End');
    await assertFocused('Help');
    await press('ArrowDown');
    await assertFocused('Save');
    await press('Escape');
    await assertFocused('More');
    await editor.frame.getByRole('menu').waitFor({ state: 'detached' });
  });

  it('a dialog traps the focus, names a problem, and returns the focus to the text; the copy has what isn’t saved yet', async () => {
    const { frame, page } = editor;
    await editor.typeUnsaved('', 'new ');
    await tabTo('More', 'Shift+Tab');
    await press('Enter');
    await assertFocused('Save');
    await press('ArrowDown');
    await assertFocused('Save a copy…');
    await press('Enter');
    await frame.getByRole('dialog', { name: 'Save a copy' }).locator('input:focus').waitFor();
    for (let presses = 0; presses < 6; presses += 1) {
      await press('Tab');
      // between the last and the first stop, the browser's own bar has the focus
      if (await frame.evaluate(() => document.activeElement === document.body)) continue;
      assert.ok(await frame.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null));
      assert.ok(await isFocusVisible());
    }
    await press('Escape');
    await assertFocused('Text of keys.txt');

    await editor.choose('Save a copy…');
    await page.keyboard.type('a/b');
    await press('Enter');
    await editor.untilShown('A name can’t contain');
    await assertAccessible(true);
    await press('Control+a');
    await page.keyboard.type('Kopie für Ана');
    await press('Enter');
    await frame.getByRole('link', { name: 'Open copy' }).waitFor();
    assert.equal(await lab.textOnDisk('Kopie für Ана.txt'), 'new one two\none\n');
    await assertFocused('Text of keys.txt');
    await assertAccessible();
    await tabTo('Dismiss', 'Shift+Tab');
    await press('Enter');
    assert.deepEqual(await editor.notices(), []);
    assert.ok(await isFocusVisible(), 'the focus isn’t lost with the notice');
  });

  const name = 'Größe 日本 😀 50% + more.txt';

  it('a rename, in any script', async () => {
    await editor.choose('Rename…');
    await press('Control+a');
    await editor.page.keyboard.type(name.replace('.txt', ''));
    await press('Enter');
    await editor.frame.getByRole('heading', { name }).waitFor();
    await assertFocused(`Text of ${name}`);
    await lab.untilOnDisk(name, 'new one two\none\n');
  });

  it('the search, and going to a line', async () => {
    const { frame, page } = editor;
    await press('Control+f');
    await page.keyboard.type('one');
    await assertAccessible(true);
    await frame.getByRole('textbox', { name: 'Replace' }).focus();
    await page.keyboard.type('1');
    await frame.getByRole('button', { name: 'Replace all' }).focus();
    await press('Enter');
    assert.equal(await editor.text(), 'new 1 two\n1\n');
    await press('Escape');
    await frame.getByRole('button', { name: /^Line/ }).focus();
    await press('Enter');
    await assertAccessible();
    await page.keyboard.type('2');
    await press('Enter');
    await frame.getByRole('button', { name: 'Line 2, column 1' }).waitFor();
  });

  it('a lost lock is announced and can be resolved: compare, use the file’s text, lock again', async () => {
    await lab.untilOnDisk(name, 'new 1 two\n1\n');
    await editor.untilStatus('Saved');
    await editor.typeUnsaved('two', '!');
    await lab.forceClear(editor);
    const { frame } = editor;
    const alert = frame.getByRole('alert').filter({ hasText: 'The lock on this document was cleared.' });
    await alert.waitFor();
    await assertFocused(`Text of ${name}`);
    await tabTo('Show what changed', 'Shift+Tab');
    await press('Enter');
    await alert.getByRole('button', { name: 'Hide changes' }).waitFor();
    await frame.locator('.cm-deletedChunk').first().waitFor();
    assert.ok(await isFocusVisible(), 'the focus isn’t lost with the buttons of the notice');
    await assertAccessible(true);
    await tabTo('Use the file’s');
    await press('Enter');
    await editor.untilText('new 1 two\n1\n');
    assert.ok(await isFocusVisible(), 'the focus isn’t lost with the difference');
    await tabTo('Lock again', 'Shift+Tab');
    await press('Enter');
    await editor.untilStatus('Saved');
    await assertFocused(`Text of ${name}`);
  });

  it('revoked access', async () => {
    await editor.typeUnsaved('two', ' more');
    lab.revokeTokens();
    await editor.frame.getByRole('button', { name: 'Download my text' }).waitFor();
    await assertAccessible();
    assert.deepEqual(editor.problems, []);
  });
});

/** By a token that stands alone only once its language is highlighted. */
const languages: Record<string, string> = {
  null: '```json\n{ "a": [1, true, null, "text"] }\n```',
  '&amp;': '```html\n<!doctype html>\n<p class="a">text &amp; <!-- comment --></p>\n```',
  export: "```ts\nimport { a } from './a.ts';\n/** Doc */\nexport class B<T> { c = /x/g; #d = 1; }\n```",
  '#fff': '```css\n@media (width > 1px) {\n  .a:hover { color: #fff; --b: calc(1px + 2em) } }\n```',
  '# d': '```yaml\na: &b\n  - "c"\n  - 1 # d\n```',
  '<![CDATA[d]]>': '```xml\n<?xml version="1.0"?><a b="c"><![CDATA[d]]></a>\n```',
  '[section]': '```ini\n; comment\n[section]\nkey = value\n```',
};
const codeBlocks = Object.values(languages).join('\n');
const markdown =
  '# Title\n\n[There](#title) MARK\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n\n```js\nlet a = "b"; // c\n```\n\n![a cat](x.png)\n';

describe('Markdown with its preview, in the frame of a host page', () => {
  before(async () => {
    await lab.write('tabs.md', markdown);
    editor = await lab.open('tabs.md', { around: 'recorder', size: { width: 1100, height: 1400 } });
    await editor.untilStatus('Saved');
    // drawn a moment after the text is shown
    await editor.frame.getByRole('link', { name: 'There' }).waitFor();
  });
  after(async () => editor.close());

  it('is accessible', async () => assertAccessible(true));

  it('every button and the preview work with Tab, Enter and Space', async () => {
    const { frame, page } = editor;
    const pressed = async (name: string): Promise<string | null> =>
      frame.getByRole('button', { name }).getAttribute('aria-pressed');
    await editor.typeAfter('', '');
    await tabTo('Preview', 'Shift+Tab');
    await press('Enter');
    assert.equal(await pressed('Preview'), 'false');
    await assertFocused('Preview');
    await press('Space');
    assert.equal(await pressed('Preview'), 'true');
    await tabTo('Wrap lines');
    await press('Space');
    assert.equal(await pressed('Wrap lines'), 'false');
    await tabTo('Text of tabs.md');
    await tabTo('There');
    await press('Enter');
    await assertFocused('Title');
    await tabTo('Line 1, column 1');
    await press('Space');
    await page.keyboard.type('3');
    await press('Enter');
    await assertFocused('Text of tabs.md');
    await tabTo('Find', 'Shift+Tab');
    await press('Enter');
    await page.keyboard.type('MARK');
    await press('Enter', 'Escape');
    await assertFocused('Text of tabs.md');
    await page.keyboard.type('word');
    await press('Control+s');
    await lab.untilOnDisk('tabs.md', markdown.replace('MARK', 'word'));
    await editor.untilStatus('Saved');
  });

  it('every language that is highlighted has enough contrast, on active lines and on others', async () => {
    await lab.write('tabs.md', `${codeBlocks}\n${codeBlocks}`);
    await editor.frame.waitForFunction((tokens) => {
      const shown = [...document.querySelectorAll('.cm-line span')].map(({ textContent }) => textContent);
      return tokens.every((token) => shown.filter((text) => text === token).length > 1);
    }, Object.keys(languages));
    // Only the line of the cursor is active.
    await editor.frame.evaluate(() => {
      const lines = [...document.querySelectorAll('.cm-line')];
      for (const line of lines.slice(0, lines.length / 2)) line.classList.add('cm-activeLine');
    });
    await assertAccessible();
    assert.deepEqual(editor.problems, []);
  });

  it('everything is visible at a zoom of 400 %', async () => {
    const { frame, page } = editor;
    // As in a page that was opened at this size.
    await editor.press('Preview');
    await page.setViewportSize({ width: 320, height: 400 });
    const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
    for (const name of ['Preview', 'Find', 'Wrap lines', 'More']) {
      const box = await frame.getByRole('button', { name }).boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320, `${name} can be seen`);
    }
    const text = await frame.locator('.cm-scroller').boundingBox();
    assert.ok((text?.height ?? 0) > 150, 'there is room for the text');
  });
});

describe('what can only be read is accessible', () => {
  it('CSV, and a file that has become too large', async () => {
    await lab.write('a.csv', 'a;b;c;d;e;f\n1;2;3;4;5;6\n');
    editor = await lab.open('a.csv', { mode: 'view' });
    await editor.untilStatus('Read only');
    await assertAccessible();
    await lab.write('a.csv', Buffer.alloc(10_000_001, 'a'));
    await editor.untilShown('The text editor opens files up to 10 MB.');
    await assertAccessible();
    await editor.close();
  });

  it('a .docx, and a document that another user edits', async () => {
    await lab.write('letter.docx', await readFile(join(import.meta.dirname, '../fixtures/letter.docx')));
    editor = await lab.open('letter.docx');
    await editor.frame.locator('iframe.viewer').waitFor();
    await assertAccessible();
    await editor.close();

    const { name, editor: holder } = await lab.openNew(markdown, { login: 'ana' });
    editor = await lab.open(name);
    await editor.untilShown('Ana is editing this document in Text editor.');
    await assertAccessible(true);
    for (const one of [editor, holder]) await one.close();
  });
});
