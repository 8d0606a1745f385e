import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StringStream } from '@codemirror/language';
import { Text } from '@codemirror/state';
import { detectSeparator, nextToken, type Separator } from '../../../renderer/text-editor/csv.ts';

function separatorOf(text: string, extension?: string): Separator {
  return detectSeparator(Text.of(text.split('\n')), extension);
}

test('finds the separator that splits all lines into the same number of columns', () => {
  assert.equal(separatorOf('a,b,c\n1,2,3\n'), ',');
  assert.equal(separatorOf('Name;Price\nMilk;1,20\nBread;3,40\n'), ';');
  assert.equal(separatorOf('a\tb\n1,5\t2\n'), '\t');
  assert.equal(separatorOf('a|b|c\nx, y|2|3\n'), '|');
  assert.equal(separatorOf('"a;b;c",2\n"d",3\n'), ',');
});

test('uses the separator of the extension if the text has none', () => {
  assert.equal(separatorOf(''), ',');
  assert.equal(separatorOf('one column\nonly\n'), ',');
  assert.equal(separatorOf('one column\n', 'tsv'), '\t');
});

function columns(lines: string[], separator: Separator = ','): string[][] {
  const state = { column: 0, isQuoted: false };
  return lines.map((line) => {
    const stream = new StringStream(line, 4, 2);
    const found: string[] = [];
    while (!stream.eol()) {
      stream.start = stream.pos;
      const token = nextToken(stream, state, separator);
      assert.ok(stream.pos > stream.start, 'every token has at least one character');
      if (token !== 'separator') found.push(`${token.replace('column', '')}:${stream.current()}`);
    }
    return found;
  });
}

test('counts columns, also of quoted, doubled and empty values', () => {
  assert.deepEqual(columns(['a,b', '1,,3', ',x']), [['0:a', '1:b'], ['0:1', '2:3'], ['1:x']]);
  assert.deepEqual(columns(['"a, ""b""",c']), [['0:"a, ""b"""', '1:c']]);
  assert.deepEqual(columns(['a,b,c,d,e,f,g']).flat().at(-1), '0:g');
});

test('a quoted value continues on the next line', () => {
  assert.deepEqual(columns(['a,"first', 'second, still",c', 'x,y']), [
    ['0:a', '1:"first'],
    ['1:second, still"', '2:c'],
    ['0:x', '1:y'],
  ]);
});
