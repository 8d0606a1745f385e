import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '../../../renderer/window/activity/export.ts';
import { makeActivity } from '../../window/harness/rows.ts';

function entryWith(documentPath: string | null) {
  return { ...makeActivity(7, Date.UTC(2026, 6, 27, 12, 0, 5)), id: '7', documentPath, code: null };
}

function lineOf(documentPath: string | null): string {
  return toCsv([entryWith(documentPath)]).split('\r\n')[1] ?? '';
}

test('requests as CSV begin with titles, end lines with CRLF, and have quotes where needed and times in ISO 8601', () => {
  const text = toCsv([entryWith('a "b", c\nd')]);
  const [titles, line] = text.split('\r\n');
  assert.equal(
    titles,
    'sequence,time,operation,method,path,document,isVersion,fileId,user,status,code,durationMs,lock,correlationId,address,bytesIn,bytesOut',
  );
  assert.match(line ?? '', /^7,2026-07-27T12:00:05\.000Z,/u);
  assert.match(text, /,"a ""b"", c\nd",/u);
  assert.ok(text.endsWith('\r\n'));
});

test('requests as CSV escape cells that a spreadsheet would run as formulas, and leave missing values empty', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r'])
    assert.match(lineOf(`${start}cmd`), /,"?'[=+\-@\t\r]cmd"?,/u, JSON.stringify(start));
  assert.match(lineOf('=HYPERLINK("http://x","y")'), /,"'=HYPERLINK\(""http:\/\/x"",""y""\)",/u);
  assert.match(lineOf(null), /,,/u);
});
