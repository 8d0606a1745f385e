// ONLYOFFICE Docs as a server: pages under /hosting/wopi, one app per document type, placeholders in every URL, an action that
// converts and redirects to the copy, and CheckFileInfo when the form is posted.

import { createOnlyOffice } from '../onlyoffice.ts';
import { actionElement, discoveryDocument, parameter, type MakeDialect } from './dialect.ts';

const types = {
  word: { app: 'Word', edit: ['docx', 'odt', 'txt'], view: ['pdf'], convert: { doc: 'docx', rtf: 'docx' } },
  cell: { app: 'Excel', edit: ['xlsx', 'ods', 'csv'], view: [], convert: { xls: 'xlsx' } },
  slide: { app: 'PowerPoint', edit: ['pptx', 'odp'], view: [], convert: { ppt: 'pptx' } },
};
const placeholders = [
  ['rs', 'DC_LLCC'],
  ['dchat', 'DISABLE_CHAT'],
  ['embed', 'EMBEDDED'],
  ['fs', 'FULLSCREEN'],
  ['hid', 'HOST_SESSION_ID'],
  ['sc', 'SESSION_CONTEXT'],
  ['thm', 'THEME_ID'],
  ['ui', 'UI_LLCC'],
  ['wopisrc', 'WOPI_SOURCE'],
]
  .map(([name, value]) => `&lt;${name}=${value}&amp;&gt;`)
  .join('');
const needsLocks = 'locks,update';

export const makeOnlyOffice: MakeDialect = (wire, { template, isFailing }) => {
  const editor = createOnlyOffice({
    ...wire,
    isFailing,
    template: (extension) => template(extension) ?? Buffer.alloc(0),
  });

  return {
    kind: 'onlyoffice',
    isMovedByCopying: false,
    exchanges: editor.exchanges,
    opensOn: 'form',
    frameAncestors: () => undefined,
    crash: editor.crash,

    discovery(baseUrl, proofKey) {
      const pages = `${baseUrl}/hosting/wopi`;
      const apps = Object.entries(types).map(([type, { app, edit, view, convert }]) => {
        const urlsrc = (purpose: string): string => `${pages}/${type}/${purpose}?${placeholders}&amp;`;
        const rows = [...view, ...edit, ...Object.keys(convert)].map((ext) =>
          actionElement({ name: 'view', ext, urlsrc: urlsrc('view') }),
        );
        for (const ext of edit) {
          rows.push(actionElement({ name: 'editnew', ext, requires: needsLocks, urlsrc: urlsrc('edit') }));
          rows.push(
            actionElement({
              name: 'edit',
              ext,
              isDefault: true,
              requires: needsLocks,
              urlsrc: urlsrc('edit'),
            }),
          );
        }
        for (const [ext, targetExt] of Object.entries(convert)) {
          const urlsrc = `${pages}/convert-and-edit/${ext}/${targetExt}?${placeholders}&amp;`;
          rows.push(actionElement({ name: 'convert', ext, targetExt, requires: 'update', urlsrc }));
        }
        return `<app name="${app}" favIconUrl="${baseUrl}/${type}.ico">${rows.join('')}</app>`;
      });
      const capabilities = actionElement({
        name: 'getinfo',
        ext: '',
        urlsrc: `${baseUrl}/hosting/capabilities`,
      });
      return discoveryDocument(
        'external-http',
        [...apps, `<app name="Capabilities">${capabilities}</app>`],
        proofKey,
      );
    },

    answer: (path) =>
      path === '/hosting/capabilities'
        ? { 'convert-to': { available: false }, hasMobileSupport: true, productVersion: '8.3.1' }
        : undefined,

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

    async open(access, purpose, form) {
      const tab = await editor.open(access, { mode: purpose });
      // Without forced saves, the button saves to the document server only.
      return { ...tab, save: isForcing(form?.docsApiConfig) ? tab.forceSave : async () => undefined };
    },
    convert: async (access, toExtension, bytes) =>
      (await editor.convert(access, toExtension, () => bytes)).answer,
  };
};

function isForcing(docsApiConfig: string | undefined): boolean {
  const config = JSON.parse(docsApiConfig ?? '{}') as {
    editorConfig?: { customization?: { forcesave?: boolean } };
  };
  return config.editorConfig?.customization?.forcesave === true;
}
