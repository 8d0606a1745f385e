// Hostile bodies and queries for the JSON API: every rejection is a 4xx in the API's own envelope, reveals nothing about this host,
// echoes no password, and logs none.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { json, responseOf, send } from '../crash/host-client.ts';
import type { Answer, Body } from '../crash/host-client.ts';
import { serveHost } from '../crash/serve-host.ts';
import { ownerPassword } from '../crash/serve-process.ts';
import { fc } from '../random.ts';

const served = serveHost(({ folder, outside }) => {
  writeFileSync(join(folder, 'a.docx'), 'hello');
  writeFileSync(join(outside, 'secret.txt'), 'TOP-SECRET-OUTSIDE');
});
const { scratch, client } = served;
const signInPath = '/api/2.0/authentication.json';
const accessPath = '/api/2.0/files/access';
/** The password in bodies that are rejected. */
const mistyped = 'mistyped-Secret-90210';

function post(path: string, body: Body, headers: Record<string, string> = {}): Promise<Answer> {
  return send(`${served.host.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: served.apiToken, ...headers },
    body,
  });
}

function assertRefusal(name: string, answer: Answer, statuses: number[]): void {
  const text = answer.body.toString('utf8');
  const summary = `${name}: ${answer.status} ${text.slice(0, 300)}`;
  assert.ok(statuses.includes(answer.status), summary);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8', summary);
  const { error, ...envelope } = json(answer) as { error: Record<string, unknown> };
  assert.deepEqual(envelope, { count: 0, status: 1, statusCode: answer.status }, summary);
  assert.deepEqual([typeof error['message'], typeof error['type']], ['string', 'string'], summary);
  for (const secret of [mistyped, scratch.folder, 'TOP-SECRET-OUTSIDE', 'node_modules', 'at async']) {
    assert.ok(!text.includes(secret), `${summary}\ncontains ${secret}`);
  }
}

describe('a sign-in body', () => {
  it('is a 400 unless it is a JSON object with two strings', async () => {
    const valid = { userName: 'owner', password: mistyped };
    const bodies: Record<string, string | Buffer> = {
      nothing: '',
      spaces: '   ',
      'half an object': `{"userName":"owner","password":"${mistyped}"`,
      'a word': mistyped,
      'single quotes': `{'userName':'owner','password':'${mistyped}'}`,
      'an array': JSON.stringify([valid]),
      null: 'null',
      'a number': '42',
      'a string': JSON.stringify(mistyped),
      'a number as name': '{"userName":1,"password":"x"}',
      'an object as password': '{"userName":"owner","password":{"$ne":null}}',
      'a list as password': `{"userName":"owner","password":["${mistyped}"]}`,
      'true as password': '{"userName":"owner","password":true}',
      'null as name': '{"userName":null,"password":"x"}',
      'no password': '{"userName":"owner"}',
      'no name': `{"password":"${mistyped}"}`,
      'a name in the prototype': `{"__proto__":{"userName":"owner","password":"${mistyped}"}}`,
      'a name by constructor': '{"constructor":{"prototype":{"userName":"owner","password":"x"}}}',
      'an infinite number': '{"userName":1e999,"password":"x"}',
      'two objects': `${JSON.stringify(valid)}${JSON.stringify(valid)}`,
      'a form': `userName=owner&password=${mistyped}`,
      'bytes that are not UTF-8': Buffer.from(`{"userName":"\xff\xfe","password":1}`, 'latin1'),
      '30,000 brackets': '['.repeat(30_000),
      '10,000 nested objects': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      '30,000 closed brackets': '['.repeat(30_000) + ']'.repeat(30_000),
    };
    for (const [name, body] of Object.entries(bodies)) {
      const answer = await post(signInPath, body);
      assertRefusal(name, answer, [400]);
      assert.equal(answer.headers['cache-control'], 'private', name);
    }
  });

  it('is rejected if it has another content type or is compressed', async () => {
    const body = JSON.stringify({ userName: 'owner', password: mistyped });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '/'])
      assertRefusal(type, await post(signInPath, body, { 'Content-Type': type }), [400, 415]);
    const bomb = gzipSync(Buffer.alloc(60_000_000, ' '));
    const compressed = await post(signInPath, bomb, { 'Content-Encoding': 'gzip' });
    assertRefusal('a compressed body', compressed, [400, 413, 415]);
  });

  it('is a 413 if it exceeds 64 KiB, with or without a Content-Length', async () => {
    const filler = 'x'.repeat(64 * 1024);
    const large = JSON.stringify({ userName: 'owner', password: filler });
    assertRefusal('declared', await post(signInPath, large), [413]);
    const chunks = Array.from({ length: 70 }, () => Buffer.from(' '.repeat(1024)));
    assertRefusal('chunked', await post(signInPath, Readable.from(chunks)), [413]);
    assertRefusal('declared on access', await post(accessPath, large), [413]);
    const fits = JSON.stringify({ path: `a.docx`, mode: 'edit', filler: 'x'.repeat(60 * 1024) });
    assert.ok([201, 400].includes((await post(accessPath, fits)).status), '60 KiB are accepted');
  });

  it('doesn’t change a prototype', async () => {
    const body = '{"__proto__":{"isAdmin":true},"path":"a.docx","mode":"edit"}';
    const answer = await post(accessPath, body);
    assert.ok([201, 400].includes(answer.status), answer.body.toString());
    const me = await send(`${served.host.baseUrl}/api/2.0/people/@self.json`, {
      headers: { Authorization: served.apiToken },
    });
    assert.equal(me.status, 200);
    assert.ok(!me.body.toString().includes('isAdmin'));
  });

  it('of any shape is never a 5xx', async () => {
    const shape = fc.oneof(
      fc.json({ maxDepth: 6 }),
      fc.record({ userName: fc.anything(), password: fc.anything() }).map((value) => stringify(value)),
      fc.record({ userName: fc.nat(), password: fc.string() }).map((value) => stringify(value)),
      fc.string({ unit: 'binary', maxLength: 500 }),
    );
    await fc.assert(
      fc.asyncProperty(shape, async (body) => {
        const answer = await post(signInPath, body);
        assertRefusal(JSON.stringify(body), answer, [400, 401, 429]);
      }),
      { numRuns: 200, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: false },
    );
  });
});

describe('access and list requests', () => {
  const invalidPaths = [
    ...String.raw`../outside/secret.txt ..\outside\secret.txt sub/../../outside/secret.txt . .. / ./..
      %2e%2e/outside/secret.txt /etc/passwd //etc/passwd C:\Windows\win.ini \\server\share\file file:///etc/passwd
      a.docx/.. a.docx/x ~/a.docx $HOME/a.docx CON a.docx::$DATA .~doctray-x.tmp __proto__`.split(/\s+/),
    '',
    'a.docx\0',
    '\0',
    'a.docx\n',
    '\ud800',
    'x'.repeat(256),
    'x/'.repeat(5_000),
  ];

  it('answer a path that is invalid or leads out of the folder with 400 or 404, and reveal nothing outside', async () => {
    for (const path of invalidPaths) {
      const name = JSON.stringify(path.slice(0, 60));
      const answer = await post(accessPath, JSON.stringify({ path, mode: 'edit' }));
      assertRefusal(name, answer, [400, 404]);
      // The folder itself can be listed.
      if (['', '/', '.'].includes(path) || path.length > 5_000) continue;
      assertRefusal(name, await client.list(served.apiToken, { path: path.toWellFormed() }), [400, 404]);
    }
  });

  it('never answer an access path with a 5xx', async () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', '\0', 'a.docx', '~', '%2e%2e'),
      fc.string({ unit: 'binary' }),
    );
    const path = fc
      .array(part, { maxLength: 6 })
      .chain((parts) => fc.constantFrom(parts.join('/'), parts.join('\\')));
    await fc.assert(
      fc.asyncProperty(path, fc.oneof(fc.constantFrom('edit', 'view'), fc.anything()), async (text, mode) => {
        const answer = await post(accessPath, stringify({ path: text, mode }));
        if (answer.status === 201) {
          assert.equal((responseOf(answer) as { fileId: string }).fileId.length, 22);
          assert.ok(text.includes('a.docx'), JSON.stringify(text));
        } else assertRefusal(JSON.stringify({ text, mode: stringify(mode) }), answer, [400, 404]);
      }),
      { numRuns: 300, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: false },
    );
  });

  it('answer any page numbers with 200 or 400', async () => {
    const number = fc.oneof(
      fc.constantFrom(...'-1 1.5 NaN Infinity 1e309 0x10 99999999999999999999 1;2 null'.split(' '), '', ' '),
      fc.string(),
      fc.integer().map(String),
    );
    await fc.assert(
      fc.asyncProperty(number, number, async (startIndex, count) => {
        const answer = await client.list(served.apiToken, { path: '', startIndex, count });
        if (answer.status !== 200) assertRefusal(JSON.stringify({ startIndex, count }), answer, [400]);
      }),
      { numRuns: 200, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: false },
    );
  });
});

describe('the host afterwards', () => {
  it('still responds, and its log contains neither password nor token', async () => {
    assert.ok(served.host.isRunning(), served.host.stderr());
    const { accessToken } = await served.access('a.docx');
    await served.host.stop();
    const log = served.host.stderr() + served.host.stdout();
    for (const [name, secret] of Object.entries({
      mistyped,
      ownerPassword,
      apiToken: served.apiToken,
      accessToken,
    })) {
      const at = log.indexOf(secret);
      assert.equal(at, -1, `${name} is in the log: ${log.slice(Math.max(0, at - 200), at)}`);
    }
  });
});

/** JSON of any value, including those that JSON can't represent. */
function stringify(value: unknown): string {
  try {
    const replacer = (_key: string, each: unknown) => (typeof each === 'bigint' ? String(each) : each);
    return JSON.stringify(value, replacer) ?? 'null';
  } catch {
    return 'null';
  }
}
