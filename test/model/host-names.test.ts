// Hostile names in PutRelativeFile and RenameFile requests to a real host. Whatever is requested, the answer is valid, the name is
// legal and free, every document is still there, and nothing is written outside the folder.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { after, before, describe, it } from 'node:test';
import utf7 from 'utf7';
import { decodeUtf7 } from '../../app/wopi/utf7.ts';
import { startTestHost } from '../server/test-host.ts';
import type { TestHost } from '../server/test-host.ts';
import { openTestStorage } from './test-storage.ts';
import type { TestStorage } from './test-storage.ts';
import { fc } from '../random.ts';

const numRuns = Number(process.env['NAME_RUNS'] ?? 120);
const reserved =
  /^(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(\.|$)/i;
const forbidden = /[/\\:*?"<>|\u0000-\u001f\u007f]/;

/** Why a name isn't allowed in the folder; undefined if it is. */
function problemOf(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'empty or a folder';
  if (Buffer.byteLength(name) > 255) return 'longer than 255 bytes';
  if (!name.isWellFormed()) return 'a lone surrogate';
  if (name.normalize('NFC') !== name) return 'not NFC';
  if (forbidden.test(name)) return 'a forbidden character';
  if (/[. ]$/.test(name)) return 'a trailing dot or space';
  if (reserved.test(name)) return 'a reserved stem';
  return undefined;
}

/** One character each. */
const characters = Array.from(
  '/\\. :\0\n\t\u007f\u0085\u00b9\u202e\u200b\ufeff\u00e9\u1e9e\u0130\u212b\ufb01\uffff+-',
);
const surrogates = ['\ud83d', '\ude00', '\ud83d\ude00', 'e\u0301', '\r\n'];
const longPieces = ['a'.repeat(200), '\u65e5'.repeat(90), '\ud83d\ude00'.repeat(70), `.${'x'.repeat(260)}`];
const familiarPieces =
  '.. ../ ..\\ CON nul com1 LPT9 .docx .DOCX .tar.gz %2e%2e%2f original ORIGINAL taken Taken.docx original.docx ' +
  '.~lock.original.docx# ~$iginal.docx .~doctray-x.tmp $(id) etc/passwd';
const pieces = fc.constantFrom(...characters, ...surrogates, ...longPieces, ...familiarPieces.split(' '));
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
/** Keeps what a header can contain: no control characters, one byte per character. */
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

describe('a host under hostile names', () => {
  let storage: TestStorage;
  let test: TestHost;
  let token: string;
  let fileId: string;
  const original = 'the original document';
  const names = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

  before(async () => {
    storage = await openTestStorage();
    test = await startTestHost();
  });
  after(async () => {
    await test.stop();
    await storage.close();
  });

  const folderOf = (number: number): string => join(test.folder, `n${number}`);
  async function reset(number: number): Promise<void> {
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

  /** Fails if anything was written where the requested name points as a path. */
  function assertNothingOutside(number: number, requested: string): void {
    assert.deepEqual(readdirSync(test.folder), [`n${number}`]);
    for (const form of [requested, decodeUtf7(requested)]) {
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

  it(`creates copies under legal, free names, or rejects them with a 4xx or 501, in ${numRuns} runs`, async () => {
    let number = 0;
    const kind = fc.constantFrom<('Suggested' | 'Relative')[]>('Suggested', 'Suggested', 'Relative');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(header, kind, fc.boolean()), { minLength: 1, maxLength: 6 }),
        async (requests) => {
          number += 1;
          await reset(number);
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
            const summary = `${way} ${JSON.stringify(target)} → ${answer.status} ${answer.body.toString()}`;
            assert.ok([200, 400, 409, 501].includes(answer.status), summary);
            const isEmpty = target.trim() === '';
            if (way === 'Suggested' && !isEmpty) assert.equal(answer.status, 200, summary);
            const now = names(folder);
            const created = now.filter((name) => !before.includes(name));
            if (answer.status === 200) {
              const { Name: name, Url: url } = JSON.parse(answer.body.toString());
              assert.equal(problemOf(name), undefined, summary);
              assert.ok(now.includes(name), summary);
              assert.equal(readFileSync(join(folder, name), 'utf8'), Buffer.from(body).toString(), summary);
              assert.doesNotThrow(() => new URL(url), summary);
              const decoded = decodeUtf7(target);
              const extension =
                /[^/\\.][^/\\]*(\.[a-z]{1,5})$/.exec(decoded)?.[1] ?? /^(\.[a-z]{1,5})$/.exec(decoded)?.[1];
              if (extension !== undefined && !decoded.includes('\0'))
                assert.ok(name.endsWith(extension), summary);
              const isOverwrite = created.length === 0;
              assert.ok(!isOverwrite || (way === 'Relative' && overwrite && before.includes(name)), summary);
              if (!isOverwrite) assert.ok(!isTaken(name, before), summary);
              assert.deepEqual(created, isOverwrite ? [] : [name], summary);
              contents.set(name, Buffer.from(body).toString());
            } else {
              assert.deepEqual(now, before, summary);
              const proposal = answer.headers.get('x-wopi-validrelativetarget');
              if (answer.status === 400 && way === 'Relative' && !isEmpty)
                assert.ok(proposal !== null, summary);
              if (proposal !== null)
                assert.equal(problemOf(decodeUtf7(proposal)), undefined, `${summary} ${proposal}`);
            }
            assert.ok(
              before.every((name) => now.includes(name)),
              summary,
            );
            // Only a document that the request names exactly may be overwritten.
            for (const [name, content] of contents) {
              assert.equal(readFileSync(join(folder, name), 'utf8'), content, `${summary}: ${name}`);
            }
            assertNothingOutside(number, target);
          }
        },
      ),
      { numRuns },
    );
  });

  it(`renames documents to legal, free names, or rejects with 400, in ${numRuns} runs`, async () => {
    let number = 1_000_000;
    await fc.assert(
      fc.asyncProperty(fc.array(header, { minLength: 1, maxLength: 6 }), async (requests) => {
        number += 1;
        await reset(number);
        const folder = folderOf(number);
        let current = 'original.docx';
        for (const requested of requests) {
          const answer = await call('RENAME_FILE', { 'X-WOPI-RequestedName': requested });
          const summary = `rename ${current} to ${JSON.stringify(requested)} → ${answer.status} ${answer.body.toString()}`;
          assert.ok([200, 400].includes(answer.status), summary);
          if (answer.status === 400) assert.ok(answer.headers.has('x-wopi-invalidfilenameerror'), summary);
          else current = `${JSON.parse(answer.body.toString()).Name}.docx`;
          assert.equal(problemOf(current), undefined, summary);
          assert.ok(!isTaken(current, ['taken.docx']), summary);
          assert.deepEqual(names(folder), [current, 'taken.docx'].toSorted(), summary);
          assert.equal(readFileSync(join(folder, current), 'utf8'), original, summary);
          assert.equal(readFileSync(join(folder, 'taken.docx'), 'utf8'), 'taken', summary);
          const info = await test.wopi({ method: 'GET', fileId, token });
          assert.equal(JSON.parse(info.body.toString()).BaseFileName, current, summary);
          assertNothingOutside(number, requested);
        }
      }),
      { numRuns },
    );
  });
});
