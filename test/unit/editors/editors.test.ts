import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { EditorFault, faultOf } from '../../../app/editors/editor-fault.ts';
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

test('stores a connected editor with its discovery, and lists it after a restart', async (t) => {
  const server = await documentServer(t, ['odt edit', 'pdf view']);
  server.key = signingKey();
  const { editors, events, reopen } = await openEditors(t);
  const editor = await editors.add({ url: `${server.url}/hosting/discovery` });
  assert.equal(editor.url, server.url);
  assert.equal(editor.kind, 'collabora');
  assert.equal(editor.name, 'Collabora Online');
  assert.equal(editor.proofMode, 'if-present');
  assert.equal(editor.discoveredAtMs, startMs);
  assert.equal(editor.discovery.proofKeys?.current, server.key.pem);
  assert.deepEqual(events, [{ event: 'editors-changed' }]);
  editors.setDefault('.ODT', editor.id);
  const restarted = reopen();
  assert.deepEqual(restarted.list(), [editor]);
  assert.deepEqual(restarted.byId(editor.id), editor);
  assert.deepEqual(restarted.defaults(), { odt: editor.id });
});

test('doesn’t store an editor whose discovery can’t be read', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  server.isAway = true;
  const { editors, events } = await openEditors(t);
  await assert.rejects(editors.add({ url: server.url }), failsAs('editor-unreachable', /answered 503/u));
  await assert.rejects(editors.add({ url: 'ftp://docs.test' }), failsAs('editor-url-invalid'));
  assert.deepEqual(editors.list(), []);
  assert.deepEqual(events, []);
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

test('distinguishes a second editor of the same product by its host', async (t) => {
  const first = await documentServer(t, ['odt edit']);
  const second = await documentServer(t, ['odt edit']);
  const { editors } = await openEditors(t);
  await editors.add({ url: first.url });
  const { name } = await editors.add({ url: second.url });
  assert.equal(name, `Collabora Online (127.0.0.1:${second.port})`);
  assert.equal((await editors.refresh(editors.list()[1]!.id)).name, name);
});

test('keeps editor names unique', async (t) => {
  const first = await documentServer(t, ['odt edit']);
  const second = await documentServer(t, ['odt edit']);
  const { editors } = await openEditors(t);
  const { id } = await editors.add({ url: first.url, name: 'Desk' });
  await assert.rejects(editors.add({ url: second.url, name: 'desk' }), failsAs('name-taken'));
  const other = await editors.add({ url: second.url, name: 'Cellar' });
  assert.throws(() => editors.change(other.id, { name: 'DESK' }), failsAs('name-taken'));
  assert.equal(editors.change(id, { name: 'desk' }).name, 'desk', 'its own name is free for it');
});

test('accepts pages on another host only if the user allowed it, and names the host in the error', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  server.pages = 'https://elsewhere.test';
  const { editors } = await openEditors(t);
  const refused = editors.add({ url: server.url });
  await assert.rejects(refused, failsAs('editor-other-host', /https:\/\/elsewhere\.test/u));
  const editor = await editors.add({ url: server.url, acceptsOtherHosts: true });
  assert.equal(editor.acceptsOtherHosts, true);
  assert.throws(() => editors.change(editor.id, { acceptsOtherHosts: false }), failsAs('editor-other-host'));
});

test('doesn’t treat another loopback name as another host', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  server.pages = `http://localhost:${server.port}`;
  const { editors } = await openEditors(t);
  assert.equal((await editors.add({ url: server.url })).url, server.url);
});

test('keeps the previous discovery if the pages move to another host', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors } = await openEditors(t);
  const { id, discovery } = await editors.add({ url: server.url });
  server.pages = 'https://elsewhere.test';
  await assert.rejects(editors.refresh(id), failsAs('editor-other-host'));
  assert.deepEqual(editors.byId(id)?.discovery, discovery);
  assert.equal(editors.byId(id)?.problem?.code, 'other-host');
});

test('keeps the discovery of an editor that stops responding, reports it once and shows since when', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors, events, clock, warnings, reopen } = await openEditors(t);
  const { id, discovery } = await editors.add({ url: server.url });
  server.isAway = true;
  events.length = 0;
  clock.nowMs += hourMs;
  await assert.rejects(editors.refresh(id), failsAs('editor-unreachable'));
  clock.nowMs += hourMs;
  await assert.rejects(editors.refresh(id), failsAs('editor-unreachable'));
  const sentence = `${server.url} answered 503 instead of its discovery document.`;
  const remedy = 'It may still be starting. Try again in a minute.';
  assert.deepEqual(editors.byId(id)?.problem, {
    code: 'status',
    sentence,
    remedy,
    sinceMs: startMs + hourMs,
  });
  assert.deepEqual(editors.byId(id)?.discovery, discovery);
  // No sentence is stored: it would be in the language of whoever was first.
  assert.deepEqual(reopen().byId(id)?.problem, {
    code: 'status',
    sentence: 'DocTray can’t reach the editor.',
    sinceMs: startMs + hourMs,
  });
  assert.deepEqual(events, [
    { event: 'editor-unreachable', editorId: id, name: 'Collabora Online' },
    { event: 'editors-changed' },
  ]);
  assert.deepEqual(warnings, [`Collabora Online can’t be reached. ${sentence} ${remedy}`]);

  await server.close();
  await assert.rejects(editors.refresh(id), (error) => faultOf(error)?.code === 'refused');
  assert.equal(editors.byId(id)?.problem?.code, 'refused');
  assert.equal(editors.byId(id)?.problem?.sinceMs, startMs + hourMs);
});

