// Collabora Online, with the calls of its `WopiStorage.cpp`. What hosts can get wrong: the token is both in the query and in
// Authorization, every save has all three flags and a timestamp that must equal the document's (if it doesn't, a 409 with 1010 shows
// the dialog “document has been changed in storage”), LOCK is also the keep-alive, and a rename has the document as its body. A failed save isn't retried, because Collabora's own copy on disk was saved by then.
// LibreOffice Online of 2020 has other vendor headers, renames without a lock id, and shows the copy after Save As.
// As a server: one page for all types, /hosting/capabilities with the product's name, /hosting/wopiAccessCheck, one action per type,
// a page that only the document's host may frame, and no calls before that page runs.

import { randomBytes } from 'node:crypto';
import type { HeaderList } from '../wire.ts';
import type { Dialect } from './dialect.ts';
import { action, app, capabilitiesApp, discoveryDocument, parameter } from './discovery.ts';

const types = {
  writer: { edit: ['odt', 'docx', 'doc', 'rtf', 'txt'], view: ['pdf'] },
  calc: { edit: ['ods', 'xlsx', 'xls', 'csv'], view: [] },
  impress: { edit: ['odp', 'pptx', 'ppt'], view: [] },
};
const pagePath = '/browser/6f1a2b3c4d/cool.html';
const emptyPost = { 'Content-Type': 'application/x-www-form-urlencoded' };
const bytes = { 'Content-Type': 'application/octet-stream' };

export function collabora(isLegacy: boolean): Dialect {
  const serverId = randomBytes(4).toString('hex');
  const vendor = (headers: HeaderList): HeaderList =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`X-${isLegacy ? 'LOOL' : 'COOL'}-WOPI-${name}`, value]),
    );
  return {
    kind: 'collabora',
    newLockId: () => `cool-lock${randomBytes(4).toString('hex')}`,
    utf7: 'terse',
    // Query parameters of the page are passed on.
    query: 'access_token_ttl=0&permission=edit',
    headers: ({ accessToken }) => ({
      'User-Agent': isLegacy ? 'LOOLWSD WOPI Agent 6.4.10' : 'COOLWSD WOPI Agent 24.04.13.2',
      Authorization: `Bearer ${accessToken}`,
      ...vendor({ ServerId: serverId }),
    }),
    added: { Lock: emptyPost, Unlock: emptyPost, RenameFile: bytes },
    ofBody: (operation, { length }) => ({
      ...bytes,
      ...(operation === 'PutRelativeFile' && { 'X-WOPI-Size': length }),
    }),
    saveHeaders: ({ isChanged, wasRefused, lastModifiedTime }, how) =>
      vendor({
        IsModifiedByUser: isChanged || wasRefused,
        IsAutosave: how === 'timer',
        IsExitSave: how === 'exit',
        Timestamp: how === 'overwrite' ? undefined : lastModifiedTime,
      }),
    keepAlive: 'Lock',
    renamesWithoutLock: isLegacy,
    locksOnce: true,
    savesToDiskFirst: true,

    discovery(baseUrl, proofKey) {
      const apps = Object.entries(types).map(([name, { edit, view }]) => {
        const open = (verb: string) => (ext: string) =>
          action(verb, ext, `${baseUrl}${pagePath}?`, 'default="true"');
        return app(name, `${baseUrl}/${name}.svg`, [...edit.map(open('edit')), ...view.map(open('view'))]);
      });
      return discoveryDocument('external-http', [...apps, capabilitiesApp(baseUrl)], proofKey);
    },
    capabilities: {
      'convert-to': { available: false },
      hasMobileSupport: true,
      hasWopiAccessCheck: true,
      productName: 'Collabora Online Development Edition',
      productVersion: '24.04.13.2',
      serverId: 'scripted',
    },
    pageOf(url) {
      const wopiSrc = parameter(url, 'WOPISrc');
      if (url.pathname !== pagePath || wopiSrc === undefined) return undefined;
      const isView = /^(?:view|readonly)$/u.test(parameter(url, 'permission') ?? '');
      return { purpose: isView ? 'view' : 'edit', wopiSrc };
    },
    opensOn: 'socket',
    isFramedByHostOnly: true,
    showsCopies: isLegacy,
  };
}
