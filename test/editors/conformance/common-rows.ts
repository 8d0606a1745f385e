// Sections 1 and 2 of the behaviour page: which operation a request is, who is let in at the door, and the order in which
// all of that is judged.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { presenting, withSettings } from './row.ts';
import type { Ground, Row } from './row.ts';

const overrides: Row[] = [
  ...[
    'COBALT',
    'ADD_ACTIVITIES',
    'GET_SHARE_URL',
    'GET_RESTRICTED_LINK',
    'READ_SECURE_STORE',
    'NONSENSE',
  ].map((value) => ({
    name: `X-WOPI-Override ${value}: 501`,
    async run(ground: Ground) {
      const desk = await ground.desk();
      assert.equal(
        (await desk.call({ operation: value, headers: { 'X-WOPI-Override': value } })).status,
        501,
      );
    },
  })),
  ...['', '/contents'].map((suffix) => ({
    name: `A POST on ${suffix === '' ? 'the file' : 'its contents'} without X-WOPI-Override: 400`,
    async run(ground: Ground) {
      const desk = await ground.desk();
      assert.equal((await desk.call({ operation: 'none', suffix, headers: {} })).status, 400);
    },
  })),
  {
    name: 'The value of X-WOPI-Override is compared without case',
    async run(ground) {
      const desk = await ground.desk();
      const headers = { 'X-WOPI-Override': 'lock', 'X-WOPI-Lock': 'mine' };
      assert.equal((await desk.call({ operation: 'Lock', headers })).status, 200);
      const put = { 'X-WOPI-Override': 'Put', 'X-WOPI-Lock': 'mine' };
      assert.equal(
        (await desk.call({ operation: 'PutFile', suffix: '/contents', headers: put, body: 'a' })).status,
        200,
      );
    },
  },
  {
    name: 'An empty Lock labelled as a form is read like any other',
    async run(ground) {
      const desk = await ground.desk();
      const headers = {
        'X-WOPI-Override': 'LOCK',
        'X-WOPI-Lock': 'mine',
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      assert.equal((await desk.call({ operation: 'Lock', headers, body: '' })).status, 200);
    },
  },
  {
    name: 'An X-WOPI-TimeStamp beyond 2^53 disturbs nobody',
    async run(ground) {
      const desk = await ground.desk();
      const headers = { 'X-WOPI-TimeStamp': 639_304_705_802_345_679n };
      assert.equal((await desk.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 200);
    },
  },
  {
    name: 'The correlation id of a call stands in the journal, its token does not',
    async run(ground) {
      const desk = await ground.desk();
      const correlationId = randomUUID();
      const headers = { 'X-WOPI-CorrelationId': correlationId };
      // Not one of those that are asked again and again, of which one a minute is journaled.
      await desk.getFile(headers);
      const entry = ground.host.host.services.journal
        .entries()
        .findLast((line) => line.correlationId === correlationId);
      assert.equal(entry?.status, 200);
      assert.equal(entry.fileId, desk.fileId);
      assert.ok(!JSON.stringify(entry).includes(desk.access.accessToken));
    },
  },
];

const gates: Row[] = [
  {
    name: 'A Host header nobody allowed: 421, before anything else',
    async run(ground) {
      const desk = await ground.desk();
      const headers = { Host: 'evil.example' };
      assert.equal((await desk.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 421);
      const unknown = presenting(desk, { accessToken: 'none' });
      assert.equal((await unknown.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 421);
    },
  },
  {
    name: 'A Host header that allowedHosts names: 200',
    async run(ground) {
      const desk = await ground.desk();
      await withSettings(ground, { allowedHosts: ['docs.example'], ...ground.reachable }, async () => {
        const headers = { Host: 'docs.example' };
        assert.equal((await desk.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 200);
      });
    },
  },
  {
    name: 'A client address outside the allow-list that is on: 403',
    async run(ground) {
      const desk = await ground.desk();
      await withSettings(ground, { allowedAddresses: ['192.0.2.1'] }, async () => {
        assert.equal((await desk.checkFileInfo()).status, 403);
      });
      assert.equal((await desk.checkFileInfo()).status, 200);
    },
  },
];

const order: Row[] = [
  ...['NONSENSE', undefined].map((override) => ({
    name: `Order: an unknown token is told before ${override === undefined ? 'a missing' : 'an unknown'} X-WOPI-Override`,
    async run(ground: Ground) {
      const desk = presenting(await ground.desk(), { accessToken: 'x'.repeat(43) });
      assert.equal(
        (await desk.call({ operation: 'none', headers: { 'X-WOPI-Override': override } })).status,
        401,
      );
    },
  })),
  {
    name: 'Order: a missing file is told before a missing permission',
    async run(ground) {
      const desk = await ground.desk({ mode: 'view' });
      await rm(join(ground.host.folder, desk.path));
      assert.equal((await desk.put('mine', 'edited')).status, 404);
      assert.equal((await desk.rename('agenda')).status, 404);
    },
  },
  {
    name: 'Order: a missing file is told before a header of the wrong form',
    async run(ground) {
      const desk = await ground.desk();
      await rm(join(ground.host.folder, desk.path));
      assert.equal((await desk.lock('')).status, 404);
    },
  },
  {
    name: 'Order: a missing permission is told before a header of the wrong form',
    async run(ground) {
      const desk = await ground.desk({ mode: 'view' });
      assert.equal((await desk.put('a\tb', 'edited')).status, 401);
      assert.equal((await desk.putRelative({})).status, 501);
    },
  },
];

export const commonRows: Row[] = [...overrides, ...gates, ...order];
