// Runs axe-core on every state of the editor, in light, dark, forced colors and a narrow window.

import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
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

const places: Place[] = [
  {
    name: 'Markdown with its preview, in the frame of a host page',
    hasNarrowLayout: true,
    file: ['a.md', markdown],
    options: { isEmbedded: true },
  },
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
    name: 'a lost lock with the changes shown',
    hasNarrowLayout: true,
    file: ['a.md', '# One\n\ntwo\n'],
    reach: async (editor) => {
      await editor.untilStatus('Saved');
      await editor.typeUnsaved('two', ' more');
      await lab.forceClear(editor);
      await editor.frame.getByRole('button', { name: 'Show what changed' }).click();
      await editor.frame.locator('.cm-deletedChunk').first().waitFor();
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
    name: 'a .docx',
    file: ['letter.docx', await readFile(join(import.meta.dirname, '..', 'fixtures', 'letter.docx'))],
  },
];

interface Step {
  name: string;
  hasNarrowLayout?: boolean;
  reach(editor: OpenTextEditor): Promise<unknown>;
  /** Goes back to the text. */
  leave?(editor: OpenTextEditor): Promise<unknown>;
}

const escape = async ({ page }: OpenTextEditor): Promise<void> => page.keyboard.press('Escape');
const saveCopy = async ({ choose }: OpenTextEditor): Promise<void> => choose('Save a copy…');

/** What one open document goes through. */
const walks: { name: string; options: OpenOptions; steps: Step[] }[] = [
  {
    name: 'a text that is edited',
    options: {},
    steps: [
      {
        name: 'the search',
        hasNarrowLayout: true,
        reach: async ({ frame, page }) => {
          await frame.getByRole('button', { name: 'Find' }).click();
          await page.keyboard.type('one');
        },
        leave: escape,
      },
      {
        name: 'going to a line',
        reach: async ({ frame }) => frame.getByRole('button', { name: /^Line 1, column/ }).click(),
        leave: escape,
      },
      { name: 'the menu', reach: async ({ press }) => press('More'), leave: escape },
      {
        name: 'a dialog with a problem',
        hasNarrowLayout: true,
        reach: async (editor) => {
          await saveCopy(editor);
          await editor.page.keyboard.type('a/b');
          await editor.page.keyboard.press('Enter');
          await editor.frame.getByText('A name can’t contain').waitFor();
        },
        leave: escape,
      },
      {
        name: 'a saved copy',
        reach: async (editor) => {
          await saveCopy(editor);
          await editor.page.keyboard.press('Enter');
          await editor.frame.getByRole('link', { name: 'Open copy' }).waitFor();
        },
        leave: async ({ frame }) => frame.getByRole('button', { name: 'Dismiss' }).click(),
      },
      {
        name: 'a host that doesn’t respond',
        reach: async (editor) => {
          await editor.page.route('**/wopi/**', async (route) => route.abort());
          await editor.typeAfter('two', ' more');
          await editor.frame.getByText('DocTray isn’t responding.').waitFor();
        },
        leave: async (editor) => {
          await editor.page.unroute('**/wopi/**');
          await editor.untilStatus('Saved');
        },
      },
      {
        name: 'a deleted file',
        reach: async ({ frame }) => {
          await rm(join(lab.host.folder, 'walk.txt'));
          await frame.getByText('The file was deleted').waitFor();
        },
        leave: async ({ frame }) => {
          await lab.write('walk.txt', 'one\n');
          await frame.getByText('The file was deleted').waitFor({ state: 'detached' });
        },
      },
      {
        name: 'a lost lock with nothing unsaved',
        reach: async (editor) => {
          await lab.forceClear(editor);
          await editor.frame.getByRole('button', { name: 'Lock again' }).waitFor();
        },
        leave: async (editor) => {
          await editor.frame.getByRole('button', { name: 'Lock again' }).click();
          await editor.untilStatus('Saved');
        },
      },
      {
        name: 'revoked access',
        reach: async (editor) => {
          await editor.typeUnsaved('one', ' more');
          lab.revokeTokens();
          await editor.frame.getByRole('button', { name: 'Download my text' }).waitFor();
        },
      },
    ],
  },
  {
    name: 'a text that is only read',
    options: { mode: 'view' },
    steps: [
      { name: 'view mode', reach: async (editor) => editor.untilStatus('Read only') },
      {
        name: 'a file that isn’t UTF-8',
        reach: async ({ frame }) => {
          await lab.write('walk.txt', Buffer.from('Gr\xfc\xdfe', 'latin1'));
          await frame.getByText('This file isn’t valid UTF-8 text').waitFor();
        },
      },
      {
        name: 'a file that is too large',
        reach: async ({ frame }) => {
          await lab.write('walk.txt', Buffer.alloc(10_000_001, 'a'));
          await frame.getByText('The text editor opens files up to 10 MB.').waitFor();
        },
      },
    ],
  },
];

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab();
  await addUser(lab.host, 'ana', 'Ana');
});
after(async () => lab.close());

async function findings(
  { page, frame }: OpenTextEditor,
  hasNarrowLayout: boolean | undefined,
): Promise<string[]> {
  const found = await axeFindingsInAllLooks(page, { place: frame });
  if (hasNarrowLayout === true) {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 380, height: 640 });
    found.push(...(await axeFindings(frame)));
    if (size !== null) await page.setViewportSize(size);
  }
  return found;
}

describe('accessibility in light, dark and forced colors', () => {
  for (const { name, file, options, hasNarrowLayout, isHeld, reach } of places) {
    it(name, async () => {
      await lab.write(file[0], file[1]);
      const holder = isHeld === true ? await lab.open(file[0], { login: 'ana' }) : undefined;
      await holder?.untilStatus('Saved');
      const editor = await lab.open(file[0], options);
      const { page } = editor;
      await editor.frame.locator('#body > *').first().waitFor();
      await page.waitForTimeout(300);
      await reach?.(editor);
      assert.deepEqual(await findings(editor, hasNarrowLayout), []);
      assert.deepEqual(editor.problems, []);
      await editor.close();
      await holder?.close();
      // a page without access can't release it
      await lab.forceClear(editor).catch(() => undefined);
    });
  }

  for (const { name, options, steps } of walks) {
    it(`${name}: ${steps.map((step) => step.name).join(', ')}`, async () => {
      await lab.write('walk.txt', 'one\ntwo one\n');
      const editor = await lab.open('walk.txt', options);
      await editor.untilStatus(options.mode === 'view' ? 'Read only' : 'Saved');
      for (const step of steps) {
        await step.reach(editor);
        assert.deepEqual(await findings(editor, step.hasNarrowLayout), [], step.name);
        await step.leave?.(editor);
      }
      assert.deepEqual(
        editor.problems.filter((problem) => !problem.includes('net::ERR_FAILED')),
        [],
      );
      await editor.close();
    });
  }
});
