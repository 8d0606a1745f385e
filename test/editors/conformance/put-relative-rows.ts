// Section 3, PutRelativeFile, and section 4.3 of the service description: the name of the new file, the answer, and what must not
// change.

import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WopiClient } from '../wopi-client.ts';
import { encodeUtf7 } from '../utf7-encoder.ts';
import { accessOf, fileIdOf, jsonOf } from '../wire.ts';
import type { Exchange, HeaderList, PutRelativeAnswer } from '../wire.ts';
import { hours } from './row.ts';
import type { RowContext, Row } from './row.ts';

const suggested = (name: string): HeaderList => ({ 'X-WOPI-SuggestedTarget': name });
const relative = (name: string, more: HeaderList = {}): HeaderList => ({
  'X-WOPI-RelativeTarget': name,
  ...more,
});

function answerOf(exchange: Exchange): PutRelativeAnswer {
  assert.equal(exchange.status, 200);
  return jsonOf(exchange) as PutRelativeAnswer;
}

async function beside(context: RowContext, client: WopiClient, name: string): Promise<string> {
  return readFile(join(context.host.folder, dirname(client.path), name), 'utf8');
}

const targets: Row[] = (
  [
    ['both targets', { ...suggested('a.docx'), ...relative('b.docx') }, 501],
    ['neither target', {}, 400],
  ] as [string, HeaderList, number][]
).map(([what, headers, status]) => ({
  name: `PutRelativeFile with ${what}: ${String(status)}, nothing created`,
  async run(context) {
    const client = await context.client();
    assert.equal((await client.putRelative(headers)).status, status);
    assert.deepEqual(await client.siblings(), ['minutes.docx']);
  },
}));

/** [what is tested, header, name on disk, existing files] */
const names: [what: string, header: string, expected: string, existing?: string[]][] = [
  ['an extension takes the stem of the current name', '.pdf', 'minutes.pdf'],
  ['its own extension is made unique', '.docx', 'minutes (1).docx'],
  ['an unknown extension is accepted', '.foox', 'minutes.foox'],
  ['a full name is the name', 'copy.docx', 'copy.docx'],
  ['a full name of another type keeps its extension', 'copy.wopitestfoox', 'copy.wopitestfoox'],
  ['a taken name is made unique', 'copy.docx', 'copy (1).docx', ['copy.docx']],
  ['a name that is taken twice is made unique', 'copy.docx', 'copy (2).docx', ['copy.docx', 'copy (1).docx']],
  ['a name taken in another case is made unique', 'COPY.docx', 'COPY (1).docx', ['copy.docx']],
  [
    'a name taken in another Unicode normalization form is made unique',
    '+AOk.docx',
    '\u00e9 (1).docx',
    ['e\u0301.docx'],
  ],
  ['only the last part of a path is used', '../../etc/copy.docx', 'copy.docx'],
  ['only the last part of a Windows path is used', encodeUtf7('C:\\temp\\copy.docx', 'closed'), 'copy.docx'],
  ['the vector +AF8-', '+AF8-.docx', '_.docx'],
  ['the vector a+-b', 'a+-b.docx', 'a+b.docx'],
  ['the vector +AOk.docx', '+AOk.docx', '\u00e9.docx'],
  ['the vector +2D3eAA-', '+2D3eAA-.docx', '\u{1f600}.docx'],
  ['the vector +ZeVnLA-', '+ZeVnLA-.docx', '\u65e5\u672c.docx'],
  ['the vector +ACU-20 isn’t percent-decoded', '+ACU-20.docx', '%20.docx'],
  ['the vector with brackets and spaces', 'Q1+ACA-(final)+ACAAWw-v2+AF0-.docx', 'Q1 (final) [v2].docx'],
  ['a name is normalized to NFC', encodeUtf7('e\u0301.docx', 'closed'), '\u00e9.docx'],
];

