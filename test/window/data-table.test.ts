import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright';
import { numberedLock } from './harness/scenarios/table.ts';
import { eventually } from '../durability/eventually.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';
import { tableOf, type TableDriver } from './table-driver.ts';

function document(index: number): string {
  return `Document ${String(index).padStart(4, '0')}.odt`;
}

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, offset) => document(from + offset));
}

interface PlacedElement {
  scrollWidth: number;
  clientWidth: number;
  getBoundingClientRect(): { right: number };
  querySelector(selector: string): PlacedElement | null;
}

interface TreeNode {
  id: string;
  children: string[];
  role: string;
  name: string;
}

/** What Chromium tells a screen reader. */
async function accessibilityTree(page: Page): Promise<TreeNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes.map(({ nodeId, childIds, role, name }) => ({
    id: nodeId,
    children: childIds ?? [],
    role: String(role?.value),
    name: String(name?.value ?? ''),
  }));
}

/** In reading order. */
function below(tree: TreeNode[], top: TreeNode | undefined): TreeNode[] {
  const byId = new Map(tree.map((node) => [node.id, node]));
  const walk = (node: TreeNode): TreeNode[] =>
    node.children.flatMap((id) => {
      const child = byId.get(id);
      return child === undefined ? [] : [child, ...walk(child)];
    });
  return top === undefined ? [] : walk(top);
}

