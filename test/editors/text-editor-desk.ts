// The conformance table's client at the text editor's door: the host's page, the form that opens the editor, and then the calls
// of its page by its relay, which signs every one. The host believes this editor's tokens with a signature only.

import assert from 'node:assert/strict';
import { openText, postForm, sessionOf, type TextEditorHost } from '../server/text-editor-host.ts';
import { openDeskAt, type Desk, type DeskInput } from './desk.ts';
import { createWire, pageHeaders } from './wire.ts';
import type { Access } from './wire.ts';

export async function openTextEditorDesk(
  input: Omit<DeskInput, 'host'> & { host: TextEditorHost },
): Promise<Desk> {
  const { host } = input;
  const origin = (): string => host.editor().url;
  return openDeskAt(input, {
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
  const { opened, session } = await openText((await openInEditor({ user, path, mode, editorId })).url);
  const action = new URL(opened.action);
  const wopiSrc = action.searchParams.get('WOPISrc') ?? '';
  if (mode === 'view' || opened['mode'] === 'edit') return { ...session, wopiSrc };

  // The rows are about documents that this editor only shows. A token to edit one, for the same page and the same editor.
  const { accessTokens } = services;
  const grant = accessTokens.find(opened.accessToken);
  assert.equal(grant?.editorId, editorId);
  const { fileId } = grant;
  const minted = accessTokens.mint({ user, fileId, mode, place: grant });
  action.pathname = '/edit';
  const page = await postForm(action.href, {
    access_token: minted.token,
    access_token_ttl: String(minted.expiresAtMs),
  });
  assert.equal(page.status, 200);
  return { ...sessionOf(page), wopiSrc };
}
