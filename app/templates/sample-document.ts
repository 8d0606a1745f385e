// The document the first run offers to open: it tells, inside the editor, what happens to what is typed into it.

import { wordDocument, type Paragraph } from './word.ts';
import type { Paper } from './paper.ts';

const paragraphs: readonly Paragraph[] = [
  { style: 'Title', text: 'Welcome to DocTray' },
  { style: 'Subtitle', text: 'If you can read this in your editor, everything is connected.' },
  {
    text: 'This document lies in the folder you chose, on your own machine. DocTray lends it to your editor, and holds a lock on it for you while it is open.',
  },
  { style: 'Heading1', text: 'Try it' },
  { text: 'Write something here: ' },
  {
    text: 'Now save. The editor sends the whole document back, and DocTray puts it in the place of the old one in a single step. Look at the file in your file manager: it has changed.',
  },
  { style: 'Heading1', text: 'What happens when you edit and save' },
  {
    style: 'ListBullet',
    text: '*Opening* takes a lock. Under Locks in the DocTray window you see this document and your name.',
  },
  {
    style: 'ListBullet',
    text: '*Saving* replaces the file, and keeps the content it had before. Under Documents, its versions can be looked at and restored.',
  },
  {
    style: 'ListBullet',
    text: '*Closing* gives the lock back. Should an editor crash and leave its lock behind, DocTray marks it as stale, and you can clear it by hand.',
  },
  {
    style: 'ListBullet',
    text: '*Others* can edit at the same time, if your editor lets them. Nobody reaches anything else in your folder.',
  },
  { style: 'Heading1', text: 'When you are done' },
  { text: 'Delete this document whenever you like. Nothing depends on it.' },
];

export function sampleDocument(paper: Paper = 'a4'): Uint8Array {
  return wordDocument({ paper, paragraphs });
}
