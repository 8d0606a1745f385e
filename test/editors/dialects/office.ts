// Microsoft 365 for the web or Office Online Server, based on Microsoft's WOPI reference and validator. What hosts can get wrong:
// lock ids are JSON, X-WOPI-Editors names several users, and the TimeStamp exceeds a double.
// As a server: separate pages for each program, for viewing and for editing, and binary formats that can be viewed or converted.

import { randomBytes, randomUUID } from 'node:crypto';
import { ticksAt } from '../wire.ts';
import type { Dialect } from './dialect.ts';
import { action, app, discoveryDocument, parameter, placeholders } from './discovery.ts';

const programs = [
  { name: 'Word', page: 'word', edit: ['docx', 'odt'], binary: 'doc', modern: 'docx' },
  { name: 'Excel', page: 'excel', edit: ['xlsx', 'ods'], binary: 'xls', modern: 'xlsx' },
  { name: 'PowerPoint', page: 'powerpoint', edit: ['pptx', 'odp'], binary: 'ppt', modern: 'pptx' },
];
const filledIn = placeholders({
  ui: 'UI_LLCC',
  rs: 'DC_LLCC',
  dchat: 'DISABLE_CHAT',
  hid: 'HOST_SESSION_ID',
  sc: 'SESSION_CONTEXT',
  wopisrc: 'WOPI_SOURCE',
  IsLicensedUser: 'BUSINESS_USER',
});
const purposes = { viewer: 'view', editor: 'edit', convert: 'convert' } as const;

export function office(): Dialect {
  const machine = randomBytes(6).toString('hex').toUpperCase();
  const sessionId = randomUUID();
  return {
    kind: 'office',
    newLockId: () =>
      JSON.stringify({ S: randomUUID(), F: 4, E: 2, M: machine, P: randomUUID().toUpperCase() }),
    utf7: 'terse',
    headers: ({ accessToken }) => ({
      Authorization: `Bearer ${accessToken}`,
      'X-WOPI-ClientVersion': '16.0.17928.40050',
      'X-WOPI-CorrelationId': randomUUID(),
      'X-WOPI-DeviceId': sessionId,
      'X-WOPI-MachineName': machine,
      'X-WOPI-SessionId': sessionId,
      'X-WOPI-TimeStamp': ticksAt(),
      'User-Agent': 'MSWAC',
    }),
    added: {
      CheckFileInfo: { 'X-WOPI-SessionContext': 'doctray' },
      GetFile: { 'X-WOPI-MaxExpectedSize': 2_147_483_647 },
    },
    ofBody: (_operation, { length }) => ({ 'X-WOPI-Size': length }),
    saveHeaders: ({ editors }) => ({ 'X-WOPI-Editors': [...editors].join(',') }),
    keepAlive: 'RefreshLock',

    discovery(baseUrl, proofKey) {
      const apps = programs.map(({ name, page, edit, binary, modern }) => {
        const url = (frame: keyof typeof purposes, more = ''): string =>
          `${baseUrl}/x/${page}${frame}frame.aspx?${more}${filledIn}`;
        const requires = 'requires="locks,update"';
        return app(name, `${baseUrl}/x/${page}.ico`, [
          ...edit.flatMap((ext) => [
            action('view', ext, url('viewer'), 'default="true"'),
            action('edit', ext, url('editor'), requires),
            action('editnew', ext, url('editor', 'new=1&amp;'), requires),
            // Requires features that the host doesn't have, so the host must not offer it.
            action('formsubmit', ext, url('editor'), 'requires="cobalt,containers"'),
          ]),
          action('view', binary, url('viewer'), 'default="true"'),
          action('convert', binary, url('convert'), `requires="update" targetext="${modern}"`),
        ]);
      });
      return discoveryDocument('internal-http', apps, proofKey);
    },
    pageOf(url) {
      const wopiSrc = parameter(url, 'WOPISrc');
      const page = /^\/x\/([a-z]+)(viewer|editor|convert)frame\.aspx$/u.exec(url.pathname);
      const program = programs.find((one) => one.page === page?.[1]);
      if (program === undefined || wopiSrc === undefined) return undefined;
      const purpose = purposes[page?.[2] as keyof typeof purposes];
      return { purpose, wopiSrc, toExtension: program.modern };
    },
    opensOn: 'form',
  };
}
