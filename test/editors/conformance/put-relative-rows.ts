// Section 3, PutRelativeFile, and section 4.3 of the service description: the name of the new file, the answer, and what must not
// change. `seed-document.test.ts` and `copies.test.ts` in test/server have what a session may replace, and X-WOPI-Size.

import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import type { WopiClient } from '../wopi-client.ts';
import { encodeUtf7 } from '../utf7-encoder.ts';
import { accessOf, fileIdOf } from '../wire.ts';
import type { HeaderList, PutRelativeAnswer } from '../wire.ts';
import { answerOf, hours, row, type Row } from './row.ts';

const suggested = (name: string): HeaderList => ({ 'X-WOPI-SuggestedTarget': name });
const relative = (name: string, overwrite?: string): HeaderList => ({
  'X-WOPI-RelativeTarget': name,
  'X-WOPI-OverwriteRelativeTarget': overwrite,
});

const contentOf = (client: WopiClient, name: string): Promise<string> =>
  readFile(client.beside(name), 'utf8');

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
  ['the vector a+-b', 'a+-b.docx', 'a+b.docx'],
  ['the vector +2D3eAA-', '+2D3eAA-.docx', '\u{1f600}.docx'],
  ['the vector with brackets and spaces', 'Q1+ACA-(final)+ACAAWw-v2+AF0-.docx', 'Q1 (final) [v2].docx'],
  ['a name is normalized to NFC', encodeUtf7('e\u0301.docx', 'closed'), '\u00e9.docx'],
];

