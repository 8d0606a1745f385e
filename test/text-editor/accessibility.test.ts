// axe-core on every look of the editor, and the editor without a mouse.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import {
  addUser,
  newContext,
  startTextEditorLab,
  until,
  type OpenOptions,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';

const markdown =
  '# Title\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n\n```js\nlet a = "b"; // c\n```\n\n[link](https://example.com/) ![a cat](x.png)\n';

interface Place {
  name: string;
  file: [name: string, content: string | Buffer];
  options?: OpenOptions;
  /** It differs from the others by its colors only. */
  isOnlyColors?: boolean;
  reach?(editor: OpenTextEditor): Promise<unknown>;
}

const more = async ({ frame }: OpenTextEditor): Promise<void> =>
  frame.getByRole('button', { name: 'More' }).click();

const places: Place[] = [
  { name: 'Markdown with its preview', file: ['a.md', markdown] },
  { name: 'CSV', isOnlyColors: true, file: ['a.csv', 'a;b;c;d;e;f\n1;2;3;4;5;6\n'] },
  { name: 'JSON', isOnlyColors: true, file: ['a.json', '{ "a": [1, true, null, "text"] }'] },
  {
    name: 'HTML',
    isOnlyColors: true,
    file: ['a.html', '<!doctype html>\n<p class="a">text &amp; <!-- comment --></p>'],
  },
  {
    name: 'TypeScript',
    isOnlyColors: true,
    file: ['a.ts', "import { a } from './a.ts';\n/** Doc */\nexport class B<T> { c = /x/g; #d = 1; }\n"],
  },
  {
    name: 'CSS',
    isOnlyColors: true,
    file: ['a.css', '@media (width > 1px) { .a:hover { color: #fff; --b: calc(1px + 2em) } }'],
  },
  { name: 'YAML', isOnlyColors: true, file: ['a.yaml', 'a: &b\n  - "c"\n  - 1 # d\n'] },
  { name: 'XML', isOnlyColors: true, file: ['a.xml', '<?xml version="1.0"?><a b="c"><![CDATA[d]]></a>'] },
  { name: 'INI', isOnlyColors: true, file: ['a.ini', '; comment\n[section]\nkey = value\n'] },
  {
    name: 'the search',
    file: ['a.txt', 'one two one\n'],
    reach: async ({ frame, page }) => {
      await frame.getByRole('button', { name: 'Find' }).click();
      await page.keyboard.type('one');
    },
  },
  {
    name: 'going to a line',
    file: ['a.txt', 'one\ntwo\n'],
    reach: async ({ frame }) => frame.getByRole('button', { name: 'Line 1, column 1' }).click(),
  },
  { name: 'the menu', file: ['a.txt', 'one\n'], reach: more },
  {
    name: 'a dialog with a problem',
    file: ['a.txt', 'one\n'],
    reach: async (editor) => {
      await more(editor);
      await editor.frame.getByRole('menuitem', { name: 'Save a copy…' }).click();
      await editor.page.keyboard.type('a/b');
      await editor.page.keyboard.press('Enter');
      await editor.frame.getByText('A name can’t contain').waitFor();
    },
  },
  {
    name: 'a lost lock with both texts',
    file: ['a.md', '# One\n\ntwo\n'],
    reach: async (editor) => {
      await editor.untilStatus('Saved');
      await editor.typeAfter('two', ' more');
      await lab.host.host.services.locks.forceClear(editor.fileId, 'owner');
      await editor.frame.getByRole('button', { name: 'Show what changed' }).click();
      await editor.frame.locator('.cm-deletedChunk').first().waitFor();
    },
  },
  { name: 'view mode', file: ['a.txt', 'one\n'], options: { mode: 'view' } },
  { name: 'a file that is not UTF-8', file: ['b.txt', Buffer.from('Gr\xfc\xdfe', 'latin1')] },
  { name: 'a file that is too large', file: ['big.log', Buffer.alloc(10_000_001, 'a')] },
  {
    name: 'a .docx',
    file: ['letter.docx', await readFile(join(import.meta.dirname, '..', 'fixtures', 'letter.docx'))],
  },
  { name: 'the frame of a host page', file: ['a.md', markdown], options: { isEmbedded: true } },
];

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab();
  await addUser(lab.host, 'ana', 'Ana');
});
after(async () => lab.close());

