// The counts of saves that a host page polls. Only bodies that became the document's content count as written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestHost } from './test-host.ts';

test('counts a rejected save as begun but not as written, and a copy as neither', async (context) => {
  const host = await startTestHost({ files: { 'letter.docx': 'first' } });
  context.after(() => host.stop());
  const { fileId, accessToken: token, hostEditUrl } = await host.access('letter.docx');
  const entered = await fetch(hostEditUrl, { redirect: 'manual' });
  const [cookie = ''] = entered.headers.getSetCookie().map((one) => one.split(';')[0]);
  const saves = async (): Promise<{ begun: number; written: number }> => {
    const answer = await fetch(`${host.baseUrl}/edit/${fileId}/state`, { headers: { Cookie: cookie } });
    const { begun, written } = ((await answer.json()) as { saves: { begun: number; written: number } }).saves;
    return { begun, written };
  };
  const put = async (lock: string, body: string): Promise<number> => {
    const headers = { 'X-WOPI-Lock': lock };
    return (await host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body })).status;
  };
  assert.deepEqual(await saves(), { begun: 0, written: 0 });
  await host.wopi({ fileId, token, override: 'LOCK', headers: { 'X-WOPI-Lock': 'a' } });
  assert.equal(await put('another', 'refused'), 409);
  assert.deepEqual(await saves(), { begun: 1, written: 0 });
  assert.equal(await put('a', 'second'), 200);
  assert.equal(await put('a', 'second'), 200, 'a save with the same content counts too');
  assert.deepEqual(await saves(), { begun: 3, written: 3 });
  assert.equal(
    (
      await host.wopi({
        fileId,
        token,
        override: 'PUT_RELATIVE',
        headers: { 'X-WOPI-SuggestedTarget': '.odt' },
        body: 'a copy',
      })
    ).status,
    200,
  );
  assert.deepEqual(await saves(), { begun: 3, written: 3 }, 'a copy isn’t a save of the document');
});
