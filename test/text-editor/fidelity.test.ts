// What was not typed is the same, byte for byte.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTextEditorLab, type TextEditorLab } from './open-text-editor.ts';

const corpus: Record<string, { content: Buffer; typeAfter: string }> = {
  'lf.txt': { content: Buffer.from('one\ntwo\nthree\n'), typeAfter: 'two' },
};

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab({
    files: Object.fromEntries(Object.entries(corpus).map(([name, { content }]) => [name, content])),
  });
});
after(async () => lab.close());

describe('a text file', () => {
  for (const [name, { content, typeAfter }] of Object.entries(corpus)) {
    it(`${name}: changes by what was typed, and by nothing else`, async () => {
      const editor = await lab.open(name);
      await editor.untilStatus('Saved');
      await editor.typeAfter(typeAfter, ' word');
      await editor.page.keyboard.press('Control+s');
      await editor.untilStatus('Saved');
      const at = content.indexOf(typeAfter) + Buffer.byteLength(typeAfter);
      const expected = Buffer.concat([content.subarray(0, at), Buffer.from(' word'), content.subarray(at)]);
      assert.deepEqual(await lab.onDisk(name), expected);
      assert.deepEqual(editor.problems, []);
      await editor.close();
    });
  }
});
