// The window's commands and state for HTTPS and the local authority, over a real host.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;

before(async () => {
  place = await windowPlace();
});
after(() => place.close());

const tlsState = () => place.window.state().host.tls;

test('doesn’t ask where to save the certificate if there is no authority', async () => {
  await until(() => tlsState()?.mode === 'off');
  await assert.rejects(place.run('tls.saveAuthority', {}), { code: 'authority-missing' });
  assert.deepEqual(place.desktop.suggested, []);
});

test('creates and uses the local authority, and shows it in the state without its key', async () => {
  await place.run('tls.useLocalAuthority', {});
  await until(() => tlsState()?.names.includes('localhost') === true);
  const tls = tlsState();
  assert.equal(tls?.mode, 'local-authority');
  assert.match(tls?.authorityFingerprint ?? '', /^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/u);
  assert.ok((tls?.validUntilMs ?? 0) > Date.now());
  assert.doesNotMatch(JSON.stringify(place.window.state()), /BEGIN|PRIVATE/u);
});

test('saves the authority’s certificate to the chosen file', async () => {
  const path = join(place.dataDir, 'authority.crt');
  place.desktop.nextSavePath = path;
  assert.deepEqual(await place.run('tls.saveAuthority', {}), { savedTo: path });
  assert.deepEqual(place.desktop.suggested, ['DocTray authority.crt']);
  const saved = await readFile(path, 'utf8');
  assert.equal(saved, await place.host().tls.authorityCertificate());
  assert.doesNotMatch(saved, /PRIVATE/u);
  place.desktop.nextSavePath = undefined;
  assert.deepEqual(await place.run('tls.saveAuthority', {}), { savedTo: null });
});

test('the state shows TLS as off once switched off, and no TLS without a host', async () => {
  await place.run('settings.set', { key: 'tls', value: 'off' });
  await until(() => tlsState()?.mode === 'off');
  await place.keeper.stop();
  await until(() => tlsState() === null);
});
