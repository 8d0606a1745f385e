// Saving changes only what was typed, byte for byte. test/unit/text-editor/line-endings.test.ts has more texts and places.

import assert from 'node:assert/strict';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  startTextEditorLab,
  type OpenTextEditor,
  type TextElement,
  type TextEditorLab,
} from './open-text-editor.ts';
import { until } from '../until.ts';

/** Ten million bytes, the largest text that opens. */
function largest(): Buffer {
  const lines = Array.from(
    { length: 180_000 },
    (_, index) =>
      `${index} The quick brown fox jumps over the lazy dog again.${index % 5 === 0 ? '\r\n' : '\n'}`,
  );
  const text = Buffer.from(lines.join('').replace('85000 The', '85000 MARK The'));
  assert.ok(text.length > 10_000_000);
  return text.subarray(0, 10_000_000);
}

/** Lines with every kind of character and ending, without a final newline. The word is typed after each mark. */
const everything = [
  '\ufeffone <first>  \r\n',
  'a\ufeffb <inner BOM>\n',
  '{\t"a": "<tabs and spaces>"   }\t\n',
  'e\u0301 ñ Å 👩‍👩‍👧‍👦<emoji>🏳️‍🌈🇩🇪\r',
  'שלום עולם <right to left> مرحبا \u202eabc\u202c\r\n',
  '\0\u0007\u001b[31mred\u001b[0m\0<control>\0\f\v\u00ad\u00a0\u200b\n',
  'a\u2028b\u2029c\u0085<separators>\n\n\r\n\r\n\r\r\n',
  '\ufffd <like damage> \uffff\r',
  'שלום\u202e<last>',
].join('');
const word = ' word✓';
const marks = everything.match(/<[^>]+>/gu) ?? [];

const latin1 = Buffer.from('Grüße\nMARK\n', 'latin1');

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab({
    files: { 'everything.txt': everything, 'largest.log': largest(), 'damaged.txt': latin1 },
  });
});
after(async () => lab.close());

/** Undoes until the file has this content. One undo reverts everything that was typed in one go. */
async function undo(editor: OpenTextEditor, name: string, content: Buffer): Promise<void> {
  await until('the previous content', async () => {
    for (let count = 0; count < 4; count += 1) await editor.page.keyboard.press('Control+z');
    await editor.page.keyboard.press('Control+s');
    return (await lab.onDisk(name)).equals(content);
  });
}

