// Section 3, RenameFile: the new name, what must not change, and invalid names.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { encodeUtf7 } from '../utf7-encoder.ts';
import { answerOf, assertConflict, row, take, withAccess, type Row } from './row.ts';

/** [what is tested, header, stem on disk, existing files] */
const names: [what: string, header: string, stem: string, existing?: string[]][] = [
  ['a plain name', 'agenda', 'agenda'],
  ['a name with a dot keeps the file’s extension', 'agenda v1.2', 'agenda v1.2'],
  ['the vector a+-b', 'a+-b', 'a+b'],
  ['the vector +2D3eAA-', '+2D3eAA-', '\u{1f600}'],
  ['a taken name is made unique', 'agenda', 'agenda (1)', ['agenda.docx']],
  ['a name taken in another case is made unique', 'AGENDA', 'AGENDA (1)', ['agenda.docx']],
  ['the same stem with another extension is free', 'agenda', 'agenda', ['agenda.xlsx']],
  ['a change of case only', 'MINUTES', 'MINUTES'],
  ['its own name', 'minutes', 'minutes'],
];

const naming: Row[] = names.map(([what, header, stem, existing = []]) =>
  row(`RenameFile to ${header}: ${what}`, async (client) => {
    const before = await client.info();
    for (const name of existing) await writeFile(client.beside(name), 'there before');
    await take(client);
    assert.equal(answerOf(await client.rename(header, 'mine')).Name, stem);
    assert.deepEqual(await client.siblings(), [...existing, `${stem}.docx`].toSorted());
    const { BaseFileName, FileExtension, Version } = await client.info();
    assert.deepEqual([BaseFileName, FileExtension, Version], [`${stem}.docx`, '.docx', before.Version]);
    assert.equal(await client.heldLock(), 'mine');
    assert.equal((await client.put('mine', 'edited')).status, 200);
  }),
);

const illegal: [what: string, name: string][] = [
  ['characters that file systems forbid', 'a:b*c?d"e<f>g|h'],
  ['a path', '../../agenda'],
  ['a reserved Windows stem', 'CON'],
  ['trailing dots', 'agenda...'],
  ['300 four-byte characters', '\u{1f600}'.repeat(300)],
];

const sanitizing: Row[] = illegal.map(([what, name]) =>
  row(`RenameFile to ${what}: 200 with a legal name`, async (client) => {
    const answer = answerOf(await client.rename(encodeUtf7(name, 'closed')));
    const onDisk = `${answer.Name}.docx`;
    assert.deepEqual(await client.siblings(), [onDisk]);
    assert.doesNotMatch(onDisk, /[/\\:*?"<>|\u0000-\u001f]/);
    assert.doesNotMatch(onDisk, /^con\./i);
    assert.ok(Buffer.byteLength(onDisk) <= 255);
    assert.equal((await client.info()).BaseFileName, onDisk);
  }),
);

const others: Row[] = [
  row('RenameFile: 200 with exactly Name without extension, Url and LastModifiedTime', async (client) => {
    // Collabora sends the document as the body, which the host ignores.
    const exchange = await client.rename('agenda', undefined, Buffer.alloc(3_000_000, 'x'));
    const { Name, Url, LastModifiedTime, ...more } = answerOf(exchange);
    assert.deepEqual([Name, more], ['agenda', {}]);
    assert.equal(new URL(Url).pathname, `/wopi/files/${client.fileId}`);
    const info = await client.info();
    assert.deepEqual([LastModifiedTime, 'as it was'.length], [info.LastModifiedTime, info.Size]);
  }),
  row('RenameFile with a missing or empty name: 400 with X-WOPI-InvalidFileNameError', async (client) => {
    for (const name of [undefined, '']) {
      const refused = await client.rename(name);
      assert.equal(refused.status, 400);
      assert.ok(String(refused.received['x-wopi-invalidfilenameerror'] ?? '').length > 0);
    }
    assert.deepEqual(await client.siblings(), ['minutes.docx']);
  }),
  row(
    'RenameFile without a lock id by another session than the lock’s: 409 with the lock',
    async (client) => {
      await take(client);
      const { accessToken } = await client.openAgain();
      await assertConflict(client, await withAccess(client, { accessToken }).rename('agenda'), 'mine');
    },
  ),
  row(
    'RenameFile without a lock id by a session that unlocked, while another has locked: 409 with the lock',
    async (client) => {
      const own = { ...client.access };
      await take(client);
      await client.unlock('mine');
      const { accessToken } = await client.openAgain();
      await take(withAccess(client, { accessToken }), 'theirs');
      await assertConflict(client, await withAccess(client, own).rename('agenda'), 'theirs');
    },
  ),
];

export const renameRows: Row[] = [...naming, ...sanitizing, ...others];
