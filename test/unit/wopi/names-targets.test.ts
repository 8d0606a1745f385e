import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  candidateNames,
  conflictName,
  relativeTargetName,
  requestedName,
  suggestedTargetName,
  uniqueName,
} from '../../../app/wopi/target-names.ts';
import { nameKey } from '../../../app/wopi/names.ts';

const suggested = (text: string, currentName = 'Report.docx'): string =>
  suggestedTargetName({ suggested: text, currentName });
const requested = (text: string, currentName = 'Report.docx'): string | undefined =>
  requestedName({ requested: text, currentName });

test('appends an extension without a stem to the stem of the current name', () => {
  assert.equal(suggested('.pdf'), 'Report.pdf');
  assert.equal(suggested('.PDF', 'archive.tar.gz'), 'archive.tar.PDF');
  assert.equal(suggested('.docx', 'notes'), 'notes.docx');
  assert.equal(suggested('.tar.gz'), 'Report.tar.gz');
  assert.equal(suggested('..pdf'), 'Report.pdf');
  assert.equal(suggested('.p/df'), 'df.docx');
  assert.equal(suggested('.p:df'), 'Report.p_df');
});

test('uses a full name as it is, and only the last part of a path', () => {
  assert.equal(suggested('Copy of Report.odt'), 'Copy of Report.odt');
  assert.equal(suggested('a/b\\Copy.docx'), 'Copy.docx');
  assert.equal(suggested('../../etc/passwd.docx'), 'passwd.docx');
  assert.equal(suggested('C:\\Users\\me\\Copy.docx'), 'Copy.docx');
  assert.equal(suggested('a/b/'), 'b.docx');
  assert.equal(suggested('CON.docx'), '_CON.docx');
});

test('a full name without an extension gets the current one', () => {
  assert.equal(suggested('Copy'), 'Copy.docx');
  assert.equal(suggested('Dr. No goes home'), 'Dr. No goes home.docx');
  assert.equal(suggested('Copy', 'notes'), 'Copy');
});

test('uses the current name if the suggestion has none', () => {
  for (const text of ['', '.', '..', '/', ' ', '\\\\', '. .', '\u200b']) {
    assert.equal(suggested(text), 'Report.docx', JSON.stringify(text));
  }
  assert.equal(suggested('', '...'), 'Document');
});

test('accepts a legal relative target, and answers others with a suggestion', () => {
  const relative = (text: string): object =>
    relativeTargetName({ relative: text, currentName: 'Report.docx' });
  assert.deepEqual(relative('Copy.docx'), { isLegal: true, name: 'Copy.docx' });
  assert.deepEqual(relative('e\u0301.docx'), { isLegal: true, name: '\u00e9.docx' });
  assert.deepEqual(relative('a:b.docx'), { isLegal: false, name: 'a_b.docx' });
  assert.deepEqual(relative('sub/Copy.docx'), { isLegal: false, name: 'Copy.docx' });
  assert.deepEqual(relative(''), { isLegal: false, name: 'Report.docx' });
});

test('a rename keeps the extension and never doubles it', () => {
  assert.equal(requested('Summary'), 'Summary.docx');
  assert.equal(requested('Summary.docx'), 'Summary.docx');
  assert.equal(requested('Summary.DOCX'), 'Summary.docx');
  assert.equal(requested('summary.docx', 'Report.DOCX'), 'summary.DOCX');
  assert.equal(requested('Summary.pdf'), 'Summary.pdf.docx');
  assert.equal(requested('v1.2'), 'v1.2.docx');
  assert.equal(requested('report'), 'report.docx');
  assert.equal(requested('end. '), 'end.docx');
  assert.equal(requested('Summary', 'notes'), 'Summary');
});

test('a rename to an illegal name gets a legal one, and to an empty name none', () => {
  assert.equal(requested('a/b:c'), 'a_b_c.docx');
  assert.equal(requested('CON'), '_CON.docx');
  assert.equal(requested('.hidden'), 'hidden.docx');
  assert.equal(requested('x'.repeat(400)), `${'x'.repeat(250)}.docx`);
  for (const text of ['', ' ', '.', '...', '.docx', '\u200b', ' . '])
    assert.equal(requested(text), undefined, text);
});

test('numbers a name that is taken in another case or normalization form', () => {
  const taken = new Set(['REPORT.docx', 'Report (1).DOCX', 'E\u0301.odt'].map(nameKey));
  const isTaken = (name: string): boolean => taken.has(nameKey(name));
  assert.equal(uniqueName('Report.docx', isTaken), 'Report (2).docx');
  assert.equal(uniqueName('é.odt', isTaken), 'é (1).odt');
  assert.equal(uniqueName('free.odt', isTaken), 'free.odt');
});

test('stops if no name is free', () => {
  assert.equal(
    uniqueName('a.docx', () => true),
    undefined,
  );
  assert.deepEqual([...candidateNames('a.docx', 3)], ['a.docx', 'a (1).docx', 'a (2).docx']);
});

test('a numbered name fits into 255 bytes', () => {
  const long = `${'x'.repeat(250)}.docx`;
  assert.equal(
    uniqueName(long, (name) => name === long),
    `${'x'.repeat(246)} (1).docx`,
  );
});

test('the name of a conflict copy has the local date and time, within 255 bytes', () => {
  const atMs = new Date(2026, 10, 20, 15, 3, 59).getTime();
  assert.equal(conflictName('Report.docx', atMs), 'Report (conflict 2026-11-20 1503).docx');
  const early = new Date(2027, 0, 2, 3, 4).getTime();
  assert.equal(conflictName('notes', early), 'notes (conflict 2027-01-02 0304)');
  const long = conflictName(`${'日'.repeat(83)}.docx`, atMs);
  assert.ok(long.endsWith('日 (conflict 2026-11-20 1503).docx'));
  assert.ok(Buffer.byteLength(long) <= 255);
});
