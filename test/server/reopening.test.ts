// The listener is reopened by the window, by the check that runs every minute and after a wake from sleep. These can run
// concurrently, while a document is saved, and while the host stops. Afterwards exactly one port must be open, or none after a stop.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { freePorts } from '../free-ports.ts';
import { startTestHost } from './test-host.ts';

async function begin(t: TestContext) {
  const host = await startTestHost({ files: { 'a.docx': 'first' } }, t);
  return { host, ...host.host, before: host.baseUrl };
}

const isOpen = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

test('two concurrent reopenings and a check keep the port, and a running save succeeds', async (t) => {
  const { host, before, state } = await begin(t);
  const { beginSave } = await host.edit('a.docx');
  const { end, answer } = await beginSave();
  const seen: string[] = [];
  const checking = host.host.noteWake().then(() => seen.push(host.baseUrl));
  const all = Promise.all([host.host.reopen(), host.host.reopen(), checking]);
  end();
  await all;
  assert.deepEqual([...seen, host.baseUrl], [before, before]);
  assert.equal((await answer).status, 200);
  assert.equal(state().status, 'serving');
  assert.equal(await isOpen(before), true);
});

test('a host that is stopped during a reopening closes its port', async (t) => {
  const { host, before } = await begin(t);
  const { beginSave } = await host.edit('a.docx');
  const { end, answer } = await beginSave();
  const reopening = host.host.reopen().catch(() => undefined);
  const stopping = host.host.stop();
  end();
  await Promise.all([reopening, stopping]);
  assert.equal((await answer).status, 200);
  for (const url of [before, host.baseUrl]) assert.equal(await isOpen(url), false);
});

for (const what of ['another port', 'the same port at 0.0.0.0'] as const) {
  test(`reopens on ${what}, and a running save succeeds`, async (t) => {
    const { host, before, state } = await begin(t);
    const document = await host.edit('a.docx');
    const { end, answer } = await document.beginSave();
    const port = what === 'another port' ? await freePorts() : host.port;
    host.listenOn(what === 'another port' ? { port } : { host: '0.0.0.0', port });
    assert.equal(state().needsListenerRestart, true);
    await host.host.reopen();
    assert.equal(host.baseUrl, `http://127.0.0.1:${port}`);
    assert.equal(state().needsListenerRestart, false);
    assert.equal((await document.call()).status, 200);
    end();
    assert.equal((await answer).status, 200);
    assert.equal(await document.content(), 'half, half');
    if (what === 'another port') assert.equal(await isOpen(before), false, 'the old port is closed');
  });
}

test('after two quick changes of the port, listens on the second', async (t) => {
  const { host } = await begin(t);
  const first = await freePorts();
  host.listenOn({ port: first });
  const one = host.host.reopen();
  const second = await freePorts();
  host.listenOn({ port: second });
  await Promise.all([one, host.host.reopen()]);
  assert.equal(host.baseUrl, `http://127.0.0.1:${second}`);
  assert.equal(await isOpen(`http://127.0.0.1:${first}`), false);
});
