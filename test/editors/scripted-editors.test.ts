// The parts of the scripted editors, compared with what is known of the real ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixtureNames, readFixture, unpack, withRemark } from './office-zip.ts';
import { encodeUtf7 } from './utf7-encoder.ts';
import { ticksNow } from './wire.ts';

const vectors: [text: string, closed: string, terse: string][] = [
  ['_', '+AF8-', '+AF8-'],
  ['a+b', 'a+-b', 'a+-b'],
  ['\u00e9.docx', '+AOk-.docx', '+AOk.docx'],
  ['\u{1f600}', '+2D3eAA-', '+2D3eAA-'],
  ['\u65e5\u672c', '+ZeVnLA-', '+ZeVnLA-'],
  ['%20', '+ACU-20', '+ACU-20'],
  ['Q1 (final) [v2].docx', 'Q1+ACA-(final)+ACAAWw-v2+AF0-.docx', 'Q1 (final) +AFs-v2+AF0.docx'],
];

for (const [text, closed, terse] of vectors) {
  test(`encodes ${text} as ${closed} in ONLYOFFICE’s style and as ${terse} in the others’`, () => {
    assert.equal(encodeUtf7(text, 'closed'), closed);
    assert.equal(encodeUtf7(text, 'terse'), terse);
  });
}

for (const name of fixtureNames) {
  test(`${name} is valid with and without a remark, and unpacking detects corruption`, async () => {
    const document = await readFixture(name);
    assert.ok(document.length < 32_768);
    const parts = unpack(document);
    assert.ok(parts.includes(name.endsWith('.odt') ? 'content.xml' : '[Content_Types].xml'));
    const remarked = withRemark(withRemark(document, 'a remark that is replaced'), 'a remark');
    assert.deepEqual(unpack(remarked), parts);
    assert.ok(!remarked.equals(document));
    assert.throws(() => unpack(document.subarray(0, document.length - 30)));
    const damaged = Buffer.from(document);
    const at = Math.floor(document.length / 2);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at);
    assert.throws(() => unpack(damaged));
  });
}

test('a TimeStamp counts ticks of 100 ns since the year 1', () => {
  const ms = Number((ticksNow() - 621_355_968_000_000_000n) / 10_000n);
  assert.ok(Math.abs(ms - Date.now()) < 10_000);
});
