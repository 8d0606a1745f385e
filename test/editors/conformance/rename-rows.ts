// Section 3, RenameFile: the new name, what must not change, and invalid names.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WopiClient } from '../wopi-client.ts';
import { encodeUtf7 } from '../utf7-encoder.ts';
import { jsonOf } from '../wire.ts';
import type { Exchange, RenameAnswer } from '../wire.ts';
import { withAccess } from './row.ts';
import type { RowContext, Row } from './row.ts';

function answerOf(exchange: Exchange): RenameAnswer {
  assert.equal(exchange.status, 200);
  return jsonOf(exchange) as RenameAnswer;
}

async function addBeside(context: RowContext, client: WopiClient, name: string): Promise<void> {
  await writeFile(join(context.host.folder, dirname(client.path), name), 'there before');
}

/** [what is tested, header, stem on disk, existing files] */
const names: [what: string, header: string, stem: string, existing?: string[]][] = [
  ['a plain name', 'agenda', 'agenda'],
  ['a name with a dot keeps the file’s extension', 'agenda v1.2', 'agenda v1.2'],
  ['the vector +AF8-', '+AF8-', '_'],
  ['the vector a+-b', 'a+-b', 'a+b'],
  ['the vector +2D3eAA-', '+2D3eAA-', '\u{1f600}'],
  ['the vector +ZeVnLA-', '+ZeVnLA-', '\u65e5\u672c'],
  ['the vector +ACU-20', '+ACU-20', '%20'],
  ['a taken name is made unique', 'agenda', 'agenda (1)', ['agenda.docx']],
  ['a name taken in another case is made unique', 'AGENDA', 'AGENDA (1)', ['agenda.docx']],
  ['the same stem with another extension is free', 'agenda', 'agenda', ['agenda.xlsx']],
  ['a change of case only', 'MINUTES', 'MINUTES'],
  ['its own name', 'minutes', 'minutes'],
];

const naming: Row[] = names.map(([what, header, stem, existing = []]) => ({
  name: `RenameFile to ${header}: ${what}`,
  async run(context: RowContext) {
    const client = await context.client();
    const before = await client.info();
    for (const name of existing) await addBeside(context, client, name);
    assert.equal((await client.lock('mine')).status, 200);
    const answer = answerOf(await client.rename(header, 'mine'));
    assert.equal(answer.Name, stem);
    assert.deepEqual(await client.siblings(), [...existing, `${stem}.docx`].toSorted());
    const info = await client.info();
    assert.equal(info.BaseFileName, `${stem}.docx`);
    assert.equal(info.FileExtension, '.docx');
    assert.equal(info.Version, before.Version);
    assert.equal(await client.heldLock(), 'mine');
    assert.equal((await client.put('mine', 'edited')).status, 200);
  },
}));

const illegal: [what: string, name: string][] = [
  ['characters that file systems forbid', 'a:b*c?d"e<f>g|h'],
  ['a path', '../../agenda'],
  ['a reserved Windows stem', 'CON'],
  ['trailing dots', 'agenda...'],
  ['300 four-byte characters', '\u{1f600}'.repeat(300)],
];

const sanitizing: Row[] = illegal.map(([what, name]) => ({
  name: `RenameFile to ${what}: 200 with a legal name`,
  async run(context: RowContext) {
    const client = await context.client();
    const answer = answerOf(await client.rename(encodeUtf7(name, 'closed')));
    const onDisk = `${answer.Name}.docx`;
    assert.deepEqual(await client.siblings(), [onDisk]);
    assert.doesNotMatch(onDisk, /[/\\:*?"<>|\u0000-\u001f]/);
    assert.doesNotMatch(onDisk, /^con\./i);
    assert.ok(Buffer.byteLength(onDisk) <= 255);
    assert.equal((await client.info()).BaseFileName, onDisk);
  },
}));

const others: Row[] = [
  {
    name: 'RenameFile: 200 with exactly Name without extension, Url and LastModifiedTime',
    async run(context) {
      const client = await context.client();
      const answer = answerOf(await client.rename('agenda'));
      assert.deepEqual(Object.keys(answer).toSorted(), ['LastModifiedTime', 'Name', 'Url']);
      assert.equal(new URL(String(answer.Url)).pathname, `/wopi/files/${client.fileId}`);
      assert.equal(answer.LastModifiedTime, (await client.info()).LastModifiedTime);
    },
  },
  {
    name: 'RenameFile ignores a body',
    async run(context) {
      const client = await context.client();
      const exchange = await client.call({
        operation: 'RenameFile',
        headers: { 'X-WOPI-Override': 'RENAME_FILE', 'X-WOPI-RequestedName': 'agenda' },
        body: Buffer.alloc(3_000_000, 'x'),
      });
      answerOf(exchange);
      assert.equal((await client.info()).Size, 'as it was'.length);
    },
  },
  ...(
    [
      ['missing', undefined],
      ['empty', ''],
    ] as [string, string | undefined][]
  ).map(([what, name]) => ({
    name: `RenameFile with a ${what} name: 400 with X-WOPI-InvalidFileNameError`,
    async run(context: RowContext) {
      const client = await context.client();
      const refused = await client.rename(name);
      assert.equal(refused.status, 400);
      assert.ok(String(refused.received['x-wopi-invalidfilenameerror'] ?? '').length > 0);
      assert.deepEqual(await client.siblings(), ['minutes.docx']);
    },
  })),
  {
    name: 'RenameFile of a deleted file: 404',
    async run(context) {
      const client = await context.client();
      assert.equal((await client.deleteFile()).status, 200);
      assert.equal((await client.rename('agenda')).status, 404);
    },
  },
];

const held: Row[] = [
  {
    name: 'RenameFile without a lock id by another session than the lock’s: 409 with the lock',
    async run(context) {
      const client = await context.client();
      assert.equal((await client.lock('mine')).status, 200);
      const { accessToken } = await client.openAgain();
      const refused = await withAccess(client, { accessToken }).rename('agenda');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], 'mine');
    },
  },
  {
    name: 'RenameFile without a lock id by a session that unlocked, while another has locked: 409 with the lock',
    async run(context) {
      const client = await context.client();
      const own = { ...client.access };
      await client.lock('mine');
      await client.unlock('mine');
      const { accessToken } = await client.openAgain();
      await withAccess(client, { accessToken }).lock('theirs');
      const refused = await withAccess(client, own).rename('agenda');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], 'theirs');
    },
  },
];

export const renameRows: Row[] = [...naming, ...sanitizing, ...held, ...others];