describe('the table that all views use', () => {
  let lab: WindowLab;
  let window: OpenWindow;
  let table: TableDriver;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const using = (scenario: string, body: () => Promise<void>) => async () => {
    window = await lab.open({ scenario, view: 'locks' });
    table = tableOf(window.page);
    try {
      await table.grid.waitFor();
      await window.page.getByRole('button', { name: 'Document', exact: true }).click();
      await body();
      assert.deepEqual(window.problems, [], 'no content security policy violations and no script errors');
    } finally {
      await window.close();
    }
  };

  it(
    'draws only visible rows, exposes the number of rows to assistive technology, and keeps the focus when the focused row is scrolled out of view',
    using('numbered', async () => {
      assert.equal(await table.grid.getAttribute('aria-rowcount'), '501');
      assert.ok((await table.names()).length < 60);
      await table.scrollTo(250 * 34);
      const names = await table.names();
      assert.ok(names.length < 60);
      assert.ok(
        names.some((name) => name.includes('0251')),
        names.join(),
      );
      assert.equal(await table.row(document(251)).getAttribute('aria-rowindex'), '252');

      await table.scrollTo(0);
      await table.row(document(3)).click();
      await table.scrollTo(8000);
      assert.equal(await table.focused(), document(3));
      await window.page.keyboard.press('ArrowDown');
      assert.equal(await table.focused(), document(4));
      assert.ok((await table.topOf(document(4))) > 0);
    }),
  );

  it(
    'leaves out the columns with the lowest priority where not all fit; keeps the row at the top when rows become tall or low, and shortens names where the columns that always stay don’t fit',
    using('numbered', async () => {
      const { page } = window;
      const titles = async () =>
        (await table.grid.getByRole('columnheader').allTextContents()).filter(Boolean);
      const shown: string[] = [];
      for (const width of [1400, 900, 640, 420]) {
        await page.setViewportSize({ width, height: 700 });
        await page.waitForTimeout(300);
        shown.push((await titles()).join(' '));
        const hidden = await page
          .locator('.table-scroller')
          .evaluate((box: { scrollWidth: number; clientWidth: number }) => box.scrollWidth - box.clientWidth);
        assert.equal(hidden, 0, `${width} px`);
      }
      assert.deepEqual(shown, [
        'Document State Editor Since Force-clear Actions',
        'Document State Editor Since Force-clear Actions',
        'Document State Force-clear Actions',
        'Document State Force-clear Actions',
      ]);

      const inView = async () =>
        page.locator('.table-scroller').evaluate((box) => {
          const { top, bottom } = box.getBoundingClientRect();
          const middle = (element: Element) => {
            const area = element.getBoundingClientRect();
            return (area.top + area.bottom) / 2;
          };
          return [...box.querySelectorAll('[data-row]')]
            .filter((row) => middle(row) > top + 30 && middle(row) < bottom)
            .toSorted((a, b) => middle(a) - middle(b))
            .map((row) => row.querySelector('[role="rowheader"] .visually-hidden')?.textContent);
        });
      await page.setViewportSize({ width: 1100, height: 700 });
      await table.scrollTo(200 * 34);
      await page.locator('.table:not([data-tall])').waitFor();
      const [low] = await inView();
      await page.setViewportSize({ width: 450, height: 700 });
      await page.locator('.table[data-tall]').waitFor();
      await eventually('the same row at the top', async () => {
        const names = await inView();
        assert.equal(names[0], low);
        assert.ok(names.length > 7, `${names.length} rows`);
      });
      await table.scrollTo(300 * 52);
      await eventually('later rows', async () => {
        const names = await inView();
        assert.ok(names.length > 7 && names[0] !== low, names.join(', '));
      });
      const [tall] = await inView();
      await page.setViewportSize({ width: 1100, height: 700 });
      await page.locator('.table:not([data-tall])').waitFor();
      await eventually('the same row at the top again', async () => {
        assert.equal((await inView())[0], tall);
      });

      await page.setViewportSize({ width: 260, height: 700 });
      await eventually('the menus are in sight', async () => {
        const [hidden, beyond] = await page.locator('.table-scroller').evaluate((box: PlacedElement) => {
          const menu = box.querySelector('[data-row] .table-more')?.getBoundingClientRect();
          return [box.scrollWidth - box.clientWidth, (menu?.right ?? 0) - box.getBoundingClientRect().right];
        });
        assert.ok(hidden === 0 && Math.round(beyond ?? Number.NaN) <= 0, `${hidden} and ${beyond} px`);
      });
    }),
  );

  it(
    'sorts by the column that is a second line in a narrow window, with its title after the name’s',
    using('normal', async () => {
      const { page } = window;
      await page.setViewportSize({ width: 450, height: 700 });
      await page.locator('.table[data-tall]').waitFor();
      assert.equal(await table.grid.getAttribute('aria-colcount'), '5');
      await page.getByRole('button', { name: 'Document', exact: true }).press('ArrowRight');
      await page.keyboard.press('Enter');
      const title = (name: string) => page.getByRole('columnheader', { name, exact: true });
      assert.equal(await title('Document').getAttribute('aria-sort'), 'none');
      assert.equal(await title('State').getAttribute('aria-sort'), 'ascending');
      const states = async () =>
        Promise.all(
          [2, 9].map(async (row) =>
            page
              .locator(`[data-row][aria-rowindex="${row}"]`)
              .getByRole('gridcell', { name: /^(Stale|Editing): / })
              .innerText(),
          ),
        );
      assert.match((await states()).join(), /^Stale.*,Editing/);
      await page.keyboard.press('Enter');
      assert.equal(await title('State').getAttribute('aria-sort'), 'descending');
      assert.match((await states()).join(), /^Editing.*,Stale/);
    }),
  );

  it(
    'filters after `/`, says how many rows match, offers to clear the filter if none do; sorts by a column, and reverses the order when its title is pressed again',
    using('numbered', async () => {
      const { page } = window;
      await page.keyboard.press('/');
      await page.keyboard.type('document 004');
      await page.getByText('11 of 500', { exact: true }).waitFor();
      assert.deepEqual(await table.names(), [document(4), ...range(40, 49)]);
      await page.getByRole('status').filter({ hasText: '11 of 500' }).waitFor({ state: 'attached' });
      await page.keyboard.press('ArrowDown');
      assert.equal(await table.focused(), document(4));
      await page.keyboard.press('/');
      await page.keyboard.press('End');
      await page.keyboard.type('nothing such');
      await page.getByText('Nothing matches').waitFor();
      await page.getByRole('button', { name: 'Clear filter' }).click();
      await page.getByRole('status').filter({ hasText: '500 locks' }).waitFor({ state: 'attached' });

      const title = window.page.getByRole('columnheader', { name: 'Document' });
      assert.equal((await table.names())[0], document(1));
      assert.equal(await title.getAttribute('aria-sort'), 'ascending');
      await window.page.getByRole('button', { name: 'Document', exact: true }).click();
      assert.equal((await table.names())[0], document(500));
      assert.equal(await title.getAttribute('aria-sort'), 'descending');
    }),
  );

  it(
    'selects with the keys of file managers and with Shift+click and Ctrl+click, scrolls to the row, and acts on the focused row when nothing is selected',
    using('numbered', async () => {
      const { page } = window;
      await page.getByRole('button', { name: 'Document', exact: true }).press('ArrowDown');
      assert.equal(await table.focused(), document(1));
      await page.keyboard.press('ArrowDown');
      assert.deepEqual(await table.selected(), [document(2)]);
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowDown');
      assert.deepEqual(await table.selected(), range(2, 4));
      await page.keyboard.press('Control+ArrowDown');
      await page.keyboard.press('Control+ArrowDown');
      await page.keyboard.press(' ');
      assert.deepEqual(await table.selected(), [...range(2, 4), document(6)]);
      await page.keyboard.press('End');
      assert.equal(await table.focused(), document(500));
      assert.deepEqual(await table.selected(), [document(500)]);
      await page.keyboard.press('Control+a');
      await page.getByText('500 selected').waitFor();
      await page.keyboard.press('Escape');
      assert.deepEqual(await table.selected(), []);
      await page.keyboard.press('Home');
      assert.equal(await table.focused(), document(1));

      await table.row(document(3)).click();
      await table.row(document(6)).click({ modifiers: ['Shift'] });
      assert.deepEqual(await table.selected(), range(3, 6));
      await table.row(document(9)).click({ modifiers: ['Control'] });
      await table.row(document(4)).click({ modifiers: ['Control'] });
      assert.deepEqual(await table.selected(), [document(3), document(5), document(6), document(9)]);

      await page.keyboard.press('Home');
      await page.keyboard.press('Escape');
      assert.deepEqual(await table.selected(), []);
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog', { name: `Force-clear the lock on ${document(1)}?` }).waitFor();
    }),
  );

  it(
    'has names and an order that assistive technology reads, even when elements are reused',
    using('numbered', async () => {
      const readOrder = async () => {
        const tree = await accessibilityTree(window.page);
        return below(
          tree,
          tree.find(({ role }) => role === 'grid'),
        )
          .filter(({ role }) => role === 'rowheader')
          .map(({ name }) => name);
      };
      // Before anything is scrolled, at once, and after a new row has come above the others.
      assert.deepEqual(await readOrder(), await table.names());
      const lock = numberedLock(1000, Date.now(), { path: 'A first one.odt' });
      await window.page.mouse.move(5, 5);
      await window.change({ values: {}, tables: { locks: { upsert: [lock], remove: [] } } });
      await window.page.locator('[role="grid"][aria-rowcount="502"]').waitFor();
      await window.page.waitForTimeout(500);
      assert.equal((await readOrder())[0], 'A first one.odt');
      assert.deepEqual(await readOrder(), await table.names());

      await table.scrollTo(40 * 34);
      await table.scrollTo(60 * 34);
      await window.page.waitForTimeout(500);
      const shown = await table.names();
      const tree = await accessibilityTree(window.page);
      const grid = tree.find(({ role }) => role === 'grid');
      assert.equal(grid?.name, 'Locks');
      const parts = below(tree, grid);
      const named = (role: string) => parts.filter((node) => node.role === role).map(({ name }) => name);
      assert.deepEqual(
        ['Document', 'State', 'Editor', 'Since'].filter((title) => !named('columnheader').includes(title)),
        [],
      );
      assert.deepEqual(named('rowheader'), shown);
      for (const button of named('button')) assert.notEqual(button, '');
      assert.ok(
        named('button').some((name) => /^Actions for .*\.odt$/u.test(name)),
        named('button').join(),
      );
    }),
  );

  it(
    'keeps scroll position and selection when rows above are added and removed',
    using('numbered', async () => {
      const nowMs = Date.now();
      await table.scrollTo(100 * 34 + 11);
      const before = await table.topOf(document(105));
      await table.row(document(105)).click();
      const fresh = Array.from({ length: 30 }, (_, index) =>
        numberedLock(1000 + index, nowMs, { path: `A new one ${index}.odt` }),
      );
      await window.change({ values: {}, tables: { locks: { upsert: fresh, remove: ['file50', 'file51'] } } });
      await window.page.locator('[role="grid"][aria-rowcount="529"]').waitFor();
      assert.equal(await table.topOf(document(105)), before);
      assert.deepEqual(await table.selected(), [document(105)]);
      assert.equal(await table.focused(), document(105));
    }),
  );

  it(
    'shows new rows at the top while scrolled there, with nothing focused or selected',
    using('numbered', async () => {
      await window.page.mouse.move(5, 5);
      await window.change({
        values: {},
        tables: {
          locks: { upsert: [numberedLock(1000, Date.now(), { path: 'A first one.odt' })], remove: [] },
        },
      });
      await window.page.locator('[role="grid"][aria-rowcount="502"]').waitFor();
      assert.equal((await table.names())[0], 'A first one.odt');
      assert.ok((await table.topOf('A first one.odt')) > 0);
    }),
  );

  it(
    'doesn’t move a changed row while one is selected, and sorts it afterwards',
    using('numbered', async () => {
      const nowMs = Date.now();
      await table.row(document(2)).click();
      await window.change({
        values: {},
        tables: { locks: { upsert: [numberedLock(3, nowMs, { path: 'Zebra.odt' })], remove: [] } },
      });
      await table.row('Zebra.odt').waitFor();
      assert.deepEqual((await table.names()).slice(0, 4), [
        document(1),
        document(2),
        'Zebra.odt',
        document(4),
      ]);
      await window.page.keyboard.press('Escape');
      await window.page.keyboard.press('/');
      await window.page.mouse.move(5, 5);
      await window.page.locator('[data-row]').nth(2).filter({ hasNotText: 'Zebra' }).waitFor();
      assert.deepEqual((await table.names()).slice(0, 4), [
        document(1),
        document(2),
        document(4),
        document(5),
      ]);
    }),
  );

  it(
    'deselects removed rows, and moves the focus to the next row',
    using('numbered', async () => {
      await table.row(document(2)).click();
      await window.page.keyboard.press('Shift+ArrowDown');
      await window.change({ values: {}, tables: { locks: { upsert: [], remove: ['file3'] } } });
      await window.page.locator('[role="grid"][aria-rowcount="500"]').waitFor();
      assert.deepEqual(await table.selected(), [document(2)]);
      assert.equal(await table.focused(), document(4));
    }),
  );

  it(
    'moves the focus to a row’s buttons with →, and back to the row with Escape; opens the menu of the selected rows by key and pointer',
    using('numbered', async () => {
      const { page } = window;
      await table.row(document(2)).click();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Show in Documents' }).waitFor();
      // The menu takes the focus in a later frame.
      await page.locator('[role="menu"]:focus, [role="menu"] :focus').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      // The focus returns to the button in a later frame.
      await page.locator('[role="row"] button:focus').waitFor();
      await page.keyboard.press('Escape');
      assert.equal(await table.focused(), document(2));

      await table.row(document(2)).click();
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menuitem', { name: 'Force-clear 2…' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await eventually('the focus returns', async () => assert.equal(await table.focused(), document(3)));
      await table.row(document(5)).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Force-clear…' }).waitFor();
      assert.deepEqual(await table.selected(), [document(5)]);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }),
  );

  it(
    'moves from title to title with ← and →, and to the first and last one with Home and End',
    using('numbered', async () => {
      const { page } = window;
      const titles = table.grid.getByRole('columnheader');
      const hasFocus = async (name: string) =>
        titles.getByRole('button', { name }).and(page.locator(':focus')).waitFor();
      await titles.getByRole('button', { name: 'Document' }).press('ArrowRight');
      await hasFocus('State');
      await page.keyboard.press('End');
      await hasFocus('Since');
      await page.keyboard.press('Home');
      await titles.getByRole('checkbox').and(page.locator(':focus')).waitFor();
    }),
  );

  it('has names for the rows of Documents, which can be dragged', async () => {
    window = await lab.open({ scenario: 'documents', view: 'documents' });
    try {
      await tableOf(window.page).row('letter.docx').waitFor();
      const rows = (await accessibilityTree(window.page)).filter(({ role }) => role === 'rowheader');
      assert.ok(rows.some(({ name }) => name === 'letter.docx'));
      assert.deepEqual(
        rows.filter(({ name }) => name === ''),
        [],
      );
    } finally {
      await window.close();
    }
  });
});
