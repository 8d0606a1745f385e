// Takes screenshots of the host page: node test/host-page/look.ts --out /tmp/host-page

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import { closedPage } from '../../app/server/pages/html.ts';
import { closedUrl, type LeftBehind } from '../../renderer/host-page/closed.ts';
import { startPageLab, type OpenPage, type PageOptions } from './open-page.ts';
import { savedBy, version, type TwoSites } from './two-sites.ts';

// Names of scenes limit it to those.
const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: '/tmp/doctray-host-page' } },
  allowPositionals: true,
});

const longName = 'Quarterly report of the northern branch, third revision with comments (final).docx';

async function save({ load, say, sites, page }: OpenPage): Promise<void> {
  await load();
  await say('Doc_ModifiedStatus', { Modified: true });
  await page.waitForTimeout(300);
  sites.host.save();
  await say('Doc_ModifiedStatus', { Modified: false });
  await page
    .locator('header .reason')
    .filter({ hasText: /\d\d:\d\d/ })
    .waitFor({ state: 'attached' });
}

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

async function showClosed({ page, sites }: OpenPage, left: LeftBehind): Promise<void> {
  const body = closedPage();
  await page.route('**/closed', (route) => route.fulfill({ contentType: 'text/html', body }));
  const document = { name: 'letter.docx', savedAtMs: undefined, left, address: page.url() };
  await page.goto(closedUrl(`${sites.hostUrl}/closed`, document));
  await page.getByRole('heading').waitFor();
}

function manyVersions({ host }: TwoSites): void {
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
        id: 'v9',
        size: 7400,
        writtenAtMs: now - 30 * 24 * 60 * minute,
        savedBy: null,
        savedAtMs: null,
        savedHow: null,
      },
    ],
  };
}

/** Presses a button of the versions panel, whatever its language. */
async function pressInVersion(page: Page, action: 'compare' | 'restore'): Promise<void> {
  const place = action === 'compare' ? ':nth-child(2)' : ':nth-last-child(2)';
  await page.locator(`.versions-actions > ${place}`).first().click();
}

const held = (userName: string): NonNullable<TwoSites['host']['state']['holder']> => ({
  userName,
  editorName: 'ONLYOFFICE Docs',
  isThisEditor: false,
  hasLapsed: false,
  otherUsers: [],
  isOpenElsewhere: false,
});

