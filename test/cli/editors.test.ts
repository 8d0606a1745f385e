// The commands for editors, with and without a running host. A small server stands in for ONLYOFFICE Docs: it fetches the document as
// soon as its page is requested.

import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createBrowser } from '../editors/servers/host-page-visitor.ts';
import { startDocumentServer, type DocumentServer } from '../server/document-server.ts';
import { until } from '../until.ts';
import { commandsOf, makePlace, type Place } from './processes.ts';
import type { Running } from './running-process.ts';

let place: Place;
let host: Running & { baseUrl: string };
let commands: ReturnType<typeof commandsOf>;
let editor: DocumentServer;
let isCalling = true;
/** The tokens that the editor got. */
const tokens: string[] = [];

before(async () => {
  const files = { 'letter.docx': 'first', 'drawing.dwg': 'lines\0', 'notes.md': '# Notes', README: 'text' };
  place = await makePlace(files);
  commands = commandsOf(place, place.folder);
  editor = await startDocumentServer({
    actions: ['docx view', 'docx edit'],
    async onPost(request, response) {
      const token = new URLSearchParams(await text(request)).get('access_token') ?? '';
      tokens.push(token);
      const source = new URL(request.url ?? '', editor.url).searchParams.get('wopisrc') ?? '';
      if (isCalling) await fetch(`${source}?access_token=${token}`).catch(() => undefined);
      response.end('<html></html>');
    },
  });
  editor.pages = `${editor.url}/hosting/wopi/word`;
});
after(async () => {
  await place.remove();
  await editor.stop();
});

test('without a host, the text editor opens its types whatever kept it from starting last time', async () => {
  await commands.refused(['editors', 'add', editor.url], 1, /isn’t a DocTray data folder/);
  const other = await makePlace({ 'notes.md': '# Notes' }, { textEditorPort: editor.port });
  await (await other.serve()).stop();
  const [builtIn] = await commandsOf(other).json(['editors']);
  assert.equal(builtIn.problem, null);
  assert.ok(builtIn.opens.includes('md'));
  await other.remove();
});

test('lists, tests and switches off the text editor like any other editor', async () => {
  const { cli, done, json, refused } = commands;
  host = await place.serve();
  const [builtIn] = await json(['editors']);
  assert.deepEqual([builtIn.name, builtIn.kind], ['Text editor', 'text-editor']);
  await done(['editors', 'test', 'text editor']);
  await refused(['editors', 'change', 'text editor', '--proof', 'off'], 2, /its own settings/);

  const { port } = editor;
  const why = `port ${port} is already in use\\. .*\`npm run cli -- settings set textEditorPort PORT --data \\S+\``;
  assert.match(
    await done(['settings', 'set', 'textEditorPort', String(port)]),
    new RegExp(`^textEditorPort is ${port}\\.\n.*${why}`, 'u'),
  );
  assert.match(await done(['editors']), new RegExp(why, 'u'));
  await refused(['open', 'letter.docx'], 1, new RegExp(why, 'u'));
  assert.match(host.stderr(), new RegExp(why, 'u'));
  const doctor = await cli(['doctor']);
  assert.equal(doctor.code, 1);
  assert.match(
    doctor.stdout,
    new RegExp(`^FAILED +text-editor: The text editor can’t start: ${why}\\.$`, 'mu'),
  );
  const [listed] = await json(['editors']);
  assert.equal(listed.url, `http://localhost:${port}`, 'the port that it can’t open, not the previous one');
  assert.equal((await cli(['editors', 'test', 'text editor'])).code, 1);

  await done(['settings', 'set', 'textEditorPort', 'none']);
  const [again] = await json(['editors']);
  assert.deepEqual([again.problem, again.lastTest], [null, null], 'the result of an earlier test is dropped');
  assert.match(await done(['editors']), / built in\n$/);
  assert.match(
    await done(['doctor']),
    new RegExp(`^ok +text-editor: The text editor is ready at ${again.url}\\.$`, 'mu'),
  );
  assert.match(host.stderr(), new RegExp(`The text editor is ready again at ${again.url}\\.`, 'u'));
  assert.match(
    await done(['editors', 'remove', 'text editor']),
    /^The text editor is switched off\. .*`npm run cli -- settings set textEditor true --data \S+`/,
  );
});

