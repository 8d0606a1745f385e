// The samples that the default folder is created with: something to edit before anything else is installed, and one document
// for an office editor. The window's first steps put one of them into a folder that the user chose.

import type { Paper } from './paper.ts';
import { wordDocument, type Paragraph } from './word.ts';

export interface Sample {
  /** A file name; unlike all others. */
  name: string;
  bytes: Uint8Array;
}

export const welcomeText = 'Welcome.md';
export const welcomeDocument = 'Welcome.docx';

export function samples(paper: Paper = 'a4'): Sample[] {
  return [
    { name: welcomeText, bytes: Buffer.from(markdown) },
    { name: 'Shopping list.csv', bytes: Buffer.from(shoppingList) },
    { name: welcomeDocument, bytes: wordDocument({ paper, paragraphs }) },
  ];
}

const markdown = `# Welcome to DocTray

This is an ordinary file in a folder on your computer. You're editing it through DocTray, and every save goes straight back into it.

## Try it

1. **Edit this line.** Type your name here: …
2. Wait two seconds, or press Ctrl+S (⌘S on a Mac). The bar above shows *Saved*.
3. Open the folder in your file manager. The change is in the file.

While you have this document open, DocTray holds a **lock** on it, so nobody else can overwrite your work. *Locks* in the DocTray window shows
who is editing what.

## What opens where

| Document | Editor |
| --- | --- |
| Text, Markdown, CSV, JSON, source code | The text editor that comes with DocTray |
| Word, Excel, PowerPoint, OpenDocument | ONLYOFFICE or Collabora, once you connect one |

## Next

- [ ] Add a row to \`Shopping list.csv\`.
- [ ] Open \`Welcome.docx\`. To edit it, connect [ONLYOFFICE](https://www.onlyoffice.com) or [Collabora](https://www.collaboraonline.com):
      *Settings → Editors* in the DocTray window finds one that is running, or starts one for you.
- [ ] Put your own documents into this folder, or choose another folder in the settings.

> DocTray keeps the earlier versions of every document. You can't break anything here, and you can delete these samples whenever you like.
`;

const shoppingList = `Item,Quantity,Unit,Bought
Bread,1,loaf,yes
"Apples, red",6,pieces,no
Milk,2,litres,no
Coffee,500,g,no
`;

const paragraphs: readonly Paragraph[] = [
  { style: 'Title', text: 'Welcome to DocTray' },
  { style: 'Subtitle', text: 'You opened a Word document from a folder on your own computer.' },
  {
    text: 'DocTray gives your editor access to this one document and holds a lock on it while you have it open. The file never leaves its folder.',
  },
  { style: 'Heading1', text: 'Try it' },
  { text: 'Write something here: ' },
  {
    text: 'Then save. DocTray replaces the file in a single step, so it is never half written. Open it in your file manager to see the change.',
  },
  { style: 'Heading1', text: 'What happens when you edit' },
  {
    style: 'ListBullet',
    text: '*Opening* takes a lock. Locks in the DocTray window shows this document and your name.',
  },
  {
    style: 'ListBullet',
    text: '*Saving* replaces the file and keeps the version before it. Documents lists the versions, and you can restore any of them.',
  },
  {
    style: 'ListBullet',
    text: '*Closing* releases the lock. If an editor crashes, DocTray marks its lock as stale, and you can clear it.',
  },
  {
    style: 'ListBullet',
    text: '*Other people* can edit with you if your editor supports it. They can’t open anything else in the folder.',
  },
  { style: 'Heading1', text: 'When you’re done' },
  { text: 'Delete this document whenever you like. Nothing depends on it.' },
];