const scenes: Record<string, { options?: PageOptions; play?: (opened: OpenPage) => Promise<void> }> = {
  ready: {
    play: async ({ load, say }) => {
      await load();
      await say('Doc_ModifiedStatus', { Modified: true });
    },
  },
  people: {
    options: {
      given: ({ host }) => {
        host.state.others = ['Ana Lopes', 'Ben Okafor'];
      },
    },
    play: async (opened) => {
      await save(opened);
    },
  },
  versions: {
    options: { given: manyVersions },
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_FileVersions');
      await page.locator('.versions-item').nth(5).waitFor();
    },
  },
  'versions-text': {
    options: {
      given: (sites) => {
        manyVersions(sites);
        sites.host.comparison = { old: 'old', now: 'new' };
        sites.host.state.copies = [
          { fileId: 'file-2', name: 'letter (copy).docx', path: '', madeAtMs: 1, isOpen: false },
        ];
      },
    },
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_FileVersions');
      await page.locator('.versions-item').nth(5).waitFor();
      await page.locator('.toast').waitFor();
    },
  },
  'versions-none': {
    options: { given: ({ host }) => (host.versions.versions = []) },
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_FileVersions');
      await page.locator('.versions-item').waitFor();
    },
  },
  'versions-gone': {
    options: {
      given: ({ host }) => {
        host.refuse['versions'] = { status: 404, body: { code: 'file-missing', message: 'Gone.' } };
      },
    },
    play: async ({ load, say, page, sites }) => {
      await load();
      await say('UI_FileVersions');
      sites.host.state.gone = { code: 'file-missing', message: 'Gone.' };
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await page.locator('.notice').waitFor();
    },
  },
  'restore-question': {
    options: { given: manyVersions },
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_FileVersions');
      await pressInVersion(page, 'restore');
      await page.locator('.dialog').waitFor();
    },
  },
  'restore-refused': {
    options: {
      given: (sites) => {
        manyVersions(sites);
        sites.host.state.holder = { ...held('Ben Okafor'), isThisEditor: true, otherUsers: ['Ben Okafor'] };
        sites.host.refuse['restore-version'] = {
          status: 409,
          body: { code: 'file-locked', message: 'The document is being edited.' },
        };
      },
    },
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_FileVersions');
      await pressInVersion(page, 'restore');
      await page.locator('.dialog').locator('.button-primary').click();
      await page.locator('.notice').waitFor();
    },
  },
  'held-for-owner': {
    options: { given: ({ host }) => (host.state.holder = held('Ana Lopes')) },
    play: async ({ load, page }) => {
      await load();
      await page.locator('.notice').waitFor();
    },
  },
  'held-for-editor': {
    options: {
      given: ({ host }) => {
        host.opened.isOwner = false;
        host.state.holder = held('Ana Lopes');
      },
    },
    play: async ({ load, page }) => {
      await load();
      await page.locator('.notice').waitFor();
    },
  },
  reason: {
    play: async ({ load, say, page }) => {
      await load();
      await say('Doc_ModifiedStatus', { Modified: true });
      await page.locator('.name-and-status [role="status"]').focus();
      await page.keyboard.press('Shift');
    },
  },
  failed: {
    play: async ({ say, page }) => {
      await say('Action_Load_Resp', { success: false, errorMsg: 'Unauthorized WOPI host.' });
      await page.locator('.notice').waitFor();
    },
  },
  'may-not-edit': {
    options: {
      mode: 'view',
      given: ({ host }) => {
        host.opened = { ...host.opened, mode: 'view', canEdit: false, isOwner: false };
        host.refuse['ticket'] = { status: 403 };
      },
    },
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_Edit');
      await page.locator('.toast').waitFor();
    },
  },
  closed: {
    options: {
      given: ({ host }) => {
        host.opened.name = longName;
        host.state.name = longName;
      },
    },
    play: async (opened) => {
      const { page } = opened;
      // It keeps the page session.
      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.locator('body[data-phase="loading"]').waitFor();
      const body = closedPage();
      await page.route('**/closed', (route) => route.fulfill({ contentType: 'text/html', body }));
      await save(opened);
      await page.locator('header > .buttons > :last-child').click();
      await page.getByRole('heading', { name: /\d\d:\d\d/ }).waitFor();
    },
  },
  'saved-copy': {
    options: {
      given: ({ host }) => {
        host.opened.name = longName;
        host.state = {
          ...host.state,
          name: longName,
          copies: [
            {
              fileId: 'file-2',
              name: 'letter (copy).docx',
              path: 'letter (copy).docx',
              madeAtMs: 1,
              isOpen: false,
            },
          ],
        };
      },
    },
    play: async ({ load, page }) => {
      await load();
      await page.locator('.toast').waitFor();
    },
  },
  kept: {
    options: {
      given: ({ host }) => {
        host.state = {
          ...host.state,
          holder: held('Ana Lopes'),
          conflicts: [
            {
              fileId: 'file-3',
              name: 'letter (conflict 2026-11-20 1503).docx',
              path: '',
              madeAtMs: 1,
            },
          ],
          recovered: [{ id: 'r1', receivedAtMs: Date.now(), isUnreadable: false }],
        };
      },
    },
    play: async ({ load, page }) => {
      await load();
      const restore = page.locator('.notice').filter({ hasText: /\d\d:\d\d/ });
      await page.locator('.pager').waitFor();
      while (!(await restore.isVisible())) await page.locator('.pager').click();
    },
  },
  'no-lock': {
    play: async ({ load, say, sites, page }) => {
      await load();
      await say('Doc_ModifiedStatus', { Modified: true });
      await page.waitForTimeout(300);
      sites.host.state.holder = null;
      sites.host.state.clearedBy = 'Robin Vale';
      await say('Doc_ModifiedStatus', { Modified: false });
      await page.locator('.notice').waitFor();
    },
  },
  'not-saved': {
    play: async ({ load, say, sites, page, editorReceived }) => {
      await load();
      await say('Doc_ModifiedStatus', { Modified: true });
      await say('UI_Close');
      await editorReceived('Action_Save');
      sites.host.state.recovered = [{ id: 'r1', receivedAtMs: Date.now(), isUnreadable: false }];
      sites.host.save(true);
      await say('Action_Save_Resp', { success: false, errorMsg: 'The disk is full.' });
      await page.locator('.notice .button-primary').waitFor();
    },
  },
  'missed-version': {
    play: async ({ load, sites, page }) => {
      sites.host.miss('version');
      await load();
      await page.locator('.notice').waitFor();
    },
  },
  'missed-nowhere': {
    play: async ({ load, sites, page }) => {
      sites.host.miss('nowhere');
      await load();
      await page.locator('.notice').waitFor();
    },
  },
  unreadable: {
    options: { given: ({ host }) => (host.state.name = longName) },
    play: async ({ load, sites, page }) => {
      sites.host.miss('unreadable');
      await load();
      await page.locator('.notice').waitFor();
    },
  },
  'unreadable-and-more': {
    options: {
      given: ({ host }) => {
        host.state.conflicts = [{ fileId: 'file-3', name: 'letter (conflict).docx', path: '', madeAtMs: 1 }];
      },
    },
    play: async ({ load, sites, page }) => {
      sites.host.miss('unreadable');
      await load();
      await page.locator('.pager').waitFor();
    },
  },
  'unreadable-viewer': {
    options: {
      mode: 'view',
      given: ({ host }) => {
        host.opened = { ...host.opened, mode: 'view', canEdit: false };
        host.state.canRestore = false;
      },
    },
    play: async ({ load, sites, page }) => {
      sites.host.miss('unreadable');
      await load();
      await page.locator('.notice').waitFor();
    },
  },
  'close-unreadable': {
    options: {
      given: ({ host }) => {
        host.opened = { ...host.opened, kind: 'onlyoffice', editorName: 'ONLYOFFICE Docs' };
      },
    },
    play: async ({ load, sites, page }) => {
      await load();
      sites.host.miss('unreadable');
      await page
        .locator('header')
        .getByRole('button', { name: /^(?:Close|Schließen)$/ })
        .click();
      await page.locator('.notice').waitFor();
    },
  },
  damaged: {
    options: {
      given: ({ host }) => {
        host.opened.damaged = { versionId: 'v1', writtenAtMs: Date.now() - 26 * 60 * minute };
      },
    },
    play: async ({ load }) => load(),
  },
  'damaged-for-good': {
    options: {
      given: ({ host }) => {
        host.opened.damaged = { versionId: null, writtenAtMs: null };
      },
    },
    play: async ({ page }) => page.locator('.notice').waitFor(),
  },
  'damaged-viewer': {
    options: {
      mode: 'view',
      given: ({ host }) => {
        host.opened = {
          ...host.opened,
          mode: 'view',
          canEdit: false,
          damaged: { versionId: 'v1', writtenAtMs: Date.now() - 26 * 60 * minute },
        };
      },
    },
    play: async ({ load }) => load(),
  },
  ...Object.fromEntries(
    (['recovered', 'unreadable', 'version', 'nowhere', 'unsaved'] as const).map((left) => [
      `closed-${left}`,
      { play: (opened: OpenPage) => showClosed(opened, left) },
    ]),
  ),
  writing: {
    options: {
      given: ({ host }) => {
        host.opened = { ...host.opened, kind: 'onlyoffice', editorName: 'ONLYOFFICE Docs' };
      },
    },
    play: async ({ load, say, page }) => {
      await load();
      await say('Edit_Notification');
      await say('UI_Close');
      await page.locator('.page-choice').waitFor();
    },
  },
  'not-written': {
    options: {
      hasOwnClock: true,
      given: ({ host }) => {
        host.opened = { ...host.opened, kind: 'onlyoffice', editorName: 'ONLYOFFICE Docs' };
      },
    },
    play: async ({ load, say, page }) => {
      await load();
      await say('Edit_Notification');
      await say('UI_Close');
      await page.locator('.page-choice').waitFor();
      for (let second = 0; second < 32; second += 1) {
        await page.clock.runFor(1000);
        await page.waitForTimeout(20);
      }
      await page.locator('.page-choice .button-primary').waitFor();
    },
  },
  silent: {
    options: { hasOwnClock: true },
    play: async ({ editor, page }) => {
      await editor();
      await page.clock.runFor(20_500);
      await page.locator('.notice .button-primary').waitFor();
    },
  },
  'save-as': {
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_SaveAs', {});
      await page.locator('.dialog').waitFor();
    },
  },
  share: {
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_Share', {});
      await page.locator('.dialog').waitFor();
    },
  },
  convert: {
    options: {
      given: ({ host, editorUrl }) => {
        host.opened = {
          ...host.opened,
          name: 'minutes of 1999.doc',
          mode: 'view',
          canEdit: false,
          canConvert: true,
          convertAction: `${editorUrl}/convert`,
        };
      },
    },
    play: async ({ page }) => page.locator('.page-choice .button-primary').waitFor(),
  },
  compare: {
    options: {
      given: ({ host }) => {
        const lines = Array.from({ length: 30 }, (_, index) => `Line ${index + 1} of the plan, as agreed.`);
        const old = ['# Plan', '', 'We meet on Monday at nine.', 'Bring the figures for March.', ...lines];
        const now = [
          '# Plan',
          '',
          'We meet on Tuesday at nine, in the large room that was used for the spring meeting of the northern branch.',
          'Bring the figures for March.',
          ...lines.slice(0, 14),
          'A new line.',
          'And one more.',
          ...lines.slice(14, 27),
        ];
        host.comparison = { old: old.join('\n'), now: now.join('\n') };
      },
    },
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_FileVersions');
      await pressInVersion(page, 'compare');
      await page.locator('.comparison').waitFor();
      await page.locator('.compare-bar > button').nth(1).click();
    },
  },
  refused: {
    options: {
      given: ({ host }) => {
        host.refuse['open'] = {
          status: 409,
          body: {
            code: 'no-editor',
            message:
              'No connected editor can open this type of document. Ask the owner of this DocTray to connect a document server for this type. Then reload this page.',
          },
        };
      },
    },
    play: async ({ page }) => page.locator('.page-choice .button-primary').waitFor(),
  },
};

await mkdir(values.out, { recursive: true });
const lab = await startPageLab();
try {
  for (const [name, { options, play }] of Object.entries(scenes)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    for (const { name: look, width, height = 560, forcedColors = 'none', ...shown } of looks) {
      const opened = await lab.open({ ...options, ...shown, size: { width, height } });
      await opened.page.emulateMedia({ forcedColors });
      await play?.(opened);
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
