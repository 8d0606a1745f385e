// HTTPS and the local authority as the window sees and uses them, over a real host.

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

const seen = () => place.window.state().host.tls;

test('where there is no authority nobody is asked for a place', async () => {
  await until(() => seen()?.mode === 'off');
  await assert.rejects(place.run('tls.saveAuthority', {}), { code: 'certificate-invalid' });
  assert.deepEqual(place.desktop.suggested, []);
});

test('the local authority is created and used, and seen as soon as it is so', async () => {
  await place.run('tls.useLocalAuthority', {});
  await until(() => seen()?.names.includes('localhost') === true);
  const tls = seen();
  assert.equal(tls?.mode, 'local-authority');
  assert.match(tls?.authorityFingerprint ?? '', /^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/u);
  assert.ok((tls?.validUntilMs ?? 0) > Date.now());
  assert.doesNotMatch(JSON.stringify(place.window.state()), /BEGIN|PRIVATE/u);
});

test('its certificate is saved where the user says, and nowhere when the user thought better of it', async () => {
  const path = join(place.dataDir, 'authority.crt');
  place.desktop.nextSavePath = path;
  assert.deepEqual(await place.run('tls.saveAuthority', {}), { savedTo: path });
  assert.deepEqual(place.desktop.suggested, ['DocTray authority.crt']);
  const saved = await readFile(path, 'utf8');
  assert.equal(saved, await place.host().tls.authorityCertificate());
  assert.doesNotMatch(saved, /PRIVATE/u);
  place.desktop.nextSavePath = undefined;
  assert.deepEqual(await place.run('tls.saveAuthority', {}), { savedTo: null });
  place.desktop.nextSavePath = join(place.dataDir, 'missing', 'authority.crt');
  await assert.rejects(place.run('tls.saveAuthority', {}), { code: 'disk-refused' });
});

test('switched off, and without a host, it is gone from the state', async () => {
  await place.run('settings.set', { key: 'tls', value: 'off' });
  await until(() => seen()?.mode === 'off');
  await place.keeper.stop();
  await until(() => seen() === null);
});
