// The commands for editors, with and without a running host. A small server stands in for ONLYOFFICE Docs: it fetches the document as
// soon as its page is requested.

import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createBrowser } from '../editors/servers/host-page-visitor.ts';
import { makePlace, type Ended, type Place, type Running } from './processes.ts';

let place: Place;
let host: (Running & { baseUrl: string }) | undefined;
let editor: Server;
let editorUrl = '';
let isCalling = true;
let hasDiscovery = true;
const seen: string[] = [];

before(async () => {
  place = await makePlace({
    'letter.docx': 'first',
    'drawing.dwg': 'lines\0',
    'notes.md': '# Notes',
    README: 'text',
  });
  editor = createServer((request, response) => {
    const url = new URL(request.url ?? '', editorUrl);
    if (url.pathname === '/hosting/discovery' && hasDiscovery) {
      const action = (name: string) =>
        `<action name="${name}" ext="docx" urlsrc="${editorUrl}/hosting/wopi/word/${name}?&lt;ui=UI_LLCC&amp;&gt;"/>`;
      response.end(
        `<wopi-discovery><net-zone name="external-http"><app name="Word">${action('view')}${action('edit')}</app></net-zone></wopi-discovery>`,
      );
      return;
    }
    if (request.method !== 'POST' || !url.pathname.startsWith('/hosting/wopi/')) {
      response.writeHead(404).end();
      return;
    }
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const token = new URLSearchParams(body).get('access_token') ?? '';
      seen.push(token);
      const source = url.searchParams.get('wopisrc') ?? '';
      const called = isCalling ? fetch(`${source}?access_token=${token}`) : Promise.resolve(undefined);
      void called.catch(() => undefined).then(() => response.end('<html></html>'));
    });
  });
  await new Promise<void>((resolve) => void editor.listen(0, '127.0.0.1', resolve));
  editorUrl = `http://127.0.0.1:${(editor.address() as AddressInfo).port}`;
});
after(async () => {
  await place.remove();
  editor.closeAllConnections();
  await new Promise<void>((resolve) => void editor.close(() => resolve()));
});

function cli(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return place.run([...args, '--data', place.dataDir], { cwd: place.folder, env });
}

async function json(args: string[]) {
  const { code, stdout, stderr } = await cli([...args, '--json']);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  assert.equal(stdout.indexOf('\n'), stdout.length - 1, 'one line');
  return JSON.parse(stdout);
}

async function refused(args: string[], code: number, sentence: RegExp): Promise<void> {
  const ended = await cli(args);
  assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stdout}${ended.stderr}`);
  assert.match(ended.stderr, sentence);
  assert.equal(ended.stdout, '');
}

test('connects nothing when the folder isn’t a data folder', async () => {
  await refused(['editors', 'add', editorUrl], 1, /isn’t a DocTray data folder/);
});

test('without a host, the text editor opens its types whatever kept it from starting last time', async () => {
  const { port } = editor.address() as AddressInfo;
  const other = await makePlace({ 'notes.md': '# Notes' }, { textEditorPort: port });
  const running = await other.serve();
  running.child.kill('SIGTERM');
  await running.ended;
  const { stdout } = await other.run(['editors', '--json', '--data', other.dataDir]);
  const [builtIn] = JSON.parse(stdout);
  assert.equal(builtIn.problem, null);
  assert.ok(builtIn.opens.includes('md'));
  await other.remove();
});

test('lists, tests and switches off the text editor like any other editor', async () => {
  host = await place.serve();
  const [builtIn] = await json(['editors']);
  assert.equal(builtIn.name, 'Text editor');
  assert.equal(builtIn.kind, 'text-editor');
  const tested = await cli(['editors', 'test', 'text editor']);
  assert.equal(tested.code, 0, tested.stdout + tested.stderr);
  await refused(['editors', 'change', 'text editor', '--proof', 'off'], 2, /its own settings/);

  const { port } = editor.address() as AddressInfo;
  const why = new RegExp(
    `port ${port} is already in use\\. .*\`npm run cli -- settings set textEditorPort PORT --data \\S+\``,
    'u',
  );
  const set = await cli(['settings', 'set', 'textEditorPort', String(port)]);
  assert.equal(set.code, 0, set.stderr);
  assert.match(set.stdout, new RegExp(`^textEditorPort is ${port}\\.\n.*${why.source}`, 'u'));
  assert.match((await cli(['editors'])).stdout, why);
  await refused(['open', 'letter.docx'], 1, why);
  assert.match(host.stderr(), why);
  const doctor = await cli(['doctor']);
  assert.equal(doctor.code, 1);
  assert.match(
    doctor.stdout,
    new RegExp(`^FAILED +text-editor: The text editor can’t start: ${why.source}\\.$`, 'mu'),
  );
  const [listed] = await json(['editors']);
  assert.equal(listed.url, `http://localhost:${port}`, 'the port that it can’t open, not the previous one');

  const failed = await cli(['editors', 'test', 'text editor']);
  assert.equal(failed.code, 1);
  await cli(['settings', 'set', 'textEditorPort', 'none']);
  const [again] = await json(['editors']);
  assert.deepEqual([again.problem, again.lastTest], [null, null], 'the result of an earlier test is dropped');
  assert.match((await cli(['editors'])).stdout, / built in\n$/);
  const well = await cli(['doctor']);
  assert.match(
    well.stdout,
    new RegExp(`^ok +text-editor: The text editor is ready at ${again.url}\\.$`, 'mu'),
  );
  assert.match(host.stderr(), new RegExp(`The text editor is ready again at ${again.url}\\.`, 'u'));

  const removed = await cli(['editors', 'remove', 'text editor']);
  assert.match(
    removed.stdout,
    /^The text editor is switched off\. .*`npm run cli -- settings set textEditor true --data \S+`/,
  );
  assert.match((await cli(['settings', 'get', 'textEditor'])).stdout, /^false$/m);
});

