// Editors that lie in every header, other programs that replace, cut, delete and rename, a disk that fails and a folder that goes
// away: every complete body that was ever sent is found by its bytes, and the words on the document's page agree with what is in the
// file.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createChanges } from '../../renderer/host-page/changes.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import { startTestHost, type TestHost } from '../server/test-host.ts';
import { fc } from '../random.ts';

const runs = Number(process.env['BODY_RUNS'] ?? 40);
const word = await readFile(new URL('../fixtures/letter.docx', import.meta.url));
const minuteMs = 60_000;

const optional = (...values: string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );
/** What an editor says of its save, true or not. `{size}` and `{time}` are replaced by the right value. */
const headers = fc.record({
  'X-LOOL-WOPI-IsModifiedByUser': fc.constantFrom(undefined, 'true', 'false', 'perhaps'),
  'X-EXT-WOPI-IsExitSave': optional('true', 'false'),
  'X-COOL-WOPI-IsAutosave': optional('true', ''),
  'X-COOL-WOPI-Timestamp': optional('{time}', '2020-01-01T00:00:00Z', 'yesterday'),
  'X-WOPI-Size': optional('{size}', '1', '-1', 'large'),
  'X-WOPI-Editors': optional('nobody', ',,'),
  'Content-Encoding': optional('identity', 'gzip'),
  'X-WOPI-Lock': fc.oneof(
    { weight: 9, arbitrary: fc.constant('L') },
    { weight: 1, arbitrary: fc.constantFrom('other', '', 'x'.repeat(1025)) },
  ),
});
const content = fc.constantFrom('document', 'document', 'cut document', 'text', 'empty', 'again');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('save' as const), content, headers }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copy' as const), content, headers }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'lock',
        'unlock',
        'read',
        'force-clear',
        'lapse',
        'replace',
        'touch',
        'cut',
        'delete',
        'move',
        'protect',
        'folder away',
        'folder back',
        'restart',
      ),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** All bytes below a folder. */
function bytesBelow(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
}

