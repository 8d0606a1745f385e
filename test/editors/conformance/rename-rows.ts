// Section 3, RenameFile: the name that is given, what stays as it was, and what is no name at all.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Desk } from '../desk.ts';
import { encodeUtf7 } from '../utf7-encoder.ts';
import { jsonOf } from '../wire.ts';
import type { Exchange, RenameAnswer } from '../wire.ts';
import { presenting } from './row.ts';
import type { Ground, Row } from './row.ts';

function answerOf(exchange: Exchange): RenameAnswer {
  assert.equal(exchange.status, 200);
  return jsonOf(exchange) as RenameAnswer;
}

async function addBeside(ground: Ground, desk: Desk, name: string): Promise<void> {
  await writeFile(join(ground.host.folder, dirname(desk.path), name), 'there before');
}

/** [what it shows, header, stem on the disk, files already there] */
const names: [what: string, header: string, stem: string, existing?: string[]][] = [
  ['a plain name', 'agenda', 'agenda'],
  ['a name with a dot in it keeps the extension of the file', 'agenda v1.2', 'agenda v1.2'],
  ['the vector +AF8-', '+AF8-', '_'],
  ['the vector a+-b', 'a+-b', 'a+b'],
  ['the vector +2D3eAA-', '+2D3eAA-', '\u{1f600}'],
  ['the vector +ZeVnLA-', '+ZeVnLA-', '\u65e5\u672c'],
  ['the vector +ACU-20', '+ACU-20', '%20'],
  ['a taken name is made unique', 'agenda', 'agenda (1)', ['agenda.docx']],
  ['a name taken in other case is taken', 'AGENDA', 'AGENDA (1)', ['agenda.docx']],
  ['the same stem with another extension is free', 'agenda', 'agenda', ['agenda.xlsx']],
  ['a change of case alone', 'MINUTES', 'MINUTES'],
  ['its own name', 'minutes', 'minutes'],
];

const naming: Row[] = names.map(([what, header, stem, existing = []]) => ({
  name: `RenameFile to ${header}: ${what}`,
  async run(ground: Ground) {
    const desk = await ground.desk();
    const before = await desk.info();
    for (const name of existing) await addBeside(ground, desk, name);
    assert.equal((await desk.lock('mine')).status, 200);
    const answer = answerOf(await desk.rename(header, 'mine'));
    assert.equal(answer.Name, stem);
    assert.deepEqual(await desk.neighbours(), [...existing, `${stem}.docx`].toSorted());
    const info = await desk.info();
    assert.equal(info.BaseFileName, `${stem}.docx`);
    assert.equal(info.FileExtension, '.docx');
    assert.equal(info.Version, before.Version);
    assert.equal(await desk.heldLock(), 'mine');
    assert.equal((await desk.put('mine', 'edited')).status, 200);
  },
}));

const illegal: [what: string, name: string][] = [
  ['characters no file system takes', 'a:b*c?d"e<f>g|h'],
  ['a path', '../../agenda'],
  ['a reserved Windows stem', 'CON'],
  ['dots at the end', 'agenda...'],
  ['300 letters of four bytes each', '\u{1f600}'.repeat(300)],
];

const legalising: Row[] = illegal.map(([what, name]) => ({
  name: `RenameFile to ${what}: 200 under a legal name made from it`,
  async run(ground: Ground) {
    const desk = await ground.desk();
    const answer = answerOf(await desk.rename(encodeUtf7(name, 'closed')));
    const onDisk = `${answer.Name}.docx`;
    assert.deepEqual(await desk.neighbours(), [onDisk]);
    assert.doesNotMatch(onDisk, /[/\\:*?"<>|\u0000-\u001f]/);
    assert.doesNotMatch(onDisk, /^con\./i);
    assert.ok(Buffer.byteLength(onDisk) <= 255);
    assert.equal((await desk.info()).BaseFileName, onDisk);
  },
}));

const others: Row[] = [
  {
    name: 'RenameFile answers exactly Name without extension, Url and LastModifiedTime',
    async run(ground) {
      const desk = await ground.desk();
      const answer = answerOf(await desk.rename('agenda'));
      assert.deepEqual(Object.keys(answer).toSorted(), ['LastModifiedTime', 'Name', 'Url']);
      assert.equal(new URL(String(answer.Url)).pathname, `/wopi/files/${desk.fileId}`);
      assert.equal(answer.LastModifiedTime, (await desk.info()).LastModifiedTime);
    },
  },
  {
    name: 'RenameFile drains a body and saves none of it',
    async run(ground) {
      const desk = await ground.desk();
      const exchange = await desk.call({
        operation: 'RenameFile',
        headers: { 'X-WOPI-Override': 'RENAME_FILE', 'X-WOPI-RequestedName': 'agenda' },
        body: Buffer.alloc(3_000_000, 'x'),
      });
      answerOf(exchange);
      assert.equal((await desk.info()).Size, 'as it was'.length);
    },
  },
  ...(
    [
      ['missing', undefined],
      ['empty', ''],
    ] as [string, string | undefined][]
  ).map(([what, name]) => ({
    name: `RenameFile with a ${what} name: 400 with X-WOPI-InvalidFileNameError`,
    async run(ground: Ground) {
      const desk = await ground.desk();
      const refused = await desk.rename(name);
      assert.equal(refused.status, 400);
      assert.ok(String(refused.received['x-wopi-invalidfilenameerror'] ?? '').length > 0);
      assert.deepEqual(await desk.neighbours(), ['minutes.docx']);
    },
  })),
  {
    name: 'RenameFile of a deleted file: 404',
    async run(ground) {
      const desk = await ground.desk();
      assert.equal((await desk.deleteFile()).status, 200);
      assert.equal((await desk.rename('agenda')).status, 404);
    },
  },
];

const held: Row[] = [
  {
    name: 'RenameFile without a lock id by another session than the one that locked it: 409 with the lock',
    async run(ground) {
      const desk = await ground.desk();
      assert.equal((await desk.lock('mine')).status, 200);
      const { accessToken } = await desk.openAgain();
      const refused = await presenting(desk, { accessToken }).rename('agenda');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], 'mine');
    },
  },
  {
    name: 'RenameFile without a lock id by a session whose own lock is over: 409 with the lock of the other',
    async run(ground) {
      const desk = await ground.desk();
      const own = { ...desk.access };
      await desk.lock('mine');
      await desk.unlock('mine');
      const { accessToken } = await desk.openAgain();
      await presenting(desk, { accessToken }).lock('theirs');
      const refused = await presenting(desk, own).rename('agenda');
      assert.equal(refused.status, 409);
      assert.equal(refused.received['x-wopi-lock'], 'theirs');
    },
  },
];

export const renameRows: Row[] = [...naming, ...legalising, ...held, ...others];
