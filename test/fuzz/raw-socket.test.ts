// Every client that can reach the port may send any bytes. The host answers them with 4xx or 501 (or closes the connection if there
// is no request to answer), never hangs, never answers 500, and still works afterwards.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileInfo } from '../crash/host-client.ts';
import type { Access } from '../crash/host-client.ts';
import { eventually } from '../durability/eventually.ts';
import { serveHost } from '../crash/serve-host.ts';
import { ownerPassword } from '../crash/serve-process.ts';
import { makeCorpus } from './corpus.ts';
import { exchange } from './raw-exchange.ts';
import type { Exchange, RawRequest } from './raw-exchange.ts';
import { fc } from '../random.ts';

const original = Buffer.from('the document that nobody here may change');
const served = serveHost(({ folder, outside }) => {
  writeFileSync(join(folder, 'a.docx'), original);
  writeFileSync(join(outside, 'secret.txt'), 'TOP-SECRET-OUTSIDE');
});
const { scratch, client } = served;
let access: Access;

before(async () => {
  access = await served.edit('a.docx');
});

const hostLine = (): string => `Host: 127.0.0.1:${served.host.port}\r\n`;
const query = (): string => `access_token=${access.accessToken}`;
const fileUrl = (): string => `/wopi/files/${access.fileId}?${query()}`;
const contentsUrl = (): string => `/wopi/files/${access.fileId}/contents?${query()}`;

async function exchangeRaw(parts: (string | Buffer)[], options: Partial<RawRequest> = {}): Promise<Exchange> {
  return exchange({ port: served.host.port, parts, ...options });
}

function describeExchange(name: string, result: Exchange): string {
  const answers = result.answers.map(({ status, body }) => `${status} ${body.slice(0, 120)}`);
  return `${name}: ${result.end}, answers [${answers.join(' | ')}], rest ${JSON.stringify(result.rest.slice(0, 200))}`;
}

/** 4xx or 501; never a hang, another 5xx, a success or a truncated answer. */
function assertRefused(name: string, result: Exchange): void {
  assertRefusedOrClosed(name, result);
  assert.ok(result.answers.length > 0, describeExchange(name, result));
}

/** The same, or closed without an answer. */
function assertRefusedOrClosed(name: string, result: Exchange): void {
  const summary = describeExchange(name, result);
  assert.notEqual(result.end, 'hang', summary);
  assert.equal(result.rest, '', summary);
  for (const { status } of result.answers) {
    assert.ok((status >= 400 && status < 500) || status === 501, summary);
  }
  assertRevealsNothing(summary, result);
}

/** For requests of which some are valid: any answer except a 5xx other than 501. */
function assertSound(name: string, result: Exchange): void {
  const summary = describeExchange(name, result);
  assert.notEqual(result.end, 'hang', summary);
  for (const { status } of result.answers) assert.ok(status < 500 || status === 501, summary);
  assertRevealsNothing(summary, result);
}

function assertRevealsNothing(summary: string, result: Exchange): void {
  for (const { body, headers } of result.answers) {
    const text = JSON.stringify(headers) + body;
    for (const secret of [
      'TOP-SECRET-OUTSIDE',
      scratch.folder,
      scratch.dataDir,
      'node_modules',
      'app/',
      'at async',
    ])
      assert.ok(!text.includes(secret), `${summary}\ncontains ${secret}`);
  }
}

async function assertHostWorks(): Promise<void> {
  assert.ok(served.host.isRunning(), `the host died:\n${served.host.stderr()}`);
  const info = fileInfo(await client.checkFileInfo(access));
  assert.equal(info.BaseFileName, 'a.docx');
  assert.equal(await client.lockId(access), 'the lock');
  assert.ok(readFileSync(join(scratch.folder, 'a.docx')).equals(original), 'the document was changed');
  await eventually('only the document is in the folder', () => {
    assert.deepEqual(readdirSync(scratch.folder), ['a.docx']);
  });
}

