// Names from the network, as hostile as they come, through PutRelativeFile and RenameFile of a real host. Whatever was
// asked: a plain answer, a legal and free name, every document still there, nothing outside the folder.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import utf7 from 'utf7';
import { decodeUtf7 } from '../../app/wopi/utf7.ts';
import { startTestHost } from '../server/test-host.ts';
import type { TestHost } from '../server/test-host.ts';
import { openWorkplace } from './workplace.ts';
import type { Workplace } from './workplace.ts';

const numRuns = Number(process.env['NAME_RUNS'] ?? 600);
const reserved =
  /^(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\.|$)/i;
const forbidden = /[/\\:*?"<>|\u0000-\u001f\u007f]/;

/** Why a name may not lie in the folder; undefined when it may. */
function complaint(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'empty or a folder';
  if (Buffer.byteLength(name) > 255) return 'longer than 255 bytes';
  if (!name.isWellFormed()) return 'a lone surrogate';
  if (name.normalize('NFC') !== name) return 'not NFC';
  if (forbidden.test(name)) return 'a forbidden character';
  if (/[. ]$/.test(name)) return 'a trailing dot or space';
  if (reserved.test(name)) return 'a reserved stem';
  return undefined;
}

const pathPieces = [
  '..',
  '../',
  '..\\',
  '/',
  '\\',
  '.',
  ' ',
  ':',
  'CON',
  'nul',
  'com1',
  'LPT9',
  '\u00b9',
  '\0',
  '\n',
  '\r\n',
  '\t',
  '\u007f',
  '\u0085',
];
const unicodePieces = [
  '\u202e',
  '\u200b',
  '\ufeff',
  '\ud83d',
  '\ude00',
  '\ud83d\ude00',
  'e\u0301',
  '\u00e9',
  '\u1e9e',
  '\u0130',
  '\u212b',
  '\ufb01',
  '\uffff',
];
const longPieces = [
  'a'.repeat(200),
  '\u65e5'.repeat(90),
  '\ud83d\ude00'.repeat(70),
  '.docx',
  '.DOCX',
  '.tar.gz',
  `.${'x'.repeat(260)}`,
  '%2e%2e%2f',
  '+',
  '-',
];
const familiarPieces = [
  'original',
  'ORIGINAL',
  'taken',
  'Taken.docx',
  'original.docx',
  '.~lock.original.docx#',
  '~$iginal.docx',
  '.~doctray-x.tmp',
  '$(id)',
  'etc/passwd',
];
const pieces = fc.constantFrom(...pathPieces, ...unicodePieces, ...longPieces, ...familiarPieces);
const text = fc.oneof(
  fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units)),
  fc
    .tuple(fc.string({ maxLength: 20 }), fc.constantFrom('.docx', '.odt', '.x y', '.'))
    .map((parts) => parts.join('')),
);
/** What a header can carry at all: no control characters, one byte each. */
const sendable = (value: string): string => value.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '');
const header = fc.oneof(
  { weight: 4, arbitrary: text.map((value) => utf7.encode(value)) },
  { weight: 2, arbitrary: text.map(sendable) },
  { weight: 1, arbitrary: fc.stringMatching(/^[+A-Za-z0-9/=,-]{1,60}$/) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom('+', '+-', '-', '+AA', '+2D0-', '+3gA', '+////-', 'a', '+AC4ALgAv-', '&', '='))
      .map((p) => p.join('')),
  },
);

