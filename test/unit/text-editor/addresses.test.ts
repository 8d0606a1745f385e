import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  pageOriginFor,
  textEditorOrigin,
  type TextEditorPlaces,
} from '../../../app/text-editor/addresses.ts';

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

const pairs: [what: string, page: string, editor: string, at?: TextEditorPlaces][] = [
  ['this computer by its number', 'http://127.0.0.1:8790', 'http://localhost:8791'],
  ['this computer by its name', 'http://localhost:8790', 'http://127.0.0.1:8791'],
  ['another name', 'http://desk.local:8790', 'http://desk.local:8791'],
  ['an address on the network, by TLS', 'https://192.168.1.5:8790', 'https://192.168.1.5:8791'],
  ['an IPv6 address', 'http://[fd00::5]:8790', 'http://[fd00::5]:8791'],
  ['the public address', 'https://docs.example.org', 'https://edit.example.org', proxied],
  [
    'this computer, where there is a public address',
    'http://127.0.0.1:8790',
    'http://localhost:8791',
    proxied,
  ],
  [
    'the network, where there is a public address',
    'http://desk.local:8790',
    'http://desk.local:8791',
    proxied,
  ],
  [
    'this computer, where the host listens on IPv6 alone',
    'http://[::1]:8790',
    'http://localhost:8791',
    { ...places, hostUrl: 'http://[::1]:8790' },
  ],
  [
    'this computer by its name, where the host listens by that',
    'http://localhost:8790',
    'http://127.0.0.1:8791',
    { ...places, hostUrl: 'http://localhost:8790' },
  ],
];

test('a page has the editor at its own name, and on this computer at the other one; and the way back is the same', () => {
  for (const [what, page, editor, at = places] of pairs) {
    assert.equal(textEditorOrigin(`${page}/edit/x`, at), editor, what);
    assert.equal(pageOriginFor(editor, at), page, what);
  }
});

test('a page behind a tunnel with another port has the editor at its public address', () => {
  assert.equal(textEditorOrigin('https://some.tunnel.example', proxied), 'https://edit.example.org');
  assert.equal(textEditorOrigin('https://some.tunnel.example', places), 'https://some.tunnel.example:8791');
});

test('what the listener has beside the number is the same computer', () => {
  assert.equal(textEditorOrigin('http://[::1]:8790', places), 'http://localhost:8791');
  assert.equal(textEditorOrigin('http://127.0.0.2:8790', places), 'http://localhost:8791');
});
