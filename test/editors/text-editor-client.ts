// The client of the conformance rows, through the text editor: it opens the host page, posts the form, and makes the calls of the
// editor's page. The relay signs them, and the host accepts this editor's tokens only with a signature.

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openText, postForm, sessionOf, type TextEditorHost } from '../server/text-editor-host.ts';
import { openClientAt, type WopiClient, type ClientInput } from './wopi-client.ts';
import { createWire, pageHeaders } from './wire.ts';
import type { Access } from './wire.ts';

export async function openTextEditorClient(
  input: Omit<ClientInput, 'host'> & { host: TextEditorHost },
): Promise<WopiClient> {
  const { host } = input;
  const origin = (): string => host.editor().url;
  return openClientAt(input, {
    open: async (path, mode) => openInTextEditor(host, path, mode),
    wire: createWire({ address: origin, isPage: true }),
    target(access, suffix) {
      const url = new URL(new URL(access.wopiSrc).pathname + suffix, origin());
      return { url, headers: pageHeaders(access, url, 'POST') };
    },
  });
}

async function openInTextEditor(
  host: TextEditorHost,
  path: string,
  mode: 'edit' | 'view',
): Promise<Access & { fileId: string }> {
  const { services, openInEditor } = host.host;
  const user = services.users.byLogin('owner');
  const editorId = host.editor().id;
  assert.ok(user !== undefined);
  assert.equal(host.editor().proofMode, 'required');
  // The text editor doesn't open other office formats. For these, open a text document first, and then issue a token for the page.
  const isOpened = /\.(?:docx|txt|md)$/u.test(path);
  const shown = isOpened ? path : 'shown in place of another.txt';
  if (!isOpened) await writeFile(join(host.folder, shown), 'text');
  const { opened, session } = await openText((await openInEditor({ user, path: shown, mode, editorId })).url);
  const action = new URL(opened.action);
  const shownSrc = action.searchParams.get('WOPISrc') ?? '';
  if (isOpened && (mode === 'view' || opened['mode'] === 'edit')) return { ...session, wopiSrc: shownSrc };

  // The text editor only shows this document, or doesn't open it. Issue a token for the same page session and editor.
  const { accessTokens } = services;
  const grant = accessTokens.find(opened.accessToken);
  assert.equal(grant?.editorId, editorId);
  const fileId = (await services.folder()?.openPath(path))?.id ?? '';
  const wopiSrc = shownSrc.replace(grant.fileId, fileId);
  action.searchParams.set('WOPISrc', wopiSrc);
  const minted = accessTokens.mint({ user, fileId, mode, place: grant });
  action.pathname = '/edit';
  const page = await postForm(action.href, {
    access_token: minted.token,
    access_token_ttl: String(minted.expiresAtMs),
  });
  assert.equal(page.status, 200);
  if (!isOpened) await rm(join(host.folder, shown));
  return { ...sessionOf(page), wopiSrc };
}