describe('malformed requests', () => {
  const corpus = (): Record<string, string> =>
    makeCorpus({
      port: served.host.port,
      fileId: access.fileId,
      accessToken: access.accessToken,
      apiToken: served.apiToken,
    });

  /** Incomplete, so that the host can't answer before our half is closed; it doesn't answer CONNECT at all. */
  const unanswerable = /^(an empty line only|CONNECT|chunks that never end|Expect and no body)$|shorter than/;

  it('are answered with 4xx or 501', async () => {
    for (const [name, text] of Object.entries(corpus())) {
      const isAnswerable = !unanswerable.test(name);
      const result = await exchangeRaw([text], isAnswerable ? {} : { halfClose: true });
      (isAnswerable ? assertRefused : assertRefusedOrClosed)(name, result);
    }
    await assertHostWorks();
  });

  it('are answered, or the connection is closed, if they arrive in pieces or our half of it is closed', async () => {
    const requests = Object.entries(corpus()).map(async ([name, text]) => {
      assertRefusedOrClosed(name, await exchangeRaw([text], { halfClose: true }));
      if (unanswerable.test(name)) return;
      const bytes = Buffer.from(text, 'latin1');
      const cut = Math.floor(bytes.length / 2);
      const parts = [bytes.subarray(0, 3), bytes.subarray(3, cut), bytes.subarray(cut)];
      // If the first half is rejected already, the rest may close the connection before the answer is read.
      assertRefusedOrClosed(`${name}, in pieces`, await exchangeRaw(parts));
    });
    await Promise.all(requests);
    await assertHostWorks();
  });

  it('don’t harm the host if the client disconnects in the middle', async () => {
    const requests = Object.values(corpus()).map((text) => Buffer.from(text, 'latin1'));
    await Promise.all(
      requests.map(async (bytes, index) => {
        const socket = connect({ port: served.host.port, host: '127.0.0.1' });
        socket.on('error', () => undefined);
        socket.write(bytes.subarray(0, Math.ceil((bytes.length * ((index % 9) + 1)) / 10)));
        await delay(20 + (index % 5) * 10);
        if (index % 2 === 0) socket.resetAndDestroy();
        else socket.destroy();
      }),
    );
    await delay(200);
    await assertHostWorks();
  });
});

describe('the Host header', () => {
  const ask = (lines: string, version = '1.1'): Promise<Exchange> =>
    exchangeRaw([`GET ${fileUrl()} HTTP/${version}\r\n${lines}\r\n`]);
  const statusOf = (result: Exchange): number | undefined => result.answers[0]?.status;

  it('is a 421 if it names another host, whatever a forwarding header says', async () => {
    const names =
      'evil.example 127.0.0.1.evil.example localhost.evil.example:1 169.254.169.254 0.0.0.0 xn--localhost- [::ffff:1.2.3.4]';
    const forwarded = 'evil.example\r\nX-Forwarded-Host: 127.0.0.1\r\nForwarded: host=127.0.0.1';
    for (const name of [...names.split(' '), forwarded]) {
      const result = await ask(`Host: ${name}\r\n`);
      assert.equal(statusOf(result), 421, describeExchange(name, result));
      assert.ok(!describeExchange('', result).includes('a.docx'), 'reveals nothing about the document');
    }
  });

  it('is a 400 or 421 if it is missing, also in HTTP/1.0, or empty, repeated or invalid', async () => {
    const own = `127.0.0.1:${served.host.port}`;
    for (const [lines, version] of [
      ['', '1.0'],
      ['', '1.1'],
      ...[
        '',
        `evil.example\r\nHost: ${own}`,
        `${own}, evil.example`,
        `${own}@evil.example`,
        `evil.example/${own}`,
        `${own}#evil.example`,
        '\xff\xfe',
        '127.0.0.1:99999999',
        '[::1',
      ].map((name) => [`Host: ${name}\r\n`, '1.1'] as const),
    ] as const) {
      const result = await ask(lines, version);
      assert.ok([400, 421].includes(statusOf(result) ?? 0), describeExchange(JSON.stringify(lines), result));
    }
  });

  it('may be the host’s own address or localhost, in any case', async () => {
    for (const name of [
      `127.0.0.1:${served.host.port}`,
      `localhost:${served.host.port}`,
      `LocalHost:${served.host.port}`,
    ]) {
      const result = await ask(`Host: ${name}\r\n`);
      assert.equal(statusOf(result), 200, describeExchange(name, result));
    }
  });

  it('doesn’t override an absolute URL in the request line', async () => {
    const result = await exchangeRaw([`GET http://evil.example${fileUrl()} HTTP/1.1\r\n${hostLine()}\r\n`]);
    assertRefused('an absolute address with our Host header', result);
  });
});

