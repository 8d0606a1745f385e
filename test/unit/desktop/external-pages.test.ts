import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createOpenExternal,
  editorUrls,
  hostPageUrls,
  type PagesHost,
} from '../../../app/desktop/external-pages.ts';

type PagesEditor = ReturnType<PagesHost['services']['editors']['list']>[number];

function action(urlsrc: string) {
  return { app: 'Word', name: 'edit', extension: 'docx', urlsrc, isDefault: false };
}

function editor(id: string, url: string, urlsrcs: string[], acceptsOtherHosts = false): PagesEditor {
  return {
    id,
    kind: 'other',
    url,
    acceptsOtherHosts,
    discovery: { actions: urlsrcs.map(action), proofKeys: null },
  };
}

function host(editors: PagesEditor[], baseUrl = 'http://127.0.0.1:8790'): PagesHost {
  const publicUrls: Record<string, string> = { docker: 'http://host.docker.internal:8790' };
  return {
    baseUrl,
    publicUrl: () => 'https://docs.example.org',
    baseUrlOf: (id) => publicUrls[id ?? ''] ?? 'https://docs.example.org',
    services: { editors: { list: () => editors } },
  };
}

test('hostPageUrls lists every address that editors and browsers use for the host', () => {
  assert.deepEqual(hostPageUrls(undefined), []);
  assert.deepEqual(hostPageUrls(host([])), [
    'http://localhost:8790',
    'http://127.0.0.1:8790',
    'https://docs.example.org',
  ]);
  const urls = hostPageUrls(host([editor('docker', 'http://localhost:9980', [])]));
  assert.ok(urls.includes('http://host.docker.internal:8790'));
  assert.deepEqual(hostPageUrls({ ...host([], ''), publicUrl: () => '' }), []);
});

test('editorUrls lists an editor’s address and those of its discovery on the same host', () => {
  assert.deepEqual(editorUrls(undefined), []);
  const found = editorUrls(
    host([
      editor('a', 'http://office.example:9980', [
        'http://office.example:9981/x/edit?<ui=UI_LLCC&>',
        'https://office.example/y?',
        'https://elsewhere.example/z?<ui=UI_LLCC&>',
        'javascript:alert(1)',
        'nothing',
      ]),
    ]),
  );
  assert.deepEqual(found, [
    'http://office.example:9980',
    'http://office.example:9981',
    'https://office.example',
  ]);
});

test('editorUrls lists another host only if the user allowed it', () => {
  const office = editor('a', 'http://office.example', ['https://elsewhere.example/z?'], true);
  assert.deepEqual(editorUrls(host([office])), ['http://office.example', 'https://elsewhere.example']);
  assert.deepEqual(editorUrls(host([{ ...office, acceptsOtherHosts: false }])), ['http://office.example']);
});

test('editorUrls lists the text editor at both localhost and 127.0.0.1', () => {
  const builtIn = {
    ...editor('text', 'http://localhost:8791', ['http://localhost:8791/edit?']),
    kind: 'text-editor',
  };
  assert.deepEqual(editorUrls(host([builtIn as PagesEditor])), [
    'http://localhost:8791',
    'http://127.0.0.1:8791',
  ]);
});

async function opens(url: string, own: string[] = []): Promise<string | undefined> {
  const opened: string[] = [];
  const open = createOpenExternal(
    async (target) => void opened.push(target),
    () => own,
  );
  try {
    await open(url);
    return opened[0];
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'permission-denied');
    assert.deepEqual(opened, []);
    return undefined;
  }
}

test('opens HTTPS pages in the browser', async () => {
  assert.equal(await opens('https://docs.example/page?a=b#c'), 'https://docs.example/page?a=b#c');
});

test('opens HTTP pages only of the host itself', async () => {
  const own = ['http://127.0.0.1:8790', 'http://nas.local:80/doctray'];
  assert.equal(await opens('http://127.0.0.1:8790/open/1', own), 'http://127.0.0.1:8790/open/1');
  assert.equal(await opens('http://nas.local/other', own), 'http://nas.local/other');
  for (const url of [
    'http://127.0.0.1:8791/',
    'http://127.0.0.1/',
    'http://nas.local.evil/',
    'http://evil/',
  ]) {
    assert.equal(await opens(url, own), undefined, url);
  }
});

test('rejects other schemes, plain HTTP, credentials, and invalid or oversized URLs', async () => {
  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'smb://server/share',
    'ms-msdt:/id',
    'vscode://file/etc/passwd',
    'app://doctray/index.html',
    'data:text/html,x',
    'http://example.com/',
    'HTTP://example.com/',
    'https://user:secret@example.com/',
    'https://example.com@evil.example/',
    '\\\\server\\share',
    'calc.exe',
    '',
    `https://example.com/${'a'.repeat(3000)}`,
  ]) {
    assert.equal(
      await opens(url, ['http://127.0.0.1:8790', 'file:///', 'not an address', '']),
      undefined,
      url,
    );
  }
});
