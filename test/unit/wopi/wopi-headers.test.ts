import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { test } from 'node:test';
import {
  headerText,
  parseWopiTime,
  readCoolTimestamp,
  readCorrelationId,
  readEditors,
  readFileConversion,
  readLockId,
  readOverride,
  readOverwriteRelativeTarget,
  readSaveFlags,
  readSize,
  wopiTicks,
  wopiTime,
  type ReadHeader,
} from '../../../app/wopi/wopi-headers.ts';
import { fc } from '../../random.ts';

function headers(values: Record<string, string>): ReadHeader {
  const byName = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => byName.get(name.toLowerCase());
}

test('reads the three save flags with each vendor prefix', () => {
  for (const vendor of ['X-EXT', 'X-LOOL', 'X-COOL']) {
    const flags = readSaveFlags(
      headers({
        [`${vendor}-WOPI-IsModifiedByUser`]: 'true',
        [`${vendor}-WOPI-IsAutosave`]: 'False',
        [`${vendor}-WOPI-IsExitSave`]: ' TRUE ',
      }),
    );
    assert.deepEqual(flags, { isModifiedByUser: true, isAutosave: false, isExitSave: true });
  }
});

test('the first vendor prefix present wins, and an absent flag is undefined', () => {
  const flags = readSaveFlags(
    headers({
      'X-COOL-WOPI-IsAutosave': 'true',
      'X-LOOL-WOPI-IsAutosave': 'false',
      'X-EXT-WOPI-IsExitSave': '',
      'X-COOL-WOPI-IsExitSave': 'true',
      'X-EXT-WOPI-IsModifiedByUser': 'maybe',
    }),
  );
  assert.deepEqual(flags, { isModifiedByUser: undefined, isAutosave: false, isExitSave: true });
});

test('reads the timestamp only with Collabora’s prefix', () => {
  const text = '2026-11-20T15:03:00.1234567Z';
  const atMs = Date.UTC(2026, 10, 20, 15, 3, 0, 123);
  assert.deepEqual(readCoolTimestamp(headers({ 'X-COOL-WOPI-Timestamp': text })), {
    ms: atMs,
    ticks: BigInt(atMs) * 10_000n + 4567n,
  });
  assert.equal(
    readCoolTimestamp(headers({ 'X-LOOL-WOPI-Timestamp': text, 'X-EXT-WOPI-Timestamp': text })),
    undefined,
  );
});

test('an empty or unreadable timestamp counts as absent', () => {
  for (const text of [
    '',
    ' ',
    'yesterday',
    '2026-13-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00+99:00',
    '2026-01-01',
    '1763650980',
  ]) {
    assert.equal(readCoolTimestamp(headers({ 'X-COOL-WOPI-Timestamp': text })), undefined, text);
  }
});

test('parses different formats of a time to the same ticks', () => {
  const ticks = parseWopiTime('2026-11-20T15:03:00.1230000Z')?.ticks;
  for (const text of [
    '2026-11-20T15:03:00.123Z',
    '2026-11-20T15:03:00.123000000Z',
    '2026-11-20T15:03:00.123000099Z',
    '2026-11-20T16:03:00.123+01:00',
    '2026-11-20T10:33:00,123-0430',
    '2026-11-20 15:03:00.123',
  ]) {
    assert.equal(parseWopiTime(text)?.ticks, ticks, text);
  }
  assert.notEqual(parseWopiTime('2026-11-20T15:03:00.1230001Z')?.ticks, ticks);
});

test('writes a time in UTC with seven decimals, truncated and not rounded', () => {
  const atMs = Date.UTC(2026, 10, 20, 15, 3, 0, 123);
  assert.equal(wopiTime({ ms: atMs }), '2026-11-20T15:03:00.1230000Z');
  assert.equal(wopiTime({ ms: 0 }), '1970-01-01T00:00:00.0000000Z');
  assert.equal(wopiTime({ ns: BigInt(atMs) * 1_000_000n + 456_789n }), '2026-11-20T15:03:00.1234567Z');
  assert.equal(wopiTime({ ns: -1n }), '1969-12-31T23:59:59.9999999Z');
});

test('parses a written time to the ticks of the file', () => {
  const ns = fc.bigInt({ min: -(10n ** 19n), max: 2n * 10n ** 20n });
  fc.assert(
    fc.property(ns, (time) => {
      assert.equal(parseWopiTime(wopiTime({ ns: time }))?.ticks, wopiTicks({ ns: time }));
    }),
  );
});