const forbidden = /[/\\:*?"<>|\u0000-\u001f]/;
const illegalNames: [what: string, name: string][] = [
  ['characters that file systems forbid', 'a:b*c?d"e<f>g|h.docx'],
  ['control characters', 'a\u0001b\u001fc.docx'],
  ['a reserved Windows stem', 'CON.docx'],
  ['a reserved Windows stem with a number', 'lpt1.docx'],
  ['trailing spaces and dots', 'copy.docx. .'],
  ['dots only', '...'],
  ['a lone surrogate', 'a\ud800b.docx'],
  ['300 characters', `${'n'.repeat(300)}.docx`],
  ['300 four-byte characters', `${'\u{1f600}'.repeat(300)}.docx`],
];

const naming: Row[] = [
  ...names.map(([what, header, expected, existing = []]) => ({
    name: `PutRelativeFile, SuggestedTarget ${header}: ${what}`,
    async run(context: RowContext) {
      const client = await context.client();
      for (const name of existing)
        await writeFile(join(context.host.folder, dirname(client.path), name), 'there before');
      const answer = answerOf(await client.putRelative(suggested(header)));
      assert.equal(answer.Name, expected);
      assert.equal(await beside(context, client, expected), 'the copy');
      for (const name of existing) assert.equal(await beside(context, client, name), 'there before');
      assert.equal(await client.onDisk(), 'as it was');
      assert.equal((await client.siblings()).length, existing.length + 2);
    },
  })),
  ...illegalNames.map(([what, name]) => ({
    name: `PutRelativeFile, SuggestedTarget of ${what}: 200 with a legal name`,
    async run(context: RowContext) {
      const client = await context.client();
      const answer = answerOf(await client.putRelative(suggested(encodeUtf7(name, 'closed'))));
      assertLegal(answer.Name);
      if (name.endsWith('.docx')) assert.ok(answer.Name.endsWith('.docx'));
      assert.equal(await beside(context, client, answer.Name), 'the copy');
      assert.equal((await client.siblings()).length, 2);
    },
  })),
];

function assertLegal(name: string): void {
  assert.ok(name.length > 0);
  assert.doesNotMatch(name, forbidden);
  assert.doesNotMatch(name, /[. ]$/);
  assert.doesNotMatch(name, /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
  assert.ok(Buffer.byteLength(name) <= 255, 'at most 255 bytes');
  assert.equal(name, name.normalize('NFC'));
  assert.equal(name, name.toWellFormed());
}

const relativeTargets: Row[] = [
  {
    name: 'PutRelativeFile, RelativeTarget free: 200 with exactly this name',
    async run(context) {
      const client = await context.client();
      assert.equal(answerOf(await client.putRelative(relative('exact.docx'))).Name, 'exact.docx');
      assert.equal(await beside(context, client, 'exact.docx'), 'the copy');
    },
  },
  ...['True', 'False'].map((value) => ({
    name: `PutRelativeFile, RelativeTarget free with X-WOPI-OverwriteRelativeTarget ${value}: 200, no effect`,
    async run(context: RowContext) {
      const client = await context.client();
      const headers = relative('exact.docx', { 'X-WOPI-OverwriteRelativeTarget': value });
      assert.equal(answerOf(await client.putRelative(headers)).Name, 'exact.docx');
    },
  })),
  ...['a/b.docx', 'a:b.docx', 'CON.docx', 'copy.docx.'].map((name) => ({
    name: `PutRelativeFile, illegal RelativeTarget ${name}: 400 with a suggestion`,
    async run(context: RowContext) {
      const client = await context.client();
      const refused = await client.putRelative(relative(encodeUtf7(name, 'closed')));
      assert.equal(refused.status, 400);
      assert.ok(String(refused.received['x-wopi-validrelativetarget'] ?? '').length > 0);
      assert.deepEqual(await client.siblings(), ['minutes.docx']);
    },
  })),
  {
    name: 'PutRelativeFile, RelativeTarget exists: 409 with a suggestion that works',
    async run(context) {
      const client = await context.client();
      answerOf(await client.putRelative(relative('exact.docx'), 'first'));
      const refused = await client.putRelative(relative('exact.docx'), 'second');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], '');
      assert.equal(await beside(context, client, 'exact.docx'), 'first');
      const proposal = String(refused.received['x-wopi-validrelativetarget']);
      answerOf(await client.putRelative(relative(proposal), 'second'));
      assert.deepEqual((await client.siblings()).length, 3);
    },
  },
  {
    name: 'PutRelativeFile, RelativeTarget exists and OverwriteRelativeTarget False: 409',
    async run(context) {
      const client = await context.client();
      answerOf(await client.putRelative(relative('exact.docx'), 'first'));
      const headers = relative('exact.docx', { 'X-WOPI-OverwriteRelativeTarget': 'False' });
      assert.equal((await client.putRelative(headers, 'second')).status, 409);
      assert.equal(await beside(context, client, 'exact.docx'), 'first');
    },
  },
  {
    name: 'PutRelativeFile, RelativeTarget exists and OverwriteRelativeTarget True: 200, same id, the old content is a version',
    async run(context) {
      const client = await context.client();
      const first = answerOf(await client.putRelative(relative('exact.docx'), 'first'));
      const firstId = fileIdOf(accessOf(first.Url).wopiSrc);
      const versionBefore = await versionOf(client, first);
      const headers = relative('exact.docx', { 'X-WOPI-OverwriteRelativeTarget': 'True' });
      const second = answerOf(await client.putRelative(headers, 'second'));
      assert.equal(fileIdOf(accessOf(second.Url).wopiSrc), firstId);
      assert.equal(await beside(context, client, 'exact.docx'), 'second');
      assert.notEqual(await versionOf(client, second), versionBefore);
      assert.equal(context.host.host.services.versions.list(firstId).length, 1);
    },
  },
  ...['True', undefined].map((overwrite) => ({
    name: `PutRelativeFile, RelativeTarget exists and is locked${overwrite === undefined ? '' : ', OverwriteRelativeTarget True'}: 409 with its lock`,
    async run(context: RowContext) {
      const client = await context.client();
      const first = answerOf(await client.putRelative(relative('exact.docx'), 'first'));
      const access = accessOf(first.Url);
      const headers = { 'X-WOPI-Override': 'LOCK', 'X-WOPI-Lock': 'theirs' };
      assert.equal((await client.call({ operation: 'Lock', access, headers })).status, 200);
      const target = relative('exact.docx', { 'X-WOPI-OverwriteRelativeTarget': overwrite });
      const refused = await client.putRelative(target, 'second');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], 'theirs');
      assert.equal(await beside(context, client, 'exact.docx'), 'first');
    },
  })),
];

