// The client of the conformance rows, through the text editor: it makes the calls of the editor's page, with tokens of a page session
// that was opened through the host page. The relay signs them, and the host accepts this editor's tokens only with a signature.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openText, type TextEditorHost } from '../server/text-editor-host.ts';
import { openClientAt, type WopiClient, type ClientInput } from './wopi-client.ts';
import { createWire, type Access } from './wire.ts';

export async function openTextEditorClient(
  input: Omit<ClientInput, 'host'> & { host: TextEditorHost },
): Promise<WopiClient> {
  const { host } = input;
  let isOpen = false;
  return openClientAt(input, {
    async open(path, mode) {
      // To open a document again is another session.
      const page = isOpen ? await openPage(host) : await sharedPage(host);
      isOpen = true;
      return issueToken(host, page, path, mode);
    },
    wire: createWire({ address: () => host.editor().url, isPage: true }),
  });
}

interface Page {
  wopiSrc: string;
  accessToken: string;
}

/** Opening the pages again for every row would take more time than the rows. */
const pages = new WeakMap<TextEditorHost, Page>();

async function sharedPage(host: TextEditorHost): Promise<Page> {
  const known = pages.get(host);
  // Rows advance the clock.
  if (known !== undefined && host.host.services.accessTokens.find(known.accessToken) !== undefined)
    return known;
  const page = await openPage(host);
  pages.set(host, page);
  return page;
}

/** For a document in the page's session, as if it had been opened there. */
async function issueToken(
  host: TextEditorHost,
  page: Page,
  path: string,
  mode: 'edit' | 'view',
): Promise<Access & { fileId: string }> {
  const { accessTokens, users, folder } = host.host.services;
  const user = users.byLogin('owner');
  const grant = accessTokens.find(page.accessToken);
  assert.ok(user !== undefined);
  assert.equal(grant?.editorId, host.editor().id);
  assert.equal(host.editor().proofMode, 'required');
  const fileId = (await folder()?.openPath(path))?.id ?? '';
  const { token } = accessTokens.mint({ user, fileId, mode, place: grant });
  return { fileId, wopiSrc: page.wopiSrc.replace(grant.fileId, fileId), accessToken: token };
}

/** Opens a document through the host page, and posts the form that loads the editor's page. */
async function openPage(host: TextEditorHost): Promise<Page> {
  const user = host.host.services.users.byLogin('owner');
  assert.ok(user !== undefined);
  const path = 'opened in its page.txt';
  await writeFile(join(host.folder, path), 'text');
  const editorId = host.editor().id;
  const { url } = await host.host.openInEditor({ user, path, mode: 'edit', editorId });
  const { opened, session } = await openText(url);
  assert.equal(opened['mode'], 'edit');
  return {
    wopiSrc: new URL(opened.action).searchParams.get('WOPISrc') ?? '',
    accessToken: session.accessToken,
  };
}
