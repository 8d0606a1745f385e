import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParameterizedContext } from 'koa';
import { createNetworkGuard } from '../../../app/server/middleware/network-guard.ts';

function ask(path: string, { isThisComputer = false, isApiOpen = false, arePagesOpen = false } = {}): string {
  const guard = createNetworkGuard({ isApiOpen: () => isApiOpen, arePagesOpen: () => arePagesOpen });
  const context = { path, state: { client: { isThisComputer } } } as unknown as ParameterizedContext;
  let hasPassed = false;
  try {
    void guard(context, async () => {
      hasPassed = true;
    });
  } catch (error) {
    return (error as { code: string }).code;
  }
  assert.ok(hasPassed);
  return 'passed';
}

const api = ['/api/2.0/files', '/api/2.0/authentication.json', '/API/2.0/files', '/api', '/api/'];
const pages = [
  '/edit/x',
  '/view/x',
  '/host-page/host-page.js',
  '/help',
  '/closed',
  '/',
  '/EDIT/x',
  '/apix',
  '//api/x',
];

test('allows WOPI from the network with any settings', () => {
  for (const path of ['/wopi/files/x', '/wopi/files/x/contents']) assert.equal(ask(path), 'passed', path);
});

test('blocks paths that only resemble WOPI', () => {
  for (const path of ['/WOPI/files/x', '/wopi', '/wopix', '//wopi/files/x', '/%77opi/files/x']) {
    assert.equal(ask(path), 'network-closed', path);
  }
});

test('allows everything from this computer', () => {
  for (const path of [...api, ...pages]) assert.equal(ask(path, { isThisComputer: true }), 'passed', path);
});

test('opens the API and the pages with one setting each', () => {
  for (const path of api) {
    assert.equal(ask(path), 'network-closed', path);
    assert.equal(ask(path, { arePagesOpen: true }), 'network-closed', path);
    assert.equal(ask(path, { isApiOpen: true }), 'passed', path);
  }
  for (const path of pages) {
    assert.equal(ask(path), 'network-closed', path);
    assert.equal(ask(path, { isApiOpen: true }), 'network-closed', path);
    assert.equal(ask(path, { arePagesOpen: true }), 'passed', path);
  }
});