test('reads editors as a list without duplicates', () => {
  assert.deepEqual(readEditors(headers({ 'X-WOPI-Editors': 'anna, bob,,anna , ' })), ['anna', 'bob']);
  assert.deepEqual(readEditors(headers({})), []);
});

test('accepts a lock id of up to 1024 bytes of printable ASCII, and an empty one is none', () => {
  const read = (id: string): object => readLockId(headers({ 'X-WOPI-Lock': id }), 'X-WOPI-Lock');
  assert.deepEqual(readLockId(headers({}), 'X-WOPI-Lock'), { kind: 'none' });
  assert.deepEqual(read(''), { kind: 'none' });
  assert.deepEqual(read('{"S":"a b"}'), { kind: 'lock', id: '{"S":"a b"}' });
  assert.deepEqual(read('x'.repeat(1024)), { kind: 'lock', id: 'x'.repeat(1024) });
  for (const id of ['x'.repeat(1025), 'é', 'a\tb', 'a\u007f', '日'])
    assert.equal(Reflect.get(read(id), 'kind'), 'invalid');
  assert.deepEqual(readLockId(headers({ 'x-wopi-oldlock': 'old' }), 'X-WOPI-OldLock'), {
    kind: 'lock',
    id: 'old',
  });
});

test('reads sizes beyond 2^53 exactly, and distinguishes invalid from absent', () => {
  const read = (text: string): unknown => readSize(headers({ 'X-WOPI-Size': text }), 'X-WOPI-Size');
  assert.equal(read('0'), 0n);
  assert.equal(read('9007199254740993'), 9007199254740993n);
  assert.equal(read(''), undefined);
  for (const text of ['-1', '1.5', '0x10', '1e3', 'many', '9'.repeat(21), '1, 1'])
    assert.equal(read(text), 'invalid');
  assert.equal(readSize(headers({}), 'X-WOPI-MaxExpectedSize'), undefined);
  assert.equal(
    readSize(headers({ 'X-WOPI-MaxExpectedSize': '104857600' }), 'X-WOPI-MaxExpectedSize'),
    104857600n,
  );
});

test('reads the override regardless of case', () => {
  assert.equal(readOverride(headers({ 'X-WOPI-Override': 'put_Relative' })), 'PUT_RELATIVE');
  assert.equal(readOverride(headers({ 'X-WOPI-Override': ' ' })), undefined);
  assert.equal(readOverride(headers({})), undefined);
});

test('overwriting requires the value true, conversion only its header', () => {
  for (const text of ['true', 'True', 'TRUE']) {
    assert.ok(readOverwriteRelativeTarget(headers({ 'X-WOPI-OverwriteRelativeTarget': text })));
  }
  for (const text of ['', 'false', '1', 'yes']) {
    assert.ok(!readOverwriteRelativeTarget(headers({ 'X-WOPI-OverwriteRelativeTarget': text })));
  }
  assert.ok(!readOverwriteRelativeTarget(headers({})));
  assert.ok(readFileConversion(headers({ 'X-WOPI-FileConversion': '' })));
  assert.ok(!readFileConversion(headers({})));
});

test('removes characters from a correlation id that could forge a log line', () => {
  const read = (text: string): string | undefined =>
    readCorrelationId(headers({ 'X-WOPI-CorrelationId': text }));
  assert.equal(read('{6F9619FF-8B86-D011-B42D-00C04FC964FF}'), '{6F9619FF-8B86-D011-B42D-00C04FC964FF}');
  assert.equal(read('a b\u001b[31m"\\n'), 'ab31mn');
  assert.equal(read('x'.repeat(500))?.length, 64);
  assert.equal(read('  '), undefined);
});

test('turns any text into a header value that Node accepts', () => {
  assert.equal(headerText('Opened in LibreOffice by Zoë Müller'), 'Opened in LibreOffice by Zoe Muller');
  assert.equal(headerText('“a” couldn’t be saved'), `"a" couldn't be saved`);
  assert.equal(headerText('a\r\nX-Evil: 1'), 'a X-Evil: 1');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const value = headerText(text);
      validateHeaderValue('X-WOPI-LockFailureReason', value);
      assert.ok(value.length <= 256);
    }),
  );
});
