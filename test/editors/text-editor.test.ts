// The host with the built-in text editor: what differs from the stories that it shares with the other editors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, postForm, sessionOf } from '../server/text-editor-host.ts';
import { openTextSetup } from './setup.ts';
import { createTextEditor } from './text-editor.ts';
import { lastOf, sentValue } from './wire.ts';

const minutes = 60_000;
const hours = 60 * minutes;

test('sends the token in a header only, a random lock id and every flag', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const editor = createTextEditor(setup);
  const tab = await editor.open('notes.md');
  tab.edit(Buffer.from('two\n'));
  await tab.save('timer');
  tab.edit(Buffer.from('three\n'));
  await tab.close();

  const { accessToken, fileId } = tab.opened.session;
  for (const exchange of editor.exchanges) {
    const { operation, address } = exchange;
    assert.equal(sentValue(exchange, 'Authorization'), `Bearer ${accessToken}`);
    assert.equal(address, `/wopi/files/${fileId}${operation.endsWith('File') ? '/contents' : ''}`);
  }
  const lockId = new RegExp(`^doctray-text-${tab.fileInfo.UserId}-[0-9a-f]{32}$`, 'u');
  assert.match(sentValue(lastOf(editor.exchanges, 'Lock'), 'X-WOPI-Lock') ?? '', lockId);
  const saves = editor.exchanges.filter(({ operation }) => operation === 'PutFile');
  const flags = ['IsModifiedByUser', 'IsAutosave', 'IsExitSave'].map((name) => `X-EXT-WOPI-${name}`);
  assert.deepEqual(
    saves.map((save) => flags.map((name) => sentValue(save, name))),
    [
      ['true', 'true', 'false'],
      ['true', 'false', 'false'],
    ],
  );
});

test('saves with a token that was renewed before the first expired, which opens nothing any more', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const tab = await createTextEditor(setup).open('notes.md');
  setup.host.clock.advance(9 * hours + 50 * minutes);
  const { accessToken } = await tab.opened.renew();
  assert.notEqual(accessToken, tab.opened.session.accessToken);
  tab.setToken(accessToken);
  setup.host.clock.advance(hours);
  tab.edit(Buffer.from('by the new token\n'));
  assert.equal((await tab.save())?.status, 200);
  const { action, accessToken: first } = tab.opened.opened;
  assert.equal((await postForm(action, { access_token: first })).status, 401);
});

test('no URL, header, event or journal entry contains the access token or the cookie', async (context) => {
  const setup = await openTextSetup(context, { 'notes.md': 'one\n' });
  const { openInEditor, services } = setup.host.host;
  const user = services.users.byLogin('owner')!;
  const { url: link } = await openInEditor({ user, path: 'notes.md', mode: 'edit', editorId: null });
  const { pageUrl, cookie, opened } = await openPage(link);
  const page = await postForm(opened.action, { access_token: opened.accessToken });
  assert.equal(sessionOf(page).accessToken, opened.accessToken);
  for (const secret of [opened.accessToken, cookie.split('=').at(-1) ?? '']) {
    assert.ok(secret.length > 20);
    for (const seen of [link, pageUrl, opened.action, JSON.stringify(page.headers)]) {
      assert.ok(!seen.includes(secret));
    }
    assert.ok(!JSON.stringify(setup.host.events).includes(secret));
    assert.ok(!JSON.stringify(services.journal.newest(Infinity)).includes(secret));
  }
  assert.equal(page.headers['referrer-policy'], 'no-referrer');
  assert.match(page.headers['cache-control'] ?? '', /no-store/);
  assert.doesNotMatch(String(page.headers['content-security-policy']), /unsafe|\*/);
});