test('shows each reader why it can’t be reached in their language, and logs it in English', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors, warnings } = await openEditors(t);
  const { id } = await editors.add({ url: server.url });
  server.isAway = true;
  await assert.rejects(speaking(['de'], () => editors.refresh(id)));
  assert.equal(
    speaking(['de'], () => editors.byId(id)?.problem?.remedy),
    'Vielleicht startet er noch. Versuchen Sie es in einer Minute erneut.',
  );
  assert.equal(editors.byId(id)?.problem?.remedy, 'It may still be starting. Try again in a minute.');
  assert.match(warnings.join(), /It may still be starting\. Try again in a minute\.$/u);
});

test('reports once that an editor responds again', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors, events } = await openEditors(t);
  const { id } = await editors.add({ url: server.url });
  server.isAway = true;
  await assert.rejects(editors.refresh(id));
  server.isAway = false;
  events.length = 0;
  assert.equal((await editors.refresh(id)).problem, null);
  await editors.refresh(id);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['editor-reachable', 'editors-changed', 'editors-changed'],
  );
});

test('refreshes discovery after 12 hours and not before', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors, clock } = await openEditors(t);
  const { id } = await editors.add({ url: server.url });
  server.actions = ['odt edit', 'ods edit'];
  clock.nowMs += 12 * hourMs - 1;
  await editors.refreshDue();
  assert.equal(server.reads, 1);
  clock.nowMs += 1;
  await editors.refreshDue();
  await editors.refreshDue();
  assert.equal(server.reads, 2);
  assert.equal(editors.byId(id)?.discovery.actions.length, 2);
});

test('retries an editor with a problem every 2 minutes', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors, clock } = await openEditors(t);
  const { id } = await editors.add({ url: server.url });
  server.isAway = true;
  await assert.rejects(editors.refresh(id));
  clock.nowMs += 2 * minuteMs - 1;
  await editors.refreshDue();
  assert.equal(server.reads, 2);
  clock.nowMs += 1;
  await editors.refreshDue();
  assert.equal(server.reads, 3);
});

test('retries an editor with a problem immediately after a restart', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors, reopen } = await openEditors(t);
  const { id } = await editors.add({ url: server.url });
  server.isAway = true;
  await assert.rejects(editors.refresh(id));
  server.isAway = false;
  const restarted = reopen();
  await restarted.refreshDue();
  assert.equal(restarted.byId(id)?.problem, null);
});

test('refreshes discovery at most once a minute after wrong signatures, and once for concurrent calls', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors, clock } = await openEditors(t);
  const { id } = await editors.add({ url: server.url });
  server.key = signingKey();
  const answers = await Promise.all([1, 2, 3].map(async () => editors.keysAfterFailure(id)));
  assert.deepEqual(
    answers.map((keys) => keys?.current),
    Array.from(answers, () => server.key?.pem),
  );
  assert.equal(server.reads, 2);
  const before = server.key.pem;
  server.key = signingKey();
  clock.nowMs += minuteMs - 1;
  assert.equal((await editors.keysAfterFailure(id))?.current, before);
  clock.nowMs += 1;
  assert.equal((await editors.keysAfterFailure(id))?.current, server.key.pem);
  assert.equal(server.reads, 3);
});

test('keeps the previous keys while the editor is unreachable, and has none for a removed one', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  server.key = signingKey();
  const { editors } = await openEditors(t);
  const { id } = await editors.add({ url: server.url });
  server.isAway = true;
  assert.equal((await editors.keysAfterFailure(id))?.current, server.key.pem);
  await editors.remove(id);
  assert.equal(await editors.keysAfterFailure(id), null);
});

test('removes an editor with its defaults, also during a refresh', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors, events, reopen } = await openEditors(t);
  const { id } = await editors.add({ url: server.url });
  editors.setDefault('odt', id);
  const reading = editors.refresh(id);
  await editors.remove(id);
  await assert.rejects(reading, failsAs('editor-unknown'));
  assert.deepEqual(editors.list(), []);
  assert.deepEqual(editors.defaults(), {});
  assert.deepEqual(reopen().list(), []);
  assert.equal(events.at(-1)?.event, 'editors-changed');
  await assert.rejects(editors.remove(id), failsAs('editor-unknown'));
  await assert.rejects(editors.refresh(id), failsAs('editor-unknown'));
});

