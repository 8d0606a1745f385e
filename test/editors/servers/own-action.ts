// Builds the form for a document from a server's discovery, as a host does, but without the host's code.

import type { Access } from '../wire.ts';
import type { DocumentServer } from './document-server.ts';
import { ask, type PostedForm } from './visitor.ts';

export async function formFor(
  server: Pick<DocumentServer, 'url'>,
  action: { name: string; extension: string },
  access: Access & { accessTokenTtl?: number },
): Promise<PostedForm> {
  const { text } = await ask(`${server.url}/hosting/discovery`);
  const element = [...text.matchAll(/<action [^>]*>/gu)]
    .map(([found]) => found)
    .find((found) => found.includes(`name="${action.name}"`) && found.includes(`ext="${action.extension}"`));
  const urlsrc = /urlsrc="([^"]*)"/u.exec(element ?? '')?.[1];
  if (urlsrc === undefined) throw new Error(`no ${action.name} of .${action.extension}`);
  const plain = urlsrc
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/<[^>]*>/gu, '');
  const separator = /[?&]$/u.test(plain) ? '' : '&';
  return {
    action: `${plain}${separator}WOPISrc=${encodeURIComponent(access.wopiSrc)}`,
    accessToken: access.accessToken,
    accessTokenTtl: access.accessTokenTtl ?? 0,
    formFields: {
      docs_api_config: JSON.stringify({ editorConfig: { customization: { forcesave: true } } }),
    },
  };
}
