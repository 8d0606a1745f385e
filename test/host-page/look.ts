// Takes screenshots of the host page: node test/host-page/look.ts --out /tmp/host-page

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { closedPage } from '../../app/server/pages/html.ts';
import { closedUrl } from '../../renderer/host-page/closed.ts';
import { startPageLab, type OpenPage, type PageOptions } from './open-page.ts';
import { savedBy, version, type TwoSites } from './two-sites.ts';

// Names of scenes limit it to those.
const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: '/tmp/doctray-host-page' } },
  allowPositionals: true,
});

const looks = [
  { name: 'light-1000', theme: 'light', width: 1000 },
  { name: 'light-400', theme: 'light', width: 400 },
  { name: 'dark-1000', theme: 'dark', width: 1000 },
  { name: 'dark-400', theme: 'dark', width: 400 },
  { name: 'light-1400', theme: 'light', width: 1400 },
  { name: 'german-900', theme: 'light', width: 900, locale: 'de-DE' },
  { name: 'german-400', theme: 'light', width: 400, locale: 'de-DE' },
  { name: 'forced-colors-1000', theme: 'light', width: 1000, forcedColors: 'active' },
  // 1000 × 560 at 200 %
  { name: '200-percent', theme: 'light', width: 500, height: 280 },
] satisfies ({ name: string; width: number; height?: number; forcedColors?: 'active' } & PageOptions)[];

const minute = 60_000;
const longName = 'Quarterly report of the northern branch, third revision with comments (final).docx';

type Step = (opened: OpenPage) => unknown;
type Given = NonNullable<PageOptions['given']>;

// what is true before the page is opened

const named: Given = ({ host }) => {
  host.opened.name = longName;
  host.state.name = longName;
};
const copied: Given = ({ host }) => {
  const copy = { fileId: 'file-2', name: 'letter (copy).docx', path: '', madeAtMs: 1, isOpen: false };
  host.state.copies = [copy];
};
const conflict: Given = ({ host }) => {
  host.state.conflicts = [{ fileId: 'file-3', name: 'letter (conflict).docx', path: '', madeAtMs: 1 }];
};
const recovered: Given = ({ host }) => {
  host.state.recovered = [{ id: 'r1', receivedAtMs: Date.now(), isUnreadable: false }];
};
const missed =
  (kind: Parameters<TwoSites['host']['miss']>[0]): Given =>
  ({ host }) =>
    host.miss(kind);
const inOnlyoffice: Given = ({ host }) => {
  Object.assign(host.opened, { kind: 'onlyoffice', editorName: 'ONLYOFFICE Docs' });
};
const toRead: Given = ({ host }) => {
  Object.assign(host.opened, { mode: 'view', canEdit: false, isOwner: false });
  host.state.canRestore = false;
};
const held: Given = ({ host }) => {
  Object.assign(host.state.holder!, {
    userName: 'Ana Lopes',
    editorName: 'ONLYOFFICE Docs',
    isThisEditor: false,
  });
};
const damaged =
  (versionId: string | null): Given =>
  ({ host }) => {
    host.opened.damaged = {
      versionId,
      writtenAtMs: versionId === null ? null : Date.now() - 26 * 60 * minute,
    };
  };
const manyVersions: Given = ({ host }) => {
  const now = Date.now();
  const saves = [
    ['Ana Ruiz', 72, 'autosave'],
    ['Ana Ruiz,Ben Okafor', 190, 'explicit'],
    ['Ben Okafor', 26 * 60, 'autosave,exit'],
    ['Ana Ruiz', 3 * 24 * 60, 'restored'],
    ['Chiyo Tanaka', 9 * 24 * 60, 'explicit'],
  ] as const;
  host.versions = {
    current: { size: 18_400, lastModifiedMs: now, ...savedBy('Ben Okafor', now - 26 * minute, 'autosave') },
    versions: [
      ...saves.map(([names, minutes, how], index) =>
        version(`v${index}`, 17_600 - index * 2100, savedBy(names, now - minutes * minute, how)),
      ),
      {
        ...version('v9', 7400, { savedBy: null, savedAtMs: null, savedHow: null }),
        writtenAtMs: now - 30 * 24 * 60 * minute,
      },
    ],
  };
};
const compared: Given = ({ host }) => {
  const lines = Array.from({ length: 30 }, (_, index) => `Line ${index + 1} of the plan, as agreed.`);
  const old = ['# Plan', '', 'We meet on Monday at nine.', 'Bring the figures for March.', ...lines];
  const met =
    'We meet on Tuesday at nine, in the large room that was used for the spring meeting of the branch.';
  const now = ['# Plan', '', met, 'Bring the figures for March.', ...lines.slice(0, 27)].toSpliced(
    18,
    0,
    'A line.',
  );
  host.comparison = { old: old.join('\n'), now: now.join('\n') };
};
const refuses =
  (call: string, status: number, code = 'x', message = 'Refused.'): Given =>
  ({ host }) => {
    host.refuse[call] = { status, body: { code, message } };
  };

