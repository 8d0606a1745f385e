// Takes screenshots of the text editor: node test/text-editor/look.ts --out DIR [scene …]

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  addUser,
  startTextEditorLab,
  until,
  type OpenOptions,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';

const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: 'test-pictures' } },
  allowPositionals: true,
});

const welcome = `# Welcome to DocTray

DocTray serves **one folder** of your computer, so that editors open and save documents *in place*.

- [x] Install it
- [ ] Open a document
- [ ] Invite a colleague

> Changes save automatically. Every version that was replaced is kept.

## A table

| Product | Price | In stock |
|---------|------:|:--------:|
| Milk    |  1.20 | yes      |
| Bread   |  3.40 | no       |

\`\`\`js
// code is highlighted
export function greet(name) {
  return \`Hello, \${name}!\`;
}
\`\`\`

A [link](https://example.com/), \`code\`, and a picture: ![A cat on a keyboard](https://example.com/cat.png)
`;

const csv = `Product;Category;Price;Amount;Shop;Note
Milk;Dairy;1,20;2;Corner shop;
"Bread; dark";Bakery;3,40;1;Bakery;"the ""good"" one"
Apples;Fruit;2,99;6;Market;red
Olive oil;Pantry;8,50;1;Market;
`;

const json = `{
  "name": "doctray",
  "version": "0.1.0",
  "isPrivate": true,
  "ports": [8790, 8791],
  "owner": null,
  "paths": { "folder": "/home/ada/Documents", "data": "~/.local/share/doctray" }
}
`;

interface Scene {
  file: [name: string, content: string | Buffer];
  options?: OpenOptions;
  play?: (lab: TextEditorLab, editor: OpenTextEditor) => Promise<unknown>;
}

const scenes: Record<string, Scene> = {
  text: { file: ['Shopping list.csv', csv] },
  json: { file: ['settings.json', json] },
  markdown: { file: ['Welcome.md', welcome] },
  search: {
    file: ['Welcome.md', welcome],
    play: async (_lab, { page, frame }) => {
      await frame.locator('.cm-content').click();
      await page.keyboard.press('Control+f');
      await page.keyboard.type('open');
    },
  },
  menu: {
    file: ['Welcome.md', welcome],
    play: async (_lab, { frame }) => frame.getByRole('button', { name: 'More' }).click(),
  },
  copy: {
    file: ['Welcome.md', welcome],
    play: async (_lab, { frame }) => {
      await frame.getByRole('button', { name: 'More' }).click();
      await frame.getByRole('menuitem', { name: 'Save a copy…' }).click();
    },
  },
  'second-person': {
    file: ['Welcome.md', welcome],
    options: { login: 'ben' },
  },
  'lost-lock': {
    file: ['Notes.md', '# Notes\n\nFirst thought.\n\nSecond thought.\n\nThird thought.\n'],
    options: { login: 'ana' },
    play: async (lab, editor) => {
      await editor.untilStatus('Saved');
      await editor.typeAfter('Second thought', ', with more words');
      await lab.host.host.services.locks.forceClear(editor.fileId, 'owner');
      await until('the notice', async () => (await editor.notices()).length > 0);
      await writeFile(
        join(lab.host.folder, 'Notes.md'),
        '# Notes\n\nFirst thought of Ben.\n\nSecond thought.\n\nThird thought.\n\nFourth.\n',
      );
      await editor.frame.getByRole('button', { name: 'Show what changed' }).click();
      await editor.frame.locator('.cm-deletedChunk').first().waitFor();
    },
  },
  'not-utf8': { file: ['Alt.txt', Buffer.from('Grüße aus Köln\nZeile zwei\n', 'latin1')] },
  'too-large': { file: ['server.log', Buffer.alloc(12_345_678, 'a')] },
  docx: {
    file: ['letter.docx', await readFile(join(import.meta.dirname, '..', 'fixtures', 'letter.docx'))],
    play: async (_lab, { page }) => page.waitForTimeout(1500),
  },
};

await mkdir(values.out, { recursive: true });
const lab = await startTextEditorLab();
await addUser(lab.host, 'ana', 'Ana');
await addUser(lab.host, 'ben', 'Ben');
try {
  for (const [name, { file, options, play }] of Object.entries(scenes)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    for (const theme of ['light', 'dark'] as const) {
      for (const width of [1100, 420]) {
        await writeFile(join(lab.host.folder, file[0]), file[1]);
        const ana =
          name === 'second-person' ? await lab.open(file[0], { login: 'ana', theme: 'light' }) : undefined;
        await ana?.untilStatus('Saved');
        const editor = await lab.open(file[0], { ...options, theme, size: { width, height: 640 } });
        await editor.page.waitForTimeout(600);
        await play?.(lab, editor);
        await editor.page.waitForTimeout(300);
        const path = join(values.out, `${name}-${theme}-${width}.png`);
        await editor.page.screenshot({ path });
        console.log(path, ...editor.problems);
        await editor.close();
        await ana?.close();
      }
    }
  }
} finally {
  await lab.close();
}
