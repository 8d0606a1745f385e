// Collabora Online as a server: one page for all types, /hosting/capabilities with the product's name, /hosting/wopiAccessCheck,
// one action per type, a page that only the document's host may frame, and no calls before that page runs.

import { createCollabora } from '../collabora.ts';
import { actionElement, discoveryDocument, parameter, type MakeDialect } from './dialect.ts';

const types = {
  writer: { edit: ['odt', 'docx', 'doc', 'rtf', 'txt'], view: ['pdf'] },
  calc: { edit: ['ods', 'xlsx', 'xls', 'csv'], view: [] },
  impress: { edit: ['odp', 'pptx', 'ppt'], view: [] },
};
const pagePath = '/browser/6f1a2b3c4d/cool.html';

export const makeCollabora: MakeDialect = (wire, { isLegacy }) => {
  const editor = createCollabora({ ...wire, isLegacy });

  return {
    kind: 'collabora',
    isMovedByCopying: isLegacy,
    exchanges: editor.exchanges,
    opensOn: 'socket',
    crash: editor.crash,
    frameAncestors: (wopiSrc) => `${new URL(wopiSrc).hostname}:*`,

    discovery(baseUrl, proofKey) {
      const urlsrc = `${baseUrl}${pagePath}?`;
      const apps = Object.entries(types).map(([name, { edit, view }]) => {
        const rows = [
          ...edit.map((ext) => actionElement({ name: 'edit', ext, isDefault: true, urlsrc })),
          ...view.map((ext) => actionElement({ name: 'view', ext, isDefault: true, urlsrc })),
        ];
        return `<app favIconUrl="${baseUrl}/${name}.svg" name="${name}">${rows.join('')}</app>`;
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
        ? {
            'convert-to': { available: false },
            hasMobileSupport: true,
            hasWopiAccessCheck: true,
            productName: 'Collabora Online Development Edition',
            productVersion: '24.04.13.2',
            serverId: 'scripted',
          }
        : undefined,

    pageOf(url) {
      const wopiSrc = parameter(url, 'WOPISrc');
      if (url.pathname !== pagePath || wopiSrc === undefined) return undefined;
      const isView = /^(?:view|readonly)$/u.test(parameter(url, 'permission') ?? '');
      return { purpose: isView ? 'view' : 'edit', wopiSrc };
    },

    async open(access, purpose) {
      const view = await editor.open(access, { mode: purpose });
      return {
        ...view,
        save: async (how) => (await view.save({ isAutosave: how === 'timer' })).exchange,
      };
    },
    convert: () => Promise.resolve(undefined),
  };
};
