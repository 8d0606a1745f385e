// Starts with a fake Docker: the exact commands, and what is undone after a failure. Tests with real containers are in
// test/containers.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { findEngines } from '../../../app/containers/engines.ts';
import { startDocumentServer, type StartDeps } from '../../../app/containers/start-document-server.ts';
import type { AddressTrialHost } from '../../../app/editors/reachable-address.ts';
import type { ReachableAddress } from '../../../app/contract/editors.ts';
import { AppError } from '../../../app/contract/errors.ts';
import type { Editor } from '../../../app/store/editors.ts';
import { fakePrograms, type FakePrograms } from './fake-program.ts';

const addresses: ReachableAddress[] = [
  ['http://127.0.0.1:8790', 'loopback', null],
  ['http://host.docker.internal:8790', 'docker', '172.17.0.1'],
  ['http://192.168.1.20:8790', 'interface', '192.168.1.20'],
  ['http://172.17.0.1:8790', 'docker', '172.17.0.1'],
].map(([url, kind, neededHost]) => ({
  url: url as string,
  kind: kind as ReachableAddress['kind'],
  interfaceName: null,
  network: null,
  sentence: '',
  isListening: neededHost === null,
  neededHost: neededHost as string | null,
}));

/** What `docker container inspect` prints for a container that DocTray created. */
const facts = JSON.stringify([
  { Status: 'running', ExitCode: 0 },
  { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '8080' }] },
  { bridge: { Gateway: '172.17.0.1' } },
  { 'doctray.document-server': 'onlyoffice', 'doctray.start': 's1' },
  'docker.io/onlyoffice/documentserver:latest',
  0,
]);

/** A Docker without containers; files next to the script record what it created. `more` runs first. */
const docker = (folder: string, more = ''): string => `
here='${folder}'
${more}
case "$1 $2" in
  'info --format') echo '{"ServerVersion":"28.2.2","OperatingSystem":"Debian"}' ;;
  'container inspect') [ -e "$here/created" ] && echo '${facts}' || { echo 'Error response from daemon: No such container: x' >&2; exit 1; } ;;
  'image inspect') [ -e "$here/pulled" ] || { echo 'Error: No such image' >&2; exit 1; } ;;
  'volume inspect') [ -e "$here/volume" ] || { echo 'Error: no such volume' >&2; exit 1; } ;;
  'volume rm') /bin/rm "$here/volume" ;;
  'pull '*) echo 'latest: Pulling from onlyoffice/documentserver'; echo '0f4c1d6dd1d3: Pulling fs layer'; echo '0f4c1d6dd1d3: Download complete'; : >"$here/pulled" ;;
  'run '*) : >"$here/created"; : >"$here/volume" ;;
  'stop '*) ;;
  'rm '*) /bin/rm -f "$here/created" ;;
esac`;

async function setUp(
  context: TestContext,
  options: { more?: string; responds?: boolean; reaches?: string[] } = {},
) {
  const { responds = true, reaches = ['http://172.17.0.1:8790'] } = options;
  const programs = await fakePrograms();
  context.after(programs.remove);
  await programs.write('docker', docker(programs.folder, options.more));
  const editors: Editor[] = [];
  const triedUrls: string[] = [];
  const notes: string[] = [];
  let current = 'http://127.0.0.1:8790';
  const deps: StartDeps = {
    editors: {
      list: () => editors,
      add({ url }) {
        const editor = {
          id: 'e1',
          name: 'ONLYOFFICE Docs',
          url,
          kind: 'onlyoffice',
          publicUrl: null,
        } as Editor;
        editors.push(editor);
        return Promise.resolve(editor);
      },
      async remove() {
        editors.splice(0);
      },
    },
    fetchDiscovery: () =>
      responds ? Promise.resolve({} as never) : Promise.reject(new AppError('editor-unreachable')),
    log: { info: () => undefined, warn: () => undefined },
    limits: { discoveryMs: 300, pollMs: 20 },
  };
  const host: AddressTrialHost = {
    addresses: () => addresses,
    listensOn: () => (triedUrls.length > 0 ? '172.17.0.1' : '127.0.0.1'),
    baseUrlOf: () => current,
    async tryAddress(_id, url) {
      const before = current;
      triedUrls.push(url);
      current = url;
      return {
        keep: async () => undefined,
        async undo() {
          triedUrls.push(`not ${url}`);
          current = before;
        },
      };
    },
    async testEditor(editorId) {
      const isGood = reaches.includes(current);
      const state = isGood ? 'passed' : 'failed';
      const found = { sentence: `It did not call ${current}.`, remedy: 'Check the firewall.', lines: [] };
      return { editorId, testedAtMs: 0, isGood, steps: [{ name: 'callback', state, code: null, ...found }] };
    },
  };
  return {
    programs,
    notes,
    editors,
    triedUrls,
    start: async () =>
      startDocumentServer({ product: 'onlyoffice', engine: null }, deps, {
        id: 's1',
        signal: new AbortController().signal,
        host,
        engines: await findEngines({ env: { PATH: programs.folder }, platform: 'linux', uid: 1000 }),
        note: (step, sentence, progress) =>
          notes.push(`${step}: ${sentence}${progress == null ? '' : ` ${progress.done}/${progress.total}`}`),
      }),
  };
}

