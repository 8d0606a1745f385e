import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { faultOf } from '../../../app/editors/editor-fault.ts';
import { speaking } from '../../../app/languages.ts';
import type { BuiltInEditor } from '../../../app/editors/editors.ts';
import { parseDiscovery } from '../../../app/wopi/discovery.ts';
import {
  openEditors,
  discoveryXml,
  documentServer,
  minuteMs,
  signingKey,
  startMs,
} from './editors-fixture.ts';

const failsAs =
  (code: string, detail = /./u) =>
  (error: unknown) =>
    error instanceof AppError && error.code === code && detail.test(error.message);
const hourMs = 60 * minuteMs;

/** The service with one connected editor, whose events are counted from then on. */
async function connect(t: TestContext) {
  const server = await documentServer(t, ['odt edit']);
  server.key = signingKey();
  const open = await openEditors(t);
  const added = await open.editors.add({ url: server.url });
  open.events.length = 0;
  return { ...open, server, added, id: added.id, now: () => open.editors.byId(added.id) };
}

test('stores a connected editor with its discovery, and lists it after a restart, but none that doesn’t respond', async (t) => {
  const server = await documentServer(t, ['odt edit', 'pdf view']);
  server.key = signingKey();
  const { editors, events, reopen } = await openEditors(t);
  server.isAway = true;
  await assert.rejects(editors.add({ url: server.url }), failsAs('editor-unreachable', /answered 503/u));
  assert.deepEqual([editors.list(), events], [[], []]);
  server.isAway = false;
  const editor = await editors.add({ url: `${server.url}/hosting/discovery` });
  const { url, kind, name, proofMode, discoveredAtMs, discovery } = editor;
  assert.deepEqual([url, kind, name], [server.url, 'collabora', 'Collabora Online']);
  assert.deepEqual([proofMode, discoveredAtMs], ['if-present', startMs]);
  assert.equal(discovery.proofKeys?.current, server.key.pem);
  assert.deepEqual(events, [{ event: 'editors-changed' }]);
  editors.setDefault('.ODT', editor.id);
  const restarted = reopen();
  assert.deepEqual([restarted.list(), restarted.defaults()], [[editor], { odt: editor.id }]);
});

test('connects the same address only once, in any notation, also concurrently', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors } = await openEditors(t);
  const twice = await Promise.allSettled([
    editors.add({ url: server.url }),
    editors.add({ url: `127.0.0.1:${server.port}/` }),
  ]);
  const refusals = twice.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  assert.equal(refusals.length, 1);
  assert.ok(failsAs('editor-exists')(refusals[0]));
  await assert.rejects(editors.add({ url: server.url.toUpperCase() }), failsAs('editor-exists'));
  assert.equal(editors.list().length, 1);
});

test('keeps editor names unique, with the host of a second editor of the same product', async (t) => {
  const { editors, id } = await connect(t);
  const second = await documentServer(t, ['odt edit']);
  const other = await editors.add({ url: second.url });
  const name = `Collabora Online (127.0.0.1:${second.port})`;
  assert.equal(other.name, name);
  assert.equal((await editors.refresh(other.id)).name, name);
  editors.change(id, { name: 'Desk' });
  assert.throws(() => editors.change(other.id, { name: 'DESK' }), failsAs('name-taken'));
  assert.equal(editors.change(id, { name: 'desk' }).name, 'desk', 'its own name is free for it');
  const third = await documentServer(t, ['odt edit']);
  await assert.rejects(editors.add({ url: third.url, name: 'desk' }), failsAs('name-taken'));
});

test('keeps the previous discovery if the pages move to another host, unless the user allows it', async (t) => {
  const { editors, server, id, added, now } = await connect(t);
  server.pages = `http://localhost:${server.port}`;
  const { discovery } = await editors.refresh(id);
  assert.notDeepEqual(discovery, added.discovery, 'another loopback name isn’t another host');
  server.pages = 'https://elsewhere.test';
  await assert.rejects(editors.refresh(id), failsAs('editor-other-host', /https:\/\/elsewhere\.test/u));
  assert.deepEqual(now()?.discovery, discovery);
  assert.equal(now()?.problem?.code, 'other-host');
  editors.change(id, { acceptsOtherHosts: true });
  await editors.refresh(id);
  assert.equal(now()?.problem, null);
  assert.throws(() => editors.change(id, { acceptsOtherHosts: false }), failsAs('editor-other-host'));
});