async function versionOf(client: WopiClient, answer: PutRelativeAnswer): Promise<string> {
  const checked = await client.call({
    operation: 'CheckFileInfo',
    method: 'GET',
    access: accessOf(answer.Url),
  });
  assert.equal(checked.status, 200);
  return (jsonOf(checked) as { Version: string }).Version;
}

const answers: Row[] = [
  {
    name: 'PutRelativeFile: 200 with exactly Name, Url, HostViewUrl and HostEditUrl; the token is for the new file only',
    async run(context) {
      const client = await context.client();
      const before = await client.info();
      const exchange = await client.putRelative(suggested('copy.docx'));
      const answer = answerOf(exchange);
      assert.deepEqual(Object.keys(answer).toSorted(), ['HostEditUrl', 'HostViewUrl', 'Name', 'Url']);
      assert.match(exchange.received['content-type'] ?? '', /^application\/json/);
      assert.match(answer.Url, /\/wopi\/files\/[A-Za-z0-9_-]{22}\?access_token=[^&]+$/);
      for (const page of [answer.HostViewUrl, answer.HostEditUrl]) {
        assert.equal(new URL(String(page)).origin, new URL(client.access.wopiSrc).origin);
        assert.doesNotMatch(String(page), /access_token|\/wopi\//);
      }
      const access = accessOf(answer.Url);
      const fetched = await client.call({ operation: 'GetFile', method: 'GET', suffix: '/contents', access });
      assert.equal(fetched.body.toString(), 'the copy');
      const crossed = { wopiSrc: client.access.wopiSrc, accessToken: access.accessToken };
      assert.equal(
        (await client.call({ operation: 'CheckFileInfo', method: 'GET', access: crossed })).status,
        404,
      );
      assert.equal((await client.info()).Version, before.Version);
      assert.equal(await client.onDisk(), 'as it was');
    },
  },
  {
    name: 'PutRelativeFile: the new token expires with its parent',
    async run(context) {
      const client = await context.client();
      context.host.clock.advance(3 * hours);
      const answer = answerOf(await client.putRelative(suggested('copy.docx')));
      const { accessTokens } = context.host.host.services;
      const parent = accessTokens.find(client.access.accessToken);
      const child = accessTokens.find(accessOf(answer.Url).accessToken);
      assert.equal(child?.expiresAtMs, parent?.expiresAtMs);
      assert.ok(parent !== undefined);
    },
  },
  {
    name: 'PutRelativeFile with X-WOPI-FileConversion: 200 with the converted name',
    async run(context) {
      const client = await context.client({ name: 'old.doc' });
      const answer = answerOf(
        await client.putRelative({ ...suggested('.docx'), 'X-WOPI-FileConversion': 'true' }),
      );
      assert.equal(answer.Name, 'old.docx');
    },
  },
  {
    name: 'PutRelativeFile with the right X-WOPI-Size: 200',
    async run(context) {
      const client = await context.client();
      answerOf(await client.putRelative({ ...suggested('copy.docx'), 'X-WOPI-Size': 8 }));
    },
  },
  ...[7, 9].map((size) => ({
    name: `PutRelativeFile with X-WOPI-Size ${String(size)} for 8 bytes: 400, nothing created`,
    async run(context: RowContext) {
      const client = await context.client();
      assert.equal(
        (await client.putRelative({ ...suggested('copy.docx'), 'X-WOPI-Size': size })).status,
        400,
      );
      assert.deepEqual(await client.siblings(), ['minutes.docx']);
    },
  })),
  {
    name: 'PutRelativeFile of an empty body: creates an empty file',
    async run(context) {
      const client = await context.client();
      answerOf(await client.putRelative({ ...suggested('copy.docx'), 'X-WOPI-Size': 0 }, ''));
      assert.equal(await beside(context, client, 'copy.docx'), '');
    },
  },
  {
    name: 'PutRelativeFile creates the copy beside the original, and not in a folder with its name',
    async run(context) {
      const client = await context.client();
      await mkdir(join(context.host.folder, dirname(client.path), 'copy.docx'));
      const answer = answerOf(await client.putRelative(suggested('copy.docx')));
      assert.equal(answer.Name, 'copy (1).docx');
      assert.deepEqual(await readdir(join(context.host.folder, dirname(client.path), 'copy.docx')), []);
    },
  },
];

export const putRelativeRows: Row[] = [...targets, ...naming, ...relativeTargets, ...answers];
