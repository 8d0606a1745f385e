// The link that a start prints. A user may open it much later, and it works once.

import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pipedLinkLifeMs, startLinkLifeMs } from '../../app/accounts/tickets.ts';
import { findDocumentLink } from '../../app/host/document-link.ts';
import { startDocumentServer, type DocumentServer } from './document-server.ts';
import { startTestHost, type TestHost } from './test-host.ts';

let host: TestHost;
let editor: DocumentServer;
before(async () => {
  host = await startTestHost({ files: { 'Welcome.md': '# Hello\n', 'b.md': 'b', 'c.docx': 'c' } });
  editor = await startDocumentServer({ actions: ['md edit', 'docx edit'] });
  await host.host.services.editors.add({ url: editor.url });
});
after(async () => {
  await host.stop();
  await editor.stop();
});

const statusOf = async (url: string) => (await fetch(url, { redirect: 'manual' })).status;

for (const [name, ticketLifeMs, waitMs, status] of [
  ['a link printed to a terminal works after 23 hours', startLinkLifeMs, 23 * 60 * 60_000, 303],
  ['a link printed to a terminal expires after a day', startLinkLifeMs, startLinkLifeMs, 403],
  ['a link printed to a pipe works after 5 minutes', pipedLinkLifeMs, 5 * 60_000, 303],
  ['a link printed to a pipe expires after 10 minutes', pipedLinkLifeMs, pipedLinkLifeMs, 403],
  ['any other link expires after a minute', undefined, 60_000, 403],
] as const) {
  test(name, async () => {
    const link = await findDocumentLink(host.host, ticketLifeMs === undefined ? {} : { ticketLifeMs });
    assert.equal(link?.name, 'Welcome.md');
    host.clock.advance(waitMs);
    assert.equal(await statusOf(link.url), status);
    assert.equal(await statusOf(link.url), 403, 'the link works once');
  });
}

test('without Welcome.md, the link opens another document, preferably text', async () => {
  const { folder } = host;
  const nameOfLink = async () => (await findDocumentLink(host.host))?.name;
  for (const name of ['Welcome.md', 'b.md']) await rm(join(folder, name));
  for (const name of ['a.docx', 'notes.md', '.hidden.md']) await writeFile(join(folder, name), '.');
  await writeFile(join(folder, 'b.unknown'), Buffer.from([0x00, 0xff, 0xfe]));
  await mkdir(join(folder, 'a folder.md'));
  assert.equal(await nameOfLink(), 'notes.md');
  await rm(join(folder, 'notes.md'));
  assert.match((await nameOfLink()) ?? '', /^[ac]\.docx$/);
  for (const name of ['a.docx', 'c.docx']) await rm(join(folder, name));
  assert.equal(await nameOfLink(), undefined);
});
