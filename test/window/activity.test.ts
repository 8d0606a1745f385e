import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ActivityItem } from '../../app/contract/pushes.ts';
import { eventually } from '../durability/eventually.ts';
import { makeActivity } from './harness/rows.ts';
import { windowTests, type OpenWindow } from './open-window.ts';

describe('the Activity view', () => {
  const { open } = windowTests({ view: 'activity', scenario: 'activity-day' });
  const newest = (from: number, to: number, over: Partial<ActivityItem> = {}) => ({
    items: Array.from({ length: to - from + 1 }, (_, index) => ({
      ...makeActivity(from + index, Date.now()),
      status: 200,
      ...over,
    })),
    dropped: 0,
  });
  const ungroup = async ({ page }: OpenWindow) =>
    page.getByRole('switch', { name: 'Group requests' }).press(' ');
  const errorsOnly = async ({ page }: OpenWindow) =>
    page.getByRole('switch', { name: 'Failed only' }).press(' ');
  const row = ({ page }: OpenWindow, index: number) => page.locator(`[data-row][aria-rowindex="${index}"]`);
  const topIs = async (window: OpenWindow, words: RegExp) =>
    eventually(`${words} at the top`, async () =>
      assert.match((await row(window, 2).innerText()).replaceAll(/\s+/gu, ' '), words),
    );
  const subtitle = async ({ page }: OpenWindow, words: string | RegExp) =>
    page
      .locator('.view-subtitle')
      // Without the numbers of documents and errors.
      .getByText(typeof words === 'string' ? new RegExp(`^${words}( on .*)?\\.`, 'u') : words)
      .waitFor();
  it('lists requests by operation and document, newest first, shows pushed ones at the top, and watches only while shown', async () => {
    const window = await open({ size: { width: 1600, height: 720 } });
    const { page, push, calls } = window;
    await ungroup(window);
    await subtitle(window, /^123 requests on 9 documents\. 4 failed$/u);
    await topIs(window, /Save Disk error Offer 3\.xlsx Finance\/2026/u);
    const titles = await page.getByRole('columnheader').allTextContents();
    for (const title of ['Time', 'Operation', 'Document or path', 'User', 'Status', 'Duration'])
      assert.ok(titles.includes(title), title);
    const copy = { operation: 'PutRelativeFile', status: 507, code: 'disk-low' };
    await push('activity-added', newest(124, 126, copy));
    await subtitle(window, '126 requests');
    await row(window, 2).click();
    await window.press('Show settings');
    await page.locator('[data-setting="minFreeMB"]').waitFor();
    assert.deepEqual(await calls(/^activity\.(?!summary)/u), [
      ['activity.watch', { isWatching: true }],
      ['activity.list', {}],
      ['activity.watch', { isWatching: false }],
    ]);
    await page.keyboard.press('Control+6');
    await subtitle(window, '123 requests');
  });

  it('groups requests by document and user, shows the requests of a group by keyboard, and its timeline in words', async () => {
    const window = await open();
    const { page, push, button } = window;
    await topIs(window, /Offer 3\.xlsx Finance\/2026 Save failed Disk error 15 requests Ben Okafor/u);
    await row(window, 2).click();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await row(window, 3).filter({ hasText: 'Save' }).getByText('Disk error', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show requests', expanded: true }).count(), 1);
    await page.locator('[data-row]').getByText('Locked by Ana Ruiz').first().waitFor();
    for (const hasText of [
      /Changed role: Ben Okafor\s*Done/u,
      /Sign-in: 192\.168\.1\.\d+\s*Failed\s*Not authorized/u,
    ])
      await page.locator('[data-row]', { hasText }).waitFor();
    const panel = page.getByRole('region', { name: 'Offer 3.xlsx' });
    const drawing = panel.getByRole('img', { name: /^\d+ requests in \d+\smin: \d+ saves?, 1 error$/u });
    assert.ok((await drawing.locator('rect').count()) > 2);
    await panel.getByText('Show session').waitFor();
    await window.remove('sessions', 'session2');
    await panel.getByText('Ended', { exact: true }).waitFor();
    await panel.getByText('The disk returned an error. The content is in Recovered saves.').waitFor();
    await window.remove('recovered', 'kept');
    await panel.getByText(/^The changes stay in the editor while it’s open\. The disk/u).waitFor();
    await row(window, 3).click();
    await page.getByRole('region', { name: 'Save' }).getByText('Correlation ID').waitFor();
    await errorsOnly(window);
    await page.locator('[data-row][aria-selected="true"]').waitFor();
    await subtitle(window, /^\d of 123 requests\.$/u);
    assert.ok((await window.table.names()).length < 10);
    await errorsOnly(window);
    // Another user's one request has nothing to expand.
    const version = { fileId: 'file2', documentPath: 'Finance/2026/Offer 3.xlsx', isVersion: true };
    await push('activity-added', newest(124, 124, { ...version, user: 'ana', operation: 'CheckFileInfo' }));
    const top = row(window, 2);
    await top.filter({ hasText: 'Version of Offer 3.xlsx' }).getByText('Read details').waitFor();
    assert.equal(await top.locator('[aria-expanded]').count(), 0);

    // Only the requests of a group that match the filter are counted, opened, detailed and exported.
    const save = { fileId: 'file90', documentPath: 'Zebra.odt', user: 'ana', operation: 'PutFile' };
    await push('activity-added', newest(125, 127, save));
    await push('activity-added', newest(128, 131, { ...save, operation: 'RefreshLock' }));
    const zebra = page.locator('[data-row]').filter({ hasText: 'Zebra.odt' });
    await zebra.filter({ hasText: /Saved 3 times\s*7 requests/u }).waitFor();
    await page.getByRole('searchbox').fill('zebra refresh');
    await zebra.filter({ hasText: /4 requests/u }).waitFor();
    assert.doesNotMatch(await zebra.innerText(), /Saved/u);
    await subtitle(window, '4 of 131 requests');
    await zebra.getByRole('button', { name: 'Show requests' }).click();
    await page.locator('[data-row]').nth(4).waitFor();
    assert.deepEqual((await window.table.names()).slice(1), Array(4).fill('Refresh lock'));
    await zebra.click();
    const details = page.getByRole('region', { name: 'Zebra.odt' });
    await details.getByText('4 requests by Ana Ruiz').waitFor();
    await details.getByText(/^4 requests in .*: 0 saves, 0 errors$/u).waitFor();
    await button('Export').click();
    await page.getByRole('menuitem', { name: 'These 4 requests as JSON…' }).press('Escape');
    // Part of a request that no column of the groups shows.
    await page.getByRole('searchbox').fill('zebra c0000003m');
    await subtitle(window, /^1 of 131 requests\.$/u);
  });

  it('filters by errors, operation and text, also by the names of the protocol and of users, and says when nothing matches', async () => {
    const window = await open();
    const { page, see, press } = window;
    await ungroup(window);
    await errorsOnly(window);
    await subtitle(window, /^\d of 123 requests\.$/u);
    const statuses = await page.locator('.activity-status').allTextContents();
    assert.ok(statuses.length > 2 && statuses.every((words) => words !== 'Done'), statuses.join());
    const choose = async (operation: string) => {
      await press(/ Operation$/u);
      await page.getByRole('option', { name: operation }).click();
    };
    await choose('Sign-in');
    await subtitle(window, '1 of 123 requests');
    await topIs(window, /Sign-in Not authorized \/api\/2\.0\/authentication\.json/u);
    await choose('Changed role');
    await see('None of these requests failed');
    await press('Show all requests');
    await subtitle(window, '123 requests');
    for (const [text, found] of [
      ['500 save', /Save Disk error/u],
      ['RefreshLock', /Refresh lock Done/u],
      ['refresh lock', /Refresh lock Done/u],
      ['200 RefreshLock 192.168.1.', /Refresh lock Done/u],
      ['dmitri sokolov', /Dmitri Sokolov/u],
    ] as const) {
      await page.getByRole('searchbox').fill(text);
      await subtitle(window, /^\d+ of 123 requests\.$/u);
      await topIs(window, found);
    }
  });

  it('reads again when a push dropped requests; clears everything after a question, reports that the host refused, and shows new requests', async () => {
    const window = await open();
    const { page, see, press, push, sent, answer } = window;
    const clear = async () => {
      await press('Clear all…');
      const dialog = page.getByRole('alertdialog', { name: 'Clear the activity?' });
      assert.match(await dialog.innerText(), /323 requests are removed/u);
      await dialog.getByRole('button', { name: 'Clear' }).click();
    };
    await subtitle(window, '123 requests');
    await answer('activity.list', { gives: { items: newest(1, 323).items } });
    await push('activity-added', { ...newest(224, 323), dropped: 100 });
    await subtitle(window, '323 requests');
    await answer('activity.clear', { refuses: 'DocTray isn’t serving a folder.', isOnce: true });
    await clear();
    await see('Can’t clear the activity');
    await clear();
    await see('No requests yet');
    assert.deepEqual(await sent('activity.clear'), [{}, {}]);
    await push('activity-added', newest(324, 324));
    await subtitle(window, '1 request');
  });

  it('exports only the requests that are shown, oldest first, grouped or not', async () => {
    const window = await open();
    const { page, see, press, sent } = window;
    const saved = async (count: number) => {
      await press('Export');
      await page.getByRole('menuitem', { name: `These ${count} requests as JSON…` }).click();
      await see('Saved /home/robin/activity.json');
      await page.locator('.toast').getByRole('button', { name: 'Close message' }).click();
      const { text } = (await sent('app.saveText')).at(-1) as { text: string };
      return JSON.parse(text) as Pick<ActivityItem, 'sequence' | 'status' | 'user'>[];
    };
    await ungroup(window);
    await errorsOnly(window);
    const shown = page.locator('.view-subtitle').getByText(/^\d of 123 requests\.$/u);
    const count = Number.parseInt(await shown.innerText(), 10);
    const errors = await saved(count);
    assert.ok(errors.length === count && errors.every(({ status }) => status >= 400));
    await errorsOnly(window);
    await ungroup(window);
    await page.getByRole('searchbox').fill('okafor offer');
    await subtitle(window, '15 of 123 requests');
    const found = await saved(15);
    assert.ok(found.every(({ user }) => user === 'ben'));
    assert.deepEqual(
      found,
      found.toSorted((one, other) => one.sequence - other.sequence),
    );
  });

  it('shows an entry’s details with the keyboard, copies it, and returns the focus', async () => {
    const window = await open();
    const { page, see, sent, focused } = window;
    await ungroup(window);
    await page.getByRole('columnheader', { name: 'Operation' }).waitFor();
    await row(window, 2).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const top = async () => (await row(window, 2).boundingBox())?.y;
    const before = await top();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Save' });
    await focused(panel.getByRole('heading', { name: 'Save' }));
    assert.match(
      await panel.innerText(),
      /Save\nDisk error\n[^]*PutFile[^]*POST \/wopi[^]*Status\s+500[^]*Duration\s+2\.3\ss[^]*Received[^]*Sent[^]*Address[^]*Correlation ID/u,
    );
    await panel.getByRole('button', { name: 'Copy as JSON' }).press('Enter');
    await see('Request copied');
    const [copy] = (await sent('app.copyText')) as { text: string }[];
    const [entry] = JSON.parse(copy?.text ?? '[]') as Record<string, unknown>[];
    assert.deepEqual([entry?.operation, entry?.status, entry?.durationMs], ['PutFile', 500, 2310]);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    assert.equal(await window.table.focused(), 'Save');
    assert.equal(await top(), before);
    await page.keyboard.press('Enter');
    await panel.getByRole('button', { name: 'Restore as copy' }).click();
    await see(/^Restored as/u);
  });

  it('says why nothing can be shown, and offers to try again; keeps what was recorded while nothing is served, but can’t clear it', async () => {
    const window = await open('activity-broken');
    const { page, see, press, change, button } = window;
    await see('The disk with DocTray’s data folder is full.');
    await page.locator('.rail-status', { hasText: '1 needs attention' }).waitFor();
    assert.equal(await page.getByRole('searchbox').count(), 0, 'there is nothing to filter');
    await press('Try again');
    await subtitle(window, '1 request');
    await change({ host: { status: 'error', problem: { code: 'folder-missing', message: 'Missing.' } } });
    await page.locator('.banner').waitFor();
    await subtitle(window, '1 request');
    await topIs(window, /./u);
    assert.equal(await button('Clear all…').count(), 0);
  });

  it('under a flood, keeps at most 10,000 requests, the open details, and responds to keys', async () => {
    const window = await open();
    const { page } = window;
    await ungroup(window);
    await row(window, 4).click();
    const id = await page.locator('.detail-panel').getByText(/^c0/u).innerText();
    await window.inPage(`const { items } = await answers['activity.list']({}, host);
        for (let first = 124; first < 10_300; first += 500) {
          const added = Array.from({ length: 500 }, (_, index) =>
            ({ ...items[index % 60], sequence: first + index, correlationId: 'c' + (first + index) }));
          host.push('activity-added', { items: added, dropped: 0 });
          await new Promise(requestAnimationFrame);
        }`);
    await subtitle(window, '10,000 requests');
    assert.equal(await page.locator('.detail-panel').getByText(/^c0/u).innerText(), id);
    assert.ok((await page.locator('[data-row]').count()) < 120);
    await page.keyboard.press('/');
    await page.keyboard.type('unlock');
    await subtitle(window, / of 10,000 requests\.$/u);
  });
});
