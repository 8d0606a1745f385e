// ONLYOFFICE Docs, with the calls of its `wopiClient.js`. What hosts can get wrong: all users share one lock id (the file id), an empty
// file gets a PutFile before the first LOCK, flags are sent only if true (except for an exit save after a forced one), a lock
// failure opens the document read-only, and a rejected save is kept: the next time, ONLYOFFICE shows that copy without reading the
// document. Nor does it read a document again that hasn't changed since it was closed without changes.
// As a server: pages under /hosting/wopi, one app per document type, placeholders in every URL, an action that converts and
// redirects to the copy, and CheckFileInfo when the form is posted.

import { randomUUID } from 'node:crypto';
import { ticksAt } from '../wire.ts';
import type { Dialect } from './dialect.ts';
import { action, app, capabilitiesApp, discoveryDocument, parameter, placeholders } from './discovery.ts';

const types = {
  word: { app: 'Word', edit: ['docx', 'odt', 'txt'], view: ['pdf'], convert: { doc: 'docx', rtf: 'docx' } },
  cell: { app: 'Excel', edit: ['xlsx', 'ods', 'csv'], view: [], convert: { xls: 'xlsx' } },
  slide: { app: 'PowerPoint', edit: ['pptx', 'odp'], view: [], convert: { ppt: 'pptx' } },
};
const filledIn = placeholders({
  rs: 'DC_LLCC',
  dchat: 'DISABLE_CHAT',
  embed: 'EMBEDDED',
  fs: 'FULLSCREEN',
  hid: 'HOST_SESSION_ID',
  sc: 'SESSION_CONTEXT',
  thm: 'THEME_ID',
  ui: 'UI_LLCC',
  wopisrc: 'WOPI_SOURCE',
});
const mimeTypes: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
};
// Its HTTP library sends an empty POST as a form.
const emptyPost = { 'Content-Type': 'application/x-www-form-urlencoded' };

export function onlyOffice(): Dialect {
  const sessionId = randomUUID();
  return {
    kind: 'onlyoffice',
    newLockId: (fileId) => fileId.replace(/[^0-9\-.a-zA-Z_=]/g, '_'),
    utf7: 'closed',
    headers: () => ({
      'X-WOPI-TimeStamp': ticksAt(),
      'X-WOPI-ClientVersion': '8.3.1.24',
      'X-WOPI-CorrelationId': randomUUID(),
      'X-WOPI-SessionId': sessionId,
      'User-Agent': 'Node.js/6.13',
    }),
    added: {
      GetFile: { 'X-WOPI-MaxExpectedSize': 104_857_600 },
      Lock: emptyPost,
      RefreshLock: emptyPost,
      Unlock: emptyPost,
      RenameFile: emptyPost,
    },
    ofBody: (_operation, _body, extension) => ({ 'Content-Type': mimeTypes[extension] }),
    saveHeaders({ isChanged, lastEditor, lastModifiedTime }, how, info) {
      const isExit = how === 'exit';
      return {
        'X-WOPI-Editors': lastEditor?.userId ?? info.UserId,
        'X-LOOL-WOPI-IsModifiedByUser': isChanged || (isExit ? false : undefined),
        'X-LOOL-WOPI-IsAutosave': how === 'timer' || undefined,
        'X-LOOL-WOPI-IsExitSave': isExit || undefined,
        'X-LOOL-WOPI-Timestamp': lastModifiedTime,
      };
    },
    keepAlive: 'RefreshLock',
    fillsEmpty: true,
    caches: true,
    savesAsLastEditor: true,
    savesOnExit: true,

    discovery(baseUrl, proofKey) {
      const apps = Object.entries(types).map(([type, { app: name, edit, view, convert }]) => {
        const url = (page: string): string => `${baseUrl}/hosting/wopi/${page}?${filledIn}&amp;`;
        const requires = 'requires="locks,update"';
        return app(name, `${baseUrl}/${type}.ico`, [
          ...[...view, ...edit, ...Object.keys(convert)].map((ext) =>
            action('view', ext, url(`${type}/view`)),
          ),
          ...edit.flatMap((ext) => [
            action('editnew', ext, url(`${type}/edit`), requires),
            action('edit', ext, url(`${type}/edit`), `default="true" ${requires}`),
          ]),
          ...Object.entries(convert).map(([ext, target]) => {
            const page = url(`convert-and-edit/${ext}/${target}`);
            return action('convert', ext, page, `requires="update" targetext="${target}"`);
          }),
        ]);
      });
      return discoveryDocument('external-http', [...apps, capabilitiesApp(baseUrl)], proofKey);
    },
    capabilities: { 'convert-to': { available: false }, hasMobileSupport: true, productVersion: '8.3.1' },
    pageOf(url) {
      const wopiSrc = parameter(url, 'wopisrc');
      if (wopiSrc === undefined) return undefined;
      const page = /^\/hosting\/wopi\/(?:word|cell|slide)\/(view|edit)$/u.exec(url.pathname);
      if (page !== null) return { purpose: page[1] as 'view' | 'edit', wopiSrc };
      const conversion = /^\/hosting\/wopi\/convert-and-edit\/\w+\/(\w+)$/u.exec(url.pathname);
      return conversion === null
        ? undefined
        : { purpose: 'convert', wopiSrc, toExtension: conversion[1] ?? '' };
    },
    opensOn: 'form',
    forcesSavesOnRequest: true,
  };
}