describe('a host asked for hostile names', () => {
  let workplace: Workplace;
  let test: TestHost;
  let token: string;
  let fileId: string;
  const original = 'the original document';
  const names = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

  before(async () => {
    workplace = await openWorkplace();
    test = await startTestHost();
  });
  after(async () => {
    await test.stop();
    await workplace.close();
  });

  const folderOf = (number: number): string => join(test.folder, `n${number}`);
  async function begin(number: number): Promise<void> {
    for (const left of readdirSync(test.folder)) await rm(join(test.folder, left), { recursive: true });
    await mkdir(folderOf(number));
    await writeFile(join(folderOf(number), 'original.docx'), original);
    await writeFile(join(folderOf(number), 'taken.docx'), 'taken');
    fileId = (await test.host.services.folder()!.openPath(`n${number}/original.docx`)).id;
    const user = test.host.services.users.byLogin(test.owner.login)!;
    token = test.host.services.accessTokens.mint({ user, fileId, mode: 'edit' }).token;
  }
  const call = (override: string, headers: Record<string, string>, body = '') =>
    test.wopi({ method: 'POST', fileId, token, override, headers, body });

  /** Nothing lies where the asked name points to when it is taken as a path. */
  function demandNothingOutside(number: number, asked: string): void {
    assert.deepEqual(readdirSync(test.folder), [`n${number}`]);
    for (const form of [asked, decodeUtf7(asked)]) {
      if (form.includes('\0')) continue;
      const path = resolve(folderOf(number), form.replaceAll('\\', '/'));
      if (path.startsWith(folderOf(number) + sep) || path === folderOf(number) || !existsSync(path)) continue;
      assert.ok(
        lstatSync(path).isDirectory() || !readFileSync(path).toString().startsWith('copy of'),
        `written to ${path}`,
      );
    }
  }
  const isTaken = (name: string, others: string[]): boolean => {
    const fold = (one: string): string => one.normalize('NFC').toUpperCase().toLowerCase();
    return others.some((other) => fold(other) === fold(name));
  };

  it(`makes a legal, free name or refuses plainly for ${numRuns} copies`, async () => {
    let number = 0;
    const kind = fc.constantFrom<('Suggested' | 'Relative')[]>('Suggested', 'Suggested', 'Relative');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(header, kind, fc.boolean()), { minLength: 1, maxLength: 6 }),
        async (requests) => {
          number += 1;
          await begin(number);
          const folder = folderOf(number);
          const contents = new Map<string, string>([
            ['original.docx', original],
            ['taken.docx', 'taken'],
          ]);
          for (const [target, way, overwrite] of requests) {
            const before = names(folder);
            const body = `copy of ${target}`;
            const answer = await call(
              'PUT_RELATIVE',
              { [`X-WOPI-${way}Target`]: target, 'X-WOPI-OverwriteRelativeTarget': String(overwrite) },
              body,
            );
            const told = `${way} ${JSON.stringify(target)} → ${answer.status} ${answer.body.toString()}`;
            assert.ok([200, 400, 409, 501].includes(answer.status), told);
            const isEmpty = target.trim() === '';
            if (way === 'Suggested' && !isEmpty) assert.equal(answer.status, 200, told);
            const now = names(folder);
            const made = now.filter((name) => !before.includes(name));
            if (answer.status === 200) {
              const { Name: name, Url: url } = JSON.parse(answer.body.toString());
              assert.equal(complaint(name), undefined, told);
              assert.ok(now.includes(name), told);
              assert.equal(readFileSync(join(folder, name), 'utf8'), Buffer.from(body).toString(), told);
              assert.doesNotThrow(() => new URL(url), told);
              const decoded = decodeUtf7(target);
              const extension =
                /[^/\\.][^/\\]*(\.[a-z]{1,5})$/.exec(decoded)?.[1] ?? /^(\.[a-z]{1,5})$/.exec(decoded)?.[1];
              if (extension !== undefined && !decoded.includes('\0'))
                assert.ok(name.endsWith(extension), told);
              const isOverwrite = made.length === 0;
              assert.ok(!isOverwrite || (way === 'Relative' && overwrite && before.includes(name)), told);
              if (!isOverwrite) assert.ok(!isTaken(name, before), told);
              assert.deepEqual(made, isOverwrite ? [] : [name], told);
              contents.set(name, Buffer.from(body).toString());
            } else {
              assert.deepEqual(now, before, told);
              const proposal = answer.headers.get('x-wopi-validrelativetarget');
              if (answer.status === 400 && way === 'Relative' && !isEmpty) assert.ok(proposal !== null, told);
              if (proposal !== null)
                assert.equal(complaint(decodeUtf7(proposal)), undefined, `${told} ${proposal}`);
            }
            assert.ok(
              before.every((name) => now.includes(name)),
              told,
            );
            // Nothing is overwritten but what was asked to be, by its own name.
            for (const [name, content] of contents) {
              assert.equal(readFileSync(join(folder, name), 'utf8'), content, `${told}: ${name}`);
            }
            demandNothingOutside(number, target);
          }
        },
      ),
      { numRuns },
    );
  });

  it(`renames to a legal, free name or refuses plainly, ${numRuns} times`, async () => {
    let number = 1_000_000;
    await fc.assert(
      fc.asyncProperty(fc.array(header, { minLength: 1, maxLength: 6 }), async (requests) => {
        number += 1;
        await begin(number);
        const folder = folderOf(number);
        let current = 'original.docx';
        for (const requested of requests) {
          const answer = await call('RENAME_FILE', { 'X-WOPI-RequestedName': requested });
          const told = `rename ${current} to ${JSON.stringify(requested)} → ${answer.status} ${answer.body.toString()}`;
          assert.ok([200, 400].includes(answer.status), told);
          if (answer.status === 400) assert.ok(answer.headers.has('x-wopi-invalidfilenameerror'), told);
          else current = `${JSON.parse(answer.body.toString()).Name}.docx`;
          assert.equal(complaint(current), undefined, told);
          assert.ok(!isTaken(current, ['taken.docx']), told);
          assert.deepEqual(names(folder), [current, 'taken.docx'].toSorted(), told);
          assert.equal(readFileSync(join(folder, current), 'utf8'), original, told);
          assert.equal(readFileSync(join(folder, 'taken.docx'), 'utf8'), 'taken', told);
          const info = await test.wopi({ method: 'GET', fileId, token });
          assert.equal(JSON.parse(info.body.toString()).BaseFileName, current, told);
          demandNothingOutside(number, requested);
        }
      }),
      { numRuns },
    );
  });
});