describe('axe finds nothing', () => {
  for (const look of ['light', 'dark', 'forced colors', 'narrow'] as const) {
    it(look, async () => {
      const hasColors = look === 'light' || look === 'dark';
      const context = await newContext(lab.browser, {
        theme: look === 'dark' ? 'dark' : 'light',
        hasForcedColors: look === 'forced colors',
        ...(look === 'narrow' && { size: { width: 380, height: 640 } }),
      });
      for (const { name, file, options, reach } of places.filter(
        (place) => hasColors || place.isOnlyColors !== true,
      )) {
        await writeFile(join(lab.host.folder, file[0]), file[1]);
        const editor = await lab.open(file[0], { context, ...options });
        await editor.frame.locator('.body > *').first().waitFor();
        await editor.page.waitForTimeout(300);
        await reach?.(editor);
        const axe = new AxeBuilder({ page: editor.page }).setLegacyMode();
        const { violations } = await axe
          // what a document's author wrote, in a frame of its own
          .exclude(['iframe.viewer', 'html'])
          .options({
            resultTypes: ['violations'],
            preload: false,
            // the page around it is the test's
            ...(options?.isEmbedded === true && {
              rules: { 'landmark-one-main': { enabled: false }, 'page-has-heading-one': { enabled: false } },
            }),
          })
          .analyze();
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(' | ')}`,
        );
        assert.deepEqual(found, [], name);
        // axe itself speaks to the frame under the wrong origin
        const problems = editor.problems.filter(
          (problem) => !problem.includes('does not match the recipient'),
        );
        assert.deepEqual(problems, [], name);
        await editor.close();
      }
      await context.close();
    });
  }
});

describe('without a mouse', () => {
  const focused = async ({ frame }: OpenTextEditor): Promise<string> =>
    frame.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });

  it('the text has the focus at once, Tab indents, and Escape with Tab leaves it', async () => {
    await writeFile(join(lab.host.folder, 'keys.txt'), 'one\n');
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
    assert.equal(await editor.text(), '\tone\n');
    await editor.page.keyboard.press('Shift+Tab');
    assert.equal(await editor.text(), 'one\n');
    await editor.page.keyboard.press('Escape');
    await editor.page.keyboard.press('Tab');
    assert.equal(await focused(editor), 'Line 1, column 1');
    assert.equal(await editor.text(), 'one\n');
    await editor.page.keyboard.press('Shift+Tab');
    assert.equal(await focused(editor), 'Text of keys.txt');
    await editor.page.keyboard.press('Escape');
    await editor.page.keyboard.press('Shift+Tab');
    assert.equal(await focused(editor), 'More');
    await editor.close();
  });

  it('the menu opens, moves and closes by keys, and gives the focus back', async () => {
    await writeFile(join(lab.host.folder, 'menu.txt'), 'one\n');
    const editor = await lab.open('menu.txt');
    await editor.untilStatus('Saved');
    const { page } = editor;
    await editor.frame.getByRole('button', { name: 'More' }).focus();
    await page.keyboard.press('Enter');
    assert.match(await focused(editor), /^Save/);
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(editor), 'Save a copy…');
    await page.keyboard.press('End');
    assert.equal(await focused(editor), 'Go to line…');
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(editor), /^Save/);
    await page.keyboard.press('Escape');
    assert.equal(await focused(editor), 'More');
    assert.equal(await editor.frame.getByRole('menu').isVisible(), false);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('renamed by keys');
    await page.keyboard.press('Enter');
    await editor.frame.getByRole('heading', { name: 'renamed by keys.txt' }).waitFor();
    assert.equal(await focused(editor), 'Text of renamed by keys.txt');
    await editor.close();
  });

  it('finds, replaces and goes to a line', async () => {
    await writeFile(join(lab.host.folder, 'find.txt'), 'one two\none\n');
    const editor = await lab.open('find.txt');
    await editor.untilStatus('Saved');
    const { page } = editor;
    await page.keyboard.press('Control+f');
    await page.keyboard.type('one');
    await editor.frame.getByRole('textbox', { name: 'Replace' }).focus();
    await page.keyboard.type('1');
    await editor.frame.getByRole('button', { name: 'Replace all' }).focus();
    await page.keyboard.press('Enter');
    assert.equal(await editor.text(), '1 two\n1\n');
    await page.keyboard.press('Escape');
    await editor.frame.getByRole('button', { name: /^Line/ }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await editor.frame.getByRole('button', { name: 'Line 2, column 1' }).waitFor();
    await editor.close();
  });

  it('a lost lock is dealt with: announced, compared, copied, locked again', async () => {
    await writeFile(join(lab.host.folder, 'lost.txt'), 'one\ntwo\n');
    const editor = await lab.open('lost.txt', { login: 'ana' });
    await editor.untilStatus('Saved');
    await editor.typeAfter('two', '!');
    await lab.host.host.services.locks.forceClear(editor.fileId, 'owner');
    const alert = editor.frame
      .getByRole('alert')
      .filter({ hasText: 'The lock on this document was cleared.' });
    await alert.waitFor();
    assert.equal(await focused(editor), 'Text of lost.txt', 'nobody is torn away from the text');
    await alert.getByRole('button', { name: 'Show what changed' }).focus();
    await editor.page.keyboard.press('Enter');
    const undo = editor.frame.getByRole('button', { name: 'Use the file’s' });
    await undo.focus();
    await editor.page.keyboard.press('Enter');
    await until('the file’s text', async () => (await editor.text()) === 'one\ntwo\n');
    await editor.close();
  });

  it('zoomed to 400 % everything is still there', async () => {
    await writeFile(join(lab.host.folder, 'zoom.md'), markdown);
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
