// The rules of docs/protocol.md again, through the text editor's relay, which must pass on all answers of the host.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTextEditorHost, type TextEditorHost } from '../server/text-editor-host.ts';
import { testRows } from './conformance/rows.ts';
import { openTextEditorClient } from './text-editor-client.ts';

let host: TextEditorHost;
let end: (() => Promise<void>) | undefined;

before(async () => {
  host = await startTextEditorHost({ after: (stop) => void (end = stop) });
});
after(() => end?.());

testRows({
  host: () => host,
  openClient: (input) => openTextEditorClient({ host, ...input }),
  // The relay answers the same clients as the host's pages.
  reachable: { networkPages: true },
});

test('while the pages are for this computer only, so is the relay', async () => {
  const client = await openTextEditorClient({ host, path: 'closed.md' });
  const { settings } = host.host.services;
  await settings.update({ allowedHosts: ['docs.example'] });
  const headers = { Host: 'docs.example' };
  assert.equal((await client.call({ operation: 'CheckFileInfo', headers })).status, 403);
  assert.equal((await client.checkFileInfo()).status, 200);
});
