import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensionOf, stemOf, maxNameBytes, typeOf } from '../../../app/contract/names.ts';
import { isLegalName, legalName, nameKey, nameWithSuffix } from '../../../app/wopi/names.ts';

test('an extension is the last dot and what follows', () => {
  assert.equal(extensionOf('Report.docx'), '.docx');
  assert.equal(extensionOf('archive.tar.gz'), '.gz');
  assert.equal(stemOf('archive.tar.gz'), 'archive.tar');
  assert.equal(extensionOf('Report.DOCX'), '.DOCX');
  assert.deepEqual(['Report.DOCX', 'a.tar.gz', '.hidden', 'plain'].map(typeOf), ['docx', 'gz', '', '']);
});

test('finds no extension in a leading-dot file, after a trailing dot, or in a suffix with spaces', () => {
  for (const name of [
    '.profile',
    '..profile',
    'Report',
    'Report.',
    'Dr. No goes home',
    `a.${'x'.repeat(32)}`,
    '',
    '.',
  ]) {
    assert.equal(extensionOf(name), '', name);
    assert.equal(stemOf(name), name);
  }
  assert.equal(extensionOf(`a.${'x'.repeat(31)}`), `.${'x'.repeat(31)}`);
});

test('replaces characters that some system forbids with underscores', () => {
  assert.equal(legalName('a/b\\c:d*e?f"g<h>i|j.docx'), 'a_b_c_d_e_f_g_h_i_j.docx');
  assert.equal(legalName('tab\tnew\nline\u0000nul\u007f\u0085.docx'), 'tab_new_line_nul__.docx');
  assert.equal(legalName('\u2028a\ufffe.docx'), '_a_.docx');
});

test('leaves ordinary names of any script unchanged', () => {
  for (const name of [
    'Q1 (final) [v2].docx',
    'é日本😀.odt',
    'C++ & C#, 100% + %20.docx',
    'می‌خواهم.docx',
    '👨‍👩‍👧.docx',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿.docx',
    'a .docx',
    '_.docx',
    "it's; x=1, ~tilde$.xlsx",
    'COM10.docx',
    'console.docx',
    'company.com',
  ]) {
    assert.equal(legalName(name), name);
    assert.ok(isLegalName(name));
  }
});

test('normalizes names to NFC, also across removed invisible characters', () => {
  assert.equal(legalName('e\u0301.docx'), '\u00e9.docx');
  assert.equal(legalName('e\u00ad\u0301.docx'), '\u00e9.docx');
  assert.ok(!isLegalName('e\u0301.docx'));
});

test('removes direction overrides, which can fake an extension', () => {
  assert.equal(legalName('invoice\u202excod.exe'), 'invoicexcod.exe');
  assert.equal(legalName('\ufeffReport\u200e.docx'), 'Report.docx');
});

test('prefixes Windows device names with an underscore, with any case and extension', () => {
  for (const name of [
    'CON',
    'con.docx',
    'Prn.txt',
    'AUX',
    'nul.tar.gz',
    'COM0',
    'com9.x',
    'LPT1.docx',
    'COM¹.docx',
    'lpt³',
    'con .txt',
    'CONIN$',
  ]) {
    assert.equal(legalName(name), `_${name}`);
    assert.ok(!isLegalName(name));
  }
});

test('prefixes files that Windows interprets automatically with an underscore', () => {
  assert.equal(legalName('desktop.ini'), '_desktop.ini');
  assert.equal(legalName('AutoRun.inf'), '_AutoRun.inf');
});

test('strips white space and dots from both ends, so that no name is hidden', () => {
  assert.equal(legalName('  Report.docx '), 'Report.docx');
  assert.equal(legalName('Report.docx. . .'), 'Report.docx');
  assert.equal(legalName('\u3000Report\u00a0'), 'Report');
  assert.equal(legalName('.bashrc'), 'bashrc');
  assert.equal(legalName('../../etc/passwd'), '_.._etc_passwd');
});

