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

/** Answers the next questions. */
function answer(confirms: boolean): void {
  Object.assign(place.desktop, { confirms, asked: [] });
}

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

test('does nothing without a confirmation', async () => {
  const { services } = place.host();
  const facts = () => [
    services.users.list(),
    services.apiTokens.list().length,
    services.editors.list(),
    services.settings.current(),
    services.documentServers.state().start,
  ];
  const unchanged = facts();
  for (const [name, all] of Object.entries(guarded)) {
    for (const args of all) {
      answer(false);
      const shown = `${name} ${JSON.stringify(args)}`;
      await assert.rejects(place.window.run(name, args), { code: 'not-confirmed' }, shown);
      assert.equal(place.desktop.asked.length, 1, shown);
      assert.deepEqual(facts(), unchanged, shown);
    }
  }
});

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

test('asks nothing about what is refused anyway', async () => {
  answer(true);
  for (const [name, args, code] of refused)
    await assert.rejects(place.window.run(name, args), { code }, `${name} ${JSON.stringify(args)}`);
  assert.deepEqual(place.desktop.asked, []);
});

test('opens DocTray to colleagues after one confirmation, and listens there at once', async (t) => {
  const { services, listensOn, listenAt } = place.host();
  t.after(async () => {
    await listenAt({ host: '127.0.0.1' });
    await services.settings.update({ networkPages: false });
  });
  answer(true);
  await place.run('settings.openToColleagues', { settings: ['networkPages'] });
  assert.equal(listensOn(), '127.0.0.1', 'the question didn’t name an address');
  answer(true);
  await place.run('settings.openToColleagues', { settings: ['networkPages', 'host'] });
  assert.deepEqual(place.desktop.asked, ['Let other computers reach DocTray?']);
  assert.deepEqual([services.settings.current().networkPages, listensOn()], [true, '0.0.0.0']);
});

test('rejects a new bind address and port if DocTray was started with them', async (t) => {
  const fixed = await windowPlace({ options: { host: '127.0.0.1' } });
  t.after(() => fixed.close());
  const before = fixed.host().services.settings.current();
  const message = (what: string) =>
    `The setting wasn’t changed. DocTray was started with a fixed ${what}. Restart it without one.`;
  const network = { settings: ['networkPages' as const, 'host' as const] };
  const address = { message: message('bind address') };
  await assert.rejects(fixed.run('settings.openToColleagues', network), address);
  await assert.rejects(fixed.run('settings.set', { key: 'host', value: '0.0.0.0' }), address);
  const port = { message: message('port') };
  await assert.rejects(fixed.run('settings.set', { key: 'port', value: 18_799 }), port);
  assert.deepEqual([fixed.desktop.asked, fixed.host().services.settings.current()], [[], before]);
});

test('adds a user after a question that names the login, and one question names everything an editor is trusted with', async () => {
  const { users, editors } = place.host().services;
  answer(true);
  await place.run('users.add', { login: 'ann', displayName: '', role: 'viewer', password: 'long enough' });
  assert.ok(users.byLogin('ann') !== undefined);
  const { id } = editors.list().find(({ name }) => name === 'Office')!;
  const more = { acceptsOtherHosts: true, proofMode: 'off' as const, allowedAddresses: [] };
  await place.run('editors.change', { id, ...more });
  assert.deepEqual(place.desktop.asked, ['Let ann sign in to DocTray?', 'Trust Office with more?']);
  const { acceptsOtherHosts, proofMode, allowedAddresses } = editors.byId(id)!;
  assert.deepEqual({ acceptsOtherHosts, proofMode, allowedAddresses }, more);
  answer(false);
  await assert.rejects(place.run('editors.change', { id, publicUrl: 'http://elsewhere.example' }));
  assert.equal(editors.byId(id)!.publicUrl, null);
  assert.equal(place.desktop.asked.length, 1);
});

test('doesn’t ask before closing the network, giving fewer rights or for terminal commands', async () => {
  answer(false);
  await place.run('users.setRole', { login: 'vera', role: 'viewer' });
  const { id } = place.host().services.editors.list()[0]!;
  for (const change of [
    { publicUrl: null },
    { name: 'Bureau' },
    { acceptsOtherHosts: false },
    { proofMode: 'required' as const },
    { allowedAddresses: ['127.0.0.1', '10.0.0.1'] },
    { allowedAddresses: ['127.0.0.1'] },
  ])
    await place.run('editors.change', { id, ...change });
  await place.run('settings.set', { key: 'networkApi', value: false });
  await place.run('settings.set', { key: 'host', value: '127.0.0.1' });
  const user = { login: 'ben', role: 'editor', password: 'long enough' };
  await runCommand(terminalCaller(place.host()), 'users.add', user);
  assert.deepEqual(place.desktop.asked, []);
});