// what happens in it

const load: Step = ({ load }) => load();
const says =
  (name: string, message?: Record<string, unknown>): Step =>
  ({ say }) =>
    say(name, message);
const typed = says('Doc_ModifiedStatus', { Modified: true });
const asksHost: Step = ({ page }) => page.evaluate(() => dispatchEvent(new Event('online')));
const shows =
  (selector: string, filter?: RegExp): Step =>
  ({ page }) =>
    page
      .locator(selector)
      .filter(filter === undefined ? {} : { hasText: filter })
      .first()
      .waitFor({ state: 'attached' });
const presses =
  (selector: string): Step =>
  ({ page }) =>
    page.locator(selector).first().click();
/** The host's answer to a question of now. */
const isAnswered: Step = ({ page }) =>
  Promise.all([
    page.waitForResponse(/\/state\?/u),
    page.evaluate(() => void dispatchEvent(new Event('online'))),
  ]);
const saves: Step[] = [
  load,
  typed,
  // Only later saves are newer, and the first answer may be to a question from before.
  isAnswered,
  isAnswered,
  ({ sites }) => sites.host.save(),
  says('Doc_ModifiedStatus', { Modified: false }),
  shows('header .reason', /\d\d:\d\d/),
];
const showsVersions = [load, says('UI_FileVersions'), shows('.versions-item')];
const compares = presses('.versions-actions > :nth-child(2)');
const restores = presses('.versions-actions > :nth-last-child(2)');
const closes = presses('header > .buttons > :last-child');
const closed: Step = ({ page }) =>
  page.route('**/closed', (route) => route.fulfill({ contentType: 'text/html', body: closedPage() }));
/** For a few seconds of the page's own clock. */
const waits =
  (seconds: number): Step =>
  async ({ page }) => {
    for (let second = 0; second < seconds; second += 1) await page.clock.runFor(1000);
  };

interface Scene {
  given?: Given[];
  mode?: 'view';
  hasOwnClock?: true;
  steps: Step[];
}

