// Takes screenshots of the host page: node test/host-page/look.ts --out /tmp/host-page

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { closedPage } from '../../app/server/pages/html.ts';
import { pageLanguage } from '../../app/server/pages/page-language.ts';
import { startPageLab, type OpenPage, type PageOptions } from './open-page.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: '/tmp/doctray-host-page' } } });

const longName = 'Quarterly report of the northern branch, third revision with comments (final).docx';

async function save({ load, say, sites, page }: OpenPage): Promise<void> {
  await load();
  await say('Doc_ModifiedStatus', { Modified: true });
  await page.waitForTimeout(300);
  sites.host.save();
  await say('Doc_ModifiedStatus', { Modified: false });
  await page.getByTitle('Saved at').waitFor();
}

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
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_FileVersions');
      await page.getByRole('link', { name: /^Open read-only/ }).waitFor();
    },
  },
  closed: {
    play: async (opened) => {
      const { page } = opened;
      const body = closedPage(await pageLanguage('en'));
      await page.route('**/closed', (route) => route.fulfill({ contentType: 'text/html', body }));
      await save(opened);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('heading', { name: /^Saved \d/ }).waitFor();
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
      await page.getByRole('button', { name: 'Open copy' }).waitFor();
    },
  },
  kept: {
    options: {
      given: ({ host }) => {
        host.state = {
          ...host.state,
          holder: {
            userName: 'Ana Lopes',
            editorName: 'ONLYOFFICE',
            isThisEditor: false,
            hasLapsed: false,
            otherUsers: [],
            isOpenElsewhere: false,
          },
          conflicts: [
            {
              fileId: 'file-3',
              name: 'letter (conflict 2026-11-20 1503).docx',
              path: '',
              madeAtMs: 1,
            },
          ],
          recovered: [{ id: 'r1', receivedAtMs: Date.now() }],
        };
      },
    },
    play: async ({ load, page }) => {
      await load();
      const restore = page.getByRole('button', { name: 'Restore as copy' });
      while (!(await restore.isVisible())) await page.getByRole('button', { name: /^Next notice/ }).click();
    },
  },
  'no-lock': {
    play: async ({ load, say, sites, page }) => {
      await load();
      await say('Doc_ModifiedStatus', { Modified: true });
      await page.waitForTimeout(300);
      sites.host.state.holder = null;
      await say('Doc_ModifiedStatus', { Modified: false });
      await page.getByText('Your saves don’t reach the file.').waitFor();
    },
  },
  'not-saved': {
    play: async ({ load, say, sites, page, editorReceived }) => {
      await load();
      await say('Doc_ModifiedStatus', { Modified: true });
      await say('UI_Close');
      await editorReceived('Action_Save');
      sites.host.state.recovered = [{ id: 'r1', receivedAtMs: Date.now() }];
      sites.host.save(true);
      await say('Action_Save_Resp', { success: false, errorMsg: 'The disk is full.' });
      await page.getByRole('button', { name: 'Close anyway' }).waitFor();
    },
  },
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
      await page.getByText('Saving letter.docx').waitFor();
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
      await page.getByText('Saving letter.docx').waitFor();
      for (let second = 0; second < 32; second += 1) {
        await page.clock.runFor(1000);
        await page.waitForTimeout(20);
      }
      await page.getByRole('button', { name: 'Open again' }).waitFor();
    },
  },
  silent: {
    options: { hasOwnClock: true },
    play: async ({ editor, page }) => {
      await editor();
      await page.clock.runFor(20_500);
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  'save-as': {
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_SaveAs', {});
      await page.getByRole('dialog').waitFor();
    },
  },
  share: {
    play: async ({ load, say, page }) => {
      await load();
      await say('UI_Share', {});
      await page.getByRole('dialog').waitFor();
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
    play: async ({ page }) => page.getByRole('button', { name: 'View only' }).waitFor(),
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
      await page.getByRole('button', { name: /^Compare/ }).click();
      await page.getByRole('button', { name: 'Next change' }).click();
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
    play: async ({ page }) => page.getByRole('button', { name: 'Download' }).waitFor(),
  },
};

await mkdir(values.out, { recursive: true });
const lab = await startPageLab();
try {
  for (const [name, { options, play }] of Object.entries(scenes)) {
    for (const theme of ['light', 'dark'] as const) {
      for (const width of [1000, 400]) {
        const opened = await lab.open({ ...options, theme, size: { width, height: 560 } });
        await play?.(opened);
        // Away from what was clicked, which would look hovered.
        await opened.page.mouse.move(0, 0);
        const path = join(values.out, `${name}-${theme}-${width}.png`);
        await opened.page.screenshot({ path });
        console.log(path, ...opened.problems);
        await opened.close();
      }
    }
  }
} finally {
  await lab.close();
}
