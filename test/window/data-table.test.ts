import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright';
import { eventually } from '../durability/eventually.ts';
import { numberedLock } from './harness/scenarios/table.ts';
import { windowTests } from './open-window.ts';

function document(index: number): string {
  return `Document ${String(index).padStart(4, '0')}.odt`;
}

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, offset) => document(from + offset));
}

interface TreeNode {
  id: string;
  children: string[];
  role: string;
  name: string;
}

/** What Chromium tells a screen reader, below the table, in reading order, with the table itself first. */
async function accessibilityTree(page: Page): Promise<TreeNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const all = nodes.map(({ nodeId, childIds, role, name }) => ({
    id: nodeId,
    children: childIds ?? [],
    role: String(role?.value),
    name: String(name?.value ?? ''),
  }));
  const byId = new Map(all.map((node) => [node.id, node]));
  const walk = (node: TreeNode): TreeNode[] => [
    node,
    ...node.children.flatMap((id) => {
      const child = byId.get(id);
      return child === undefined ? [] : walk(child);
    }),
  ];
  return all.filter(({ role }) => role === 'grid').flatMap(walk);
}

describe('the table that all views use', () => {
  const { open: openWindow, shown } = windowTests({ view: 'locks' });
  const open = async (scenario = 'numbered') => {
    const window = await openWindow(scenario);
    await window.table.grid.waitFor();
    await window.press('Document');
    return window;
  };
  /** Waits until the grid has this many rows, with the titles. */
  const rowCount = async (count: number) =>
    shown().page.locator(`[role="grid"][aria-rowcount="${count}"]`).waitFor();

  it('draws only visible rows, exposes the number of rows to assistive technology, and keeps the focus when the focused row is scrolled out of view', async () => {
    const { page, table } = await open();
    assert.equal(await table.grid.getAttribute('aria-rowcount'), '501');
    assert.ok((await table.names()).length < 60);
    await table.scrollTo(250 * 34);
    const names = await table.names();
    assert.ok(names.length < 60 && names.includes(document(251)), names.join());
    assert.equal(await table.row(document(251)).getAttribute('aria-rowindex'), '252');

    await table.scrollTo(0);
    await table.row(document(3)).click();
    await table.scrollTo(8000);
    assert.equal(await table.focused(), document(3));
    await page.keyboard.press('ArrowDown');
    assert.equal(await table.focused(), document(4));
    assert.ok((await table.topOf(document(4))) > 0);
  });

  it('leaves out the columns with the lowest priority where not all fit; keeps the row at the top when rows become tall', async () => {
    const { page, table } = await open();
    const scroller = page.locator('.table-scroller');
    for (const [width, titles] of [
      [450, /^Document Status (?!.*(?:Editor|Since)).*Actions$/],
      [1400, /^Document Status .*Editor.* Since .*Actions$/],
      [640, /^Document Status (?!.*Editor).*Since .*Actions$/],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      await eventually(`${width} px`, async () => {
        const found = await table.grid.getByRole('columnheader').allTextContents();
        assert.match(found.filter(Boolean).join(' '), titles);
        assert.equal(await scroller.evaluate((box) => box.scrollWidth - box.clientWidth), 0);
      });
    }

    const inView = async () =>
      scroller.evaluate((box) => {
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
    const resize = async (width: number, table: string) => {
      await page.setViewportSize({ width, height: 700 });
      await page.locator(table).waitFor();
    };
    await resize(1100, '.table:not([data-tall])');
    await table.scrollTo(200 * 34);
    const [low] = await inView();
    await resize(450, '.table[data-tall]');
    await eventually('the same row at the top', async () => {
      const names = await inView();
      assert.equal(names[0], low);
      assert.ok(names.length > 7, `${names.length} rows`);
    });
  });

  it('sorts by the column that is a second line in a narrow window, with its title after the name’s; one tab stop leads to all titles', async () => {
    const { page, table, button, focused } = await open('normal');
    const title = (name: string) => page.getByRole('columnheader', { name, exact: true });
    await button('Document').press('ArrowRight');
    await focused(title('Status').getByRole('button'));
    await page.keyboard.press('End');
    await focused(title('Since').getByRole('button'));
    await page.keyboard.press('Home');
    await focused(page.getByRole('checkbox', { name: 'Select all' }));

    await page.setViewportSize({ width: 450, height: 700 });
    await page.locator('.table[data-tall]').waitFor();
    assert.equal(await table.grid.getAttribute('aria-colcount'), '5');
    await button('Document').press('ArrowRight');
    const state = async (row: number) =>
      page
        .locator(`[data-row][aria-rowindex="${row}"]`)
        .getByRole('gridcell', { name: /^(Stale|Editing): / })
        .innerText();
    for (const [order, first, last] of [
      ['ascending', 'Stale', 'Editing'],
      ['descending', 'Editing', 'Stale'],
    ] as const) {
      await page.keyboard.press('Enter');
      assert.equal(await title('Document').getAttribute('aria-sort'), 'none');
      assert.equal(await title('Status').getAttribute('aria-sort'), order);
      assert.ok((await state(2)).startsWith(first) && (await state(9)).startsWith(last));
    }
  });

  it('filters after `/`, says how many rows match, offers to clear the filter if none do; sorts by a column, and reverses the order when its title is pressed again', async () => {
    const { page, table, see, press } = await open();
    const announced = async (words: string) =>
      page.getByRole('status').filter({ hasText: words }).waitFor({ state: 'attached' });
    await page.keyboard.press('/');
    await page.keyboard.type('document 004');
    await page.getByText('11 of 500', { exact: true }).first().waitFor();
    assert.deepEqual(await table.names(), [document(4), ...range(40, 49)]);
    await announced('11 of 500');
    await page.keyboard.press('ArrowDown');
    assert.equal(await table.focused(), document(4));
    await page.keyboard.press('/');
    await page.keyboard.press('End');
    await page.keyboard.type('nothing such');
    await see('Nothing matches');
    await press('Clear');
    await announced('500 locks');

    const title = page.getByRole('columnheader', { name: 'Document' });
    assert.equal((await table.names())[0], document(1));
    assert.equal(await title.getAttribute('aria-sort'), 'ascending');
    await press('Document');
    assert.equal((await table.names())[0], document(500));
    assert.equal(await title.getAttribute('aria-sort'), 'descending');
  });

  it('selects with the keys of file managers and with Shift+click and Ctrl+click, scrolls to the row, and acts on the focused row when nothing is selected', async () => {
    const { page, table, see, button } = await open();
    await button('Document').press('ArrowDown');
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
    await see('500 selected');
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
  });

  it('has names and an order that assistive technology reads, even when elements are reused; shows new rows at the top while scrolled there, with nothing focused or selected', async () => {
    const { page, table, upsert } = await open();
    const isRead = async () =>
      eventually('the rows are read in their order', async () => {
        const tree = await accessibilityTree(page);
        assert.deepEqual(
          tree.filter(({ role }) => role === 'rowheader').map(({ name }) => name),
          await table.names(),
        );
      });
    await isRead();
    await page.mouse.move(5, 5);
    await upsert('locks', numberedLock(1000, Date.now(), { path: 'A first one.odt' }));
    await rowCount(502);
    assert.equal((await table.names())[0], 'A first one.odt');
    assert.ok((await table.topOf('A first one.odt')) > 0);
    await isRead();

    await table.scrollTo(40 * 34);
    await table.scrollTo(60 * 34);
    await isRead();
    const tree = await accessibilityTree(page);
    assert.equal(tree[0]?.name, 'Locks');
    const named = (role: string) => tree.filter((node) => node.role === role).map(({ name }) => name);
    for (const title of ['Document', 'Status', 'Editor', 'Since'])
      assert.ok(named('columnheader').includes(title), title);
    assert.ok(!named('button').includes(''));
    assert.ok(
      named('button').some((name) => /^Actions for .*\.odt$/u.test(name)),
      named('button').join(),
    );
  });

  it('keeps scroll position and selection when rows above are added and removed', async () => {
    const { table, upsert, remove } = await open();
    await table.scrollTo(100 * 34 + 11);
    const before = await table.topOf(document(105));
    await table.row(document(105)).click();
    const fresh = Array.from({ length: 30 }, (_, index) =>
      numberedLock(1000 + index, Date.now(), { path: `A new one ${index}.odt` }),
    );
    await upsert('locks', ...fresh);
    await remove('locks', 'file50', 'file51');
    await rowCount(529);
    assert.equal(await table.topOf(document(105)), before);
    assert.deepEqual(await table.selected(), [document(105)]);
    assert.equal(await table.focused(), document(105));
  });

  it('doesn’t move a changed row while one is selected, and sorts it afterwards; deselects removed rows, and moves the focus to the next row', async () => {
    const { page, table, upsert, remove } = await open();
    await table.row(document(2)).click();
    await upsert('locks', numberedLock(3, Date.now(), { path: 'Zebra.odt' }));
    await table.row('Zebra.odt').waitFor();
    assert.deepEqual((await table.names()).slice(0, 4), [...range(1, 2), 'Zebra.odt', document(4)]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.mouse.move(5, 5);
    await page.locator('[data-row]').nth(2).filter({ hasNotText: 'Zebra' }).waitFor();
    assert.deepEqual((await table.names()).slice(0, 4), [...range(1, 2), ...range(4, 5)]);

    await table.row(document(2)).click();
    await page.keyboard.press('Shift+ArrowDown');
    await remove('locks', 'file4');
    await rowCount(500);
    assert.deepEqual(await table.selected(), [document(2)]);
    assert.equal(await table.focused(), document(5));
  });

  it('moves the focus to a row’s buttons with →, and back to the row with Escape; opens the menu of the selected rows by key and pointer', async () => {
    const { page, table } = await open();
    const closeMenu = async () => {
      // The menu takes the focus in a later frame.
      await page.locator('[role="menu"]:focus, [role="menu"] :focus').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await table.row(document(2)).click();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Show in Documents' }).waitFor();
    await closeMenu();
    // The focus returns to the button in a later frame.
    await page.locator('[role="row"] button:focus').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await table.focused(), document(2));

    await table.row(document(2)).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Force-clear 2…' }).waitFor();
    await closeMenu();
    await eventually('the focus returns', async () => assert.equal(await table.focused(), document(3)));
    await table.row(document(5)).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Force-clear…' }).waitFor();
    assert.deepEqual(await table.selected(), [document(5)]);
    await closeMenu();
  });
});
