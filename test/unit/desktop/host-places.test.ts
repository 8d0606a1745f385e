import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorUrls, hostPageUrls, type PlacesHost } from '../../../app/desktop/host-places.ts';

type PlacesEditor = ReturnType<PlacesHost['services']['editors']['list']>[number];

function action(urlsrc: string) {
  return { app: 'Word', name: 'edit', extension: 'docx', urlsrc, isDefault: false };
}

function editor(id: string, url: string, urlsrcs: string[], acceptsOtherHosts = false): PlacesEditor {
  return {
    id,
    kind: 'other',
    url,
    acceptsOtherHosts,
    discovery: { actions: urlsrcs.map(action), proofKeys: null },
  };
}

function host(editors: PlacesEditor[], baseUrl = 'http://127.0.0.1:8790'): PlacesHost {
  const given: Record<string, string> = { docker: 'http://host.docker.internal:8790' };
  return {
    baseUrl,
    publicUrl: () => 'https://docs.example.org',
    baseUrlOf: (id) => given[id ?? ''] ?? 'https://docs.example.org',
    services: { editors: { list: () => editors } },
  };
}

test('the host’s pages lie under every address that an editor or a browser knows it by', () => {
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

test('an editor’s pages lie at its address and where its discovery says, on its own host', () => {
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

test('another host counts once the user agreed to it', () => {
  const given = editor('a', 'http://office.example', ['https://elsewhere.example/z?'], true);
  assert.deepEqual(editorUrls(host([given])), ['http://office.example', 'https://elsewhere.example']);
  assert.deepEqual(editorUrls(host([{ ...given, acceptsOtherHosts: false }])), ['http://office.example']);
});

test('the built-in editor lies at both names of this computer, since it has the one that its page has not', () => {
  const builtIn = {
    ...editor('text', 'http://localhost:8791', ['http://localhost:8791/edit?']),
    kind: 'text-editor',
  };
  assert.deepEqual(editorUrls(host([builtIn as PlacesEditor])), [
    'http://localhost:8791',
    'http://127.0.0.1:8791',
  ]);
});