describe('a connection with several requests', () => {
  it('answers pipelined requests in order', async () => {
    const one = `GET ${fileUrl()} HTTP/1.1\r\n${hostLine()}\r\n`;
    const two = `GET /wopi/files/nowhere?${query()} HTTP/1.1\r\n${hostLine()}\r\n`;
    const three = `POST ${fileUrl()} HTTP/1.1\r\n${hostLine()}X-WOPI-Override: BREW\r\nContent-Length: 5\r\n\r\nGET /`;
    const result = await exchangeRaw([(one + two + three).repeat(20)], { answers: 60, deadlineMs: 30_000 });
    assert.deepEqual(
      result.answers.map(({ status }) => status),
      Array.from({ length: 20 }, () => [200, 404, 501]).flat(),
      describeExchange('pipelined', result),
    );
  });

  it('doesn’t parse the unread body of a rejected request as the next request', async () => {
    const smuggled = `GET ${fileUrl()} HTTP/1.1\r\n${hostLine()}\r\n`;
    const refused = [
      `POST /wopi/files/${access.fileId}/contents?access_token=wrong HTTP/1.1\r\n${hostLine()}X-WOPI-Override: PUT\r\n`,
      `POST ${contentsUrl()} HTTP/1.1\r\n${hostLine()}X-WOPI-Override: PUT\r\nX-WOPI-Lock: other\r\n`,
      `POST ${fileUrl()} HTTP/1.1\r\n${hostLine()}X-WOPI-Override: RENAME_FILE\r\nX-WOPI-Lock: other\r\n`,
      `POST /nowhere HTTP/1.1\r\n${hostLine()}`,
      `POST /api/2.0/files/access HTTP/1.1\r\n${hostLine()}Content-Type: text/plain\r\n`,
      `GET ${fileUrl().replace(access.fileId, 'nowhere')} HTTP/1.1\r\n${hostLine()}`,
    ];
    for (const head of refused) {
      const body = smuggled.repeat(3);
      const result = await exchangeRaw([`${head}Content-Length: ${body.length}\r\n\r\n${body}`], {
        answers: 2,
        // Long enough for a second answer, which must not come.
        deadlineMs: 400,
      });
      const summary = describeExchange(head, result);
      assert.equal(result.answers.length, 1, summary);
      assert.ok(Number(result.answers[0]?.status) >= 400, summary);
    }
    await assertHostWorks();
  });

  it('doesn’t run a request that is smuggled with Content-Length and Transfer-Encoding', async () => {
    const hidden =
      `POST ${contentsUrl()} HTTP/1.1\r\n${hostLine()}X-WOPI-Override: PUT\r\nX-WOPI-Lock: the lock\r\n` +
      'Content-Length: 5\r\n\r\nowned';
    for (const te of [
      'chunked',
      ' chunked',
      'xchunked',
      'Chunked, gzip',
      'chunked\r\nTransfer-Encoding: x',
    ]) {
      const outer =
        `GET ${fileUrl()} HTTP/1.1\r\n${hostLine()}Content-Length: ${hidden.length + 5}\r\n` +
        `Transfer-Encoding: ${te}\r\n\r\n0\r\n\r\n${hidden}`;
      const result = await exchangeRaw([outer], { answers: 2, deadlineMs: 400 });
      assert.ok(result.answers.length <= 1, describeExchange(te, result));
    }
    await assertHostWorks();
  });
});

