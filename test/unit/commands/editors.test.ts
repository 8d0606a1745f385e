// The window's commands and state for connected editors, on a running host. The terminal's are in test/cli/editors.test.ts.

import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { listeningQuestion } from '../../../app/commands/settings.ts';
import { documentServer, signingKey } from '../editors/editors-fixture.ts';
import { until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;
before(async () => {
  place = await windowPlace();
});
after(() => place.close());

const listed = () => place.window.state().editors;

/** Connects an editor for the duration of a test. */
async function connect(t: TestContext, name: string | null = null) {
  const server = await documentServer(t, ['odt view', 'odt edit', 'odt getinfo']);
  server.key = signingKey();
  const added = await place.run('editors.add', { url: `${server.url}/hosting/discovery`, name });
  t.after(() => place.run('editors.remove', { id: added.id }).catch(() => undefined));
  return { server, added, id: added.id };
}

test('the state shows what was changed of an editor, the result of its test, and what the settings changed', async (t) => {
  const { server, added, id } = await connect(t, 'Office');
  await until(() => listed().length === 1);
  assert.doesNotMatch(JSON.stringify([added, listed()]), /PUBLIC KEY/u);
  const change = { publicUrl: 'https://for-office.example', allowedAddresses: ['10.0.0.0/8'] };
  await place.run('editors.change', { id, ...change, proofMode: 'off', acceptsOtherHosts: true });
  await until(() => listed()[0]?.effectiveUrl === 'https://for-office.example');
  const renamed = await place.run('editors.change', { id, name: 'Office two', proofMode: undefined });
  const { name, publicUrl, proofMode, allowedAddresses, acceptsOtherHosts } = renamed;
  assert.deepEqual({ publicUrl, allowedAddresses }, change, 'omitted settings stay unchanged');
  assert.deepEqual([name, proofMode, acceptsOtherHosts], ['Office two', 'off', true]);
  await place.run('editors.change', { id, publicUrl: null });
  const { settings } = place.host().services;
  await settings.update({ publicUrl: 'https://docs.example.org' });
  await until(() => listed()[0]?.effectiveUrl === 'https://docs.example.org');
  await settings.update({ publicUrl: null });
  const setDefault = (editorId: string | null) =>
    place.run('editors.setDefault', { extension: '.ODT', editorId });
  assert.deepEqual(await setDefault(id), { extension: 'odt', editor: { id, name: 'Office two' } });
  await until(() => listed()[0]?.defaultFor.includes('odt') === true);
  await setDefault(null);
  await until(() => listed()[0]?.defaultFor.length === 0);

  server.isAway = true;
  const { name: _, ...tested } = await place.run('editors.test', { id });
  await until(() => listed()[0]?.problem != null && listed()[0]?.lastTest?.testedAtMs === tested.testedAtMs);
  assert.deepEqual(listed()[0]?.lastTest, tested);
  server.isAway = false;
  await place.run('editors.refresh', { id });
  await until(() => listed()[0]?.problem === null);
  await place.run('editors.remove', { id });
  await until(() => listed().length === 0);
});

test('asks before it listens anywhere else to find an address, and listens nowhere else if the user declines', async (t) => {
  const { id } = await connect(t);
  const host = place.host();
  const listened = new Set<string>();
  t.mock.method(host, 'testEditor', async () => {
    listened.add(host.listensOn());
    return { editorId: id, testedAtMs: 3, isGood: false, steps: [] };
  });
  Object.assign(place.desktop, { asked: [], confirms: false });
  const found = await place.run('editors.findAddress', { id, isInContainer: true });
  assert.deepEqual([found?.url, found?.openedHost, found?.isDeclined], [null, null, true]);
  assert.deepEqual(place.desktop.asked, ['Let other computers reach DocTray?']);
  assert.deepEqual([...listened], ['127.0.0.1']);
  place.desktop.confirms = true;
});

test('the question before DocTray listens names each address once, and doesn’t show wildcards', () => {
  const detail = listeningQuestion(['127.0.0.1', '172.17.0.1', '0.0.0.0', '::'])?.detail;
  assert.match(detail ?? '', / that works: 172\.17\.0\.1, all addresses of this computer\./);
});
