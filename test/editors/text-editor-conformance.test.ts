// The behaviour page row by row once more, by the text editor's door: its relay finds every answer that the host gives.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTextEditorHost, type TextEditorHost } from '../server/text-editor-host.ts';
import { testRows } from './conformance/rows.ts';
import { useOwnTrash } from './own-trash.ts';
import { openTextEditorDesk } from './text-editor-desk.ts';

let host: TextEditorHost;
let end: (() => Promise<void>) | undefined;

useOwnTrash();
before(async () => {
  host = await startTextEditorHost({ after: (stop) => void (end = stop) });
});
after(() => end?.());

testRows({
  host: () => host,
  openDesk: (input) => openTextEditorDesk({ host, ...input }),
  // Whoever may reach the host's pages reaches the text editor's.
  reachable: { networkPages: true },
});

test('While the pages are for this computer only, so is the relay', async () => {
  const desk = await openTextEditorDesk({ host, path: 'closed.md' });
  const { settings } = host.host.services;
  await settings.update({ allowedHosts: ['docs.example'] });
  const headers = { Host: 'docs.example' };
  assert.equal((await desk.call({ operation: 'CheckFileInfo', method: 'GET', headers })).status, 403);
  assert.equal((await desk.checkFileInfo()).status, 200);
});