describe('random bytes', () => {
  const options = {
    numRuns: 300,
    endOnFailure: true,
    interruptAfterTimeLimit: 20_000,
    markInterruptAsFailure: false,
  };

  it('are rejected as a whole request, or the connection is closed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 4_000 }), async (bytes) => {
        const result = await exchangeRaw([Buffer.from(bytes)], { halfClose: true });
        assertRefusedOrClosed('noise', result);
      }),
      options,
    );
    await assertHostWorks();
  });

  const token = fc.constantFrom('wrong', '', '%00', '%', 'x'.repeat(43), '../..', '[object Object]');
  /** One of these words. */
  const word = (words: string) => fc.constantFrom(...words.split(' '));
  const segment = fc.oneof(
    fc.constantFrom('', ...'wopi files contents api 2.0 .. . %2e%2e %2F %00 @self.json ~'.split(' ')),
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((text) => text.replaceAll(/[\s\0?#]/g, '')),
  );
  const path = fc.array(segment, { maxLength: 8 }).map((parts) => `/${parts.join('/')}`);
  const wopiPath = fc
    .tuple(segment, fc.constantFrom('', '/', '/contents', '/contents/', '/ancestry'), token)
    .map(([id, tail, value]) => `/wopi/files/${id}${tail}?access_token=${value}`);
  const method = word('GET POST PUT DELETE HEAD OPTIONS TRACE PATCH MKCOL LOCK');
  const headerName = fc.oneof(
    word('Override Lock OldLock Size SuggestedTarget RelativeTarget RequestedName Proof TimeStamp').map(
      (name) => `X-WOPI-${name}`,
    ),
    word(
      'X-WOPI-MaxExpectedSize X-WOPI-Editors X-WOPI-CorrelationId X-COOL-WOPI-Timestamp Authorization Cookie',
    ),
    word('Range Content-Type Content-Encoding If-None-Match If-Range Accept-Encoding TE Trailer Origin'),
  );
  const headerValue = fc.oneof(
    word('PUT LOCK PUT_RELATIVE RENAME_FILE DELETE PUT_USER_INFO -1 1e99 NaN bytes=5-1 bytes=0-0,1-1,2-2'),
    fc.constantFrom('+', '+AGEAYg-', '+2D0-', '..', '/etc/passwd', '9'.repeat(400)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) =>
      Buffer.from(bytes)
        .toString('latin1')
        .replaceAll(/[\r\n\0]/g, ' '),
    ),
  );
  const headers = fc
    .array(fc.tuple(headerName, headerValue), { maxLength: 8 })
    .map((pairs) => pairs.map(([name, value]) => `${name}: ${value}\r\n`).join(''));

  it('are rejected in URL, method and headers without a valid token', async () => {
    await fc.assert(
      fc.asyncProperty(
        method,
        fc.oneof(path, wopiPath),
        headers,
        fc.string(),
        async (verb, url, lines, body) => {
          const bytes = Buffer.from(body);
          const text = `${verb} ${url} HTTP/1.1\r\n${hostLine()}${lines}Content-Length: ${bytes.length}\r\n\r\n`;
          const result = await exchangeRaw([Buffer.concat([Buffer.from(text, 'latin1'), bytes])], {
            isHead: verb === 'HEAD',
          });
          // The host's front page needs no token.
          if (/^\/+(\?|$)/.test(url)) assertSound(text, result);
          else assertRefused(text, result);
        },
      ),
      options,
    );
    await assertHostWorks();
  });

  it('cause no 500 and no change in headers with a valid token and a wrong lock', async () => {
    const overrides = word('PUT LOCK UNLOCK REFRESH_LOCK GET_LOCK PUT_RELATIVE RENAME_FILE DELETE BREW');
    const harmless = headers.filter(
      (lines) => !/^X-WOPI-Override|SuggestedTarget|RelativeTarget|RequestedName/im.test(lines),
    );
    await fc.assert(
      fc.asyncProperty(
        overrides,
        fc.boolean(),
        harmless,
        fc.string(),
        async (override, isContents, lines, body) => {
          const bytes = Buffer.from(body);
          const text =
            `POST ${isContents ? contentsUrl() : fileUrl()} HTTP/1.1\r\n${hostLine()}X-WOPI-Override: ${override}\r\n` +
            `${lines}Content-Length: ${bytes.length}\r\n\r\n`;
          assertSound(text, await exchangeRaw([Buffer.concat([Buffer.from(text, 'latin1'), bytes])]));
        },
      ),
      options,
    );
    await assertHostWorks();
  });

  it('are answered with the whole content, a part or 416 as a Range', async () => {
    const part = fc.oneof(
      fc.integer({ min: -5, max: 60 }).map(String),
      fc.constantFrom('', '-', '9'.repeat(30), 'x'),
    );
    await fc.assert(
      fc.asyncProperty(
        part,
        part,
        fc.constantFrom('bytes=', 'bytes = ', 'items=', ''),
        async (from, to, unit) => {
          const text = `GET ${contentsUrl()} HTTP/1.1\r\n${hostLine()}Range: ${unit}${from}-${to}\r\n\r\n`;
          const result = await exchangeRaw([text]);
          const [answer] = result.answers;
          assert.ok(
            answer !== undefined && [200, 206, 416].includes(answer.status),
            describeExchange(text, result),
          );
          const content = original.toString('latin1');
          if (answer.status === 200) assert.equal(answer.body, content);
          if (answer.status !== 206) return;
          const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers['content-range'] ?? '');
          assert.ok(range !== null && Number(range[3]) === content.length, describeExchange(text, result));
          assert.equal(answer.body, content.slice(Number(range[1]), Number(range[2]) + 1));
        },
      ),
      options,
    );
  });
});