const scenes: Record<string, Scene> = {
  ready: { steps: [load, typed] },
  people: { given: [({ host }) => (host.state.others = ['Ana Lopes', 'Ben Okafor'])], steps: saves },
  versions: { given: [manyVersions], steps: showsVersions },
  'versions-text': { given: [manyVersions, compared, copied], steps: [...showsVersions, shows('.toast')] },
  'versions-none': { given: [({ host }) => (host.versions.versions = [])], steps: showsVersions },
  'versions-gone': {
    given: [refuses('versions', 404, 'file-missing')],
    steps: [
      load,
      says('UI_FileVersions'),
      ({ sites }) => (sites.host.state.gone = { code: 'file-missing', message: 'Gone.' }),
      asksHost,
      shows('.notice'),
    ],
  },
  'restore-question': { given: [manyVersions], steps: [...showsVersions, restores, shows('.dialog')] },
  'restore-refused': {
    given: [
      manyVersions,
      refuses('restore-version', 409, 'file-locked'),
      ({ host }) => (host.state.holder!.otherUsers = ['Ben Okafor']),
    ],
    steps: [...showsVersions, restores, presses('.dialog .button-primary'), shows('.notice')],
  },
  'held-for-owner': { given: [held], steps: [load, shows('.notice')] },
  'held-for-editor': {
    given: [held, ({ host }) => (host.opened.isOwner = false)],
    steps: [load, shows('.notice')],
  },
  reason: {
    steps: [
      load,
      typed,
      ({ page }) => page.locator('.state > [role="status"]').focus(),
      ({ page }) => page.keyboard.press('Shift'),
    ],
  },
  failed: {
    steps: [
      says('Action_Load_Resp', { success: false, errorMsg: 'Unauthorized WOPI host.' }),
      shows('.notice'),
    ],
  },
  'may-not-edit': {
    given: [toRead, refuses('ticket', 403)],
    mode: 'view',
    steps: [load, says('UI_Edit'), shows('.toast')],
  },
  closed: {
    given: [named],
    steps: [
      // It keeps the page session.
      async ({ page }) => {
        const other = await page.context().newPage();
        await other.goto(page.url());
        await other.locator('body[data-phase="loading"]').waitFor();
      },
      closed,
      ...saves,
      closes,
      shows('h1', /\d\d:\d\d/),
    ],
  },
  'saved-copy': { given: [named, copied], steps: [load, shows('.toast')] },
  kept: {
    given: [held, conflict, recovered],
    steps: [
      load,
      shows('.pager'),
      async ({ page }) => {
        const restore = page.locator('.notice').filter({ hasText: /\d\d:\d\d/ });
        while (!(await restore.isVisible())) await page.locator('.pager').click();
      },
    ],
  },
  'no-lock': {
    steps: [
      load,
      typed,
      ({ sites }) => Object.assign(sites.host.state, { holder: null, clearedBy: 'Robin Vale' }),
      asksHost,
      shows('.notice'),
    ],
  },
  'not-saved': {
    steps: [
      load,
      typed,
      says('UI_Close'),
      ({ editorReceived }) => editorReceived('Action_Save'),
      ({ sites }) => sites.host.miss('recovered'),
      says('Action_Save_Resp', { success: false, errorMsg: 'The disk is full.' }),
      shows('.notice .button-primary'),
    ],
  },
  'missed-version': { given: [missed('version')], steps: [load, shows('.notice')] },
  'missed-nowhere': { given: [missed('nowhere')], steps: [load, shows('.notice')] },
  unreadable: { given: [named, missed('unreadable')], steps: [load, shows('.notice')] },
  'unreadable-and-more': { given: [conflict, missed('unreadable')], steps: [load, shows('.pager')] },
  'unreadable-viewer': {
    given: [toRead, missed('unreadable')],
    mode: 'view',
    steps: [load, shows('.notice')],
  },
  'close-unreadable': {
    given: [inOnlyoffice],
    steps: [load, ({ sites }) => sites.host.miss('unreadable'), closes, shows('.notice')],
  },
  damaged: { given: [damaged('v1')], steps: [load] },
  'damaged-for-good': { given: [damaged(null)], steps: [shows('.notice')] },
  'damaged-viewer': { given: [toRead, damaged('v1')], mode: 'view', steps: [load] },
  ...Object.fromEntries(
    (['recovered', 'unreadable', 'version', 'nowhere', 'unsaved'] as const).map((left) => {
      const show: Step = ({ page, sites }) => {
        const document = { name: 'letter.docx', savedAtMs: undefined, left, address: page.url() };
        return page.goto(closedUrl(`${sites.hostUrl}/closed`, document));
      };
      return [`closed-${left}`, { steps: [closed, show, shows('main > a, main p > a')] }];
    }),
  ),
  writing: {
    given: [inOnlyoffice],
    steps: [load, says('Edit_Notification'), says('UI_Close'), shows('.page-choice')],
  },
  'not-written': {
    given: [inOnlyoffice],
    hasOwnClock: true,
    steps: [
      load,
      says('Edit_Notification'),
      says('UI_Close'),
      waits(40),
      shows('.page-choice .button-primary'),
    ],
  },
  silent: {
    hasOwnClock: true,
    steps: [({ editor }) => editor(), waits(21), shows('.notice .button-primary')],
  },
  'save-as': { steps: [load, says('UI_SaveAs', {}), shows('.dialog')] },
  share: { steps: [load, says('UI_Share', {}), shows('.dialog')] },
  convert: {
    given: [
      ({ host, editorUrl }) => {
        const convertAction = `${editorUrl}/convert`;
        const old = { name: 'minutes of 1999.doc', mode: 'view', canEdit: false, canConvert: true } as const;
        Object.assign(host.opened, { ...old, convertAction });
      },
    ],
    steps: [shows('.page-choice .button-primary')],
  },
  compare: {
    given: [compared],
    steps: [
      ...showsVersions,
      compares,
      shows('.comparison'),
      presses('.compare-bar > button:nth-of-type(2)'),
    ],
  },
  refused: {
    given: [
      refuses(
        'open',
        409,
        'no-editor',
        'No connected editor can open this type of document. Ask the owner of this DocTray to connect a document server for this type. Then reload this page.',
      ),
    ],
    steps: [shows('.page-choice .button-primary')],
  },
};

await mkdir(values.out, { recursive: true });
const lab = await startPageLab();
try {
  for (const [name, { given = [], steps, ...options }] of Object.entries(scenes)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    for (const { name: look, width, height = 560, forcedColors = 'none', ...shown } of looks) {
      const all: Given = (sites) => given.forEach((change) => change(sites));
      const opened = await lab.open({ ...options, ...shown, given: all, size: { width, height } });
      await opened.page.emulateMedia({ forcedColors });
      for (const step of steps) await step(opened);
      // Away from what was clicked, which would look hovered.
      await opened.page.mouse.move(0, 0);
      const path = join(values.out, `${name}-${look}.png`);
      await opened.page.screenshot({ path });
      console.log(path, ...opened.problems);
      await opened.close();
    }
  }
} finally {
  await lab.close();
}
