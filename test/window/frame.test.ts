import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../durability/eventually.ts';
import type { Page } from 'playwright';
import type { WindowState } from '../../app/contract/state.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';

describe('the window’s frame', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const using = (scenario: string, body: (window: OpenWindow) => Promise<void>) => async () => {
    const window = await lab.open({ scenario });
    try {
      await body(window);
      assert.deepEqual(window.problems, []);
    } finally {
      await window.close();
    }
  };

  it(
    'opens each view with Ctrl and its number, and exposes its name to assistive technology',
    using('normal', async ({ page }) => {
      const names = ['Overview', 'Documents', 'Locks', 'Sessions', 'Tokens', 'Activity', 'Settings'];
      for (const [index, name] of names.entries()) {
        await page.keyboard.press(`Control+${index + 1}`);
        await page.getByRole('main', { name }).waitFor();
        const current = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current="page"]');
        assert.match(await current.innerText(), new RegExp(`^${name}`));
        // The first view is there at the start.
        if (index > 0) await page.locator('main :focus').waitFor({ timeout: 5000 });
      }
    }),
  );

  it(
    'shows all shortcuts on F1 and ?, but not when ? is typed into a field',
    using('normal', async ({ page }) => {
      const help = page.getByRole('dialog', { name: 'Keyboard' });
      await page.keyboard.press('F1');
      await help.waitFor();
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await help.waitFor();
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+3');
      await page.keyboard.press('/');
      await page.keyboard.type('a?');
      assert.equal(await page.getByRole('searchbox').inputValue(), 'a?');
      assert.equal(await help.count(), 0);
    }),
  );

  it(
    'finds a document with Ctrl+K and opens it, by keyboard only',
    using('documents', async (window) => {
      const { page } = window;
      const quick = page.getByRole('dialog', { name: 'Quick open' });
      await page.keyboard.press('Control+K');
      await quick.getByRole('menuitem', { name: 'letter.docx' }).waitFor();
      await page.keyboard.type('lett');
      await page.keyboard.press('Escape');
      await quick.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+K');
      await quick.getByRole('menuitem', { name: 'letter.docx' }).waitFor();
      await page.keyboard.type('budg');
      await quick
        .getByRole('menuitem', { name: 'Budget 2026.xlsx' })
        .getByText('Editing: Ana Ruiz')
        .waitFor();
      assert.deepEqual(new Set(await quick.locator('mark').allInnerTexts()), new Set(['Budg']));
      await page.keyboard.type('et 2026');
      await quick.getByRole('menuitem', { name: 'Budget 9.xlsx' }).waitFor();
      const labels = await quick.getByRole('menuitem').allInnerTexts();
      assert.match(labels[0] ?? '', /Budget/u);
      await page.keyboard.type('.');
      await quick.getByRole('menuitem', { name: 'Budget 9.xlsx' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await quick.waitFor({ state: 'detached' });
      await page.getByText('Opened Budget 2026.xlsx in ONLYOFFICE Docs').waitFor();
      const opened = (await window.calls()).filter(({ name }) => name === 'documents.openInEditor');
      assert.deepEqual(
        opened.map(({ args }) => args),
        [{ path: 'Budget 2026.xlsx', mode: 'edit', editorId: null }],
      );
    }),
  );

  it(
    'shows what begins with the typed word before documents that only contain it, also below messages in a small window',
    using('documents', async ({ page, push }) => {
      await page.setViewportSize({ width: 450, height: 310 });
      await page.evaluate(`(() => {
        const { answers } = harness;
        const search = answers['documents.search'];
        answers['documents.search'] = (args, host) => {
          const found = search({ ...args, text: 'letter' }, host);
          return { ...found, items: found.items.map((item) => ({ ...item, path: 'Report.docx', name: 'Report.docx' })) };
        };
      })()`);
      await page.keyboard.press('Control+2');
      await page.locator('main h1:focus').waitFor();
      await page.locator('main [data-row]').first().waitFor();
      for (const path of ['gone 1.odt', 'gone 2.odt', 'gone 3.odt']) {
        await push('navigate', { view: 'documents', path });
        await page.getByText(`“${path}” is no longer in this folder`).waitFor();
      }
      const quick = page.getByRole('dialog', { name: 'Quick open' });
      await page.keyboard.press('Control+K');
      await page.keyboard.type('port');
      await quick.getByRole('menuitem', { name: 'Report.docx' }).waitFor();
      assert.match((await quick.getByRole('menuitem').allInnerTexts())[0] ?? '', /^Port\b/u);
      const field = await quick.locator('.quick-search').boundingBox();
      for (const toast of await page.locator('.toast').all()) {
        assert.ok((await toast.boundingBox())!.y >= field!.y + field!.height);
      }
    }),
  );

  it(
    'runs actions from quick open, which the tray and the shortcut of the system open too',
    using('normal', async (window) => {
      const { page } = window;
      const quick = page.getByRole('dialog', { name: 'Quick open' });
      await page.keyboard.press('Control+3');
      await window.push('navigate', { view: 'documents', quickOpen: true });
      await quick.waitFor();
      await page.keyboard.type('s');
      await quick.getByRole('menuitem', { name: 'Offer 3.xlsx' }).waitFor();
      // What was found for the beginning of the word isn't what Enter opens.
      await page.keyboard.type('tale');
      await page.keyboard.press('Enter');
      const question = page.getByRole('alertdialog');
      await question.getByRole('button', { name: 'Force-clear' }).click();
      await page.getByRole('main', { name: 'Locks' }).waitFor();
      const cleared = (await window.calls()).filter(({ name }) => name === 'locks.forceClear');
      assert.deepEqual(cleared[0]?.args, { ids: ['file6', 'file7'] });
      await page.keyboard.press('Control+K');
      await page.keyboard.type('recovered saves for');
      await page.keyboard.press('Enter');
      await page
        .getByRole('textbox', { name: 'Keep recovered saves for' })
        .and(page.locator(':focus'))
        .waitFor();
      await page.keyboard.press('Control+K');
      await page.keyboard.type('no such thing');
      await quick.getByText('Nothing found.').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await quick.waitFor({ state: 'detached' });
    }),
  );

  it(
    'creates a document from quick open under the next free name, and opens it',
    using('documents', async (window) => {
      const { page } = window;
      for (const name of ['Untitled.docx', 'Untitled 2.docx']) {
        await page.keyboard.press('Control+K');
        await page.keyboard.type('new word');
        await page.keyboard.press('Enter');
        await page.getByText(`Opened ${name} in`).waitFor();
      }
    }),
  );

  it(
    'opens what quick open marks, also after the search was replaced by another',
    using('documents', async ({ page }) => {
      const quick = page.getByRole('dialog', { name: 'Quick open' });
      await page.keyboard.press('Control+K');
      await page.keyboard.type('connect');
      // React Aria reports what it marked half a second after typing.
      await quick.locator('[aria-activedescendant]').waitFor();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('editor');
      await quick.locator('[data-focused]', { hasText: 'Connect editor…' }).waitFor();
      await page.keyboard.press('Enter');
      await quick.waitFor({ state: 'detached' });
      await page.getByRole('dialog', { name: 'Connect an editor' }).waitFor();
    }),
  );

  it(
    'keeps Ctrl+Z outside of a field from undoing what was typed in one',
    using('documents', async ({ page }) => {
      await page.keyboard.press('Control+2');
      await page.locator('[data-row]').first().waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('bud');
      await page.keyboard.press('ArrowDown');
      await page.locator('[data-row]:focus').waitFor();
      await page.keyboard.press('Control+Z');
      assert.equal(await page.getByRole('searchbox').inputValue(), 'bud');
    }),
  );

  it(
    'says calmly that it was restarted after an error, with the log and diagnostics',
    using('normal', async (window) => {
      const { page } = window;
      const { app } = await page.evaluate(
        () => (globalThis as unknown as { harness: { host: { state: WindowState } } }).harness.host.state,
      );
      await window.change({ values: { app: { ...app, hasCrashed: true } }, tables: {} });
      const banner = page.getByRole('region', { name: 'DocTray was restarted' });
      await banner.getByText('Everything that was saved is safe.').waitFor();
      await banner.getByRole('button', { name: 'Copy diagnostics' }).click();
      await page.getByText('Diagnostics copied, without secrets').waitFor();
      await banner.getByRole('button', { name: 'Show log' }).click();
      await page.getByRole('log', { name: 'Log' }).waitFor();
      await banner.getByRole('button', { name: 'Dismiss' }).click();
      await banner.waitFor({ state: 'detached' });
    }),
  );

  it(
    'lets the keyboard skip the rail',
    using('normal', async ({ page }) => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('main:focus').count(), 1);
    }),
  );

  it(
    'follows the setting for light and dark rather than the system',
    using('normal', async (window) => {
      const background = async () =>
        window.page.evaluate(() => {
          const page = globalThis as unknown as {
            document: { body: object };
            getComputedStyle(element: object): { backgroundColor: string };
          };
          return page.getComputedStyle(page.document.body).backgroundColor;
        });
      const light = await background();
      const settings = await window.page.evaluate(
        () =>
          (globalThis as unknown as { harness: { host: { state: { settings: object } } } }).harness.host.state
            .settings,
      );
      await window.change({ values: { settings: { ...settings, appearance: 'dark' } as never }, tables: {} });
      await window.page.locator('html[data-appearance="dark"]').waitFor();
      assert.notEqual(await background(), light);
    }),
  );

  it(
    'shows the rail and the view’s title while the state is loading',
    using('stuck', async ({ page }) => {
      await page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' });
      assert.equal(await page.locator('.app[aria-busy="true"]').count(), 1);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      // Nothing jumps when the state comes.
      const frames = async (
        shown: Page,
        selectors = ['.section-body:has(.host-head)', '.section > .section-body'],
      ) =>
        Promise.all(
          selectors.map(async (selector) => {
            const box = await shown.locator(selector).first().boundingBox();
            return [box?.x, box?.y, box?.width].map((length) => Math.round(length ?? 0));
          }),
        );
      const loading = await frames(page);
      const loaded = await lab.open({ scenario: 'normal' });
      await loaded.page.getByText('4 things need attention').waitFor();
      assert.deepEqual(loading, await frames(loaded.page));
      await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Locks' }).click();
      await page.getByRole('main', { name: 'Locks' }).getByRole('heading', { name: 'Locks' }).waitFor();
      assert.equal(await page.locator('.skeleton-row').count(), 8);
      for (const shown of [page, loaded.page]) await shown.keyboard.press('Control+7');
      await loaded.page.getByRole('heading', { name: 'General' }).waitFor();
      const ofSettings = ['.settings-side > :first-child', '.settings-list', '.settings-pane .section-body'];
      assert.deepEqual(await frames(page, ofSettings), await frames(loaded.page, ofSettings));
      await loaded.close();
    }),
  );

  it(
    'takes the keys of the keyboard in front of it, not those of the host’s system',
    using('normal', async (window) => {
      const { page } = window;
      const app = await page.evaluate(
        () => (globalThis as unknown as { harness: { host: { state: WindowState } } }).harness.host.state.app,
      );
      await window.change({ values: { app: { ...app, platform: 'darwin' } }, tables: {} });
      await page.keyboard.press('Control+3');
      await page.getByRole('main', { name: 'Locks' }).waitFor();
    }),
  );

  it(
    'shows the shortcuts also without the state',
    using('failing', async ({ page }) => {
      await page.getByRole('heading', { name: 'This window couldn’t load' }).waitFor();
      await page.keyboard.press('F1');
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    }),
  );

  it(
    'offers to try again when the state can’t be read',
    using('failing', async (window) => {
      const { page } = window;
      const problem = page.getByRole('alert');
      await problem.getByRole('heading', { name: 'This window couldn’t load' }).waitFor();
      await page.getByRole('navigation', { name: 'Views' }).getByText('Not responding').waitFor();
      await problem.getByRole('button', { name: 'Try again' }).click();
      await problem.getByRole('heading', { name: 'This window couldn’t load' }).waitFor();
      assert.equal((await window.calls()).length, 2);
      await problem.getByRole('button', { name: 'Show log' }).click();
      await page.getByRole('log', { name: 'Log' }).waitFor();
      await problem.getByRole('button', { name: 'Copy diagnostics' }).click();
      await page.getByText('Diagnostics copied, without secrets').waitFor();
    }),
  );

  it(
    'shows at most three messages: the oldest leaves',
    using('broken', async ({ page }) => {
      const restart = page.getByRole('button', { name: 'Try again' });
      for (let count = 1; count <= 5; count += 1) {
        // The same failure would replace its message.
        await page.evaluate((number) => {
          const { harness } = globalThis as unknown as {
            harness: { answers: Record<string, () => unknown> };
          };
          harness.answers['host.restart'] = () => {
            throw Object.assign(new Error(`Reason ${number}.`), { code: 'internal' });
          };
        }, count);
        await restart.click();
        await page
          .getByText('Still not serving')
          .nth(Math.min(count, 3) - 1)
          .waitFor();
      }
      assert.equal(await page.getByText('Still not serving').count(), 3);
      for (let left = 2; left >= 0; left -= 1) {
        await page.getByRole('button', { name: 'Close message' }).first().click();
        await page.getByText('Still not serving').nth(left).waitFor({ state: 'detached' });
      }
      assert.equal(await page.getByText('Still not serving').count(), 0, 'none was waiting');
    }),
  );

  it('shows more than 9 points as 9+ beside the sign of a narrow rail, inside its button', async () => {
    const { page, close } = await lab.open({ scenario: 'huge', size: { width: 700, height: 450 } });
    try {
      const item = page
        .getByRole('navigation', { name: 'Views' })
        .getByRole('button', { name: /^Overview/u });
      await item.getByText('9+').waitFor();
      const sign = await item.locator('.icon').boundingBox();
      const badge = await item.locator('.rail-alert').boundingBox();
      const button = await item.boundingBox();
      assert.ok(sign !== null && badge !== null && button !== null);
      assert.ok(sign.x >= button.x && sign.x + sign.width <= badge.x);
      assert.ok(badge.x + badge.width <= button.x + button.width);
    } finally {
      await close();
    }
  });

  it('has everything of the rail in sight in the smallest window at 200 % zoom, details over the whole view, and one scroller', async () => {
    const { page, close } = await lab.open({
      scenario: 'paused',
      view: 'locks',
      size: { width: 900, height: 620 },
      zoom: 2,
    });
    const scrollers = async () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main, main *')]
          .filter(
            (element) =>
              element.scrollHeight > element.clientHeight + 1 &&
              /auto|scroll/u.test(getComputedStyle(element).overflowY),
          )
          .map(({ className }) => className),
      );
    try {
      const bottomOf = async (selector: string) => {
        const box = await page.locator(selector).last().boundingBox();
        assert.ok(box !== null, selector);
        return box.y + box.height;
      };
      assert.ok((await bottomOf('.rail-item')) <= 310);
      await page.locator('[data-row]').first().click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Details' }).click();
      const panel = page.locator('.detail-panel');
      await panel.waitFor();
      const { x = 0, y, width = 0, height } = (await panel.boundingBox()) ?? {};
      assert.deepEqual([x, x + width, y, height], [60, 450, 0, 310]);
      assert.ok((await scrollers()).includes('detail-panel'));
      assert.ok(!(await scrollers()).includes('detail-body'));
      assert.equal(await page.locator('.table-bar').isVisible(), false, 'nothing below it gets the focus');
      await page.keyboard.press('Escape');
      await page.locator('[data-row]:focus').waitFor();
      await page.locator('.table-bar').waitFor();
      assert.deepEqual(await scrollers(), ['main']);
      // The rows have all of the height; and with the first row, what is above it is back.
      await page.keyboard.press('End');
      const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
      await page.locator('[data-row]:focus').and(page.locator('[aria-rowindex="9"]')).waitFor();
      assert.ok((await top('.table-head')) < 0);
      await eventually('the last row is in sight', async () => {
        const bottom = await bottomOf('[data-row]:focus');
        assert.ok(bottom < 311, `${bottom}`);
      });
      await page.keyboard.press('Home');
      await page.locator('[data-row]:focus').and(page.locator('[aria-rowindex="2"]')).waitFor();
      assert.equal(await top('.banner'), 0);
      await page.keyboard.press('End');
      await page.locator('[data-row]:focus').and(page.locator('[aria-rowindex="9"]')).waitFor();
      await page.keyboard.press('Control+1');
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      assert.equal(await top('.view'), 0, 'another view is shown from its top');
    } finally {
      await close();
    }
  });
});