test('keeps the discovery of an editor that stops responding, reports it once, since when and why, and once that it is back', async (t) => {
  const { editors, server, id, added, events, clock, warnings, reopen, now } = await connect(t);
  server.isAway = true;
  clock.nowMs += hourMs;
  const inGerman = (): Promise<unknown> => speaking(['de'], () => editors.refresh(id));
  await assert.rejects(inGerman(), failsAs('editor-unreachable'));
  clock.nowMs += hourMs;
  await assert.rejects(editors.refresh(id), failsAs('editor-unreachable'));
  const sentence = `${server.url} answered 503 instead of its discovery document.`;
  const remedy = 'It may still be starting. Try again in a minute.';
  const sinceMs = startMs + hourMs;
  assert.deepEqual(now()?.problem, { code: 'status', sentence, remedy, sinceMs });
  assert.match(speaking(['de'], () => now()?.problem?.remedy) ?? '', /^Vielleicht startet er noch\./u);
  assert.deepEqual(now()?.discovery, added.discovery);
  // No sentence is stored: it would be in the language of whoever was first.
  const stored = { code: 'status', sentence: 'DocTray can’t reach the editor.', sinceMs };
  assert.deepEqual(reopen().byId(id)?.problem, stored);
  assert.deepEqual(events, [
    { event: 'editor-unreachable', editorId: id, name: 'Collabora Online' },
    { event: 'editors-changed' },
  ]);
  assert.deepEqual(warnings, [`Collabora Online can’t be reached. ${sentence} ${remedy}`]);

  server.isAway = false;
  events.length = 0;
  assert.equal((await editors.refresh(id)).problem, null);
  await editors.refresh(id);
  const names = ['editor-reachable', 'editors-changed', 'editors-changed'];
  assert.equal(events.map(({ event }) => event).join(), names.join());
  await server.close();
  await assert.rejects(editors.refresh(id), (error) => faultOf(error)?.code === 'refused');
});

test('refreshes discovery every 12 hours, every 2 minutes while there is a problem, and at once after a restart', async (t) => {
  const { editors, server, clock, reopen, now } = await connect(t);
  const readsAfter = async (ms: number): Promise<number> => {
    const before = server.reads;
    clock.nowMs += ms;
    await editors.refreshDue();
    return server.reads - before;
  };
  server.actions = ['odt edit', 'ods edit'];
  assert.deepEqual([await readsAfter(12 * hourMs - 1), await readsAfter(1), await readsAfter(0)], [0, 1, 0]);
  assert.equal(now()?.discovery.actions.length, 2);
  server.isAway = true;
  assert.equal(await readsAfter(12 * hourMs), 1);
  assert.deepEqual([await readsAfter(2 * minuteMs - 1), await readsAfter(1)], [0, 1]);
  server.isAway = false;
  const restarted = reopen();
  await restarted.refreshDue();
  assert.equal(restarted.list()[0]?.problem, null);
});

test('refreshes discovery at most once a minute after wrong signatures, and once for concurrent calls', async (t) => {
  const { editors, server, id, clock } = await connect(t);
  server.key = signingKey();
  for (const keys of await Promise.all([1, 2, 3].map(async () => editors.keysAfterFailure(id))))
    assert.equal(keys?.current, server.key.pem);
  assert.equal(server.reads, 2);
  const before = server.key.pem;
  server.key = signingKey();
  clock.nowMs += minuteMs - 1;
  assert.equal((await editors.keysAfterFailure(id))?.current, before);
  clock.nowMs += 1;
  const { pem } = server.key;
  assert.equal((await editors.keysAfterFailure(id))?.current, pem);
  assert.equal(server.reads, 3);
  server.isAway = true;
  clock.nowMs += minuteMs;
  assert.equal((await editors.keysAfterFailure(id))?.current, pem, 'the previous keys stay in use');
  await editors.remove(id);
  assert.equal(await editors.keysAfterFailure(id), null);
});