describe('slow connections', () => {
  it('neither block other requests nor keep the host from stopping within 6 s', async () => {
    const sockets: Socket[] = [];
    const put = `POST ${contentsUrl()} HTTP/1.1\r\n${hostLine()}X-WOPI-Override: PUT\r\nX-WOPI-Lock: the lock\r\n`;
    const beginnings = [
      `GET ${fileUrl()} HTTP/1.1\r\n${hostLine()}X-Slow: `,
      `${put}Content-Length: 1000\r\n\r\n`,
      '',
    ];
    for (let count = 0; count < 300; count += 1) {
      const socket = connect({ port: served.host.port, host: '127.0.0.1' }).on('error', () => undefined);
      socket.write(beginnings[count % 3]!);
      sockets.push(socket);
    }
    for (let round = 0; round < 5; round += 1) {
      for (const [index, socket] of sockets.entries()) if (index % 3 !== 2) socket.write('a');
      await delay(50);
      const answer = await client.checkFileInfo(access);
      assert.equal(answer.status, 200);
    }
    const { code, tookMs } = await served.host.stop();
    for (const socket of sockets) socket.destroy();
    assert.equal(code, 0, served.host.stderr());
    assert.ok(tookMs < 6_000, `stopping took ${tookMs} ms`);
    assert.ok(readFileSync(join(scratch.folder, 'a.docx')).equals(original));
    assert.deepEqual(readdirSync(scratch.folder), ['a.docx'], 'the incomplete uploads left nothing');
  });

  it('leave no secret in the log', () => {
    const log = served.host.stderr() + served.host.stdout();
    assert.ok(served.host.stderr().length > 0, 'the log isn’t empty');
    const { accessToken } = access;
    for (const [name, secret] of Object.entries({ accessToken, apiToken: served.apiToken, ownerPassword })) {
      const at = log.indexOf(secret);
      assert.equal(at, -1, `the ${name} is in the log: ${log.slice(Math.max(0, at - 200), at)}`);
    }
  });
});