test('validates a change completely before applying any of it', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors } = await openEditors(t);
  const editor = await editors.add({ url: server.url, name: ' Office ', publicUrl: 'http://10.0.0.2:8790/' });
  assert.equal(editor.name, 'Office');
  assert.equal(editor.publicUrl, 'http://10.0.0.2:8790');
  for (const change of [
    { name: '' },
    { name: 'x\u0000y' },
    { publicUrl: 'ftp://x' },
    { publicUrl: 'http://a:b@c' },
    { publicUrl: 'http://x/?a' },
    { allowedAddresses: ['10.0.0.0/8', '10.0.0.0/33'] },
    { name: 'New', allowedAddresses: ['docs.test'] },
  ]) {
    assert.throws(
      () => editors.change(editor.id, change),
      failsAs('invalid-argument'),
      JSON.stringify(change),
    );
  }
  assert.deepEqual(editors.byId(editor.id), editor);
  const changed = editors.change(editor.id, {
    name: 'New',
    publicUrl: null,
    proofMode: 'required',
    allowedAddresses: ['10.0.0.0/8', 'fd00::1'],
  });
  assert.deepEqual(changed, {
    ...editor,
    name: 'New',
    publicUrl: null,
    proofMode: 'required',
    allowedAddresses: ['10.0.0.0/8', 'fd00::1'],
  });
  assert.deepEqual(editors.byId(editor.id), changed);
  assert.throws(() => editors.change('00000000', {}), failsAs('editor-unknown'));
});

test('sets and clears an editor as the default, only for types that it opens', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors } = await openEditors(t);
  const { id } = await editors.add({ url: server.url });
  assert.throws(() => {
    editors.setDefault('docx', id);
  }, failsAs('invalid-argument'));
  assert.throws(() => {
    editors.setDefault('a/b', id);
  }, failsAs('invalid-argument'));
  assert.throws(() => {
    editors.setDefault('odt', 'ffffffff');
  }, failsAs('editor-unknown'));
  editors.setDefault('odt', id);
  editors.setDefault('odt', null);
  assert.deepEqual(editors.defaults(), {});
});

test('aborts pending requests on close, without an event', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors, events } = await openEditors(t);
  const { id } = await editors.add({ url: server.url });
  events.length = 0;
  const reading = editors.refresh(id);
  editors.close();
  await assert.rejects(reading);
  assert.deepEqual(events, []);
  assert.equal(editors.byId(id)?.problem, null);
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
  editors.setDefault('txt', id);
  const next = reopen();
  const moved = next.registerBuiltIn(builtIn({ url: 'http://localhost:9001' }));
  assert.equal(moved.id, id);
  assert.equal(moved.url, 'http://localhost:9001');
  assert.deepEqual(next.defaults(), { txt: id });
  assert.deepEqual(reopen().list(), [moved]);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['editors-changed'],
    'only the default emits an event',
  );
});

test('refreshes the text editor through its own service, and changes it only through settings', async (t) => {
  const { editors } = await openEditors(t);
  const { id } = editors.registerBuiltIn(builtIn());
  const read = await editors.refresh(id);
  assert.equal(read.kind, 'text-editor');
  assert.equal(read.product, 'DocTray text editor');
  assert.equal(read.discovery.actions.length, 2);
  assert.throws(() => editors.change(id, { proofMode: 'off' }), failsAs('invalid-argument'));
  editors.registerBuiltIn(builtIn({ problem: new EditorFault('port-taken', () => ['Taken.', '']) }));
  assert.deepEqual(editors.byId(id)?.problem?.sentence, 'Taken.');
});

test('removing the text editor switches it off', async (t) => {
  const { editors, switchedOff } = await openEditors(t);
  const { id } = editors.registerBuiltIn(builtIn());
  await editors.remove(id);
  assert.equal(switchedOff(), 1);
  assert.deepEqual(editors.list(), []);
  await assert.rejects(editors.refresh(id), failsAs('editor-unknown'));
});

test('an editor that already has the text editor’s name keeps it', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors } = await openEditors(t);
  await editors.add({ url: server.url, name: 'text editor' });
  assert.equal(editors.registerBuiltIn(builtIn()).name, 'Text editor (built-in)');
});

test('can’t refresh a text editor that isn’t registered', async (t) => {
  const { editors, reopen } = await openEditors(t);
  const { id } = editors.registerBuiltIn(builtIn());
  await assert.rejects(reopen().refresh(id), failsAs('editor-unreachable'));
});

test('rejects connecting the text editor by another name, and gives it another URL if its own is in use', async (t) => {
  const server = await documentServer(t, ['odt edit']);
  const { editors } = await openEditors(t);
  editors.registerBuiltIn(builtIn());
  await assert.rejects(editors.add({ url: 'http://127.0.0.1:8791' }), failsAs('editor-exists'));
  editors.unregisterBuiltIn();
  const port = Number(new URL(server.url).port);
  const { url } = await editors.add({ url: `http://localhost:${port}` });
  assert.equal(editors.registerBuiltIn(builtIn({ url })).url, `http://127.0.0.1:${port}`);
  assert.equal(editors.list().length, 2);
});