/** The commands that change something. */
async function changes(programs: FakePrograms): Promise<string[]> {
  const calls = await programs.calls();
  return calls
    .filter(([first, second]) => second !== 'inspect' && first !== 'info')
    .map((call) => (call[0] === 'run' ? 'run' : call.join(' ')));
}

test('creates a container, with the secret only in its environment, and keeps the first address that it reaches', async (context) => {
  const { programs, start, notes, triedUrls } = await setUp(context);
  const result = await start();
  // The next one if that is taken on this computer.
  const { hostname, port } = new URL(result.url);
  assert.match(`${hostname}:${port}`, /^localhost:80[89]\d$/);
  assert.equal(result.address, 'http://172.17.0.1:8790');
  assert.equal(result.openedHost, '172.17.0.1');
  assert.deepEqual(triedUrls, [
    'http://host.docker.internal:8790',
    'not http://host.docker.internal:8790',
    'http://172.17.0.1:8790',
  ]);
  const secrets = await programs.variable('JWT_SECRET');
  assert.equal(secrets.length, 1, 'the one command that needs it has it');
  assert.match(secrets[0] ?? '', /^[\w-]{43}$/);
  assert.ok(!JSON.stringify(await programs.calls()).includes(secrets[0] ?? ''));
  assert.match(notes.join(), /image: Downloading ONLYOFFICE Docs \(docker\.io\/.+:latest\)\. 1\/1/);
});

test('reports Docker’s error without the secret, and leaves nothing behind', async (context) => {
  const more = `[ "$1" = run ] && { : >"$here/volume"; echo "Error response from daemon: invalid JWT_SECRET=$JWT_SECRET for you" >&2; exit 1; }`;
  const { programs, start } = await setUp(context, { more });
  const message = /Docker: invalid JWT_SECRET=\[redacted\] for you/;
  await assert.rejects(start(), { code: 'container-failed', message });
  assert.deepEqual((await changes(programs)).slice(-2), ['run', 'volume rm doctray-onlyoffice']);
});

test('keeps a container that another process created under the same name', async (context) => {
  const other = facts.replace('"s1"', '"s2"');
  const more = `[ "$1" = run ] && { : >"$here/other"; echo 'Error response from daemon: Conflict. The container name is already in use' >&2; exit 1; }
[ "$1 $2" = 'container inspect' ] && [ -e "$here/other" ] && { echo '${other}'; exit 0; }`;
  const { programs, start } = await setUp(context, { more });
  await assert.rejects(start(), { code: 'container-failed' });
  assert.equal((await changes(programs)).at(-1), 'run');
});

test('keeps a container that is slow to respond', async (context) => {
  const { programs, start } = await setUp(context, { responds: false });
  await assert.rejects(start(), { code: 'container-silent' });
  assert.equal((await changes(programs)).at(-1), 'run');
});

test('if no address works, reports the test’s reason, keeps the editor connected and undoes every trial', async (context) => {
  const { start, triedUrls, editors } = await setUp(context, { reaches: [] });
  await assert.rejects(start(), {
    code: 'container-unconnected',
    message: /It did not call http:\/\/host\.docker\.internal:8790\. Check the firewall\.$/,
  });
  assert.equal(editors.length, 1);
  const undone = triedUrls.filter((url) => url.startsWith('not '));
  assert.equal(undone.length, triedUrls.length / 2);
});

test('rejects invalid output of docker inspect', async (context) => {
  const { start } = await setUp(context, { more: `[ "$2" = inspect ] && { echo '["yes"]'; exit 0; }` });
  await assert.rejects(start(), { code: 'container-failed' });
});

test('creates its own container again if it doesn’t run, with the same image and its data', async (context) => {
  const stopped = facts.replace('running', 'exited').replace('documentserver:latest', 'documentserver:8.2');
  const { programs, start } = await setUp(context, {
    more: `[ "$1 $2" = 'container inspect' ] && [ ! -e "$here/created" ] && [ ! -e "$here/gone" ] && { echo '${stopped}'; exit 0; }
[ "$1" = rm ] && : >"$here/gone"
[ "$1 $2" = 'volume inspect' ] && exit 0`,
  });
  const { wasRunning } = await start();
  assert.equal(wasRunning, false);
  const image = 'docker.io/onlyoffice/documentserver:8.2';
  assert.deepEqual(await changes(programs), [
    `pull ${image}`,
    'stop -t 0 doctray-onlyoffice',
    'rm --force --volumes doctray-onlyoffice',
    'run',
  ]);
  assert.equal((await programs.calls()).find(([first]) => first === 'run')?.at(-1), image);
});

test('changes nothing about a container that isn’t its own and doesn’t run', async (context) => {
  const other = facts.replace('running', 'exited').replace('doctray.document-server', 'x');
  const { programs, start } = await setUp(context, {
    more: `[ "$2" = inspect ] && { echo '${other}'; exit 0; }`,
  });
  await assert.rejects(start(), {
    code: 'container-not-ours',
    message:
      'The container doctray-onlyoffice isn’t running, and DocTray didn’t create it. Start it or remove it, then try again.',
  });
  assert.deepEqual(await changes(programs), []);
});
