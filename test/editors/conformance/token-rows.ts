// Sections 1 and 2 of the behaviour page where the answer hangs on the token and the file id: missing, unknown, of another
// file, revoked, expired, and what an expired one still carries.

import assert from 'node:assert/strict';
import type { Desk } from '../desk.ts';
import { rawCall, rawHead } from '../raw-call.ts';
import type { Exchange } from '../wire.ts';
import { hours, minutes, presenting } from './row.ts';
import type { Ground, Row } from './row.ts';

const unknownId = 'A'.repeat(22);

/** Every kind of call, to ask the same refusal of all of them. */
const everyCall: [name: string, run: (desk: Desk) => Promise<Exchange>][] = [
  ['CheckFileInfo', (desk) => desk.checkFileInfo()],
  ['GetFile', (desk) => desk.getFile()],
  ['Lock', (desk) => desk.lock('mine')],
  ['GetLock', (desk) => desk.getLock()],
  ['RefreshLock', (desk) => desk.refreshLock('mine')],
  ['Unlock', (desk) => desk.unlock('mine')],
  ['PutFile', (desk) => desk.put('mine', 'edited')],
  ['PutRelativeFile', (desk) => desk.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx' })],
  ['RenameFile', (desk) => desk.rename('agenda')],
  ['DeleteFile', (desk) => desk.deleteFile()],
  ['PutUserInfo', (desk) => desk.putUserInfo('text')],
];

const tokens: Row[] = [
  ...everyCall.flatMap(([name, run]) => [
    {
      name: `${name} with an unknown token: 401`,
      async run(ground: Ground) {
        const desk = presenting(await ground.desk(), { accessToken: 'x'.repeat(43) });
        assert.equal((await run(desk)).status, 401);
      },
    },
    {
      name: `${name} with the token of another file: 404`,
      async run(ground: Ground) {
        const other = await ground.desk();
        const desk = presenting(await ground.desk(), { accessToken: other.access.accessToken });
        assert.equal((await run(desk)).status, 404);
        assert.deepEqual(await desk.neighbours(), ['minutes.docx']);
      },
    },
    {
      name: `${name} with an expired token and no lock behind it: 401`,
      async run(ground: Ground) {
        const desk = await ground.desk();
        ground.host.clock.advance(10 * hours + 1_000);
        assert.equal((await run(desk)).status, 401);
        assert.equal(await desk.onDisk(), 'as it was');
      },
    },
  ]),
  {
    name: 'A call with no token: 401',
    async run(ground) {
      const desk = await ground.desk();
      const { url } = desk.target();
      url.search = '';
      const answer = await rawCall(url.origin, [rawHead('GET', url, {})], 'wait');
      assert.equal(answer.status, 401);
      assert.match(answer.head, /\r\nwww-authenticate: Bearer/i);
    },
  },
  {
    name: 'A call with a malformed token: 401',
    async run(ground) {
      const desk = presenting(await ground.desk(), { accessToken: '../../etc/passwd\u0000' });
      assert.equal((await desk.checkFileInfo()).status, 401);
    },
  },
  {
    name: 'A call with a revoked token: 401, at once',
    async run(ground) {
      const desk = await ground.desk();
      const { accessTokens } = ground.host.host.services;
      await desk.lock('mine');
      accessTokens.revoke(String(accessTokens.find(desk.access.accessToken)?.id));
      assert.equal((await desk.checkFileInfo()).status, 401);
      assert.equal((await desk.put('mine', 'edited')).status, 401);
      assert.equal(await desk.onDisk(), 'as it was');
    },
  },
  {
    name: 'An API token opens no file: 401',
    async run(ground) {
      const desk = presenting(await ground.desk(), { accessToken: await ground.host.signIn() });
      assert.equal((await desk.checkFileInfo()).status, 401);
    },
  },
  {
    name: 'An unknown file id: 404',
    async run(ground) {
      const desk = await ground.desk();
      const wopiSrc = desk.access.wopiSrc.replace(desk.fileId, unknownId);
      assert.equal((await presenting(desk, { wopiSrc }).checkFileInfo()).status, 404);
    },
  },
  ...['short', `${'A'.repeat(21)}%2E`, '..%2F..%2Fetc', `${'A'.repeat(22)}/more`].map((id) => ({
    name: `The file id ${id} has the wrong form: 404, whatever the token`,
    async run(ground: Ground) {
      const desk = await ground.desk();
      const wopiSrc = desk.access.wopiSrc.replace(desk.fileId, id);
      assert.equal((await presenting(desk, { wopiSrc, accessToken: 'none' }).checkFileInfo()).status, 404);
    },
  })),
  {
    name: 'The token may come in Authorization as well, and the query counts',
    async run(ground) {
      const desk = await ground.desk();
      const headers = { Authorization: `Bearer ${desk.access.accessToken}` };
      assert.equal((await desk.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 200);
    },
  },
];

const carrying: [name: string, run: (desk: Desk, id: string) => Promise<Exchange>][] = [
  ['RefreshLock', (desk, id) => desk.refreshLock(id)],
  ['Lock', (desk, id) => desk.lock(id)],
  ['PutFile', (desk, id) => desk.put(id, 'edited')],
  ['Unlock', (desk, id) => desk.unlock(id)],
];

const expiry: Row[] = [
  ...carrying.flatMap(([name, run]) => [
    {
      name: `${name} with an expired token and the held lock id: 200`,
      async run({ host, desk: newDesk }: Ground) {
        const desk = await newDesk();
        await desk.lock('mine');
        for (let at = 0; at < 10 * 60; at += 25) {
          host.clock.advance(25 * minutes);
          await desk.refreshLock('mine');
        }
        assert.equal((await desk.checkFileInfo()).status, 401);
        assert.equal((await run(desk, 'mine')).status, 200);
      },
    },
    {
      name: `${name} with a token expired for hours and the graced lock id: 200`,
      async run({ host, desk: newDesk }: Ground) {
        const desk = await newDesk();
        await desk.lock('mine');
        host.clock.advance(33 * hours);
        assert.equal((await run(desk, 'mine')).status, 200);
      },
    },
    {
      name: `${name} with an expired token and another lock id: 401`,
      async run({ host, desk: newDesk }: Ground) {
        const desk = await newDesk();
        await desk.lock('mine');
        host.clock.advance(11 * hours);
        assert.equal((await run(desk, 'other')).status, 401);
        assert.equal(await desk.onDisk(), 'as it was');
      },
    },
    {
      name: `${name} with a token expired for more than 24 hours: 401`,
      async run({ host, desk: newDesk }: Ground) {
        const desk = await newDesk();
        await desk.lock('mine');
        host.clock.advance(34 * hours + minutes);
        assert.equal((await run(desk, 'mine')).status, 401);
        assert.equal(await desk.onDisk(), 'as it was');
      },
    },
  ]),
  ...(
    [
      ['GetLock', (desk) => desk.getLock()],
      ['GetFile', (desk) => desk.getFile()],
      ['CheckFileInfo', (desk) => desk.checkFileInfo()],
      [
        'PutRelativeFile',
        (desk) => desk.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx', 'X-WOPI-Lock': 'mine' }),
      ],
      ['RenameFile', (desk) => desk.rename('agenda', 'mine')],
      ['DeleteFile', (desk) => desk.deleteFile()],
    ] as [string, (desk: Desk) => Promise<Exchange>][]
  ).map(([name, run]) => ({
    name: `${name} with an expired token and the graced lock id: 401 all the same`,
    async run({ host, desk: newDesk }: Ground) {
      const desk = await newDesk();
      await desk.lock('mine');
      host.clock.advance(11 * hours);
      assert.equal((await run(desk)).status, 401);
      assert.deepEqual(await desk.neighbours(), ['minutes.docx']);
    },
  })),
];

export const tokenRows: Row[] = [...tokens, ...expiry];
