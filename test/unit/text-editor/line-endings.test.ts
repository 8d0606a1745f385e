import assert from 'node:assert/strict';
import { test } from 'node:test';
import { history, redo, undo } from '@codemirror/commands';
import { ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import {
  endingName,
  endingsOf,
  isSameText,
  keepEndings,
  readDamagedText,
  readText,
  withEndingsOf,
  writeText,
  type FileText,
} from '../../../renderer/text-editor/line-endings.ts';
import { fc } from '../../random.ts';

function read(text: string | Uint8Array): FileText {
  const found = readText(typeof text === 'string' ? Buffer.from(text) : text);
  assert.ok(found !== undefined);
  return found;
}

function written(text: FileText): string {
  return Buffer.from(writeText(text)).toString();
}

/** An editor state without a view. */
function editorOf(text: string) {
  const { doc, endings, hasBom } = read(text);
  let state = EditorState.create({ doc, extensions: [keepEndings(endings), history()] });
  const current = (): FileText => ({ doc: state.doc, endings: endingsOf(state), hasBom });
  const dispatch = (transaction: Transaction): void => {
    ({ state } = transaction);
  };
  return {
    get state() {
      return state;
    },
    current,
    bytes: () => written(current()),
    change: (spec: TransactionSpec) => dispatch(state.update(spec)),
    undoAll: () => {
      let count = 0;
      while (undo({ state, dispatch })) count += 1;
      return count;
    },
    redoAll: () => {
      while (redo({ state, dispatch }));
    },
  };
}

const texts: [name: string, text: string, ending: string][] = [
  ['an empty file', '', 'LF'],
  ['LF', 'a\nb\n', 'LF'],
  ['CRLF', 'a\r\nb\r\n', 'CRLF'],
  ['lone CR', 'a\rb\rc', 'CR'],
  ['mixed, most of them LF', 'a\nb\r\nc\nd\re\n', 'Mixed'],
  ['mixed, most of them CRLF', 'a\r\nb\nc\r\n', 'Mixed'],
  ['CR before CRLF', 'a\r\r\nb', 'Mixed'],
  ['LF before CR', 'a\n\rb', 'Mixed'],
  ['without a final newline', 'a\nb', 'LF'],
  ['only line breaks', '\r\n\n\r\n\r', 'Mixed'],
  ['with a BOM', '\ufeffa\r\nb', 'CRLF'],
  ['with two BOMs', '\ufeff\ufeffa', 'LF'],
  ['with a BOM inside', 'a\ufeffb\n', 'LF'],
  ['NUL and control characters', 'a\0b\u0007\u001b[1m\u0085\u2028\u2029c\v\f\n', 'LF'],
  ['emoji, right to left, combining', '👩‍👩‍👧 שלום عربي e\u0301\r\n', 'CRLF'],
];

for (const [name, text, ending] of texts) {
  test(`reads and writes ${name} unchanged`, () => {
    const file = read(text);
    assert.equal(written(file), text);
    assert.equal(endingName(file.doc, file.endings), ending);
    assert.ok(isSameText(file, read(text)));
    assert.equal(editorOf(text).bytes(), text);
  });
}

test('rejects text that isn’t UTF-8', () => {
  for (const hex of 'ff 6180 c3 610ac3 c080 efbbbf61ff eda080 f4908080 fffe6100'.split(' '))
    assert.equal(readText(Buffer.from(hex, 'hex')), undefined, hex);
});

test('shows UTF-16 without a BOM and doesn’t edit it, even if its bytes are valid UTF-8', () => {
  const plain = Buffer.from('Hello world, plain UTF-16\n', 'utf16le');
  for (const bytes of [plain, Buffer.from(plain).swap16()]) {
    assert.equal(readText(bytes), undefined);
    const { encoding, shown } = readDamagedText(bytes);
    assert.deepEqual([encoding, shown.doc.toString()], ['UTF-16', 'Hello world, plain UTF-16\n']);
  }
  // NUL characters alone don't make text UTF-16.
  for (const text of ['a\0b\0\0c', '\0\0\0\0\0\0', '\0a', 'columns\0of\0a\0record']) {
    assert.equal(readText(Buffer.from(text))?.doc.toString(), text);
  }
});

test('shows text that is not UTF-8: UTF-16 by its BOM, else with replacement characters', () => {
  const utf16 = readDamagedText(Buffer.from('\ufeffGrüße\n', 'utf16le'));
  assert.deepEqual([utf16.encoding, utf16.shown.doc.toString()], ['UTF-16', 'Grüße\n']);
  const latin1 = readDamagedText(Buffer.from('Grüße', 'latin1'));
  assert.deepEqual([latin1.encoding, latin1.shown.doc.toString()], ['unknown', 'Gr\ufffd\ufffde']);
});

test('a new line gets the ending of the file, or of its line in a mixed file', () => {
  const crlf = editorOf('a\r\nb\r\n');
  crlf.change({ changes: { from: 1, insert: '\nx\ny' } });
  assert.equal(crlf.bytes(), 'a\r\nx\r\ny\r\nb\r\n');

  const mixed = editorOf('a\nb\nc\r\nd\n');
  mixed.change({ changes: { from: 5, insert: '\nx' } });
  assert.equal(mixed.bytes(), 'a\nb\nc\r\nx\r\nd\n');
  mixed.change({ changes: { from: 1, insert: '\nx' } });
  assert.equal(mixed.bytes(), 'a\nx\nb\nc\r\nx\r\nd\n');
  const last = editorOf('a\nb\nc\r\nd');
  last.change({ changes: { from: 7, insert: '\n' } });
  assert.equal(last.bytes(), 'a\nb\nc\r\nd\r\n');
});

/** A change from one place to another; the end is after the last character. */
const edits: [
  name: string,
  before: string,
  change: [from: number, to: number, insert: string],
  after: string,
][] = [
  ['at the start with a BOM', '\ufeffone\n', [0, 0, 'x'], '\ufeffxone\n'],
  ['in nothing but a BOM', '\ufeff', [0, 0, 'x'], '\ufeffx'],
  ['in an empty file', '', [0, 0, 'x\n'], 'x\n'],
  ['at the end without a final newline', 'a\nb', [3, 3, 'x'], 'a\nbx'],
  ['a new line after CRLF', 'a\r\nb', [3, 3, '\nx'], 'a\r\nb\r\nx'],
  ['a new line after CR', 'a\rb\r', [4, 4, 'x\n'], 'a\rb\rx\r'],
  ['the final CRLF deleted', 'a\r\n', [1, 2, ''], 'a'],
  ['a CR and an LF that become neighbors', 'a\rx\nb', [2, 3, ''], 'a\r\rb'],
  ['lines of two endings joined', 'a\r\nb\nc\rd', [1, 2, ''], 'ab\nc\rd'],
  ['before U+2028', 'a\u2028b\u2029c\u0085d\n', [1, 1, 'x'], 'ax\u2028b\u2029c\u0085d\n'],
  ['pasted line breaks', 'a\nb\n', [1, 1, '\r\n1\r2'], 'a\n1\n2\nb\n'],
  ['between NUL bytes', '\0a\0\n\0', [3, 3, 'x'], '\0a\0x\n\0'],
];

for (const [name, before, [from, to, insert], after] of edits) {
  test(`a change replaces only its own bytes: ${name}`, () => {
    const editor = editorOf(before);
    editor.change({ changes: { from, to, insert: editor.state.toText(insert) } });
    assert.equal(editor.bytes(), after);
    editor.undoAll();
    assert.equal(editor.bytes(), before);
  });
}

test('undo restores the endings of deleted lines, and redo deletes them again', () => {
  const text = 'a\nb\r\nc\rd\ne\n';
  const editor = editorOf(text);
  editor.change({ changes: { from: 0, to: editor.state.doc.length }, userEvent: 'delete' });
  assert.equal(editor.bytes(), '');
  editor.undoAll();
  assert.equal(editor.bytes(), text);
  editor.redoAll();
  assert.equal(editor.bytes(), '');
});

test('merged changes from disk keep their endings, and typed text keeps its own, also after undo', () => {
  const editor = editorOf('a\nb\nc\r\nd\n');
  const base = editor.state.doc;
  editor.change({ changes: { from: 5, insert: '\nmine' } });
  assert.equal(editor.bytes(), 'a\nb\nc\r\nmine\r\nd\n');
  const next = readText(Buffer.from('a\r\nb\nc\r\nd\nnew\r\n'), '\n');
  assert.ok(next !== undefined);
  const mine = ChangeSet.of({ from: 5, insert: '\nmine' }, base.length);
  const theirs = ChangeSet.of({ from: base.length, insert: 'new\n' }, base.length);
  editor.change({
    changes: theirs.map(mine),
    effects: withEndingsOf(next.endings, editor.state, mine, theirs),
    annotations: Transaction.addToHistory.of(false),
  });
  assert.equal(editor.bytes(), 'a\r\nb\nc\r\nmine\r\nd\nnew\r\n');
  editor.undoAll();
  assert.equal(editor.bytes(), 'a\r\nb\nc\r\nd\nnew\r\n');
});

const mixedText = fc
  .array(fc.tuple(fc.string({ maxLength: 4 }), fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 })
  .map((lines) => lines.map(([line, ending]) => line.replaceAll(/[\r\n]/g, '') + ending).join(''));

test('reads and writes any text unchanged, and undoes and redoes any edits', () => {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(6),
    insert: fc.constantFrom('', 'x', '\n', 'x\ny', '\n\n'),
    isJoined: fc.boolean(),
  });
  fc.assert(
    fc.property(mixedText, fc.array(edit, { maxLength: 10 }), (text, edits) => {
      const editor = editorOf(text);
      assert.equal(editor.bytes(), text);
      for (const { at, length, insert, isJoined } of edits) {
        const from = Math.floor(at * editor.state.doc.length);
        editor.change({
          changes: {
            from,
            to: Math.min(editor.state.doc.length, from + length),
            insert: editor.state.toText(insert),
          },
          userEvent: isJoined ? 'input.type' : 'input.paste',
        });
        // Each line break in the editor is one in the file.
        assert.equal(read(editor.bytes()).doc.toString(), editor.state.doc.toString());
      }
      const edited = editor.bytes();
      editor.undoAll();
      assert.equal(editor.bytes(), text);
      editor.redoAll();
      assert.equal(editor.bytes(), edited);
      editor.undoAll();
      assert.equal(editor.bytes(), text);
    }),
    { numRuns: 2000 },
  );
});
