// Commands that need a confirmation in a system dialog, so that a script in the window's page can't run them unnoticed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand, terminalCaller } from '../../../app/commands/commands.ts';
import type { CommandArgs, CommandName } from '../../../app/commands/commands.ts';
import { startDocumentServer, type DocumentServer } from '../../editors/servers/document-server.ts';
import { windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;
let server: DocumentServer;
before(async () => {
  [place, server] = await Promise.all([windowPlace(), startDocumentServer({ kind: 'onlyoffice' })]);
  const { users, editors } = place.host().services;
  await users.add({ login: 'vera', role: 'viewer', password: 'long enough' });
  const { id } = await editors.add({ url: server.url, name: 'Office' });
  editors.change(id, { proofMode: 'required', allowedAddresses: ['127.0.0.1'] });
});
after(async () => {
  await place.close();
  await server.stop();
});

const guarded: { [Name in CommandName]?: CommandArgs<Name>[] } = {
  'users.add': [{ login: 'eve', displayName: 'Eve', role: 'editor', password: 'long enough' }],
  'tokens.createApiToken': [{ login: 'owner', name: 'Backup', days: null }],
  'users.setRole': [{ login: 'vera', role: 'editor' }],
  'editors.add': [{ url: 'http://127.0.0.1:1' }],
  'editors.change': [
    { id: 'Office', acceptsOtherHosts: true },
    { id: 'Office', proofMode: 'if-present' },
    { id: 'Office', proofMode: 'off' },
    { id: 'Office', allowedAddresses: [] },
    { id: 'Office', allowedAddresses: ['127.0.0.1', '0.0.0.0/0'] },
  ],
  'editors.useAddress': [{ id: 'any', url: 'http://10.0.0.1:8790' }],
  'documentServers.start': [{ product: 'collabora', engine: null }],
  'settings.openToColleagues': [{ settings: ['networkPages', 'host'] }, { settings: ['host'] }],
  'settings.set': [
    { key: 'networkApi', value: true },
    { key: 'networkPages', value: true },
    { key: 'host', value: '0.0.0.0' },
  ],
};

for (const [name, all] of Object.entries(guarded)) {
  for (const args of all) {
    test(`${name} ${JSON.stringify(args)} does nothing without a confirmation`, async () => {
      const { services } = place.host();
      const facts = () => [
        services.users.list(),
        services.apiTokens.list().length,
        services.editors.list(),
        services.settings.current(),
        services.documentServers.state().start,
      ];
      const before = facts();
      place.desktop.confirms = false;
      place.desktop.asked = [];
      await assert.rejects(place.window.run(name, args), { code: 'not-confirmed' });
      assert.equal(place.desktop.asked.length, 1);
      assert.deepEqual(facts(), before);
    });
  }
}

const refused: [CommandName, unknown, string][] = [
  ['users.add', { login: 'bad name!', role: 'editor', password: 'long enough' }, 'login-invalid'],
  ['users.add', { login: 'eve', role: 'editor', password: 'short' }, 'password-weak'],
  ['users.add', { login: 'owner', role: 'editor', password: 'long enough' }, 'user-exists'],
  ['users.setPassword', { login: 'nobody', password: 'long enough' }, 'user-unknown'],
  ['users.setPassword', { login: 'owner', password: 'short' }, 'password-weak'],
  ['editors.add', { url: 'javascript:alert(1)' }, 'editor-url-invalid'],
  ['users.setRole', { login: 'nobody', role: 'editor' }, 'user-unknown'],
  ['users.setRole', { login: 'owner', role: 'editor' }, 'owner-needed'],
  ['editors.change', { id: 'nothing', proofMode: 'off' }, 'editor-unknown'],
  ['editors.change', { id: 'Office', proofMode: 'off', name: '' }, 'invalid-argument'],
  ['settings.set', { key: 'host', value: '' }, 'setting-invalid'],
  ['settings.set', { key: 'host', value: '999.1.1.1' }, 'setting-invalid'],
  // Not an address of this computer.
  ['settings.set', { key: 'host', value: '203.0.113.9' }, 'setting-invalid'],
];

for (const [name, args, code] of refused) {
  test(`${name} ${JSON.stringify(args)} is refused without asking`, async () => {
    place.desktop.confirms = true;
    place.desktop.asked = [];
    await assert.rejects(place.window.run(name, args), { code });
    assert.deepEqual(place.desktop.asked, []);
  });
}

test('adds a user after a confirmation that names the login', async () => {
  place.desktop.confirms = true;
  place.desktop.asked = [];
  await place.run('users.add', { login: 'ann', displayName: '', role: 'viewer', password: 'long enough' });
  assert.deepEqual(place.desktop.asked, ['Let ann sign in to DocTray?']);
  assert.ok(place.host().services.users.byLogin('ann') !== undefined);
});

test('opens DocTray to colleagues after one confirmation, and listens there at once', async (t) => {
  const { services, listensOn, listenAt } = place.host();
  t.after(async () => {
    await listenAt({ host: '127.0.0.1' });
    await services.settings.update({ networkPages: false });
  });
  place.desktop.confirms = true;
  place.desktop.asked = [];
  await place.run('settings.openToColleagues', { settings: ['networkPages'] });
  assert.equal(listensOn(), '127.0.0.1', 'the question didn’t name an address');
  place.desktop.asked = [];
  await place.run('settings.openToColleagues', { settings: ['networkPages', 'host'] });
  assert.deepEqual(place.desktop.asked, ['Let other computers reach DocTray?']);
  assert.equal(services.settings.current().networkPages, true);
  assert.equal(listensOn(), '0.0.0.0');
});

test('rejects a new bind address and port if DocTray was started with them', async (t) => {
  const fixed = await windowPlace({ options: { host: '127.0.0.1' } });
  t.after(() => fixed.close());
  const before = fixed.host().services.settings.current();
  const message =
    'The setting wasn’t changed. DocTray was started with a fixed bind address. Restart it without one.';
  await assert.rejects(fixed.run('settings.openToColleagues', { settings: ['networkPages', 'host'] }), {
    message,
  });
  await assert.rejects(fixed.run('settings.set', { key: 'host', value: '0.0.0.0' }), { message });
  await assert.rejects(fixed.run('settings.set', { key: 'port', value: 18_799 }), {
    message: 'The setting wasn’t changed. DocTray was started with a fixed port. Restart it without one.',
  });
  assert.deepEqual(fixed.desktop.asked, []);
  assert.deepEqual(fixed.host().services.settings.current(), before);
  const { fixedHost, fixedPort } = fixed.host();
  assert.deepEqual([fixedHost, fixedPort], ['127.0.0.1', 0]);
});

test('a question names everything that an editor is trusted with', async () => {
  place.desktop.confirms = true;
  place.desktop.asked = [];
  const { id } = place
    .host()
    .services.editors.list()
    .find(({ name }) => name === 'Office')!;
  await place.run('editors.change', { id, acceptsOtherHosts: true, proofMode: 'off', allowedAddresses: [] });
  assert.deepEqual(place.desktop.asked, ['Trust Office with more?']);
  const { acceptsOtherHosts, proofMode, allowedAddresses } = place.host().services.editors.byId(id)!;
  assert.deepEqual([acceptsOtherHosts, proofMode, allowedAddresses], [true, 'off', []]);

  place.desktop.confirms = false;
  await assert.rejects(place.run('editors.change', { id, publicUrl: 'http://elsewhere.example' }));
  assert.equal(place.host().services.editors.byId(id)!.publicUrl, null);
  assert.equal(place.desktop.asked.length, 2);
  await place.run('editors.change', { id, publicUrl: null });
  assert.equal(place.desktop.asked.length, 2);
});

test('doesn’t ask before closing the network, giving fewer rights or for terminal commands', async () => {
  place.desktop.confirms = false;
  place.desktop.asked = [];
  await place.run('users.setRole', { login: 'vera', role: 'viewer' });
  for (const change of [
    { name: 'Bureau' },
    { acceptsOtherHosts: false },
    { proofMode: 'required' as const },
    { allowedAddresses: ['127.0.0.1', '10.0.0.1'] },
    { allowedAddresses: ['127.0.0.1'] },
  ]) {
    const { id } = place
      .host()
      .services.editors.list()
      .find(({ url }) => url === server.url)!;
    await place.run('editors.change', { id, ...change });
  }
  await place.run('settings.set', { key: 'networkApi', value: false });
  await place.run('settings.set', { key: 'host', value: '127.0.0.1' });
  const user = { login: 'ben', role: 'editor', password: 'long enough' };
  await runCommand(terminalCaller(place.host()), 'users.add', user);
  assert.deepEqual(place.desktop.asked, []);
});