test('changes the names of lock files and temporary files of DocTray and other programs', () => {
  assert.equal(legalName('.~lock.Report.odt#'), '~lock.Report.odt#');
  assert.equal(legalName('.~doctray-1234.tmp'), '~doctray-1234.tmp');
  assert.equal(legalName('~$Report.docx'), '_$Report.docx');
  assert.equal(legalName('.~$Report.docx'), '_$Report.docx');
});

test('returns no name for an empty one, unless a fallback stem is given', () => {
  for (const name of ['', ' ', '.', '..', ' . . ', '\u200b', '\u202e.']) {
    assert.equal(legalName(name), undefined, JSON.stringify(name));
    assert.equal(legalName(name, { fallbackStem: 'Report' }), 'Report');
    assert.ok(!isLegalName(name));
  }
  assert.equal(legalName('.docx', { fallbackStem: 'Report' }), 'Report.docx');
  assert.equal(legalName(`.${'x'.repeat(300)}`, { fallbackStem: 'Report' }), 'x'.repeat(255));
  assert.equal(legalName('', { fallbackStem: '...' }), undefined);
});

test('replaces lone surrogates and keeps pairs', () => {
  assert.equal(legalName('a\ud83d.docx'), 'a_.docx');
  assert.equal(legalName('\udc00a\ud83d\ude00.docx'), '_a😀.docx');
});

test('truncates a long name to 255 bytes between graphemes, and keeps its extension', () => {
  assert.equal(legalName(`${'x'.repeat(300)}.docx`), `${'x'.repeat(250)}.docx`);
  assert.equal(legalName(`${'日'.repeat(100)}.docx`), `${'日'.repeat(83)}.docx`);
  assert.equal(legalName(`${'👨‍👩‍👧'.repeat(20)}.docx`), `${'👨‍👩‍👧'.repeat(13)}.docx`);
  assert.equal(legalName(`${'x'.repeat(249)}e\u0323\u0303.docx`), `${'x'.repeat(249)}.docx`);
  assert.equal(legalName(`a${'\u0323'.repeat(300)}.docx`)?.endsWith('\u0323.docx'), true);
  assert.equal(Buffer.byteLength(legalName('é'.repeat(200)) ?? ''), 254);
  assert.equal(legalName(`${'x'.repeat(100_000)}.docx`)?.length, maxNameBytes);
});

test('truncating leaves no device name and no trailing space', () => {
  assert.equal(legalName(`con${' '.repeat(300)}x.docx`), '_con.docx');
  assert.equal(legalName(`x${' '.repeat(300)}y`), 'x');
});

test('inserts a suffix before the extension, within 255 bytes', () => {
  assert.equal(nameWithSuffix('Report.docx', ' (1)'), 'Report (1).docx');
  assert.equal(nameWithSuffix('archive.tar.gz', ' (1)'), 'archive.tar (1).gz');
  assert.equal(nameWithSuffix(`${'日'.repeat(83)}.docx`, ' (12)'), `${'日'.repeat(81)} (12).docx`);
});

test('names that differ in case or normalization form have the same key', () => {
  const same = [
    ['Report.docx', 'REPORT.DOCX'],
    ['\u00e9.docx', 'E\u0301.docx'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'οδος'],
    ['İ', 'i\u0307'],
    ['ﬁ', 'FI'],
    ['K', '\u212a'],
    ['Ǆ', 'ǅ'],
    ['❤️', '❤'],
    ['\u1fb4', '\u0391\u0301\u0345'],
  ] as const;
  for (const [one, other] of same) assert.equal(nameKey(one), nameKey(other), `${one} ${other}`);
});

test('names that every file system distinguishes have different keys', () => {
  const different = [
    ['a', 'b'],
    ['e', 'é'],
    ['ª', 'a'],
    ['İ', 'I'],
    ['2', '²'],
    ['a b', 'ab'],
  ] as const;
  for (const [one, other] of different) assert.notEqual(nameKey(one), nameKey(other), `${one} ${other}`);
});
