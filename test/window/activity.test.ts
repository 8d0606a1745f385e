import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../durability/eventually.ts';
import type { Page } from 'playwright';
import type { ActivityItem } from '../../app/contract/pushes.ts';
import { makeActivity, makeQuietState } from './harness/rows.ts';
import { itLooksRight } from './look-over.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';
import { tableOf } from './table-driver.ts';

describe('the Activity view', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const using =
    (
      scenario: string,
      body: (window: OpenWindow) => Promise<void>,
      { isGrouped = false, width = 1100 } = {},
    ) =>
    async () => {
      const window = await lab.open({ scenario, view: 'activity', size: { width, height: 720 } });
      try {
        if (!isGrouped) await window.page.getByRole('switch', { name: 'Grouped' }).press(' ');
        await body(window);
        assert.deepEqual(window.problems, []);
      } finally {
        await window.close();
      }
    };
  const named = async ({ calls }: OpenWindow, start: string) =>
    (await calls()).filter(({ name }) => name.startsWith(start));
  const newest = (from: number, to: number, over: Partial<ActivityItem> = {}) => ({
    items: Array.from({ length: to - from + 1 }, (_, index) => ({
      ...makeActivity(from + index, Date.now()),
      status: 200,
      ...over,
    })),
    dropped: 0,
  });
  const topRow = async (page: Page) =>
    (await page.locator('[data-row][aria-rowindex="2"]').innerText()).replaceAll(/\s+/gu, ' ');

  it(
    'lists requests by operation and document, newest first, and watches only while shown',
    using(
      'activity-day',
      async (window) => {
        const { page } = window;
        await page.locator('.view-subtitle').getByText('123 requests', { exact: true }).waitFor();
        assert.match(await topRow(page), /Save Error Offer 3\.xlsx Finance\/2026/u);
        const titles = await page.getByRole('columnheader').allTextContents();
        for (const title of ['Time', 'Operation', 'Document or path', 'User', 'Status', 'Duration'])
          assert.ok(titles.includes(title), title);
        await page.locator('[data-row][aria-rowindex="2"]').click();
        for (const name of ['Status', 'Received', 'Sent', 'Address', 'Correlation ID'])
          await page.locator('.detail-panel dt').getByText(name, { exact: true }).waitFor();
        await page.keyboard.press('Control+1');
        await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
        assert.deepEqual(
          (await named(window, 'activity.')).filter(({ name }) => name !== 'activity.summary'),
          [
            { name: 'activity.watch', args: { isWatching: true } },
            { name: 'activity.list', args: {} },
            { name: 'activity.watch', args: { isWatching: false } },
          ],
        );
      },
      { width: 1600 },
    ),
  );

  it(
    'keeps the name of a group clear of the button that shows its requests',
    using(
      'activity-day',
      async ({ page }) => {
        await page.locator('button.activity-toggle').first().waitFor();
        const gaps = await page
          .locator('button.activity-toggle')
          .evaluateAll((toggles) =>
            toggles.map(
              (toggle) =>
                (toggle.nextElementSibling?.getBoundingClientRect().left ?? 0) -
                toggle.getBoundingClientRect().right,
            ),
          );
        assert.deepEqual(new Set(gaps), new Set([4]));
      },
      { isGrouped: true },
    ),
  );

  it('shows result, user and time of each row where the details are beside it, and in the smallest window', async () => {
    for (const look of [
      { size: { width: 900, height: 620 }, hasDetails: true },
      { size: { width: 900, height: 620 }, hasDetails: true, locale: 'de-DE' },
      { size: { width: 900, height: 620 }, zoom: 2, hasDetails: false, locale: 'de-DE' },
    ]) {
      const window = await lab.open({ scenario: 'activity-day', view: 'activity', ...look });
      try {
        const { page } = window;
        const row = page.locator('[data-row][aria-rowindex="2"]');
        await row.waitFor();
        const { height: before } = (await row.boundingBox()) ?? {};
        if (look.hasDetails) {
          await row.click();
          await page.locator('.detail-panel').waitFor();
        }
        const visible = await row.evaluate((element) =>
          [...element.querySelectorAll('.cut, .path-name, time')]
            .filter((part) => part.getBoundingClientRect().width > 20)
            .map((part) => part.textContent.trim()),
        );
        const isGerman = look.locale !== undefined;
        for (const words of ['Offer 3.xlsx', isGerman ? 'Fehler: Speichern' : 'Save failed', 'Ben Okafor'])
          assert.ok(
            visible.some((text) => text.includes(words)),
            `${words}: ${visible.join()}`,
          );
        assert.ok(
          visible.some((text) => /^(?:Just now|Gerade eben|\d+\ss ago|Vor \d+\ss)$/u.test(text)),
          visible.join(),
        );
        assert.equal((await row.boundingBox())?.height, before, 'rows don’t grow when the details open');
      } finally {
        await window.close();
      }
    }
  });

  it('shows operation and result of each request whole, in German and in the smallest window too', async () => {
    for (const look of [
      { size: { width: 900, height: 620 }, locale: 'de-DE' },
      { size: { width: 900, height: 620 }, zoom: 2, locale: 'de-DE' },
      { size: { width: 1400, height: 900 }, zoom: 2 },
    ]) {
      const window = await lab.open({ scenario: 'activity-day', view: 'activity', ...look });
      try {
        const { page } = window;
        await page.getByRole('switch', { name: /^(?:Grouped|Gruppiert)$/u }).press(' ');
        await page.locator('.activity-status.tone-bad').nth(1).waitFor();
        const cut = await page
          .locator('[data-row] [role="rowheader"], .activity-status > .cut')
          .evaluateAll((cells) =>
            cells
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
              .map(({ textContent }) => textContent),
          );
        assert.deepEqual(cut, []);
      } finally {
        await window.close();
      }
    }
  });

  it(
    'keeps its rows in place when some are selected',
    using(
      'activity-day',
      async ({ page }) => {
        const row = (index: number) => page.locator(`[data-row][aria-rowindex="${index}"]`);
        const top = async () => (await row(2).boundingBox())?.y;
        const before = await top();
        await row(2).click();
        await page.locator('.detail-panel').waitFor();
        assert.equal(await top(), before);
        await row(3).click({ modifiers: ['ControlOrMeta'] });
        await page.getByText('2 selected', { exact: true }).waitFor();
        assert.equal(await top(), before);
      },
      { isGrouped: true, width: 900 },
    ),
  );

  it(
    'groups requests by document and user, shows the requests of a group by keyboard, and its timeline in words',
    using(
      'activity-day',
      async ({ page, push }) => {
        const table = tableOf(page);
        await page.locator('.view-subtitle').getByText('123 requests', { exact: true }).waitFor();
        await eventually('the requests are read', async () =>
          assert.match(await topRow(page), /Offer 3\.xlsx Finance\/2026 Save failed 15 requests Ben Okafor/u),
        );
        await page.locator('[data-row][aria-rowindex="2"]').click();
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
        const under = page.locator('[data-row][aria-rowindex="3"]');
        await under.filter({ hasText: 'Save' }).getByText('Error', { exact: true }).waitFor();
        assert.equal(await page.getByRole('button', { name: 'Show requests', expanded: true }).count(), 1);
        await page.locator('.view-subtitle').getByText('123 requests', { exact: true }).waitFor();
        const panel = page.getByRole('region', { name: 'Offer 3.xlsx' });
        const drawing = panel.getByRole('img', { name: /^\d+ requests in \d+\smin: \d+ saves?, 1 error$/u });
        assert.ok((await drawing.locator('rect').count()) > 2);
        await panel.getByText('Ended', { exact: true }).waitFor();
        await under.click();
        await page.getByRole('region', { name: 'Save' }).getByText('Correlation ID').waitFor();
        await page.getByRole('switch', { name: 'Errors only' }).press(' ');
        await page.locator('[data-row][aria-selected="true"]').waitFor();
        await page
          .locator('.view-subtitle')
          .getByText(/^\d of 123 requests$/u)
          .waitFor();
        assert.ok((await table.names()).length < 10);
        await page.getByRole('switch', { name: 'Errors only' }).press(' ');
        // Another user's one request has nothing to expand.
        const other = {
          fileId: 'file2',
          documentPath: 'Finance/2026/Offer 3.xlsx',
          user: 'ana',
          operation: 'CheckFileInfo',
          isVersion: true,
        };
        await push('activity-added', newest(124, 124, other));
        const top = page.locator('[data-row][aria-rowindex="2"]');
        await top.filter({ hasText: 'Version of Offer 3.xlsx' }).getByText('Read details').waitFor();
        assert.equal(await top.locator('[aria-expanded]').count(), 0);
      },
      { isGrouped: true },
    ),
  );

  it(
    'names users as others see them, in rows, in the panel and for the filter; one toolbar row at 900 px',
    using(
      'activity-day',
      async ({ page }) => {
        await page.locator('.view-subtitle').getByText('123 requests').waitFor();
        const heights = await page
          .locator('.table-bar')
          .evaluate(
            (bar) => bar.getBoundingClientRect().height - parseFloat(getComputedStyle(bar).paddingBottom),
          );
        assert.ok(heights <= 34, `${heights}`);
        await page.getByRole('searchbox', { name: 'Filter requests' }).fill('dmitri sokolov');
        const subtitle = page.locator('.view-subtitle');
        await subtitle.getByText(/^\d+ of 123 requests$/u).waitFor();
        assert.match(await topRow(page), /Dmitri Sokolov/u);
        await page.getByRole('searchbox', { name: 'Filter requests' }).fill('changed role');
        await subtitle.getByText('1 of 123 requests').waitFor();
        assert.match(await topRow(page), /^Changed role Done Ana Ruiz/u);
      },
      { isGrouped: true, width: 900 },
    ),
  );

  it(
    'counts, opens, details and exports only the requests of a group that match the filter',
    using(
      'activity-day',
      async (window) => {
        const { page, push } = window;
        await page.locator('.view-subtitle').getByText('123 requests', { exact: true }).waitFor();
        const save = { fileId: 'file90', documentPath: 'Zebra.odt', user: 'ana', operation: 'PutFile' };
        await push('activity-added', newest(124, 126, save));
        await push('activity-added', newest(127, 130, { ...save, operation: 'RefreshLock' }));
        const zebra = page.locator('[data-row]').filter({ hasText: 'Zebra.odt' });
        await zebra.filter({ hasText: /Saved 3 times\s*7 requests/u }).waitFor();
        await page.getByRole('searchbox').fill('zebra refresh');
        await zebra.filter({ hasText: /4 requests/u }).waitFor();
        assert.doesNotMatch(await zebra.innerText(), /Saved/u);
        await page.locator('.view-subtitle').getByText('4 of 130 requests').waitFor();
        await zebra.getByRole('button', { name: 'Show requests' }).click();
        await page.locator('[data-row]').nth(4).waitFor();
        assert.deepEqual((await tableOf(page).names()).slice(1), Array(4).fill('Refresh lock'));
        await zebra.click();
        const panel = page.getByRole('region', { name: 'Zebra.odt' });
        await panel.getByText('4 requests by Ana Ruiz').waitFor();
        await panel.getByText(/^4 requests in .*: 0 saves, 0 errors$/u).waitFor();
        await page.getByRole('button', { name: 'Export' }).click();
        await page.getByRole('menuitem', { name: 'These 4 requests as JSON…' }).waitFor();
        await page.keyboard.press('Escape');
        // Part of a request that no column of the groups shows.
        await page.getByRole('searchbox').fill('zebra c0000003m');
        await page
          .locator('.view-subtitle')
          .getByText(/^1 of 130 requests$/u)
          .waitFor();
      },
      { isGrouped: true },
    ),
  );

  it(
    'shows pushed requests at once, at the top',
    using('activity-day', async ({ page, push }) => {
      await page.locator('.view-subtitle').getByText('123 requests', { exact: true }).waitFor();
      await push('activity-added', newest(124, 126, { operation: 'PutRelativeFile' }));
      await page.locator('.view-subtitle').getByText('126 requests', { exact: true }).waitFor();
      assert.match(await topRow(page), /Save copy/u);
    }),
  );

  it(
    'filters by errors, operation and text, also by the names of the protocol, and says when nothing matches',
    using('activity-day', async ({ page }) => {
      await page.getByRole('switch', { name: 'Errors only' }).press(' ');
      await page
        .locator('.view-subtitle')
        .getByText(/^\d of 123 requests$/u)
        .waitFor();
      const statuses = await page.locator('.activity-status').allTextContents();
      assert.ok(statuses.length > 2 && statuses.every((words) => words !== 'OK'), statuses.join());
      await page.getByRole('button', { name: / Operation$/u }).click();
      await page.getByRole('option', { name: 'Sign-in' }).click();
      await page.locator('.view-subtitle').getByText('1 of 123 requests').waitFor();
      assert.match(await topRow(page), /Sign-in Not authorized \/api\/2\.0\/authentication\.json/u);
      await page.getByRole('button', { name: / Operation$/u }).click();
      await page.getByRole('option', { name: 'Changed role' }).click();
      await page.getByText('None of these requests failed.').waitFor();
      await page.getByRole('button', { name: 'Show all requests' }).click();
      await page.locator('.view-subtitle').getByText('123 requests', { exact: true }).waitFor();
      await page.keyboard.press('/');
      for (const [text, found] of [
        ['500 save', /Save Error/u],
        ['RefreshLock', /Refresh lock OK/u],
        ['refresh lock', /Refresh lock OK/u],
        ['200 RefreshLock 192.168.1.', /Refresh lock OK/u],
      ] as const) {
        await page.getByRole('searchbox').fill(text);
        await page
          .locator('.view-subtitle')
          .getByText(/^\d+ of 123 requests$/u)
          .waitFor();
        await eventually(text, async () => assert.match(await topRow(page), found));
      }
    }),
  );

  it(
    'reads again when a push dropped requests',
    using('activity-day', async (window) => {
      const { page, push } = window;
      await page.locator('.view-subtitle').getByText('123 requests', { exact: true }).waitFor();
      await push('activity-added', { ...newest(224, 323), dropped: 100 });
      await page.locator('.view-subtitle').getByText('223 requests', { exact: true }).waitFor();
      await page.evaluate((items) => {
        const { harness } = globalThis as unknown as { harness: { answers: Record<string, unknown> } };
        harness.answers['activity.list'] = () => ({ items });
      }, newest(1, 323).items);
      await page.locator('.view-subtitle').getByText('323 requests', { exact: true }).waitFor();
      assert.equal((await named(window, 'activity.list')).length, 2);
    }),
  );

  it(
    'clears everything after a question, and shows new requests',
    using('activity-day', async (window) => {
      const { page, push } = window;
      await page.getByRole('button', { name: 'Clear…' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Clear the activity?' });
      assert.match(await dialog.innerText(), /123 requests are removed/u);
      assert.deepEqual(await named(window, 'activity.clear'), []);
      await dialog.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('No requests yet.').waitFor();
      assert.deepEqual(await named(window, 'activity.clear'), [{ name: 'activity.clear', args: {} }]);
      await push('activity-added', newest(124, 124));
      await page.locator('.view-subtitle').getByText('1 request', { exact: true }).waitFor();
    }),
  );

  it(
    'reports that the host refused to clear it',
    using('refusing', async ({ page }) => {
      await page.getByRole('button', { name: 'Clear…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click();
      await page.getByText('Can’t clear the activity').waitFor();
      await page.locator('.view-subtitle').getByText('183 requests', { exact: true }).waitFor();
    }),
  );

  it(
    'exports every field as CSV and as JSON, of all requests or of those that are shown',
    using('activity-day', async (window) => {
      const { page } = window;
      const save = async (title: string) => {
        await page.getByRole('button', { name: 'Export' }).click();
        await page.getByRole('menuitem', { name: title }).click();
        await page
          .getByText(`Saved /home/robin/activity.${title.includes('CSV') ? 'csv' : 'json'}`)
          .last()
          .waitFor();
      };
      await save('All 123 requests as CSV…');
      await save('All 123 requests as JSON…');
      const saved = (await named(window, 'app.saveText')).map(({ args }) => args as Record<string, string>);
      assert.deepEqual(
        saved.map(({ suggestedName, kind }) => [suggestedName, kind]),
        [
          ['activity.csv', 'csv'],
          ['activity.json', 'json'],
        ],
      );
      const [title, ...lines] = (saved[0]?.text ?? '').trimEnd().split('\r\n');
      assert.equal(
        title,
        'sequence,time,operation,method,path,document,isVersion,fileId,user,status,code,durationMs,lock,correlationId,address,bytesIn,bytesOut',
      );
      assert.equal(lines.length, 123);
      const objects = JSON.parse(saved[1]?.text ?? '[]') as Record<string, unknown>[];
      assert.equal(objects.length, 123);
      const { sequence, operation, document, isVersion, time } = objects.at(-1) ?? {};
      assert.deepEqual(
        [sequence, operation, document, isVersion],
        [123, 'PutFile', 'Finance/2026/Offer 3.xlsx', false],
      );
      assert.match(lines.at(-1) ?? '', /^123,.*,false,/u);
      assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u);

      const exported = async () =>
        JSON.parse(
          ((await named(window, 'app.saveText')).at(-1)?.args as { text: string } | undefined)?.text ?? '[]',
        ) as {
          sequence: number;
          status: number;
          user: string;
        }[];
      await page.getByRole('switch', { name: 'Errors only' }).press(' ');
      const shown = page.locator('.view-subtitle').getByText(/^\d of 123 requests$/u);
      await shown.waitFor();
      const count = Number.parseInt(await shown.innerText(), 10);
      await save(`These ${count} requests as JSON…`);
      const errors = await exported();
      assert.equal(errors.length, count);
      assert.ok(errors.every(({ status }) => status >= 400));
      await page.getByRole('switch', { name: 'Errors only' }).press(' ');
      await page.getByRole('switch', { name: 'Grouped' }).press(' ');
      await page.getByRole('searchbox').fill('okafor offer');
      await page.locator('.view-subtitle').getByText('15 of 123 requests').waitFor();
      await save('These 15 requests as JSON…');
      const found = await exported();
      assert.ok(found.every(({ user }) => user === 'ben'));
      assert.deepEqual(
        found,
        found.toSorted((one, other) => one.sequence - other.sequence),
      );
    }),
  );

  it(
    'shows an entry’s details with the keyboard, copies it, and returns the focus',
    using('activity-day', async (window) => {
      const { page } = window;
      await page.locator('[data-row][aria-rowindex="2"]').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      const { y: before } = (await page.locator('[data-row][aria-rowindex="2"]').boundingBox()) ?? {};
      await page.keyboard.press('Enter');
      const panel = page.getByRole('region', { name: 'Save' });
      await panel.getByRole('heading', { name: 'Save' }).and(page.locator(':focus')).waitFor();
      assert.match(
        await panel.innerText(),
        /Save\nError\n[^]*PutFile[^]*POST \/wopi[^]*Status\s+500[^]*Duration\s+2\.3\ss[^]*Correlation ID/u,
      );
      await panel.getByRole('button', { name: 'Copy as JSON' }).press('Enter');
      await page.getByText('Request copied').waitFor();
      const [copy] = await named(window, 'app.copyText');
      const [entry] = JSON.parse((copy?.args as { text: string } | undefined)?.text ?? '[]') as Record<
        string,
        unknown
      >[];
      assert.deepEqual([entry?.operation, entry?.status, entry?.durationMs], ['PutFile', 500, 2310]);
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'hidden' });
      assert.equal(await tableOf(page).focused(), 'Save');
      const { y: later } = (await page.locator('[data-row][aria-rowindex="2"]').boundingBox()) ?? {};
      assert.equal(before, later);
    }),
  );

  it(
    'shows the second line of a row in a narrow window below its name, in both lists',
    using(
      'activity-day',
      async ({ page }) => {
        const leftOf = async (row: number, part: string) =>
          page
            .locator(`[data-row][aria-rowindex="${row}"] ${part}`)
            .first()
            .evaluate((element) => {
              const range = document.createRange();
              range.selectNodeContents(element);
              return Math.round(range.getBoundingClientRect().left);
            });
        // Px that the second line begins after the name; fonts have some room before a letter.
        const shift = async (row: number, name: string) =>
          (await leftOf(row, '.table-part :is(.cell, .cut)')) - (await leftOf(row, name));
        await page.getByRole('button', { name: 'Show requests' }).first().click();
        assert.ok(Math.abs(await shift(2, '.path-name')) < 3);
        assert.ok((await leftOf(3, '.activity-child')) > (await leftOf(2, '.path-name')));
        assert.ok(Math.abs(await shift(3, '.activity-child')) < 3);
        await page.getByRole('switch', { name: 'Grouped' }).press(' ');
        await page.getByRole('columnheader', { name: 'Operation' }).waitFor();
        assert.ok(Math.abs(await shift(2, '[role="rowheader"]')) < 3);
      },
      { isGrouped: true, width: 450 },
    ),
  );

  it(
    'says why nothing can be shown, and offers to try again',
    using(
      'activity-broken',
      async ({ page }) => {
        await page.getByText('Something went wrong in DocTray.').waitFor();
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.locator('.view-subtitle').getByText('1 request', { exact: true }).waitFor();
      },
      { isGrouped: true },
    ),
  );

  it(
    'leaves the problem of the host to the banner, and reads again once the host serves',
    using(
      'broken',
      async (window) => {
        const { page } = window;
        await page.getByText('Requests appear here once DocTray serves again.').waitFor();
        assert.equal(await page.getByText('The hosted folder is missing.').count(), 1);
        assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 1);
        assert.equal(await page.getByRole('switch', { name: 'Errors only' }).count(), 0);
        await page.evaluate(() => {
          const { harness } = globalThis as unknown as { harness: { answers: Record<string, unknown> } };
          harness.answers['activity.list'] = () => ({ items: [] });
        });
        const { host } = makeQuietState(Date.now());
        await window.change({ values: { host }, tables: {} });
        await page.getByText('No requests yet.').waitFor();
      },
      { isGrouped: true },
    ),
  );

  it(
    'under a flood, keeps at most 10,000 requests, the open details, and responds to keys',
    using('activity-flood', async (window) => {
      const { page } = window;
      await page.locator('.view-subtitle').getByText('10,000 requests', { exact: true }).waitFor();
      await page.locator('[data-row][aria-rowindex="4"]').click();
      const id = await page.locator('.detail-panel').getByText(/^c0/u).innerText();
      // more than it keeps
      await page.waitForFunction(() => {
        const { harness } = globalThis as unknown as { harness: { pushed: () => number } };
        return harness.pushed() > 10_000;
      });
      assert.equal(await page.locator('.detail-panel').getByText(/^c0/u).innerText(), id);
      assert.ok((await page.locator('[data-row]').count()) < 120);
      await page.keyboard.press('/');
      await page.keyboard.type('unlock');
      await page
        .locator('.view-subtitle')
        .getByText(/ of 10,000 requests$/u)
        .waitFor();
    }),
  );

  itLooksRight(() => lab, {
    scenario: 'activity-day',
    view: 'activity',
    steps: [
      [
        'requests with the details of one',
        async (page) => {
          await page.locator('[data-row][aria-rowindex="4"]').click();
          await page.locator('.detail-panel').waitFor();
        },
      ],
      [
        'the export menu',
        async (page) => {
          await page.getByRole('button', { name: 'Export' }).click();
          await page.getByRole('menu').waitFor();
        },
      ],
    ],
  });
});