test('while the text editor is off, every command says so and how to switch it on', async () => {
  const off =
    /The text editor is off\. Switch it on with `npm run cli -- settings set textEditor true --data \S+`/u;
  const offOrConnect = new RegExp(
    `${off.source}, or connect a document server with \`npm run cli -- editors add URL --data \\S+\`\\.\n$`,
    'u',
  );
  assert.match(
    (await cli(['editors'])).stdout,
    new RegExp(`^No editor is connected\\.\n${off.source}\\.\n$`, 'u'),
  );
  assert.deepEqual(await json(['editors']), []);
  assert.match((await cli(['doctor'])).stdout, new RegExp(`^-- +text-editor: ${off.source}\\.$`, 'mu'));
  for (const name of ['notes.md', 'README']) await refused(['open', name], 1, offOrConnect);
  // It only previews this type: a document server is the first choice.
  await refused(
    ['open', 'letter.docx'],
    1,
    /Connect ONLYOFFICE or Collabora to edit \.docx files\. The text editor, which shows a preview, is off\. Start one with `npm run cli -- editors start .*Switch the text editor on with `npm run cli -- settings set textEditor true --data \S+`\.\n$/,
  );
});

test('prints addresses and how to connect an editor when none can open the document', async () => {
  const ended = await cli(['open', 'drawing.dwg']);
  assert.equal(ended.code, 0);
  assert.match(ended.stdout, /^access token +\S+$/m);
  assert.match(ended.stderr, /^No editor is connected\. Connect one with `.* editors add URL --data \S+`/);
});

test('connects an editor by its URL, and says what is wrong with a bad one', async () => {
  const ended = await cli(['editors', 'add', `${editorUrl}/hosting/discovery`, '--name', 'Desk']);
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(
    ended.stdout,
    /^Desk is connected \([0-9a-f]{8}\): ONLYOFFICE Docs at .* It opens \.docx\.\n$/,
  );
  const [listed] = await json(['editors']);
  assert.equal(listed.name, 'Desk');
  assert.equal(listed.kind, 'onlyoffice');
  assert.equal(listed.effectiveUrl, host?.baseUrl);
  assert.match(
    (await cli(['editors', 'list'])).stdout,
    /^ID +NAME .*\n[0-9a-f]{8} +Desk +ONLYOFFICE Docs .* not tested\nThe text editor is off\./,
  );
  await refused(['editors', 'add', editorUrl], 1, /^This editor is already connected/);
  await refused(['editors', 'add', 'http://127.0.0.1:9'], 1, /^DocTray can’t reach the editor.*refused/);
  await refused(['editors', 'add', 'ftp://x'], 2, /^Enter the URL/);
  await refused(['editors', 'remove', 'Nobody'], 3, /^This editor isn’t connected/);
  await refused(['editors', 'add'], 2, /missing required argument/i);
});

test('a connection test shows each step, and fails if a step fails', async () => {
  const good = await cli(['editors', 'test', 'desk']);
  assert.equal(good.code, 0, good.stdout + good.stderr);
  for (const line of [
    /^ok +discovery: /m,
    /^ok +page: /m,
    /^ok +callback: It called DocTray from 127/m,
    /^-- +clock: /m,
  ]) {
    assert.match(good.stdout, line);
  }
  assert.match(good.stdout, /^The connection to Desk works in both directions\.$/m);
  assert.match((await cli(['editors'])).stdout, /tested (?:just now|\d+\ss ago)$/m);

  isCalling = false;
  const bad = await cli(['editors', 'test', 'desk']);
  isCalling = true;
  assert.equal(bad.code, 1);
  assert.match(bad.stdout, /^FAILED +callback: Desk didn’t call/m);
  assert.match(bad.stdout, /another address of this computer/);
  for (const token of seen) assert.ok(!`${good.stdout}${bad.stdout}${host?.stderr()}`.includes(token));
});

test('logs once that an editor can’t be reached, with its name and why, and once when it is back', async () => {
  hasDiscovery = false;
  const gone = await cli(['editors', 'refresh', 'desk']);
  const tested = await cli(['editors', 'test', 'desk']);
  assert.match(tested.stdout, /^ +-e WOPI_ENABLED=true$/m, 'a line to copy');
  hasDiscovery = true;
  assert.equal(gone.code, 1);
  const [, reason = ''] = /^DocTray can’t reach the editor\. (.*)\n$/.exec(gone.stderr) ?? [];
  assert.notEqual(reason, '');
  await cli(['editors', 'refresh', 'desk']);
  const logLines = (): object[] =>
    (host?.stderr() ?? '')
      .split('\n')
      .filter((line) => line.includes('"msg":"Desk'))
      .map((line) => {
        const { time: _time, ...rest } = JSON.parse(line);
        return rest;
      });
  // The log is buffered for a moment.
  // oxlint-disable-next-line no-await-in-loop
  for (let tries = 0; tries < 200 && logLines().length < 2; tries += 1) await pause(20);
  assert.deepEqual(logLines(), [
    { level: 'warn', msg: `Desk can’t be reached. ${reason}` },
    { level: 'info', msg: 'Desk can be reached again.' },
  ]);
});

test('lists the addresses of this computer, and sets the one that an editor uses', async () => {
  const addresses = await json(['editors', 'addresses']);
  const url = addresses[0]?.url ?? '';
  assert.equal(url, host?.baseUrl ?? '');
  assert.match((await cli(['editors', 'addresses'])).stdout, /^ADDRESS +NETWORK +LISTENING +FOR\n/);
  const used = await json(['editors', 'use-address', 'desk', url]);
  assert.equal(used.effectiveUrl, url);
  assert.equal((await json(['editors']))[0].publicUrl, url);
  assert.equal((await json(['editors', 'use-address', 'desk', 'none'])).effectiveUrl, url);
  assert.equal((await json(['editors']))[0].publicUrl, null);
  await refused(
    ['editors', 'use-address', 'desk', 'http://10.1.2.3:4'],
    2,
    /^This isn’t one of the addresses/,
  );
});

test('opens a document in the default browser, by a link with a ticket and without a token', async () => {
  const opened = join(place.root, 'opened');
  const browser = join(place.root, 'browser');
  await writeFile(browser, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
  await chmod(browser, 0o700);
  // The only default browser, whatever this computer has.
  const env = { DISPLAY: ':99', BROWSER: browser, XDG_DATA_DIRS: place.root };
  const ended = await cli(['open', 'letter.docx'], env);
  assert.equal(ended.code, 0, ended.stderr);
  assert.equal(ended.stdout, 'Opening letter.docx in the browser, with Desk.\n');
  const url = await textOf(opened);
  assert.match(url, /\/edit\/[\w-]{22}\?ticket=[\w-]{43}$/);
  const page = await fetch(url, { redirect: 'manual' });
  assert.equal(page.status, 303, 'the ticket is accepted');
  await page.body?.cancel();

  await writeFile(browser, '#!/bin/sh\nexit 3\n');
  const failed = await cli(['open', 'letter.docx'], env);
  assert.match(failed.stdout, /^http:.*\?ticket=[\w-]{43}\n$/);
  assert.match(failed.stderr, /^DocTray couldn’t open a browser\. Open this address/);
});

test('without a display, prints the address to open elsewhere', async () => {
  const ended = await cli(['open', 'letter.docx', '--mode', 'view', '--editor', 'desk']);
  assert.equal(ended.code, 0);
  assert.match(ended.stdout, /^http:.*\/view\/[\w-]{22}\?ticket=[\w-]{43}\n$/);
  assert.match(ended.stderr, /^No display is available\. Open this address/);
});

test('--print shows the page, the WOPI source and the access token', async () => {
  const printed = await cli(['open', 'letter.docx', '--print'], { DISPLAY: ':99', BROWSER: '/bin/false' });
  assert.equal(printed.stderr, '');
  for (const name of ['editor', 'page', 'WOPI source', 'access token']) {
    assert.match(printed.stdout, new RegExp(`^${name} +\\S`, 'm'));
  }
  const access = await json(['open', 'letter.docx']);
  assert.equal(access.page.editorName, 'Desk');
  assert.match(access.page.url, /\?ticket=/);
  assert.equal((await json(['open', 'drawing.dwg'])).page, null);
  await refused(['open', 'drawing.dwg'], 1, /^No connected editor can open this type/);
  await refused(['open', 'letter.docx', '--editor', 'Nobody'], 3, /^This editor isn’t connected/);
});

test('opening a document leaves one token, whichever of the printed links opens it, or two if both were used', async () => {
  await cli(['settings', 'set', 'textEditor', 'true']);
  const tokensOf = async (fileId: string): Promise<string[]> =>
    (await json(['tokens'])).accessTokens.flatMap((token: { id: string; fileId: string }) =>
      token.fileId === fileId ? token.id : [],
    );
  const known = (await json(['tokens'])).accessTokens.map(({ id }: { id: string }) => id);
  await cli(['tokens', 'revoke', ...known]);
  for (const file of ['letter.docx', 'notes.md']) {
    for (const link of ['page', 'hostEditUrl', 'hostViewUrl']) {
      const access = await json(['open', file]);
      const { fileId } = access;
      const [printed] = await tokensOf(fileId);
      const shown = await createBrowser().go(link === 'page' ? access.page.url : access[link]);
      assert.deepEqual(await tokensOf(fileId), [printed], 'the page was only loaded');
      const { tokenId } = await shown.open();
      assert.deepEqual(await tokensOf(fileId), [tokenId], link);
      await cli(['tokens', 'revoke', tokenId]);
    }
    const { fileId, wopiSrc, accessToken, page } = await json(['open', file]);
    const calls = `${wopiSrc}?access_token=${accessToken}`;
    assert.equal((await fetch(calls)).status, 200);
    const { tokenId } = await (await createBrowser().go(page.url)).open();
    const both = await tokensOf(fileId);
    assert.equal(both.length, 2);
    assert.ok(both.includes(tokenId));
    assert.equal((await fetch(calls)).status, 200);
  }
  await cli(['settings', 'set', 'textEditor', 'false']);
});

test('sets signature checks, allowed addresses and the default editor of a type', async () => {
  const changed = await json([
    'editors',
    'change',
    'desk',
    '--proof',
    'off',
    '--allow-addresses',
    '127.0.0.0/8, ::1',
  ]);
  assert.equal(changed.proofMode, 'off');
  assert.deepEqual(changed.allowedAddresses, ['127.0.0.0/8', '::1']);
  await refused(['editors', 'change', 'desk'], 2, /^Choose what to change/);
  await refused(['editors', 'change', 'desk', '--proof', 'maybe'], 2, /Allowed choices/);
  assert.match((await cli(['editors', 'default', 'docx', 'desk'])).stdout, /^\.docx opens in Desk\.\n$/);
  assert.deepEqual((await json(['editors']))[0].defaultFor, ['docx']);
  await refused(['editors', 'default', 'dwg', 'desk'], 1, /doesn’t open \.dwg/);
});

test('without a host, editors are listed, refreshed, added and removed; other commands need one', async () => {
  host?.child.kill('SIGTERM');
  await host?.ended;
  assert.equal((await json(['editors']))[0].name, 'Desk');
  assert.match(
    (await cli(['editors', 'refresh', 'desk'])).stdout,
    /^Desk is ONLYOFFICE Docs and opens \.docx\.\n$/,
  );
  await refused(['editors', 'test', 'desk'], 1, /^DocTray isn’t running/);
  await refused(['editors', 'addresses'], 1, /^DocTray isn’t running/);
  await refused(['open', 'letter.docx'], 1, /^DocTray isn’t running/);
  assert.match((await cli(['editors', 'remove', 'desk'])).stdout, /^Desk was disconnected\.\n$/);
  assert.deepEqual(await json(['editors']), []);
  assert.equal((await json(['editors', 'add', editorUrl])).url, editorUrl);
});

async function textOf(path: string): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text !== '') return text;
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return '';
}
