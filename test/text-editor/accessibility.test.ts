// Runs axe-core on every state of the editor, in light, dark, forced colors and a narrow window.

import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { axeFindings, axeFindingsInAllLooks } from '../axe.ts';
import {
  addUser,
  startTextEditorLab,
  type OpenOptions,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';

const markdown =
  '# Title\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n\n```js\nlet a = "b"; // c\n```\n\n[link](https://example.com/) ![a cat](x.png)\n';

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

interface Place {
  name: string;
  file: [name: string, content: string | Buffer];
  options?: OpenOptions;
  /** The layout is different in a narrow window. */
  hasNarrowLayout?: boolean;
  /** Another user has it open for editing. */
  isHeld?: boolean;
  reach?(editor: OpenTextEditor): Promise<unknown>;
}

const more = async ({ frame }: OpenTextEditor): Promise<void> =>
  frame.getByRole('button', { name: 'More' }).click();

const forceClear = async ({ fileId }: OpenTextEditor): Promise<unknown> =>
  lab.host.host.services.locks.forceClear(fileId, 'owner');

/** Aborts all calls to the host. */
const cutOff = async ({ page }: OpenTextEditor): Promise<unknown> =>
  page.route('**/wopi/**', async (route) => route.abort());

const places: Place[] = [
  { name: 'Markdown with its preview', hasNarrowLayout: true, file: ['a.md', markdown] },
  { name: 'CSV', file: ['a.csv', 'a;b;c;d;e;f\n1;2;3;4;5;6\n'] },
  {
    name: 'every language that is highlighted, on active lines and on others',
    file: ['languages.md', `${codeBlocks}\n${codeBlocks}`],
    options: { size: { width: 1100, height: 1400 } },
    reach: async ({ frame }) => {
      await frame.waitForFunction((tokens) => {
        const shown = [...document.querySelectorAll('.cm-line span')].map(({ textContent }) => textContent);
        return tokens.every((token) => shown.filter((text) => text === token).length > 1);
      }, Object.keys(languages));
      // Only the line of the cursor is active.
      await frame.evaluate(() => {
        const lines = [...document.querySelectorAll('.cm-line')];
        for (const line of lines.slice(0, lines.length / 2)) line.classList.add('cm-activeLine');
      });
    },
  },
  {
    name: 'the search',
    hasNarrowLayout: true,
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
    hasNarrowLayout: true,
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
    name: 'a lost lock with the changes shown',
    hasNarrowLayout: true,
    file: ['a.md', '# One\n\ntwo\n'],
    reach: async (editor) => {
      await editor.untilStatus('Saved');
      await editor.typeAfter('two', ' more');
      await forceClear(editor);
      await editor.frame.getByRole('button', { name: 'Show what changed' }).click();
      await editor.frame.locator('.cm-deletedChunk').first().waitFor();
    },
  },
  {
    name: 'a lost lock with nothing unsaved',
    file: ['a.txt', 'one\n'],
    reach: async (editor) => {
      await editor.untilStatus('Saved');
      await forceClear(editor);
      await editor.frame.getByRole('button', { name: 'Lock again' }).waitFor();
    },
  },
  {
    name: 'reading while another user edits',
    hasNarrowLayout: true,
    file: ['held.md', markdown],
    isHeld: true,
    reach: async ({ frame }) => frame.getByText('Ana is editing this document in Text editor.').waitFor(),
  },
  {
    name: 'a saved copy',
    file: ['a.txt', 'one\n'],
    reach: async (editor) => {
      await more(editor);
      await editor.frame.getByRole('menuitem', { name: 'Save a copy…' }).click();
      await editor.page.keyboard.press('Enter');
      await editor.frame.getByRole('link', { name: 'Open copy' }).waitFor();
    },
  },
  {
    name: 'a host that doesn’t respond',
    file: ['a.txt', 'one\n'],
    reach: async (editor) => {
      await editor.untilStatus('Saved');
      await cutOff(editor);
      await editor.typeAfter('one', ' more');
      await editor.frame.getByText('DocTray isn’t responding.').waitFor();
    },
  },
  {
    name: 'a deleted file',
    file: ['gone.txt', 'one\n'],
    reach: async (editor) => {
      await editor.untilStatus('Saved');
      await rm(join(lab.host.folder, 'gone.txt'));
      await editor.frame.getByText('The file was deleted').waitFor();
    },
  },
  {
    name: 'revoked access',
    file: ['a.txt', 'one\n'],
    reach: async (editor) => {
      await editor.untilStatus('Saved');
      await editor.typeAfter('one', ' more');
      const { accessTokens } = lab.host.host.services;
      for (const { id } of accessTokens.list()) accessTokens.revoke(id);
      await editor.frame.getByRole('button', { name: 'Download my text' }).waitFor();
    },
  },
  {
    name: 'a Markdown document that can’t be drawn',
    file: ['deep.md', '> '.repeat(20_000)],
    reach: async ({ frame }) => frame.getByText('This document can’t be previewed.').waitFor(),
  },
  { name: 'view mode', file: ['a.txt', 'one\n'], options: { mode: 'view' } },
  { name: 'a file that isn’t UTF-8', file: ['b.txt', Buffer.from('Gr\xfc\xdfe', 'latin1')] },
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

describe('accessibility in light, dark and forced colors', () => {
  for (const { name, file, options, hasNarrowLayout, isHeld, reach } of places) {
    it(name, async () => {
      await writeFile(join(lab.host.folder, file[0]), file[1]);
      const holder = isHeld === true ? await lab.open(file[0], { login: 'ana' }) : undefined;
      await holder?.untilStatus('Saved');
      const editor = await lab.open(file[0], options);
      const { page } = editor;
      await editor.frame.locator('.body > *').first().waitFor();
      await page.waitForTimeout(300);
      await reach?.(editor);
      const found = await axeFindingsInAllLooks(page, { place: editor.frame });
      if (hasNarrowLayout === true) {
        await page.setViewportSize({ width: 380, height: 640 });
        found.push(...(await axeFindings(editor.frame)));
      }
      assert.deepEqual(found, []);
      const isExpected = /net::ERR_FAILED|CodeMirror plugin crashed: RangeError/;
      assert.deepEqual(
        editor.problems.filter((problem) => !isExpected.test(problem)),
        [],
      );
      await editor.close();
      await holder?.close();
      // a page without access can't release it
      await forceClear(editor).catch(() => undefined);
    });
  }
});
