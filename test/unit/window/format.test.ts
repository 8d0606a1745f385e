import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  formatDuration,
  formatElapsed,
  formatRelative,
  relativeChangesInMs,
} from '../../../app/contract/format.ts';
import { splitName } from '../../../app/contract/names.ts';
import { splitPath } from '../../../renderer/window/parts/format.ts';

const minute = 60_000;

/** With no-break spaces: a number and its unit stay on one line. */
const unbroken = (duration: string) => duration.replaceAll(' ', '\u{a0}');

describe('formatting numbers and times', () => {
  it('rounds durations down, so that a lock is never shown as older than it is', () => {
    assert.deepEqual(
      [-5, 59_999, 22 * minute + 59_000, 65 * minute, 120 * minute, 30 * 60 * minute, 72 * 60 * minute].map(
        formatDuration,
      ),
      ['0 s', '59 s', '22 min', '1 h 5 min', '2 h', '30 h', '3 d'].map(unbroken),
    );
    assert.deepEqual([12.4, 1449].map(formatElapsed), ['12 ms', '1.4 s'].map(unbroken));
  });

  it('shows past and future times in one unit', () => {
    const say = (away: number) => formatRelative(1e12 + away, 1e12);
    const said = [-3000, -25_000, -minute, -119_000, 26 * minute, 3000].map(say).join(', ');
    const expected = 'just now, 20 s ago, 1 min ago, 1 min ago, in 26 min, in a moment';
    assert.equal(said.replaceAll('\u{a0}', ' '), expected);
  });

  it('rounds future times, so that what expires in 10 hours or 30 days still does so a second later', () => {
    const hour = 60 * minute;
    const say = (away: number) => formatRelative(1e12 + away, 1e12);
    assert.deepEqual(
      [10 * hour - 1000, 9.4 * hour, 720 * hour - 1000, 47.6 * hour, 59.6 * minute, 59_000].map(say),
      ['10 h', '9 h', '30 d', '2 d', '1 h', '1 min'].map((duration) => `in ${unbroken(duration)}`),
    );
  });

  it('names the day of a time that is at least 24 hours ago', () => {
    const nowMs = new Date(2026, 10, 20, 18, 30).getTime();
    const say = (...at: [number, number, number, number, number]) =>
      formatRelative(new Date(...at).getTime(), nowMs);
    assert.equal(say(2026, 10, 19, 18, 31), `${unbroken('23 h')} ago`);
    assert.equal(say(2026, 10, 19, 18, 30), 'yesterday 18:30');
    assert.equal(say(2026, 10, 19, 0, 0), 'yesterday 00:00');
    assert.equal(say(2026, 10, 18, 23, 59), '18 Nov');
    assert.equal(say(2025, 11, 31, 12, 0), '31 Dec 2025');
    assert.equal(formatRelative(new Date(2026, 10, 18).getTime(), nowMs, 'en-US'), 'Nov 18');
  });

  it('says when a relative time changes, neither too early nor too late', () => {
    const past = [-3000, -25_000, -61_000, -59_999, -7_300_000, -100_000_000, -200_000_000];
    const soon = [3000, 7000, 12_000, 55_000, 61_000, 26 * minute, 62 * minute];
    const later = [3_576_000, 7_300_000, 35_999_000, 171_400_000, 200_000_000];
    for (const away of [...past, ...soon, ...later]) {
      const nowMs = 1e12;
      const atMs = nowMs + away;
      const changesInMs = relativeChangesInMs(atMs, nowMs);
      const words = formatRelative(atMs, nowMs);
      assert.equal(formatRelative(atMs, nowMs + changesInMs - 1), words, `too early for ${away}`);
      // a date stays the same for longer than a day
      if (away > -24 * 60 * minute)
        assert.notEqual(formatRelative(atMs, nowMs + changesInMs), words, `too late for ${away}`);
    }
  });

  it('splits a path into folder and name', () => {
    assert.deepEqual(splitPath('Finance/2026/Budget.xlsx'), { name: 'Budget.xlsx', folder: 'Finance/2026' });
    assert.deepEqual(splitPath('Budget.xlsx'), { name: 'Budget.xlsx', folder: '' });
    const disguised = splitPath('a/\u202egnp.scr');
    assert.deepEqual(disguised, { name: '\ufffdgnp.scr', folder: 'a' }, 'a program can’t pass for a picture');
  });

  it('cuts a name before its last word or letters, and never inside a character', () => {
    assert.deepEqual(splitName('Budget.xlsx'), ['Budg', 'et.xlsx'], 'no dot follows the ellipsis');
    assert.deepEqual(splitName('minutes of 1999.doc'), ['minutes of ', '1999.doc']);
    assert.deepEqual(splitName('a.md'), ['', 'a.md']);
    assert.deepEqual(splitName('README'), ['READ', 'ME']);
    assert.deepEqual(splitName('مناقشة 2026.docx'), ['مناقشة 2026.docx', ''], 'right to left');
    assert.deepEqual(splitName('Minutes of the meeting, corrected.docx'), [
      'Minutes of the meeting, ',
      'corrected.docx',
    ]);
    const family = '👩‍👩‍👧‍👦';
    assert.deepEqual(splitName(`aaaaaaaaaaaaaaaaaaaa${family}bbb.docx`), [
      'aaaaaaaaaaaaaaaaaaaa',
      `${family}bbb.docx`,
    ]);
  });
});
