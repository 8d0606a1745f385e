import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenName } from '../../../app/editors/editor-rules.ts';
import { until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;

before(async () => {
  place = await windowPlace();
});
after(() => place.close());

const state = () => place.window.state();
const services = () => place.host().services;
const windowActions = (): string[] =>
  services()
    .journal.newest(Infinity)
    .filter(({ user, method }) => user === 'window' && method === '')
    .map(({ operation, path }) => `${operation} ${path}`);

test('ending a session rejects its editor’s next call, and is logged', async () => {
  const access = await place.access('a.docx');
  assert.equal(await place.wopi(access), 200);
  await until(() => state().sessions.some(({ id }) => id === access.tokenId));
  const outcome = await place.run('sessions.end', { ids: [access.tokenId, 'unknown'] });
  assert.deepEqual(outcome, {
    done: [{ id: access.tokenId, path: 'a.docx' }],
    failed: [
      {
        id: 'unknown',
        path: '',
        message: 'This session doesn’t exist. It may have expired.',
        code: 'not-found',
      },
    ],
  });
  assert.equal(await place.wopi(access), 401);
  await until(() => !state().sessions.some(({ id }) => id === access.tokenId));
  assert.deepEqual(windowActions(), ['EndSession a.docx']);
});

test('revokes API and access tokens together', async () => {
  services().journal.clear();
  const access = await place.access('b.docx');
  const owner = services().users.byLogin('owner')!;
  const api = services().apiTokens.issue(owner);
  await until(() => state().tokens.some(({ id }) => id === api.id));
  const outcome = await place.run('tokens.revoke', { ids: [access.tokenId, api.id, access.tokenId] });
  assert.deepEqual(outcome, {
    done: [
      { id: access.tokenId, path: 'b.docx' },
      { id: api.id, path: '' },
    ],
    failed: [],
  });
  assert.equal(await place.wopi(access), 401);
  assert.equal(services().apiTokens.authenticate(api.token), undefined);
  assert.deepEqual(windowActions(), ['RevokeToken 2 tokens']);
  await until(() => state().tokens.length === 0);
});

test('revokes more than a thousand tokens in one call', async () => {
  const owner = services().users.byLogin('owner')!;
  const ids = Array.from({ length: 1001 }, () => services().apiTokens.issue(owner).id);
  const outcome = await place.run('tokens.revoke', { ids });
  assert.deepEqual([outcome.done.length, outcome.failed.length], [1001, 0]);
  assert.equal(services().apiTokens.list().length, 0);
});

test('rejects names of tokens, users and editors that don’t show what they are, and makes older ones visible', async () => {
  const name = '\u202elive';
  const rejected = { code: 'invalid-argument', message: /visible/ };
  await assert.rejects(place.run('tokens.createApiToken', { login: 'owner', name, days: null }), rejected);
  const user = { login: 'eve', displayName: name, role: 'viewer', password: 'a long password' } as const;
  await assert.rejects(place.run('users.add', user), rejected);
  assert.throws(() => givenName(name, []), rejected);
  const { id } = services().apiTokens.issue(services().users.byLogin('owner')!, { name });
  await until(() => state().tokens.some((token) => token.id === id && token.name === '\ufffdlive'));
  await place.run('tokens.revoke', { ids: [id] });
});

test('revokes all tokens of one user, and no one else’s', async () => {
  const { users, apiTokens, accessTokens } = services();
  await place.run('users.add', {
    login: 'ana',
    displayName: ' ',
    role: 'editor',
    password: 'a long password',
  });
  const ana = users.byLogin('ana')!;
  assert.equal(ana.displayName, 'ana');
  const mine = await place.access('c.docx');
  const owners = apiTokens.issue(users.byLogin('owner')!);
  apiTokens.issue(ana);
  accessTokens.mint({ user: ana, fileId: mine.fileId, mode: 'view' });
  accessTokens.mint({ user: ana, fileId: mine.fileId, mode: 'edit' });
  assert.deepEqual(await place.run('tokens.revokeOfUser', { login: 'ana' }), { count: 3 });
  assert.deepEqual(await place.run('tokens.revokeOfUser', { login: 'ana' }), { count: 0 });
  assert.equal(await place.wopi(mine), 200);
  assert.notEqual(apiTokens.authenticate(owners.token), undefined);
  await assert.rejects(place.run('tokens.revokeOfUser', { login: 'nobody' }), {
    code: 'user-unknown',
  });
});

test('adds, changes and removes users, and rejects invalid changes', async () => {
  services().journal.clear();
  const { users } = services();
  await place.run('users.add', {
    login: 'bo',
    displayName: 'Bo',
    role: 'viewer',
    password: 'a long password',
  });
  await place.run('users.setRole', { login: 'bo', role: 'editor' });
  assert.equal(users.byLogin('bo')?.role, 'editor');
  await place.run('users.setPassword', { login: 'bo', password: 'another password' });
  await services().signIn.verify({ login: 'bo', password: 'another password', address: '127.0.0.1' });
  await until(() => state().users.some(({ login, role }) => login === 'bo' && role === 'editor'));
  await place.run('users.remove', { login: 'bo' });
  await until(() => !state().users.some(({ login }) => login === 'bo'));
  await assert.rejects(place.run('users.remove', { login: 'owner' }), { code: 'owner-needed' });
  await assert.rejects(
    place.run('users.add', { login: 'x y', displayName: '', role: 'viewer', password: 'a long one' }),
    { code: 'login-invalid' },
  );
  assert.deepEqual(windowActions(), ['AddUser bo', 'SetRole bo', 'SetPassword bo', 'RemoveUser bo']);
});

test('creates an API token that works until it expires, and keeps its text out of the journal and the state', async () => {
  services().journal.clear();
  place.desktop.confirms = true;
  const created = await place.run('tokens.createApiToken', { login: 'owner', name: ' Backup ', days: 7 });
  assert.equal(services().apiTokens.authenticate(created.token)?.user.login, 'owner');
  const week = 7 * 24 * 60 * 60 * 1000;
  assert.ok(Math.abs(created.expiresAtMs - place.clock() - week) < 60_000);
  await until(() => state().tokens.some(({ id, name }) => id === created.id && name === 'Backup'));
  assert.deepEqual(windowActions(), ['CreateApiToken owner']);
  const visible = JSON.stringify([state(), services().journal.newest(Infinity)]);
  assert.equal(visible.includes(created.token), false);
  await assert.rejects(place.run('tokens.createApiToken', { login: 'owner', name: 'backup', days: null }), {
    code: 'name-taken',
    message: /already uses it/u,
  });
  await place.run('tokens.revoke', { ids: [created.id] });
  await place.run('tokens.createApiToken', { login: 'owner', name: 'backup', days: null });
  await assert.rejects(place.run('tokens.createApiToken', { login: 'nobody', name: 'Backup', days: null }), {
    code: 'user-unknown',
  });
});