test('removes an editor with its defaults, also during a refresh', async (t) => {
  const { editors, events, reopen, id } = await connect(t);
  editors.setDefault('odt', id);
  const reading = editors.refresh(id);
  await editors.remove(id);
  await assert.rejects(reading, failsAs('editor-unknown'));
  assert.deepEqual([editors.list(), editors.defaults(), reopen().list()], [[], {}, []]);
  assert.equal(events.at(-1)?.event, 'editors-changed');
  await assert.rejects(editors.remove(id), failsAs('editor-unknown'));
  await assert.rejects(editors.refresh(id), failsAs('editor-unknown'));
});

test('validates a change completely before applying any of it', async (t) => {
  const { editors, added, id, now } = await connect(t);
  for (const change of [
    { name: '' },
    { name: 'x\u0000y' },
    { publicUrl: 'ftp://x' },
    { publicUrl: 'http://a:b@c' },
    { publicUrl: 'http://x/?a' },
    { allowedAddresses: ['10.0.0.0/8', '10.0.0.0/33'] },
    { name: 'New', allowedAddresses: ['docs.test'] },
  ]) {
    assert.throws(() => editors.change(id, change), failsAs('invalid-argument'), JSON.stringify(change));
  }
  assert.deepEqual(now(), added);
  const change = { proofMode: 'required', allowedAddresses: ['10.0.0.0/8', 'fd00::1'] } as const;
  const changed = editors.change(id, { name: ' New ', publicUrl: 'http://10.0.0.2:8790/', ...change });
  assert.deepEqual(changed, { ...added, name: 'New', publicUrl: 'http://10.0.0.2:8790', ...change });
  assert.deepEqual(now(), changed);
  assert.throws(() => editors.change('00000000', {}), failsAs('editor-unknown'));
  for (const extension of ['docx', 'a/b'])
    assert.throws(() => editors.setDefault(extension, id), failsAs('invalid-argument'), extension);
  assert.throws(() => editors.setDefault('odt', 'ffffffff'), failsAs('editor-unknown'));
});

test('aborts pending requests on close, without an event', async (t) => {
  const { editors, events, id, now } = await connect(t);
  const reading = editors.refresh(id);
  editors.close();
  await assert.rejects(reading);
  assert.deepEqual(events, []);
  assert.equal(now()?.problem, null);
});

const builtIn = (change: Partial<BuiltInEditor> = {}): BuiltInEditor => ({
  url: 'http://localhost:8791',
  discovery: parseDiscovery(discoveryXml('http://localhost:8791', ['txt edit'])),
  problem: null,
  readDiscovery: async () => parseDiscovery(discoveryXml('http://localhost:8791', ['txt edit', 'md edit'])),
  ...change,
});

test('registers the text editor at each start with the same id and defaults', async (t) => {
  const { editors, events, reopen } = await openEditors(t);
  const { id } = editors.registerBuiltIn(builtIn());
  assert.match(id, /^[0-9a-f]{8}$/);
  assert.throws(
    () => editors.change(id, { proofMode: 'off' }),
    failsAs('invalid-argument'),
    'by settings only',
  );
  assert.equal((await editors.refresh(id)).discovery.actions.length, 2, 'by its own service');
  editors.setDefault('txt', id);
  const next = reopen();
  await assert.rejects(next.refresh(id), failsAs('editor-unreachable'), 'not registered yet');
  const moved = next.registerBuiltIn(builtIn({ url: 'http://localhost:9001' }));
  assert.deepEqual([moved.id, moved.url], [id, 'http://localhost:9001']);
  assert.deepEqual(next.defaults(), { txt: id });
  assert.deepEqual(reopen().list(), [moved]);
  const changes = events.filter(({ event }) => event === 'editors-changed');
  assert.equal(changes.length, 3, 'two refreshes and the default, but no registration');
});

test('rejects connecting the text editor by another name, and gives it another name and URL if its own are in use', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors } = await openEditors(t);
  editors.registerBuiltIn(builtIn());
  await assert.rejects(editors.add({ url: 'http://127.0.0.1:8791' }), failsAs('editor-exists'));
  editors.unregisterBuiltIn();
  const { url } = await editors.add({ url: `http://localhost:${server.port}`, name: 'text editor' });
  const moved = editors.registerBuiltIn(builtIn({ url }));
  assert.deepEqual([moved.url, moved.name], [server.url, `Text editor (127.0.0.1:${server.port})`]);
  assert.equal(editors.list().length, 2);
});