describe('a text file', () => {
  it('with every kind of character and ending changes only by what was typed, is written only then, and undo restores every byte', async () => {
    const name = 'everything.txt';
    const before = Buffer.from(everything);
    const editor = await lab.open(name);
    await editor.untilStatus('Saved');
    await editor.page.keyboard.press('Control+s');
    await editor.page.keyboard.press('Control+End');
    await editor.polled();
    assert.equal(editor.calls('PUT').length, 0);
    for (const mark of marks) {
      await editor.typeAfter(mark, '');
      await editor.page.keyboard.insertText(word);
    }
    await editor.page.keyboard.press('Control+Home');
    await editor.page.keyboard.type('start ');
    await editor.page.keyboard.press('Control+End');
    await editor.page.keyboard.insertText(' 👍🏽סוף');
    await editor.page.keyboard.press('Control+s');
    let expected = everything.replace('\ufeff', '\ufeffstart ') + ' 👍🏽סוף';
    for (const mark of marks) expected = expected.replace(mark, mark + word);
    await until('the save', async () => (await lab.onDisk(name)).includes('סוף'));
    assert.equal((await lab.onDisk(name)).toString(), expected);

    // after the end of a line, and so with that line's ending
    await editor.frame.locator('.cm-content').focus();
    await editor.typeAfter('<emoji>', '');
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.type('new');
    await editor.page.keyboard.press('Control+s');
    await until('the save', async () => (await lab.onDisk(name)).includes('new'));
    assert.equal((await lab.onDisk(name)).toString(), expected.replace('🇩🇪\r', '🇩🇪\rnew\r'));

    await undo(editor, name, before);
    await editor.page.keyboard.press('Control+a');
    await editor.page.keyboard.press('Delete');
    await editor.page.keyboard.press('Control+s');
    await until('nothing but the BOM', async () => (await lab.onDisk(name)).length === 3);
    await undo(editor, name, before);
    assert.deepEqual(editor.problems, []);
    await editor.close();
  });

  it('of ten million bytes takes letters without delay, changes only by what was typed, and is still saved when it grows', async () => {
    const name = 'largest.log';
    const before = await lab.onDisk(name);
    const editor = await lab.open(name);
    await editor.untilStatus('Saved');
    await editor.setPace(1);
    await editor.typeAfter('MARK', '');
    const fastestMs = await editor.frame.evaluate(async () => {
      let ms = Infinity;
      for (let count = 0; count < 20; count += 1) {
        const startMs = performance.now();
        document.execCommand('insertText', false, 'x');
        await new Promise((resolve) => requestAnimationFrame(resolve));
        ms = Math.min(ms, performance.now() - startMs);
      }
      return ms;
    });
    // Other processes delay most letters on a busy computer, and a slow editor all of them.
    assert.ok(fastestMs < 50, `each letter takes ${fastestMs} ms or longer`);
    await editor.page.keyboard.insertText(word);
    await editor.page.keyboard.press('Control+s');
    await until('the save', () => editor.calls('PUT').some(({ status }) => status === 200));
    await editor.untilStatus('Saved');
    const at = before.indexOf('MARK') + 4;
    const typed = Buffer.from('x'.repeat(20) + word);
    const expected = Buffer.concat([before.subarray(0, at), typed, before.subarray(at)]);
    assert.ok(
      (await lab.onDisk(name)).equals(expected),
      'the letters are added, everything else is unchanged',
    );

    const line = `${'x'.repeat(99)}\n`;
    // Pasting dispatches the same change, but takes the browser minutes.
    await editor.frame.evaluate((insert) => {
      const { view } = document.querySelector<TextElement>('.cm-content')!.cmTile;
      view.dispatch({ changes: { from: 0, insert } });
    }, line.repeat(2000));
    // The first line ends with CRLF.
    const grown = expected.length + 2000 * (line.length + 1);
    const shownSize = `${grown.toLocaleString('en-US')} bytes`;
    await editor.untilShown(`This file is ${shownSize}. The text editor opens files up to 10 MB.`);
    assert.match((await editor.notices()).join(), /10 MB\. It’s still saved/);
    await until('the text on disk', async () => (await stat(join(lab.host.folder, name))).size === grown);

    const content = await lab.onDisk(name);
    const smaller = content.subarray(0, 9_400_000);
    await lab.write(name, Buffer.concat([Buffer.from('elsewhere\n'), smaller]));
    await editor.page.keyboard.press('Control+Home');
    await editor.frame.locator('.cm-line', { hasText: /^elsewhere$/u }).waitFor();
    await until('no notice', async () => (await editor.notices()).length === 0);
    assert.equal(await editor.status(), 'Saved');
    assert.deepEqual(editor.problems, []);
    await editor.close();
  });
});

describe('a file that cannot be edited', () => {
  it('opens read-only when it isn’t UTF-8, shows what can be read, also of UTF-16, isn’t downloaded when it is larger than 10 MB, and is never written', async () => {
    const name = 'damaged.txt';
    const editor = await lab.open(name);
    await editor.untilStatus('Read only');
    assert.deepEqual(await editor.notices(), [
      'This file isn’t valid UTF-8 text, so editing could damage it. Characters that can’t be read are shown as �.',
    ]);
    assert.equal(await editor.text(), 'Gr\ufffd\ufffde\nMARK\n');
    await editor.typeAfter('MARK', 'typed');
    await editor.page.keyboard.press('Control+s');
    assert.equal(await editor.text(), 'Gr\ufffd\ufffde\nMARK\n');
    await editor.untilUnlocked();
    await editor.press('More');
    await editor.frame.getByRole('menuitem').first().waitFor();
    assert.deepEqual(await editor.frame.getByRole('menuitem').allInnerTexts(), [
      'Rename…',
      'Go to line…',
      'Help',
    ]);
    assert.deepEqual(await lab.onDisk(name), latin1);

    const utf16 = Buffer.from('\ufeffGrüße\nMARK\n', 'utf16le');
    await lab.write(name, utf16);
    await editor.untilShown('UTF-16');
    assert.equal(await editor.status(), 'Read only');
    // The notice comes first.
    await until('the text', async () => (await editor.text()) === 'Grüße\nMARK\n');
    await editor.typeAfter('MARK', 'typed');
    await editor.page.keyboard.press('Control+s');

    const reads = editor.calls('GET_FILE').length;
    const tooLarge = Buffer.alloc(10_000_001, 'a');
    // At once: a text that is open may grow.
    await lab.write('larger.txt', tooLarge);
    await rename(join(lab.host.folder, 'larger.txt'), join(lab.host.folder, name));
    await editor.untilShown('This file is 10,000,001 bytes. The text editor opens files up to 10 MB.');
    await editor.page.keyboard.press('Control+s');
    await editor.leave();
    const refused = editor.calls('GET_FILE').slice(reads);
    assert.ok(refused.every(({ status }) => status === 412));
    assert.equal(editor.calls('PUT').length, 0);
    assert.ok((await lab.onDisk(name)).equals(tooLarge));
    assert.deepEqual(editor.problems, []);
    await editor.close();
  });
});