const forbidden = /[/\\:*?"<>|\u0000-\u001f]/;
const illegalNames: [what: string, name: string][] = [
  ['characters that file systems forbid', 'a:b*c?d"e<f>g|h.docx'],
  ['a reserved Windows stem', 'CON.docx'],
  ['trailing spaces and dots', 'copy.docx. .'],
  ['a lone surrogate', 'a\ud800b.docx'],
  ['300 four-byte characters', `${'\u{1f600}'.repeat(300)}.docx`],
];

const naming: Row[] = [
  ...names.map(([what, header, expected, existing = []]) =>
    row(`PutRelativeFile, SuggestedTarget ${header}: ${what}`, async (client) => {
      for (const name of existing) await writeFile(client.beside(name), 'there before');
      assert.equal(answerOf(await client.putRelative(suggested(header))).Name, expected);
      assert.equal(await contentOf(client, expected), 'the copy');
      for (const name of existing) assert.equal(await contentOf(client, name), 'there before');
      assert.equal(await client.onDisk(), 'as it was');
      assert.equal((await client.siblings()).length, existing.length + 2);
    }),
  ),
  ...illegalNames.map(([what, name]) =>
    row(`PutRelativeFile, SuggestedTarget of ${what}: 200 with a legal name`, async (client) => {
      const { Name } = answerOf(await client.putRelative(suggested(encodeUtf7(name, 'closed'))));
      assertLegal(Name);
      if (name.endsWith('.docx')) assert.ok(Name.endsWith('.docx'));
      assert.equal(await contentOf(client, Name), 'the copy');
      assert.equal((await client.siblings()).length, 2);
    }),
  ),
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

const targets: Row[] = [
  row('PutRelativeFile with both targets: 501; with neither: 400; nothing created', async (client) => {
    const both = { ...suggested('a.docx'), ...relative('b.docx') };
    assert.equal((await client.putRelative(both)).status, 501);
    assert.equal((await client.putRelative({})).status, 400);
    assert.deepEqual(await client.siblings(), ['minutes.docx']);
  }),
  ...[undefined, 'True', 'False'].map((overwrite) =>
    row(
      `PutRelativeFile, RelativeTarget free, Overwrite ${overwrite}: 200 with exactly this name`,
      async (client) => {
        assert.equal(
          answerOf(await client.putRelative(relative('exact.docx', overwrite))).Name,
          'exact.docx',
        );
        assert.equal(await contentOf(client, 'exact.docx'), 'the copy');
      },
    ),
  ),
  ...['a/b.docx', 'a:b.docx', 'CON.docx', 'copy.docx.'].map((name) =>
    row(`PutRelativeFile, illegal RelativeTarget ${name}: 400 with a suggestion`, async (client) => {
      const refused = await client.putRelative(relative(encodeUtf7(name, 'closed')));
      assert.equal(refused.status, 400);
      assert.ok(String(refused.received['x-wopi-validrelativetarget'] ?? '').length > 0);
      assert.deepEqual(await client.siblings(), ['minutes.docx']);
    }),
  ),
  ...[undefined, 'False'].map((overwrite) =>
    row(
      `PutRelativeFile, RelativeTarget exists, Overwrite ${overwrite}: 409 with a suggestion that works`,
      async (client) => {
        answerOf(await client.putRelative(relative('exact.docx'), 'first'));
        const refused = await client.putRelative(relative('exact.docx', overwrite), 'second');
        assert.deepEqual([refused.status, refused.received['x-wopi-lock']], [409, '']);
        assert.equal(await contentOf(client, 'exact.docx'), 'first');
        const proposal = String(refused.received['x-wopi-validrelativetarget']);
        answerOf(await client.putRelative(relative(proposal), 'second'));
        assert.equal((await client.siblings()).length, 3);
      },
    ),
  ),
  row(
    'PutRelativeFile, RelativeTarget exists, Overwrite True: 200, same id, the old content is a version',
    async (client, { host }) => {
      const versionOf = async ({ Url }: PutRelativeAnswer): Promise<string> => {
        const access = accessOf(Url);
        return answerOf(await client.call({ operation: 'CheckFileInfo', access })).Version;
      };
      const first = answerOf(await client.putRelative(relative('exact.docx'), 'first'));
      const before = await versionOf(first);
      const second = answerOf(await client.putRelative(relative('exact.docx', 'True'), 'second'));
      const [fileId = '', other] = [first, second].map(({ Url }) => fileIdOf(accessOf(Url).wopiSrc));
      assert.equal(fileId, other);
      assert.equal(await contentOf(client, 'exact.docx'), 'second');
      assert.notEqual(await versionOf(second), before);
      assert.equal(host.host.services.versions.list(fileId).length, 1);
    },
  ),
  ...[undefined, 'True'].map((overwrite) =>
    row(
      `PutRelativeFile, RelativeTarget exists and is locked, Overwrite ${overwrite}: 409 with its lock`,
      async (client) => {
        const { Url } = answerOf(await client.putRelative(relative('exact.docx'), 'first'));
        const lock = { operation: 'Lock', access: accessOf(Url), headers: { 'X-WOPI-Lock': 'theirs' } };
        assert.equal((await client.call(lock)).status, 200);
        const refused = await client.putRelative(relative('exact.docx', overwrite), 'second');
        assert.deepEqual([refused.status, refused.received['x-wopi-lock']], [409, 'theirs']);
        assert.equal(await contentOf(client, 'exact.docx'), 'first');
      },
    ),
  ),
];

const answers: Row[] = [
  row(
    'PutRelativeFile: 200 with exactly Name, Url, HostViewUrl and HostEditUrl; the token is for the new file only',
    async (client, { host }) => {
      const before = await client.info();
      host.clock.advance(3 * hours);
      const answer = answerOf(await client.putRelative(suggested('copy.docx')));
      assert.deepEqual(Object.keys(answer).toSorted(), ['HostEditUrl', 'HostViewUrl', 'Name', 'Url']);
      assert.match(answer.Url, /\/wopi\/files\/[A-Za-z0-9_-]{22}\?access_token=[^&]+$/);
      for (const page of [answer.HostViewUrl, answer.HostEditUrl]) {
        assert.equal(new URL(page).origin, new URL(client.access.wopiSrc).origin);
        assert.doesNotMatch(page, /access_token|\/wopi\//);
      }
      const access = accessOf(answer.Url);
      const fetched = await client.call({ operation: 'GetFile', access });
      assert.equal(fetched.body.toString(), 'the copy');
      const crossed = { wopiSrc: client.access.wopiSrc, accessToken: access.accessToken };
      assert.equal((await client.call({ operation: 'CheckFileInfo', access: crossed })).status, 404);
      // The new token expires with its parent.
      const { accessTokens } = host.host.services;
      const [parent, child] = [client.access, access].map(({ accessToken }) =>
        accessTokens.find(accessToken),
      );
      assert.ok(parent !== undefined);
      assert.equal(child?.expiresAtMs, parent.expiresAtMs);
      assert.equal((await client.info()).Version, before.Version);
      assert.equal(await client.onDisk(), 'as it was');
    },
  ),
  row(
    'PutRelativeFile with X-WOPI-FileConversion: 200 with the converted name',
    async (client) => {
      const headers = { ...suggested('.docx'), 'X-WOPI-FileConversion': 'true' };
      assert.equal(answerOf(await client.putRelative(headers)).Name, 'old.docx');
    },
    { name: 'old.doc' },
  ),
  row(
    'PutRelativeFile of an empty body with the right X-WOPI-Size: creates an empty file',
    async (client) => {
      answerOf(await client.putRelative({ ...suggested('copy.docx'), 'X-WOPI-Size': 0 }, ''));
      assert.equal(await contentOf(client, 'copy.docx'), '');
    },
  ),
  row(
    'PutRelativeFile creates the copy beside the original, and not in a folder with its name',
    async (client) => {
      await mkdir(client.beside('copy.docx'));
      assert.equal(answerOf(await client.putRelative(suggested('copy.docx'))).Name, 'copy (1).docx');
      assert.deepEqual(await readdir(client.beside('copy.docx')), []);
    },
  ),
];

export const putRelativeRows: Row[] = [...naming, ...targets, ...answers];
