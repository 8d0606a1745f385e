// What the window sees of connected editors and of the certificate, while a real host changes both.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createLiveState, type LiveState } from '../../../app/window/live-state.ts';
import { createWindowSettings } from '../../../app/window/live-state-settings.ts';
import { until, windowPlace, type WindowPlace } from './window-fixture.ts';

let place: WindowPlace;
let live: LiveState;
let isThere = true;
const server = createServer((request, response) => {
  const { port } = server.address() as AddressInfo;
  const isDiscovery = isThere && request.url === '/hosting/discovery';
  response.writeHead(isDiscovery ? 200 : 404, { 'Content-Type': 'text/xml' });
  response.end(`<wopi-discovery><net-zone name="external-http"><app name="Word">
    <action name="view" ext="odt" urlsrc="http://127.0.0.1:${port}/view?"/>
    <action name="edit" ext="odt" urlsrc="http://127.0.0.1:${port}/edit?"/>
  </app></net-zone></wopi-discovery>`);
});

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  place = await windowPlace();
  const { keeper, desktop, clock, log } = place;
  const settings = createWindowSettings({ keeper, onChange: () => undefined });
  live = createLiveState({ keeper, desktop, settings, clock, log });
});
after(async () => {
  live.close();
  await place.close();
  server.closeAllConnections();
  server.close();
});

test('an editor is seen when it is connected, changed, away and removed', async () => {
  assert.deepEqual(live.state().editors, []);
  const { editors } = place.host().services;
  const { port } = server.address() as AddressInfo;
  const { id } = await editors.add({ url: `http://127.0.0.1:${port}`, name: 'Office' });
  await until(() => live.state().editors.length === 1);
  const [item] = live.state().editors;
  assert.equal(item?.name, 'Office');
  assert.deepEqual(item.types, [{ extension: 'odt', actions: ['view', 'edit'] }]);
  assert.equal(item.effectiveUrl, place.host().baseUrl);
  assert.equal(item.hasProofKeys, false);

  editors.change(id, { name: 'Office two' });
  editors.setDefault('odt', id);
  await until(() => live.state().editors[0]?.name === 'Office two');
  await until(() => live.state().editors[0]?.defaultFor.includes('odt') === true);

  await place.host().services.settings.update({ publicUrl: 'https://docs.example.org' });
  await until(() => live.state().editors[0]?.effectiveUrl === 'https://docs.example.org');
  await place.host().services.settings.update({ publicUrl: null });

  isThere = false;
  await assert.rejects(editors.refresh(id));
  await until(() => live.state().editors[0]?.problem != null);
  isThere = true;
  await editors.refresh(id);
  await until(() => live.state().editors[0]?.problem === null);

  await editors.remove(id);
  await until(() => live.state().editors.length === 0);
});

test('how the listener speaks on the network is seen as soon as it is so', async () => {
  assert.equal(live.state().host.tls?.mode, 'off');
  await place.host().tls.useLocalAuthority();
  await until(() => live.state().host.tls?.names.includes('localhost') === true);
  const { tls } = live.state().host;
  assert.ok(tls !== null);
  assert.equal(tls.mode, 'local-authority');
  assert.match(tls.authorityFingerprint ?? '', /^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/u);
  assert.ok((tls.validUntilMs ?? 0) > Date.now());
  assert.doesNotMatch(JSON.stringify(live.state()), /BEGIN|PRIVATE/u);
  await place.host().services.settings.update({ tls: 'off' });
  await until(() => live.state().host.tls?.mode === 'off');
});

test('without a host there is neither', async () => {
  await place.keeper.stop();
  await until(() => live.state().host.tls === null);
  assert.deepEqual(live.state().editors, []);
});