async function run(host: TestHost, folderName: string, name: string, steps: readonly Step[]): Promise<void> {
  const folder = join(host.folder, folderName);
  const away = `${host.folder}-away`;
  await mkdir(folder);
  await writeFile(join(folder, name), word);
  const { fileId, accessToken: token, hostEditUrl } = await host.access(`${folderName}/${name}`);
  const entered = await fetch(hostEditUrl, { redirect: 'manual' });
  const [Cookie = ''] = entered.headers.getSetCookie().map((one) => one.split(';')[0]);
  const changes = createChanges({ now: Date.now, kind: () => 'collabora' });
  const wopi = (override: string | undefined, more: object = {}) =>
    host.wopi({ fileId, token, ...(override !== undefined && { override }), ...more });
  const lock = { headers: { 'X-WOPI-Lock': 'L' } };
  /** The document keeps its id when another program moves it. */
  const pathNow = () => join(host.folder, host.host.services.filesTable.shownPath(fileId) ?? '');
  const present = () => readFile(pathNow()).catch(() => undefined);
  const sent: Buffer[] = [];
  /** The newest save was in the file when it was answered. */
  let isNewestInFile = true;

  const bodyOf = (kind: Step extends { content: infer Kind } ? Kind : string): Buffer => {
    const mark = Buffer.from(`${folderName} ${sent.length} ${Math.random()}`);
    if (kind === 'empty') return Buffer.alloc(0);
    if (kind === 'again') return sent.at(-1) ?? word;
    if (kind === 'text') return mark;
    const document = Buffer.concat([mark, word]);
    return kind === 'document' ? document : document.subarray(0, document.length - 20);
  };
  const send = async (one: Extract<Step, { kind: 'save' | 'copy' }>): Promise<void> => {
    const plain = bodyOf(one.content);
    const body = one.headers['Content-Encoding'] === 'gzip' ? gzipSync(plain) : plain;
    const time = (await stat(pathNow()).catch(() => undefined))?.mtime.toISOString() ?? '';
    const values = Object.entries(one.headers).flatMap(([key, value]) =>
      value === undefined
        ? []
        : [[key, value.replace('{size}', String(body.length)).replace('{time}', time)] as const],
    );
    const isSave = one.kind === 'save';
    const target = isSave ? {} : { 'X-WOPI-SuggestedTarget': 'a copy.docx' };
    await wopi(isSave ? 'PUT' : 'PUT_RELATIVE', {
      contents: isSave,
      headers: { ...Object.fromEntries(values), ...target },
      body,
    });
    sent.push(body);
    if (isSave) isNewestInFile = (await present())?.equals(body) === true;
  };
  /** What was in the file when another program destroyed it. */
  const destroyed: Buffer[] = [];
  const outside = async (kind: string): Promise<void> => {
    const path = pathNow();
    const before = await present();
    if (before !== undefined && ['replace', 'cut', 'delete'].includes(kind)) destroyed.push(before);
    switch (kind) {
      case 'replace':
        await rm(path, { force: true });
        await writeFile(path, Buffer.concat([Buffer.from(`other ${Math.random()}`), word]));
        break;
      case 'touch':
        await writeFile(path, (await present()) ?? word);
        break;
      case 'cut':
        await truncate(path, 100);
        break;
      case 'delete':
        await rm(path);
        break;
      case 'move':
        await rename(path, join(folder, `moved ${Math.random()}`));
        break;
      case 'protect':
        await chmod(path, 0o444);
        break;
      case 'folder away':
        await rename(host.folder, away);
        break;
      case 'folder back':
        await rename(away, host.folder);
    }
  };
  const checkWords = async (): Promise<void> => {
    const answer = await fetch(`${host.baseUrl}/edit/${fileId}/state`, { headers: { Cookie } });
    // The document or its folder is gone, which the page shows instead.
    if (!answer.ok) return;
    changes.sawState((await answer.json()) as PageState, changes.count());
    // Then, and only then, it shows “Saved”.
    const isSaved = ['none', 'saved'].includes(changes.state());
    assert.equal(isSaved, isNewestInFile, `to the page, the change is ${changes.state()}`);
  };

  for (const one of steps) {
    if (one.kind === 'save' || one.kind === 'copy') {
      await send(one);
      await checkWords();
    } else if (one.kind === 'lock') await wopi('LOCK', lock);
    else if (one.kind === 'unlock') await wopi('UNLOCK', lock);
    else if (one.kind === 'read') await wopi(undefined, { contents: true });
    else if (one.kind === 'force-clear')
      await host.host.services.locks.forceClear(fileId, 'owner').catch(() => undefined);
    else if (one.kind === 'lapse') host.clock.advance(31 * minuteMs);
    else if (one.kind === 'restart') {
      await outside('folder back').catch(() => undefined);
      await host.restart();
      await checkWords();
    } else await outside(one.kind).catch(() => undefined);
  }
  await outside('folder back').catch(() => undefined);
  const kept = [...destroyed, ...bytesBelow(host.folder), ...bytesBelow(host.dataDir)];
  for (const body of sent)
    assert.ok(
      body.length === 0 || kept.some((bytes) => bytes.equals(body)),
      `the body “${body.subarray(0, 30).toString('latin1')}” is nowhere`,
    );
}

test(
  `${runs} random sequences lose no body, and the page never says Saved when the newest isn’t in the file`,
  { timeout: 60 * 60_000 },
  async (t) => {
    const host = await startTestHost({ settings: { recoveredMB: 1000, recoveredTokenMB: 1000 } });
    t.after(() => host.stop());
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('letter.docx', 'notes.txt'),
        fc.array(step, { minLength: 4, maxLength: 20 }),
        async (name, steps) => {
          number += 1;
          await run(host, `f${number}`, name, [{ kind: 'read' }, { kind: 'lock' }, ...steps]);
        },
      ),
      { numRuns: runs },
    );
  },
);
