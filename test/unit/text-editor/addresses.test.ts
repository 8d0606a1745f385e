import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOriginFor, textEditorOrigin } from '../../../app/text-editor/addresses.ts';
import type { TextEditorPlaces } from '../../../app/text-editor/addresses.ts';

const places: TextEditorPlaces = {
  hostUrl: 'http://127.0.0.1:8790',
  port: 8791,
  publicUrl: null,
  textEditorUrl: null,
};
const proxied = {
  ...places,
  publicUrl: 'https://docs.example.org/doctray',
  textEditorUrl: 'https://edit.example.org',
};

const onIpv6 = { ...places, hostUrl: 'http://[::1]:8790' };
const onLocalhost = { ...places, hostUrl: 'http://localhost:8790' };

const pairs: [what: string, page: string, editor: string, at?: TextEditorPlaces][] = [
  ['this computer by its IP address', 'http://127.0.0.1:8790', 'http://localhost:8791'],
  ['this computer by its name', 'http://localhost:8790', 'http://127.0.0.1:8791'],
  ['another name', 'http://desk.local:8790', 'http://desk.local:8791'],
  ['an address on the network, by TLS', 'https://192.168.1.5:8790', 'https://192.168.1.5:8791'],
  ['an IPv6 address', 'http://[fd00::5]:8790', 'http://[fd00::5]:8791'],
  ['the public address', 'https://docs.example.org', 'https://edit.example.org', proxied],
  ['this computer, with a public address', 'http://127.0.0.1:8790', 'http://localhost:8791', proxied],
  ['the network, with a public address', 'http://desk.local:8790', 'http://desk.local:8791', proxied],
  ['this computer, if the host listens there', 'http://[::1]:8790', 'http://localhost:8791', onIpv6],
  ['its name, if the host listens there', 'http://localhost:8790', 'http://127.0.0.1:8791', onLocalhost],
];

test('the editor has the page’s host name, or the other loopback name on this computer, in both directions', () => {
  for (const [what, page, editor, at = places] of pairs) {
    assert.equal(textEditorOrigin(`${page}/edit/x`, at), editor, what);
    assert.equal(pageOriginFor(editor, at), page, what);
  }
});

test('the editor of a page behind a tunnel is at its public address if there is one', () => {
  assert.equal(textEditorOrigin('https://some.tunnel.example', proxied), 'https://edit.example.org');
  assert.equal(textEditorOrigin('https://some.tunnel.example', places), 'https://some.tunnel.example:8791');
  for (const page of ['http://[::1]:8790', 'http://127.0.0.2:8790'])
    assert.equal(textEditorOrigin(page, places), 'http://localhost:8791', 'the same computer');
});
