// Office Online Server as a server: separate pages for each program, for viewing and for editing, binary formats that can be viewed
// or converted, and JSON lock ids.

import { createMicrosoft } from '../microsoft.ts';
import { actionElement, discoveryDocument, parameter, type MakeDialect } from './dialect.ts';

const programs = [
  { app: 'Word', page: 'word', edit: ['docx', 'odt'], binary: { doc: 'docx' } },
  { app: 'Excel', page: 'excel', edit: ['xlsx', 'ods'], binary: { xls: 'xlsx' } },
  { app: 'PowerPoint', page: 'powerpoint', edit: ['pptx', 'odp'], binary: { ppt: 'pptx' } },
];
const placeholders =
  '&lt;ui=UI_LLCC&amp;&gt;&lt;rs=DC_LLCC&amp;&gt;&lt;dchat=DISABLE_CHAT&amp;&gt;&lt;hid=HOST_SESSION_ID&amp;&gt;' +
  '&lt;sc=SESSION_CONTEXT&amp;&gt;&lt;wopisrc=WOPI_SOURCE&amp;&gt;&lt;IsLicensedUser=BUSINESS_USER&amp;&gt;';
const frames = { view: 'viewerframe', edit: 'editorframe', convert: 'convertframe' };

export const makeOffice: MakeDialect = (wire) => {
  const editor = createMicrosoft(wire);

  return {
    kind: 'office',
    isMovedByCopying: false,
    exchanges: editor.exchanges,
    opensOn: 'form',
    frameAncestors: () => undefined,
    crash: editor.crash,
    answer: () => undefined,

    discovery(baseUrl, proofKey) {
      const apps = programs.map(({ app, page, edit, binary }) => {
        const urlsrc = (purpose: keyof typeof frames, more = ''): string =>
          `${baseUrl}/x/${page}${frames[purpose]}.aspx?${more}${placeholders}`;
        const locks = 'locks,update';
        const rows = edit.flatMap((ext) => [
          actionElement({ name: 'view', ext, isDefault: true, urlsrc: urlsrc('view') }),
          actionElement({ name: 'edit', ext, requires: locks, urlsrc: urlsrc('edit') }),
          actionElement({ name: 'editnew', ext, requires: locks, urlsrc: urlsrc('edit', 'new=1&amp;') }),
          // Requires features that the host doesn't have, so the host must not offer it.
          actionElement({ name: 'formsubmit', ext, requires: 'cobalt,containers', urlsrc: urlsrc('edit') }),
        ]);
        for (const [ext, targetExt] of Object.entries(binary)) {
          rows.push(actionElement({ name: 'view', ext, isDefault: true, urlsrc: urlsrc('view') }));
          rows.push(
            actionElement({ name: 'convert', ext, targetExt, requires: 'update', urlsrc: urlsrc('convert') }),
          );
        }
        return `<app name="${app}" favIconUrl="${baseUrl}/x/${page}.ico" checkLicense="true">${rows.join('')}</app>`;
      });
      return discoveryDocument('internal-http', apps, proofKey);
    },

    pageOf(url) {
      const wopiSrc = parameter(url, 'WOPISrc');
      const page = /^\/x\/(word|excel|powerpoint)(viewer|editor|convert)frame\.aspx$/u.exec(url.pathname);
      if (page === null || wopiSrc === undefined) return undefined;
      const purposes = { viewer: 'view', editor: 'edit', convert: 'convert' } as const;
      const toExtension = { word: 'docx', excel: 'xlsx', powerpoint: 'pptx' }[page[1] ?? ''] ?? '';
      return { purpose: purposes[page[2] as keyof typeof purposes], wopiSrc, toExtension };
    },

    async open(access, purpose) {
      const tab = await editor.open(access, { mode: purpose });
      return { ...tab, save: tab.autosave };
    },
    convert: async (access, toExtension, bytes) =>
      (await editor.convert(access, toExtension, () => bytes)).answer,
  };
};