test('while the text editor is off, every command says so and how to switch it on', async () => {
  const { done, json, refused } = commands;
  const off =
    'The text editor is off\\. Switch it on with `npm run cli -- settings set textEditor true --data \\S+`';
  assert.match(await done(['editors']), new RegExp(`^No editor is connected\\.\n${off}\\.\n$`, 'u'));
  assert.deepEqual(await json(['editors']), []);
  assert.match(await done(['doctor']), new RegExp(`^-- +text-editor: ${off}\\.$`, 'mu'));
  const connect = 'or connect a document server with `npm run cli -- editors add URL --data \\S+`';
  for (const name of ['notes.md', 'README'])
    await refused(['open', name], 1, new RegExp(`${off}, ${connect}\\.\n$`, 'u'));
  // It only previews this type: a document server is the first choice.
  await refused(
    ['open', 'letter.docx'],
    1,
    /Connect ONLYOFFICE or Collabora to edit \.docx files\. The text editor, which shows a preview, is off\. Start one with `npm run cli -- editors start .*Switch the text editor on with `npm run cli -- settings set textEditor true --data \S+`\.\n$/,
  );
});

test('connects an editor by its URL, and says what is wrong with a bad one', async () => {
  const { cli, done, json, refused } = commands;
  const none = await cli(['open', 'drawing.dwg']);
  assert.equal(none.code, 0, 'it prints addresses for any editor');
  assert.match(none.stdout, /^access token +\S+$/m);
  assert.match(none.stderr, /^No editor is connected\. Connect one with `.* editors add URL --data \S+`/);

  assert.match(
    await done(['editors', 'add', `${editor.url}/hosting/discovery`, '--name', 'Desk']),
    /^Desk is connected \([0-9a-f]{8}\): ONLYOFFICE Docs at .* It opens \.docx\.\n$/,
  );
  const [{ name, kind, effectiveUrl }] = await json(['editors']);
  assert.deepEqual([name, kind, effectiveUrl], ['Desk', 'onlyoffice', host.baseUrl]);
  assert.match(
    await done(['editors', 'list']),
    /^ID +NAME .*\n[0-9a-f]{8} +Desk +ONLYOFFICE Docs .* not tested\nThe text editor is off\./,
  );
  await refused(['editors', 'add', editor.url], 1, /^This editor is already connected/);
  await refused(['editors', 'add', 'http://127.0.0.1:9'], 1, /^DocTray can’t reach the editor.*refused/);
  await refused(['editors', 'add', 'ftp://x'], 2, /^Enter the URL/);
  await refused(['editors', 'remove', 'Nobody'], 3, /^This editor isn’t connected/);
  await refused(['editors', 'add'], 2, /missing required argument/i);
});

test('a connection test shows each step, and fails if a step fails', async () => {
  const { cli, done } = commands;
  const good = await done(['editors', 'test', 'desk']);
  for (const line of [
    'ok +discovery: ',
    'ok +page: ',
    'ok +callback: It called DocTray from 127',
    '-- +clock: ',
  ])
    assert.match(good, new RegExp(`^${line}`, 'm'));
  assert.match(good, /^The connection to Desk works in both directions\.$/m);
  assert.match(await done(['editors']), /tested (?:just now|\d+\ss ago)$/m);

  isCalling = false;
  const bad = await cli(['editors', 'test', 'desk']);
  isCalling = true;
  assert.equal(bad.code, 1);
  assert.match(bad.stdout, /^FAILED +callback: Desk didn’t reach DocTray at/m);
  assert.match(bad.stdout, /another address of this computer/);
  editor.hasDiscovery = false;
  const without = await cli(['editors', 'test', 'desk']);
  editor.hasDiscovery = true;
  assert.match(without.stdout, /^ +-e WOPI_ENABLED=true$/m, 'a line to copy');
  assert.equal((await cli(['editors', 'refresh', 'desk'])).code, 0);
  for (const token of tokens) assert.ok(!`${good}${bad.stdout}${host.stderr()}`.includes(token));
});

test('lists the addresses of this computer, and sets the one that an editor uses', async () => {
  const { done, json, refused } = commands;
  const [{ url }] = await json(['editors', 'addresses']);
  assert.equal(url, host.baseUrl);
  assert.match(await done(['editors', 'addresses']), /^ADDRESS +NETWORK +LISTENING +FOR\n/);
  for (const typed of [url, 'none']) {
    assert.equal((await json(['editors', 'use-address', 'desk', typed])).effectiveUrl, url);
    assert.equal((await json(['editors']))[0].publicUrl, typed === 'none' ? null : url);
  }
  const other = ['editors', 'use-address', 'desk', 'http://10.1.2.3:4'];
  await refused(other, 2, /^This isn’t one of the addresses/);
});

test('opens a document in the default browser, by a link with a ticket and without a token', async () => {
  const { cli } = commands;
  const opened = join(place.root, 'opened');
  const browser = join(place.root, 'browser');
  await writeFile(browser, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
  await chmod(browser, 0o700);
  // The only default browser, whatever this computer has.
  const env = { DISPLAY: ':99', BROWSER: browser, XDG_DATA_DIRS: place.root };
  assert.equal(
    await commands.done(['open', 'letter.docx'], { env }),
    'Opening letter.docx in the browser, with Desk.\n',
  );
  const read = (): Promise<string> => readFile(opened, 'utf8').catch(() => '');
  await until('the file', async () => (await read()) !== '');
  const url = await read();
  assert.match(url, /\/edit\/[\w-]{22}\?ticket=[\w-]{43}$/);
  assert.equal((await fetch(url, { redirect: 'manual' })).status, 303, 'the ticket is accepted');

  await writeFile(browser, '#!/bin/sh\nexit 3\n');
  // On a busy computer, the launcher may run for so long that it counts as a browser.
  const failed = await until('a failure', async () => {
    const ended = await cli(['open', 'letter.docx'], { env });
    return ended.stderr === '' ? undefined : ended;
  });
  assert.match(failed.stdout, /^http:.*\?ticket=[\w-]{43}\n$/);
  assert.match(failed.stderr, /^DocTray couldn’t open a browser\. Open this address/);
  const elsewhere = await cli(['open', 'letter.docx', '--mode', 'view', '--editor', 'desk']);
  assert.equal(elsewhere.code, 0);
  assert.match(elsewhere.stdout, /^http:.*\/view\/[\w-]{22}\?ticket=[\w-]{43}\n$/);
  assert.match(elsewhere.stderr, /^No display is available\. Open this address/);
});

test('--print shows the page, the WOPI source and the access token', async () => {
  const { cli, json, refused } = commands;
  const env = { DISPLAY: ':99', BROWSER: '/bin/false' };
  const printed = await cli(['open', 'letter.docx', '--print'], { env });
  assert.equal(printed.stderr, '');
  for (const name of ['editor', 'page', 'WOPI source', 'access token'])
    assert.match(printed.stdout, new RegExp(`^${name} +\\S`, 'm'));
  const access = await json(['open', 'letter.docx']);
  assert.equal(access.page.editorName, 'Desk');
  assert.match(access.page.url, /\?ticket=/);
  assert.equal((await json(['open', 'drawing.dwg'])).page, null);
  await refused(['open', 'drawing.dwg'], 1, /^No connected editor can open this type/);
  await refused(['open', 'letter.docx', '--editor', 'Nobody'], 3, /^This editor isn’t connected/);
});

test('opening a document leaves one token, whichever of the printed links opens it, or two if both were used', async () => {
  const { done, json } = commands;
  await done(['settings', 'set', 'textEditor', 'true']);
  const accessTokens = async (): Promise<{ id: string; fileId: string }[]> =>
    (await json(['tokens'])).accessTokens;
  await done(['tokens', 'revoke', ...(await accessTokens()).map(({ id }) => id)]);
  const tokensOf = async (file: string): Promise<string[]> =>
    (await accessTokens()).flatMap(({ id, fileId }) => (fileId === file ? id : []));
  for (const file of ['letter.docx', 'notes.md']) {
    for (const link of ['page', 'hostEditUrl', 'hostViewUrl']) {
      const access = await json(['open', file]);
      const { fileId } = access;
      const [printed] = await tokensOf(fileId);
      const shown = await createBrowser().go(link === 'page' ? access.page.url : access[link]);
      assert.deepEqual(await tokensOf(fileId), [printed], 'the page was only loaded');
      const { tokenId } = await shown.open();
      assert.deepEqual(await tokensOf(fileId), [tokenId], link);
      await done(['tokens', 'revoke', tokenId]);
    }
    const { fileId, wopiSrc, accessToken, page } = await json(['open', file]);
    const calls = `${wopiSrc}?access_token=${accessToken}`;
    assert.equal((await fetch(calls)).status, 200);
    const { tokenId } = await (await createBrowser().go(page.url)).open();
    const both = await tokensOf(fileId);
    assert.ok(both.length === 2 && both.includes(tokenId));
    assert.equal((await fetch(calls)).status, 200);
  }
  await done(['settings', 'set', 'textEditor', 'false']);
});

test('sets signature checks, allowed addresses and the default editor of a type', async () => {
  const { done, json, refused } = commands;
  const change = ['editors', 'change', 'desk'];
  const changed = await json([...change, '--proof', 'off', '--allow-addresses', '127.0.0.0/8, ::1']);
  assert.equal(changed.proofMode, 'off');
  assert.deepEqual(changed.allowedAddresses, ['127.0.0.0/8', '::1']);
  await refused(change, 2, /^Choose what to change/);
  await refused([...change, '--proof', 'maybe'], 2, /Allowed choices/);
  assert.equal(await done(['editors', 'default', 'docx', 'desk']), '.docx opens in Desk.\n');
  assert.deepEqual((await json(['editors']))[0].defaultFor, ['docx']);
  await refused(['editors', 'default', 'dwg', 'desk'], 1, /doesn’t open \.dwg/);
});

test('without a host, editors are listed, refreshed, added and removed; other commands need one', async () => {
  const { done, json, refused } = commands;
  await host.stop();
  assert.equal((await json(['editors']))[0].name, 'Desk');
  assert.equal(await done(['editors', 'refresh', 'desk']), 'Desk is ONLYOFFICE Docs and opens .docx.\n');
  for (const args of [
    ['editors', 'test', 'desk'],
    ['editors', 'addresses'],
    ['open', 'letter.docx'],
  ])
    await refused(args, 1, /^DocTray isn’t running/);
  assert.equal(await done(['editors', 'remove', 'desk']), 'Desk was disconnected.\n');
  assert.deepEqual(await json(['editors']), []);
  assert.equal((await json(['editors', 'add', editor.url])).url, editor.url);
});
