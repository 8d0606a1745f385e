import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright';
import type { ColleagueLink, CommandAnswer } from '../../app/contract/results.ts';
import { eventually } from '../durability/eventually.ts';
import { makeOrphanLock, makeQuietState, makeSession } from './harness/rows.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';
import { tableOf, type TableDriver } from './table-driver.ts';

interface Call {
  name: string;
  args: unknown;
}

function callsOf(calls: readonly Call[], name: string): unknown[] {
  return calls.filter((call) => call.name === name).map(({ args }) => args);
}

/** Uses the page's own timers: on a busy computer, Playwright's keys can arrive after the typing pause. */
async function typeWithoutPause(page: Page, text: string): Promise<void> {
  await page.evaluate(async (typed) => {
    const field = document.activeElement;
    if (!(field instanceof HTMLInputElement)) throw new Error('No text field has the focus.');
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
    for (let length = 1; length <= typed.length; length += 1) {
      set?.call(field, typed.slice(0, length));
      field.dispatchEvent(new Event('input', { bubbles: true }));
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, text);
}

describe('the Documents view', () => {
  let lab: WindowLab;
  let window: OpenWindow;
  let table: TableDriver;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const using = (scenario: string, body: () => Promise<void>) => async () => {
    window = await lab.open({ scenario, view: 'documents' });
    table = tableOf(window.page);
    try {
      await body();
      assert.deepEqual(window.problems, [], 'no content security policy violations and no script errors');
    } finally {
      await window.close();
    }
  };
  const sent = async (name: string) => callsOf(await window.calls(), name);
  /** Sets the host's response to a command. */
  const answer = async (name: string, given: CommandAnswer<unknown>) =>
    window.page.evaluate(
      ([command, value]) => {
        const { harness } = globalThis as unknown as { harness: { answers: Record<string, () => unknown> } };
        harness.answers[command] = () => {
          const response = value as {
            isDone: boolean;
            result?: unknown;
            error?: { code: string; message: string };
          };
          if (response.isDone) return response.result;
          throw Object.assign(new Error(response.error?.message), { code: response.error?.code });
        };
      },
      [name, given] as const,
    );
  /** Changes how the host lists folders: a function's body with `args`, and `list`, which lists them as before. */
  const relist = async (body: string) =>
    window.page.evaluate(`(() => {
      const { answers } = globalThis.harness;
      const before = answers['documents.list'];
      answers['documents.list'] = async (args, host) => {
        const list = (changed) => before(changed, host);
        ${body}
      };
    })()`);
  const go = async (path: string) => window.push('navigate', { view: 'documents', path });
  const focusOn = async (path: string) => window.page.locator(`[data-row="${path}"]:focus`).waitFor();
  /** Waits until the focus is in the field and all of its text, which is this one, is selected. */
  const selectedIn = async (field: Locator, text: string) =>
    eventually(`“${text}” is selected`, async () =>
      assert.deepEqual(
        await field.evaluate((element) => {
          const input = element as HTMLInputElement;
          const { value, selectionStart, selectionEnd } = input;
          return [
            value.slice(selectionStart ?? 0, selectionEnd ?? 0),
            value,
            input === document.activeElement,
          ];
        }),
        [text, text, true],
      ),
    );
  const here = () => window.page.getByRole('navigation', { name: 'Folder' }).locator('[aria-current="page"]');
  const dragOver = async (kind: 'dragover' | 'drop', count: number) =>
    window.page.evaluate(`(() => {
      const data = new DataTransfer();
      for (let at = 0; at < ${count}; at += 1) data.items.add(new File(['x'], 'file' + at + '.docx'));
      const event = new DragEvent('${kind}', { bubbles: true, cancelable: true, dataTransfer: data });
      document.querySelector('.table-scroller').dispatchEvent(event);
      return event.defaultPrevented;
    })()`);

  it(
    'can be used by keyboard: enters a folder, goes back to it, opens a document in the editor',
    using('documents', async () => {
      const { page } = window;
      await table.row('Finance').waitFor();
      for (let steps = 0; steps < 30 && (await table.focused()) === ''; steps += 1)
        await page.keyboard.press('Tab');
      assert.equal(await table.focused(), 'Finance');
      await page.keyboard.press('Space');
      await page.keyboard.press('Enter');
      await table.row('Accounts.xlsx').waitFor();
      assert.equal(await here().innerText(), 'Finance');
      await focusOn('Finance/2026');
      await page.keyboard.press('Enter');
      await table.row('Budget 9.xlsx').waitFor();
      assert.equal(await here().innerText(), '2026');
      await focusOn('Finance/2026/Offers');

      await page.keyboard.press('Backspace');
      await focusOn('Finance/2026');
      await page.keyboard.press('Alt+ArrowUp');
      await focusOn('Finance');
      await page.locator('[data-row="Finance"][aria-selected="true"]').waitFor();
      assert.deepEqual(await sent('documents.openInEditor'), [], 'folders don’t open in an editor');

      await page.keyboard.press('End');
      await page.keyboard.press('ArrowUp');
      assert.equal(await table.focused(), 'Roster.ods');
      await page.keyboard.press('Enter');
      await page.getByText('Opened Roster.ods in Collabora in the cellar').waitFor();
      assert.deepEqual(await sent('documents.openInEditor'), [
        { path: 'Roster.ods', mode: 'edit', editorId: null },
      ]);
    }),
  );

  it(
    'shows the first of 10,000 documents before the rest has come, all of which can be selected then; goes to the last one by keyboard',
    using('documents-many', async () => {
      const { page } = window;
      await table.row('Year 2017').waitFor();
      await relist(`
        if (args.startIndex > 0) await new Promise((resolve) => (globalThis.answerRest = resolve));
        return list(args);
      `);
      await go('Year 2020');
      await page.getByText('This folder is empty.').waitFor();
      await page.keyboard.press('Backspace');
      await focusOn('Year 2020');
      await page.getByText('1,000 items', { exact: true }).or(page.getByText('1 selected')).first().waitFor();
      const all = page.getByRole('checkbox', { name: 'Select all' });
      assert.equal(await all.isDisabled(), true);
      await page.keyboard.press('Control+a');
      assert.deepEqual(await table.selected(), ['Year 2020']);
      await relist('return list(args);');
      await eventually('everything is loaded', async () => {
        await page.evaluate('globalThis.answerRest()');
        assert.equal(await table.grid.getAttribute('aria-rowcount'), '10011');
      });
      assert.ok((await table.names()).length < 60);
      await page.keyboard.press('End');
      await focusOn('Report 009999.pptx');
      await page.keyboard.press('ArrowUp');
      await focusOn('Report 009998.odt');
      await page.keyboard.press('Home');
      await focusOn('Year 2017');
      await all.click();
      await page.getByText('10,010 selected').waitFor();
      assert.equal(await all.isChecked(), true);
      await page.getByRole('row', { name: 'Year 2018' }).click();
      await page.getByText('1 selected', { exact: true }).waitFor();
      assert.equal(await all.evaluate((box) => 'indeterminate' in box && box.indeterminate), true);
    }),
  );

  it(
    'sorts by name, time and size, in both directions with folders first, and keeps the order',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').waitFor();
      const folders = ['Finance', 'Letters', 'Minutes', 'Projects'];
      for (const [title, first, firstFolder] of [
        ['Name', 'scan.pdf', 'Projects'],
        ['Modified', 'Budget 2026.xlsx', 'Finance'],
        ['Modified', 'Photos of the bridge.zip', 'Projects'],
        ['Size', 'Photos of the bridge.zip', undefined],
      ] as const) {
        await page.getByRole('button', { name: title, exact: true }).click();
        await eventually(title, async () => {
          const names = await table.names();
          assert.deepEqual(names.slice(0, 4).toSorted(), folders);
          assert.match(names[4] ?? '', new RegExp(`^${first}`, 'u'));
          assert.equal(names[0], firstFolder ?? names[0]);
        });
      }
      const sizeIsFirst = async () =>
        page
          .getByRole('columnheader', { name: 'Size' })
          .and(page.locator('[aria-sort="descending"]'))
          .waitFor();
      await sizeIsFirst();
      await table.row('Finance').dblclick();
      await table.row('Accounts.xlsx').waitFor();
      await window.push('navigate', { view: 'locks' });
      await page.getByRole('heading', { name: 'Locks' }).waitFor();
      await window.push('navigate', { view: 'documents' });
      await table.row('Accounts.xlsx').waitFor();
      await sizeIsFirst();
    }),
  );

  it(
    'searches all folders when typing pauses, shows where results are, and how far it searched',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').waitFor();
      await page.keyboard.press('/');
      await typeWithoutPause(page, 'offer');
      await table.row('Offer 3.odt').waitFor();
      assert.deepEqual(await sent('documents.search'), [{ text: 'offer', count: 500 }]);
      await page.getByText('3 of 22', { exact: true }).first().waitFor();
      const { width, height } = page.viewportSize() ?? assert.fail();
      await page.setViewportSize({ width: 450, height });
      await page.locator('.table-below').filter({ hasText: 'Finance/2026/Offers' }).first().waitFor();
      await page.setViewportSize({ width, height });
      await page.getByRole('gridcell', { name: 'Finance/2026/Offers/Harbour bridge' }).waitFor();

      await answer('documents.search', {
        isDone: true,
        result: { items: [], isComplete: false, searched: 48_210 },
      });
      await page.keyboard.type('x');
      await page.getByText('Searched 48,210 names before time ran out. There may be more.').waitFor();

      await answer('documents.search', {
        isDone: false,
        error: { code: 'x', message: 'The disk returned an error.' },
      });
      await page.keyboard.type('y');
      await page.getByRole('alert').getByText('The disk returned an error.').waitFor();
      await page.keyboard.press('Escape');
      await table.row('letter.docx').waitFor();
    }),
  );

  it(
    'goes from the search to the first result by ↓ or Enter, opens it by Enter, and clears the search by Escape',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('offer');
      await table.row('Offer 3.odt').waitFor();
      for (const key of ['ArrowDown', 'Enter']) {
        await page.keyboard.press(key);
        await page.locator('[data-row="Finance/2026/Offers"]:focus').waitFor();
        assert.deepEqual(await table.selected(), ['Offers']);
        await page.keyboard.press('/');
      }
      await page.keyboard.press('Escape');
      await table.row('letter.docx').waitFor();
      await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
      // Before there is a result.
      await page.keyboard.type('offer 3');
      await page.keyboard.press('Enter');
      await page.locator('[data-row$="Offer 3.odt"]:focus').waitFor();
      await page.keyboard.press('Enter');
      await eventually('it is opened', async () =>
        assert.equal((await sent('documents.openInEditor')).length, 1),
      );
    }),
  );

  it(
    'shows the last folder of a result whole, and all of its path in a tooltip',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').waitFor();
      const { height } = page.viewportSize() ?? assert.fail();
      await page.setViewportSize({ width: 900, height });
      await page.keyboard.press('/');
      await page.keyboard.type('offer');
      const cell = page.getByRole('gridcell', { name: 'Finance/2026/Offers/Harbour bridge', exact: true });
      const last = cell.locator('[data-text="/Harbour bridge"]');
      await last.waitFor();
      const [needed, room, hiddenRight] = await last.evaluate((part) => {
        const { width, right } = part.getBoundingClientRect();
        const whole = part.cloneNode() as HTMLElement;
        whole.style.position = 'absolute';
        part.parentElement?.append(whole);
        const needed = whole.getBoundingClientRect().width;
        whole.remove();
        const cellRight = part.closest('[role="gridcell"]')?.getBoundingClientRect().right ?? 0;
        return [needed, width, right - cellRight];
      });
      assert.ok(room >= needed && hiddenRight <= 0, `${needed} in ${room}, ${hiddenRight}`);
      assert.equal(
        await cell.locator('[title]').getAttribute('title'),
        'Finance/2026/Offers/Harbour bridge/Offer.docx',
      );
    }),
  );

  it(
    'opens the folder of a search result with the document selected',
    using('documents', async () => {
      const { page } = window;
      await page.keyboard.press('/');
      await page.keyboard.type('offer');
      await table.row('Offer.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Show in its folder' }).click();
      await focusOn('Finance/2026/Offers/Harbour bridge/Offer.docx');
      assert.equal(await here().innerText(), 'Harbour bridge');
      assert.deepEqual(await table.selected(), ['Offer.docx']);
    }),
  );

  it(
    'deselects what another program deleted out of sight, after Select all',
    using('documents-many', async () => {
      const { page } = window;
      await page.getByText('10,010 items', { exact: true }).waitFor();
      await relist(`
        const { left = [[0, 450]] } = globalThis;
        const { items: all } = await list({ path: args.path, startIndex: 0, count: 450 });
        const items = left.flatMap(([from, to]) => all.slice(from, to));
        const end = args.startIndex + args.count;
        return { ...args, items: items.slice(args.startIndex, end), total: items.length };
      `);
      /** The host has only these ranges of the 450 items. */
      const leave = async (...left: [from: number, to: number][]) => {
        await page.evaluate(`globalThis.left = ${JSON.stringify(left)}`);
        await window.push('folder-changed', { path: '' });
      };
      await leave([0, 450]);
      await page.getByText('450 items', { exact: true }).waitFor();
      await page.getByRole('checkbox', { name: 'Select all' }).click();
      await page.getByText('450 selected', { exact: true }).waitFor();
      await leave([0, 440], [442, 450]);
      await page.getByText('448 selected', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Size', exact: true }).click();
      await leave([0, 430], [442, 450]);
      await page.getByText('438 selected', { exact: true }).waitFor();
      await leave([0, 150]);
      await page.getByText('150 selected', { exact: true }).waitFor();
      await leave([0, 450]);
      await page.waitForTimeout(1000);
      await page.getByText('150 selected', { exact: true }).waitFor();
    }),
  );

  it(
    'finds and selects one of 10,000 documents',
    using('documents-many', async () => {
      await table.row('Year 2017').waitFor();
      await go('Report 008754.odt');
      await focusOn('Report 008754.odt');
      assert.deepEqual(await table.selected(), ['Report 008754.odt']);
      await go('Year 2020');
      await window.page.getByText('This folder is empty.').waitFor();
      assert.equal(await here().innerText(), 'Year 2020');
      await go('gone.docx');
      await window.page.getByText('“gone.docx” is no longer in this folder').waitFor();
    }),
  );

  it(
    'shows the document of a lock by its id, and doesn’t take another one with its name for it',
    using('documents', async () => {
      const { page } = window;
      const show = async (name: string): Promise<void> => {
        await page.keyboard.press('Control+3');
        await table.row(name).click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Show in Documents' }).click();
        await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
      };
      await show('Accounts.xlsx');
      await focusOn('Finance/Accounts.xlsx');
      assert.equal((await table.selected()).length, 1);
      const deleted = makeOrphanLock(7, Date.now());
      const upsert = [{ ...deleted, id: 'deleted', path: 'letter.docx' }];
      await window.change({ values: {}, tables: { locks: { upsert, remove: ['id of letter.docx'] } } });
      await show('letter.docx');
      await page.getByText('“letter.docx” is no longer in this folder').waitFor();
      await page.getByText('Another item has this name now.').waitFor();
      await table.row('letter.docx').waitFor();
      assert.deepEqual(await table.selected(), []);
    }),
  );

  it(
    'doesn’t select a folder that a link opened when its parent is shown again, even if rows load slowly',
    using('documents-many', async () => {
      const { page } = window;
      await table.row('Year 2017').waitFor();
      await relist(`
        await new Promise((resolve) => setTimeout(resolve, 100));
        return list(args);
      `);
      await go('Year 2020');
      await page.getByText('This folder is empty.').waitFor();
      await go('gone.docx');
      await page.getByText('“gone.docx” is no longer in this folder').waitFor();
      await page.getByText('10,010 items', { exact: true }).waitFor();
      assert.deepEqual(await table.selected(), []);
    }),
  );

  it(
    'shows the WOPI address and a masked token once, and keeps neither',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Advanced' }).press('ArrowRight');
      await page.getByRole('menuitem', { name: 'Show WOPI address…' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'WOPI address of “letter.docx”' });
      await dialog.getByText('http://192.168.1.14:8790/wopi/files/3f9c0b7a52e14d06').waitFor();
      assert.doesNotMatch(await page.content(), /secret1/);
      assert.match(await dialog.innerText(), /10\sh, to edit this document only/);
      await dialog.getByRole('button', { name: 'Copy access token' }).click();
      await dialog.getByRole('button', { name: 'Show the access token' }).click();
      await dialog.getByText(/^secret1-/).waitFor();
      await dialog.getByRole('button', { name: 'Hide the access token' }).click();
      await dialog.getByRole('button', { name: 'Copy WOPI address' }).click();
      await dialog.getByRole('button', { name: 'Collabora' }).click();
      assert.deepEqual(
        (await sent('app.copyText')).map((args) => (args as { text: string }).text.slice(0, 12)),
        ['secret1-Zk3v', 'http://192.1'],
      );
      assert.deepEqual(await sent('app.openHelp'), [{ page: 'collabora' }]);
      await page.mouse.click(5, 5);
      assert.ok(await dialog.isVisible(), 'a click outside keeps the token');
      await dialog.locator(':focus').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      assert.doesNotMatch(await page.content(), /secret1|3f9c0b7a/);
    }),
  );

  it(
    'says why a document couldn’t be opened',
    using('documents', async () => {
      await answer('documents.openInEditor', {
        isDone: false,
        error: { code: 'paused', message: 'DocTray is paused. Resume it.' },
      });
      await table.row('letter.docx').dblclick();
      await window.page.getByText('DocTray is paused. Resume it.').waitFor();
    }),
  );

  it(
    'creates a document by keyboard, checks the name while it is typed, and reports failures',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').waitFor();
      await page.getByRole('button', { name: 'New', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Word document' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'New Word document' });
      const field = dialog.getByRole('textbox', { name: 'Name' });
      await dialog.getByText('.docx').waitFor();
      assert.equal(await field.inputValue(), 'Untitled');
      for (const [typed, sentence] of [
        ['a/b', 'A name can’t contain “/”.'],
        ['.hidden', 'Names that start with a dot are hidden. Choose another.'],
        ['LETTER', '“letter.docx” already exists. Choose another name.'],
        ['con', 'Windows reserves this name. Choose another.'],
        ['', 'Type a name.'],
      ] as const) {
        await field.fill(typed);
        await dialog.getByText(sentence).waitFor();
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
      }
      await page.keyboard.press('Enter');
      assert.deepEqual(await sent('documents.create'), []);

      await answer('documents.create', {
        isDone: false,
        error: { code: 'x', message: 'The disk returned an error. Nothing was changed.' },
      });
      await field.fill('Offer');
      await page.keyboard.press('Enter');
      await dialog.getByText('The disk returned an error. Nothing was changed.').waitFor();
    }),
  );

  it(
    'copies a link for a colleague, at once or after opening DocTray to the network and adding a user',
    using('documents', async () => {
      const { page } = window;
      const linkIs = (result: ColleagueLink) => answer('documents.colleagueLink', { isDone: true, result });
      const url = 'https://docs.example/edit/abc';
      await linkIs({ url: null, settings: ['networkPages', 'host'], needsUser: true });
      await answer('settings.openToColleagues', {
        isDone: false,
        error: { code: 'port-taken', message: 'Port 8790 is already in use.' },
      });
      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Copy link for a colleague…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Copy link for a colleague' });
      await dialog.getByText('Before a colleague can open “letter.docx”:').waitFor();
      const steps = dialog.getByRole('listitem');
      const copyLink = dialog.getByRole('button', { name: 'Copy link' });
      const addsUser = dialog.getByRole('button', { name: 'Add user…' });
      await addsUser.and(page.locator(':focus')).waitFor();
      assert.equal(await copyLink.isDisabled(), true);
      const warning = dialog.getByText('The connection isn’t encrypted');
      await warning.waitFor();
      const { host } = makeQuietState(Date.now());
      await window.change({ values: { host: { ...host, publicUrl: 'https://docs.example' } }, tables: {} });
      await warning.waitFor({ state: 'detached' });
      const open = dialog.getByRole('button', { name: 'Open to the network' });
      await open.click();
      await page.getByText('Port 8790 is already in use.').waitFor();

      await answer('settings.openToColleagues', { isDone: true, result: null });
      await linkIs({ url, settings: [], needsUser: true });
      await open.click();
      await open.waitFor({ state: 'detached' });
      await steps.filter({ hasText: 'DocTray must be open to the network (done)' }).waitFor();
      assert.deepEqual(await sent('settings.openToColleagues'), [
        { settings: ['networkPages', 'host'] },
        { settings: ['networkPages', 'host'] },
      ]);
      assert.equal(await copyLink.isDisabled(), true, 'nobody could open it yet');
      await addsUser.and(page.locator(':focus')).waitFor();

      const addUser = page.getByRole('dialog', { name: 'Add user' });
      await addsUser.click();
      await addUser.getByRole('button', { name: 'Cancel' }).click();
      await addsUser.click();
      await addUser.getByRole('textbox', { name: 'User name' }).fill('ana');
      await addUser.getByLabel('Password').fill('a long password');
      await linkIs({ url, settings: [], needsUser: false });
      await answer('users.add', { isDone: true, result: null });
      await page.keyboard.press('Enter');
      await steps.filter({ hasText: 'Your colleague needs an account (done)' }).waitFor();
      assert.deepEqual(await sent('app.copyText'), []);
      await copyLink.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Link copied').waitFor();
      assert.equal(await dialog.count(), 0);
      assert.deepEqual(await sent('app.copyText'), [{ text: url }]);
      assert.equal((await sent('users.add')).length, 1);

      const { settings } = makeQuietState(Date.now());
      await window.change({ values: { settings: { ...settings, networkPages: true } }, tables: {} });
      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Copy link for a colleague', exact: true }).click();
      await eventually('the link is copied', async () =>
        assert.equal((await sent('app.copyText')).length, 2),
      );
      assert.equal(await dialog.count(), 0);
    }),
  );

  it(
    'selects a created folder, and the copy of a document',
    using('documents', async () => {
      const { page } = window;
      await page.getByRole('button', { name: 'New', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Folder', exact: true }).click();
      await page.getByRole('dialog', { name: 'New folder' }).waitFor();
      await page.keyboard.type('Zoo');
      await page.keyboard.press('Enter');
      await focusOn('Zoo');
      assert.deepEqual(await sent('documents.createFolder'), [{ folderPath: '', name: 'Zoo' }]);
      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      await focusOn('letter copy.docx');
      assert.deepEqual(await sent('documents.duplicate'), [{ path: 'letter.docx' }]);
    }),
  );

  it(
    'renames in the row: F2 selects the name without its extension, Escape cancels, problems are shown there',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click();
      await page.keyboard.press('F2');
      const field = page.getByRole('textbox', { name: 'New name' });
      await selectedIn(field, 'letter');
      await page.keyboard.type('scan');
      await page.keyboard.press('Escape');
      await focusOn('letter.docx');
      assert.deepEqual(await sent('documents.rename'), []);

      await page.keyboard.press('F2');
      await selectedIn(field, 'letter');
      await page.keyboard.type('Opening speech');
      await page.getByRole('alert').getByText('“Opening speech.docx” already exists.').waitFor();
      await page.keyboard.press('Enter');
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      await answer('documents.rename', { isDone: false, error: { code: 'x', message: 'The disk is full.' } });
      await field.fill('Answer 1');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('The disk is full.').waitFor();
      await answer('documents.rename', { isDone: true, result: { path: 'letter.docx' } });
      await field.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await focusOn('letter.docx');
      assert.deepEqual((await sent('documents.rename')).at(-1), {
        path: 'letter.docx',
        name: 'Answer 1.docx',
      });
    }),
  );

  it(
    'says that a document went away while it was being renamed, and what is still typed acts on no other',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click();
      await page.keyboard.press('F2');
      await selectedIn(page.getByRole('textbox', { name: 'New name' }), 'letter');
      await page.keyboard.type('Answer');
      await page.evaluate(`(() => {
        const { answers, host } = globalThis.harness;
        answers['documents.trash']({ paths: ['letter.docx'] }, host);
      })()`);
      await window.push('folder-changed', { path: '' });
      await page.getByText('“letter.docx” is no longer here').waitFor();
      await page.locator('h1:focus').waitFor();
      await page.keyboard.press('Delete');
      await page.keyboard.press('Enter');
      assert.deepEqual(await sent('documents.rename'), []);
      assert.deepEqual([await sent('documents.trash'), await sent('documents.openInEditor')], [[], []]);
    }),
  );

  it(
    'says nothing about a document that was being renamed when another folder is shown',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click();
      await page.keyboard.press('F2');
      await page.getByRole('textbox', { name: 'New name' }).waitFor();
      await go('Finance/2026/Budget 9.xlsx');
      await table.row('Budget 9.xlsx').waitFor();
      assert.equal(await page.getByText('is no longer here').count(), 0);
    }),
  );

  it(
    'selects a created document, and a renamed one when its name is left',
    using('documents', async () => {
      const { page } = window;
      await page.getByRole('button', { name: 'New', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Excel spreadsheet' }).click();
      await page.keyboard.type('Zebra list.xlsx');
      await page.keyboard.press('Enter');
      await focusOn('Zebra list.xlsx');
      assert.deepEqual(await sent('documents.create'), [
        { folderPath: '', template: 'xlsx', name: 'Zebra list.xlsx' },
      ]);
      await table.row('Zebra list.xlsx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      const field = page.getByRole('textbox', { name: 'New name' });
      await field.fill('Animals.XLSX');
      await page.getByRole('heading', { name: 'Documents' }).click();
      await table.row('Animals.xlsx').waitFor();
      assert.deepEqual(await sent('documents.rename'), [{ path: 'Zebra list.xlsx', name: 'Animals.xlsx' }]);
    }),
  );

  it(
    'moves several documents to a folder chosen in a dialog, with a new one, and back with Undo',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click();
      await table.row('scan.pdf').click({ modifiers: ['Control'] });
      const bar = page.locator('.table-bar');
      await bar.getByRole('button', { name: 'Move to trash' }).getByText('Move to trash').waitFor();
      assert.equal(await bar.getByRole('button', { name: 'Open', exact: true }).count(), 0, 'only for one');
      const { width, height } = page.viewportSize() ?? assert.fail();
      const { height: line } = (await bar.boundingBox()) ?? assert.fail();
      for (const narrower of [900, 760]) {
        await page.setViewportSize({ width: narrower, height });
        assert.equal((await bar.boundingBox())?.height, line, 'a second line would move the rows');
      }
      await page.setViewportSize({ width: 450, height });
      // Only icons have room.
      await bar.getByText('Move to trash').waitFor({ state: 'detached' });
      await bar.getByRole('button', { name: 'Move to trash' }).waitFor();
      await page.setViewportSize({ width, height });
      await bar.getByRole('button', { name: 'Move to…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Move 2 items to…' });
      await dialog.getByRole('option', { name: 'Finance' }).waitFor();
      assert.ok(await dialog.getByRole('button', { name: 'Move here' }).isDisabled(), 'they are here');
      await page.keyboard.press('Enter');
      await dialog.getByRole('option', { name: '2026' }).waitFor();
      await dialog.getByRole('button', { name: 'New folder' }).click();
      await page.getByRole('dialog', { name: 'New folder' }).getByRole('textbox').fill('Old');
      await page.keyboard.press('Enter');
      await dialog.getByText('No folders in here.').waitFor();
      // The keyboard gets out of an empty list.
      for (let stops = 0; stops < 3; stops += 1) await page.keyboard.press('Tab');
      await dialog.getByRole('button', { name: 'Move here' }).and(page.locator(':focus')).press('Enter');
      await page.getByText('Moved 2 items to “Old”').waitFor();
      await table.row('letter.docx').waitFor({ state: 'detached' });
      assert.deepEqual(await sent('documents.move'), [
        { paths: ['letter.docx', 'scan.pdf'], folderPath: 'Finance/Old', keepsBoth: false },
      ]);
      await page.getByRole('button', { name: /^Undo/u }).click();
      await table.row('letter.docx').waitFor();
      assert.deepEqual((await sent('documents.move')).at(-1), {
        paths: ['Finance/Old/letter.docx', 'Finance/Old/scan.pdf'],
        folderPath: '',
      });
    }),
  );

  it(
    'moves rows that are dragged onto a folder or a part of the path; a name that is taken can be kept as well',
    using('documents', async () => {
      const { page } = window;
      const drag = async (name: string, to: string) =>
        page.evaluate(
          `(async () => {
            const data = new DataTransfer();
            const at = (element, kind) => element.dispatchEvent(
              new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
            const row = document.querySelector('[data-row=' + JSON.stringify(${JSON.stringify(name)}) + '] [draggable]');
            const target = document.querySelector(${JSON.stringify(to)});
            at(row, 'dragstart');
            const isTaken = !at(target, 'dragover');
            const isMarked = target.closest('[data-drop]') !== null;
            at(target, 'drop');
            at(row, 'dragend');
            return isTaken && isMarked;
          })()`,
        );
      await table.row('letter.docx').waitFor();
      assert.equal(await drag('letter.docx', '[data-row="scan.pdf"]'), false, 'not onto a document');
      assert.equal(await drag('Finance', '[data-row="Finance"]'), false, 'not into itself');
      assert.equal(await drag('letter.docx', '[data-row="Finance"]'), true);
      await page.getByText('Moved “letter.docx” to “Finance”').waitFor();
      await go('Finance/letter.docx');
      await focusOn('Finance/letter.docx');
      await page.keyboard.press('Escape');
      assert.equal(await drag('Finance/letter.docx', '[data-folder=""]'), true);
      await page.getByText(/Moved “letter.docx” to “(?!Finance)/u).waitFor();

      await answer('documents.move', {
        isDone: true,
        result: {
          done: [],
          failed: [{ id: 'a', path: 'a', message: '“a” already exists there.', code: 'target-taken' }],
        },
      });
      await drag('Finance/Accounts.xlsx', '[data-row="Finance/2026"]');
      const failures = page.getByRole('dialog', { name: 'Can’t move “a”' });
      await failures.getByText('“a” already exists there.').waitFor();
      await failures.getByRole('button', { name: 'Keep both' }).click();
      await failures.waitFor();
      assert.deepEqual((await sent('documents.move')).at(-1), {
        paths: ['a'],
        folderPath: 'Finance/2026',
        keepsBoth: true,
      });
    }),
  );

  it(
    'moves documents to the trash at once, with Undo, and lists those that stayed',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click();
      await table.row('Roof plan.pptx').click({ modifiers: ['Control'] });
      await table.row('Budget 2026.xlsx').click({ modifiers: ['Control'] });
      await page.keyboard.press('Delete');
      const failures = page.getByRole('dialog', { name: '2 items weren’t moved to the trash' });
      await failures.waitFor();
      assert.equal(await failures.getByText('The document is being edited.').count(), 2);
      await failures.locator(':focus').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Moved “letter.docx” to the trash').waitFor();
      await table.row('letter.docx').waitFor({ state: 'detached' });
      assert.deepEqual(await sent('documents.trash'), [
        { paths: ['Budget 2026.xlsx', 'letter.docx', 'Roof plan.pptx'] },
      ]);
      await page.keyboard.press('Control+z');
      await table.row('letter.docx').waitFor();
      assert.deepEqual(await sent('documents.undoTrash'), [{ id: 'undo1' }]);
    }),
  );

  it(
    'says how many were already gone when others are moved to the trash, or which one',
    using('documents', async () => {
      const { page } = window;
      const deleteElsewhere = async (path: string) =>
        page.evaluate(`(() => {
          const { answers, host } = globalThis.harness;
          answers['documents.trash']({ paths: [${JSON.stringify(path)}] }, host);
        })()`);
      await table.row('letter.docx').click();
      await table.row('Roster.ods').click({ modifiers: ['Control'] });
      await deleteElsewhere('letter.docx');
      await page.keyboard.press('Delete');
      const moved = page.locator('.toast').filter({ hasText: 'Moved “Roster.ods”' });
      await moved.getByText('1 was already gone.', { exact: true }).waitFor();
      await table.row('notes.md').click();
      await deleteElsewhere('notes.md');
      await page.keyboard.press('Delete');
      await page.getByText('“notes.md” was already gone', { exact: true }).waitFor();
      assert.equal(
        await page
          .getByText('trash')
          .filter({ hasText: /Can’t|weren’t/u })
          .count(),
        0,
      );
    }),
  );

  it(
    'returns the focus to the row after a dialog that its menu opened later',
    using('documents', async () => {
      const { page } = window;
      for (const entries of [['Copy link for a colleague…'], ['Advanced', 'Show WOPI address…']]) {
        await table.row('notes.md').click();
        await focusOn('notes.md');
        await page.keyboard.press('Shift+F10');
        for (const name of entries) await page.getByRole('menuitem', { name }).press('Enter');
        await page.locator('.dialog :focus').waitFor();
        await page.keyboard.press('Escape');
        await page.locator('.dialog').waitFor({ state: 'detached' });
        await focusOn('notes.md');
      }
      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Copy link for a colleague…' }).click();
      await page.locator('.dialog :focus').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.dialog').waitFor({ state: 'detached' });
      await focusOn('letter.docx');
    }),
  );

  it(
    'moves the focus to the next row when the focused one is deleted, and deselects a document that another program deleted',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click();
      await page.keyboard.press('Delete');
      await table.row('letter.docx').waitFor({ state: 'detached' });
      const next = 'Minutes of the general meeting of the harbour association, second part, corrected.docx';
      await focusOn(next);
      await page.keyboard.press('Space');
      await page.keyboard.press('Shift+ArrowUp');
      await page.getByText('2 selected', { exact: true }).waitFor();
      await page.evaluate(`(() => {
        const { answers, host } = globalThis.harness;
        answers['documents.trash']({ paths: [${JSON.stringify(next)}] }, host);
      })()`);
      await window.push('folder-changed', { path: '' });
      await page.getByText('1 selected', { exact: true }).waitFor();
    }),
  );

  it(
    'opens from the button of a row, and marks the default editor',
    using('documents', async () => {
      const { page } = window;
      await table.row('Roster.ods').hover();
      await table.row('Roster.ods').hover();
      await table.row('Roster.ods').locator('.documents-open').click();
      await page.getByText('Opened Roster.ods in Collabora in the cellar').waitFor();
      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Open read-only' }).click();
      assert.deepEqual(await sent('documents.openInEditor'), [
        { path: 'Roster.ods', mode: 'edit', editorId: null },
        { path: 'letter.docx', mode: 'view', editorId: null },
      ]);
    }),
  );

  it(
    'shows the target of dropped files and copies them as a job, without leaving the page',
    using('documents', async () => {
      const { page } = window;
      await go('Finance/Accounts.xlsx');
      await table.row('Accounts.xlsx').waitFor();
      const address = page.url();
      assert.equal(await dragOver('dragover', 2), true);
      await page.getByText('Drop to copy into “Finance”').waitFor();
      assert.equal(await dragOver('drop', 2), true);
      await page.getByText('Drop to copy into “Finance”').waitFor({ state: 'detached' });
      await page.getByText('Copying 2 files into Finance').waitFor();
      const source = '/home/ana/Desktop/dropped.docx';
      assert.deepEqual(await sent('documents.import'), [
        { folderPath: 'Finance', sources: [source, source] },
      ]);
      const before = (await sent('documents.list')).length;
      await window.change({
        values: {},
        tables: {
          jobs: {
            upsert: [
              {
                id: 'import1',
                title: 'Copying 2 files into Finance',
                done: 2,
                total: 2,
                unit: 'files',
                canCancel: false,
                state: 'done',
                sentence: '2 files were copied.',
              },
            ],
            remove: [],
          },
        },
      });
      await page.getByRole('status').getByText('2 files were copied.').waitFor();
      await eventually('the folder is listed again', async () =>
        assert.ok((await sent('documents.list')).length > before),
      );
      const missed = await page.evaluate(`(() => {
        const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() });
        document.querySelector('.rail').dispatchEvent(event);
        return event.defaultPrevented;
      })()`);
      assert.equal(missed, true, 'a file dropped outside the view does nothing');
      assert.equal(page.url(), address);
    }),
  );

  it(
    'shows versions beside the documents: restores one after a question, opens one, saves a copy',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Versions' }).click();
      const panel = page.getByRole('region', { name: 'Versions' });
      await panel.getByRole('heading', { name: 'Versions' }).and(page.locator(':focus')).waitFor();
      const items = panel.getByRole('list', { name: 'Versions' }).getByRole('listitem');
      await items.first().waitFor();
      assert.equal(await items.count(), 8);
      assert.match(
        await items.nth(0).innerText(),
        /Current\s+(Today|Yesterday) \d\d:\d\d[\s\S]*Ben Okafor · Autosaved\s+18 KB/,
      );
      // An hour ago may be yesterday.
      assert.match(
        await items.nth(1).innerText(),
        /(Today \d\d:\d\d\s+1\sh ago|Yesterday \d\d:\d\d)\s+Ana Ruiz · Saved\s+18 KB/,
      );
      assert.match(await items.nth(2).innerText(), /Ana Ruiz · Not written: the editor reported no changes/);
      assert.match(await items.nth(3).innerText(), /Ana Ruiz and Ben Okafor · Autosaved on closing/);
      assert.match(await items.nth(4).innerText(), /Changed by another program\s+\d+ KB/);
      await panel.getByRole('img', { name: 'Sizes of 8 versions, oldest first: 13 KB to 18 KB' }).waitFor();

      // The newest is chosen at first, and another by its bar or its row.
      const row = (index: number) => items.nth(index).locator('button.versions-row');
      const action = (name: RegExp) => panel.locator('.versions-actions').getByRole('button', { name });
      assert.equal(await row(1).getAttribute('aria-expanded'), 'true');
      await panel.locator('.versions-bar').nth(5).click();
      await row(2).and(page.locator(':focus')).waitFor();
      assert.equal(await row(1).getAttribute('aria-expanded'), 'false');
      await page.mouse.move(0, 0);
      const fills = await panel
        .locator('.versions-bar-size')
        .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).fill));
      assert.equal(fills.filter((fill) => fill !== fills[5]).length, 7, 'only the chosen bar has its color');
      assert.equal(await action(/./u).count(), 3, 'only the chosen one has actions');
      await action(/^Restore the version from .+…$/u).click();
      const question = page.getByRole('alertdialog', { name: 'Restore “letter.docx”?' });
      assert.match(await question.innerText(), /17 KB[\s\S]*current content is kept as a version/);
      await question.getByRole('button', { name: 'Restore' }).click();
      await page.getByText('Restored “letter.docx”.').waitFor();
      assert.deepEqual(await sent('versions.restore'), [{ path: 'letter.docx', versionId: 'version1' }]);

      await row(1).click();
      await action(/^Open the version from .+ read-only$/u).click();
      assert.deepEqual(await sent('versions.open'), [{ path: 'letter.docx', versionId: 'version0' }]);
      await action(/^Save a copy of the version from/u).click();
      const dialog = page.getByRole('dialog', { name: 'Save a copy' });
      assert.match(
        await dialog.getByRole('textbox').inputValue(),
        /^letter \(\d{4}-\d\d-\d\d \d\d\.\d\d\)$/u,
      );
      await dialog.getByRole('textbox').fill('letter of May');
      await page.keyboard.press('Enter');
      await focusOn('letter of May.docx');
      assert.deepEqual(await sent('versions.saveCopy'), [
        { path: 'letter.docx', versionId: 'version0', name: 'letter of May.docx' },
      ]);
    }),
  );

  it(
    'keeps the focus at the button of a version that can’t be restored',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Versions' }).click();
      await page.locator('button.versions-row').nth(1).click();
      const restore = page.getByRole('button', { name: /^Restore the version from/u });
      await restore.click();
      await page.evaluate(`globalThis.harness.answers['versions.restore'] = () =>
        new Promise((_, fail) => setTimeout(fail, 500, new Error('This version no longer exists.')))`);
      await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
      await page.getByText('This version no longer exists.').waitFor();
      await restore.and(page.locator(':focus')).waitFor();
    }),
  );

  it(
    'says what to do before it restores a document that is being edited, and closes the message of a failure after a while',
    using('documents', async () => {
      const { page } = window;
      await table.row('Budget 2026.xlsx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Versions' }).click();
      const restore = page.getByRole('button', { name: /^Restore the version from/u });
      await restore.click();
      const dialog = page.getByRole('alertdialog', { name: 'Can’t restore “Budget 2026.xlsx” now' });
      await dialog.getByText('Ana Ruiz is editing this document now.').waitFor();
      await dialog.getByText('Close it in the editor first, or save this version as a copy.').waitFor();
      await dialog.getByRole('button', { name: 'Save a copy…' }).click();
      await page.getByRole('dialog', { name: 'Save a copy' }).waitFor();
      await page.keyboard.press('Escape');
      assert.deepEqual(await sent('versions.restore'), []);

      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Versions' }).click();
      await page.evaluate(`(() => {
        globalThis.harness.answers['versions.restore'] = () => { throw new Error('This version no longer exists.'); };
        const { setTimeout } = globalThis;
        globalThis.setTimeout = (run, ms) => setTimeout(run, ms > 10_000 ? 3000 : ms);
        globalThis.endTest = () => { globalThis.setTimeout = setTimeout; };
      })()`);
      await page.getByText('letter.docx, 7 earlier versions').waitFor();
      await restore.click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
      const failure = page.getByText('This version no longer exists.');
      await failure.waitFor();
      await failure.waitFor({ state: 'detached' });
      await page.evaluate('globalThis.endTest()');
    }),
  );

  it(
    'follows the document of an open Versions panel, which is renamed elsewhere',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Versions' }).click();
      const panel = page.getByRole('region', { name: 'Versions' });
      await panel.getByText('letter.docx, 7 earlier versions').waitFor();
      await page.evaluate(`(() => {
        const { answers, host } = globalThis.harness;
        const list = answers['versions.list'];
        answers['versions.list'] = ({ path, fileId }) => {
          if (fileId !== 'id of letter.docx') throw new Error('This document doesn’t exist.');
          return { ...list({ path }, host), path: 'note.docx' };
        };
      })()`);
      await window.push('folder-changed', { path: '' });
      await panel.getByText('note.docx, 7 earlier versions').waitFor();
      await page.getByRole('button', { name: /^Open the version from/u }).click();
      await eventually('the version is opened', async () =>
        assert.equal((await sent('versions.open')).length, 1),
      );
      assert.deepEqual(await sent('versions.open'), [{ path: 'note.docx', versionId: 'version0' }]);
    }),
  );

  it(
    'updates an open Versions panel after a save with the same version chosen, and ignores an older response that arrives late',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Versions' }).click();
      const panel = page.getByRole('region', { name: 'Versions' });
      await panel.getByText('letter.docx, 7 earlier versions').waitFor();
      const chosen = panel.locator('.versions-chosen > .versions-row');
      const chosenAt = await chosen.getAttribute('title');
      // Each answer has one version more; the first of the next two comes last.
      await page.evaluate(`(() => {
        const { answers, host } = globalThis.harness;
        const list = answers['versions.list'];
        let asked = 0;
        answers['versions.list'] = async (args) => {
          asked += 1;
          const mine = asked;
          const answer = list(args, host);
          const [newest] = answer.versions;
          for (let count = 0; count < mine; count += 1)
            answer.versions.unshift({ ...newest, id: 'new' + mine + count, writtenAtMs: answer.current.savedAtMs });
          if (mine === 1) await new Promise((resolve) => { globalThis.answerFirst = resolve; });
          return answer;
        };
      })()`);
      await window.push('folder-changed', { path: '' });
      // A document of another folder, as a search finds one, changes without a push for the shown folder.
      const saved = makeSession(0, Date.now(), { fileId: 'id of letter.docx', saves: 1 });
      await window.change({ values: {}, tables: { sessions: { upsert: [saved], remove: [] } } });
      await panel.getByText('letter.docx, 9 earlier versions').waitFor();
      assert.equal(await chosen.getAttribute('title'), chosenAt);
      const current = panel.getByRole('listitem').first();
      assert.match(await current.innerText(), /^Current\s+.+ \d\d:\d\d:\d\d/u, 'others are from its minute');
      await page.evaluate('globalThis.answerFirst()');
      await page.waitForTimeout(50);
      await panel.getByText('letter.docx, 9 earlier versions').waitFor();
    }),
  );

  it(
    'compares a version of a text document with its current content, side by side',
    using('documents', async () => {
      const { page } = window;
      await table.row('notes.md').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Versions' }).click();
      const panel = page.getByRole('region', { name: 'Versions' });
      await panel.getByRole('button', { name: /^Compare the version from/u }).click();
      const dialog = page.getByRole('dialog', { name: /^Changes in “notes\.md” since/u });
      const rows = dialog.getByRole('row');
      await rows.nth(2).waitFor();
      await dialog.getByText('3 changes · 2 lines removed · 3 lines added').waitFor();
      const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, ' ').trim());
      assert.match(texts[0] ?? '', /^This version .+ · Ana Ruiz · .+ KB Current .+ · Ben Okafor · .+ KB$/u);
      assert.deepEqual(texts.slice(1, 3), [
        '1 Dear council, 1 Dear council,',
        '2 the bridge is old. 2 the bridge is new.',
      ]);
      assert.deepEqual(
        texts.filter((text) => text.includes('unchanged')),
        ['10 unchanged lines', '6 unchanged lines'],
      );
      await dialog.getByRole('button', { name: 'Previous change' }).click();
      await dialog.getByRole('status').getByText('Change 3 of 3').waitFor();
      await dialog.getByRole('button', { name: 'Next change' }).click();
      await dialog.getByRole('status').getByText('Change 1 of 3').waitFor();
      // A comparison that is drawn again is where it was, with the focus.
      await page.setViewportSize({ width: 1100, height: 460 });
      const lines = dialog.getByRole('region', { name: 'Lines' });
      await dialog.getByRole('button', { name: 'Previous change' }).click();
      await dialog.getByRole('status').getByText('Change 3 of 3').waitFor();
      await lines.focus();
      const scrollTop = await lines.evaluate((region) => region.scrollTop);
      assert.ok(scrollTop > 0);
      const saved = makeSession(0, Date.now(), { path: 'notes.md', saves: 1 });
      await window.change({ values: {}, tables: { sessions: { upsert: [saved], remove: [] } } });
      await page.setViewportSize({ width: 1090, height: 460 });
      await page.waitForTimeout(200);
      assert.deepEqual(
        await lines.evaluate((region) => [region.scrollTop, region === document.activeElement]),
        [scrollTop, true],
      );
      assert.deepEqual((await sent('versions.text')).length, 2);
    }),
  );

  it(
    'shows the disk that versions use, and cleans up as a job',
    using('documents', async () => {
      const { page } = window;
      await page.getByRole('button', { name: 'Folder actions' }).click();
      await page.getByRole('menuitem', { name: 'Show disk space used by versions…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Disk space used by versions' });
      await dialog.getByText('1,204 versions of all documents: 3.7 GB').waitFor();
      await dialog.getByRole('button', { name: 'Clean up now' }).click();
      await dialog.getByText('310 of 1,204 files').waitFor();
      await dialog.getByRole('button', { name: 'Cancel: Cleaning up versions' }).click();
      assert.deepEqual(await sent('jobs.cancel'), [{ id: 'cleanUp1' }]);
    }),
  );

  it(
    'keeps scroll position and selection when the folder changes',
    using('documents-many', async () => {
      const { page } = window;
      await go('Report 005000.docx');
      await focusOn('Report 005000.docx');
      const top = await table.topOf('Report 005000.docx');
      await relist(`
        await new Promise((resolve) => setTimeout(resolve, 60));
        return list(args);
      `);
      const before = (await sent('documents.list')).length;
      for (let count = 0; count < 5; count += 1) await window.push('folder-changed', { path: '' });
      await eventually('it is read again', async () =>
        assert.ok((await sent('documents.list')).length >= before + 11),
      );
      await page.waitForTimeout(1000);
      const asked = (await sent('documents.list')).length - before;
      assert.ok(asked <= 3 * 11, `${asked} pages of 11, for five changes`);
      assert.equal(await table.topOf('Report 005000.docx'), top);
      assert.deepEqual(await table.selected(), ['Report 005000.docx']);
    }),
  );

  it(
    'keeps the scroll position when documents are added above',
    using('documents-many', async () => {
      const { page } = window;
      /** Adds `count` documents before all others. */
      const shift = async (count: number) => {
        await relist(`
          const shifted = await list({ ...args, startIndex: Math.max(0, args.startIndex - ${count}) });
          return { ...shifted, startIndex: args.startIndex, total: shifted.total + ${count} };
        `);
        const lists = (await sent('documents.list')).length;
        await window.push('folder-changed', { path: '' });
        while ((await sent('documents.list')).length === lists) await page.waitForTimeout(20);
        await page.waitForTimeout(100);
      };
      await table.row('Year 2017').waitFor();
      await table.scrollTo(5000 * 34);
      await table.row('Report 005001.xlsx').waitFor();
      const top = await table.topOf('Report 005001.xlsx');
      await shift(3);
      assert.equal(await table.topOf('Report 005001.xlsx'), top, 'nothing has the focus');
      await table.row('Report 005004.docx').click();
      const focusedTop = await table.topOf('Report 005004.docx');
      await shift(1);
      assert.equal(await table.topOf('Report 005004.docx'), focusedTop, 'a row has the focus');
      assert.deepEqual(await table.selected(), ['Report 005004.docx']);
    }),
  );

  it(
    'watches only the folder that is shown, and none in another view',
    using('documents', async () => {
      await table.row('letter.docx').waitFor();
      await go('Finance/Accounts.xlsx');
      await table.row('Accounts.xlsx').waitFor();
      await window.push('navigate', { view: 'locks' });
      await window.page.getByRole('heading', { name: 'Locks' }).waitFor();
      assert.deepEqual(await sent('documents.watch'), [{ path: '' }, { path: 'Finance' }, { path: null }]);
    }),
  );

  it(
    'shows live who edits a document, and links a stale lock to the Locks view',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').waitFor();
      assert.match(await table.row('Budget 2026.xlsx').innerText(), /Being edited by Ana Ruiz/);
      await window.change({
        values: {},
        tables: { locks: { upsert: [], remove: ['id of Budget 2026.xlsx'] } },
      });
      await table.row('Budget 2026.xlsx').getByText('Being edited by').waitFor({ state: 'detached' });
      await table
        .row('Invitation.odt')
        .getByRole('button', { name: /^Stale lock of .+: show it in Locks$/u })
        .click();
      await page.getByRole('heading', { name: 'Locks' }).waitFor();
      await focusOn('id of Invitation.odt');
    }),
  );

  it(
    'copies absolute paths, and shows a document in the file manager',
    using('documents', async () => {
      const { page } = window;
      await go('Finance/Accounts.xlsx');
      await table.row('Accounts.xlsx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Advanced' }).press('ArrowRight');
      await page.getByRole('menuitem', { name: 'Copy path' }).click();
      await table.row('Accounts.xlsx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Show in file manager' }).click();
      assert.deepEqual(await sent('app.copyText'), [{ text: '/home/robin/Documents/Finance/Accounts.xlsx' }]);
      assert.deepEqual(await sent('documents.reveal'), [{ path: 'Finance/Accounts.xlsx' }]);
    }),
  );

  it(
    'offers the top folder when a folder is gone, and to try again after other errors',
    using('documents', async () => {
      const { page } = window;
      await table.row('letter.docx').waitFor();
      await go('Nowhere/file.docx');
      await page.getByText('This folder doesn’t exist in the hosted folder.').waitFor();
      await page.getByRole('button', { name: 'Go to the top folder' }).click();
      await table.row('letter.docx').waitFor();
      await answer('documents.list', {
        isDone: false,
        error: { code: 'x', message: 'The disk returned an error.' },
      });
      await window.push('folder-changed', { path: '' });
      await page.getByText('This list may be out of date. The disk returned an error.').waitFor();
      assert.ok(await table.row('letter.docx').isVisible());
      await answer('documents.list', {
        isDone: true,
        result: { path: '', startIndex: 0, items: [], total: 0 },
      });
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('This folder is empty.').waitFor();
    }),
  );

  it('keeps field and rows in place while searching, and marks what was found', async () => {
    const window = await lab.open({ scenario: 'documents', view: 'documents' });
    const { page } = window;
    const field = page.getByRole('searchbox');
    const tops = async () => [
      (await field.boundingBox())?.y,
      (await page.locator('.table-scroller').boundingBox())?.y,
    ];
    try {
      for (const folder of [undefined, 'Finance']) {
        if (folder !== undefined) {
          await tableOf(page).row(folder).dblclick();
          await page.getByRole('navigation', { name: 'Folder' }).waitFor();
        }
        const before = await tops();
        await field.fill('offer');
        if (folder !== undefined) await page.getByText('Results in “Documents”').waitFor();
        const found = tableOf(page).row('Offer 3.odt');
        await found.waitFor();
        assert.deepEqual(await tops(), before, folder);
        assert.deepEqual(
          await found
            .locator('mark')
            .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('data-text'))),
          ['Offer'],
        );
        await field.fill('');
      }
      assert.deepEqual(window.problems, []);
    } finally {
      await window.close();
    }
  });

  it('keeps the search field with its name while rows are selected, also in German and at 200 % zoom', async () => {
    for (const look of [
      { size: { width: 900, height: 620 }, locale: 'de-DE' },
      { size: { width: 1400, height: 900 }, zoom: 2 },
      { size: { width: 900, height: 620 }, zoom: 2, locale: 'de-DE' },
    ]) {
      const window = await lab.open({ scenario: 'documents', view: 'documents', ...look });
      const { page } = window;
      try {
        const yOf = async (part: string) => (await page.locator(part).boundingBox())?.y ?? Number.NaN;
        // All of the smallest window scrolls.
        const top = async () => (await yOf('.table-scroller')) - (await yOf('h1'));
        await tableOf(page).row('letter.docx').waitFor();
        const before = await top();
        await tableOf(page).row('letter.docx').locator('[data-check]').click();
        await page.locator('.table-bar-selecting').waitFor();
        assert.equal(await top(), before);
        const field = page.getByRole('searchbox');
        const missing = await field.evaluate((input: HTMLInputElement) => {
          const style = getComputedStyle(input);
          const pen = document.createElement('canvas').getContext('2d');
          if (pen === null) throw new Error('no canvas');
          pen.font = style.font;
          const room =
            input.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
          return Math.max(0, pen.measureText(input.placeholder).width - room);
        });
        assert.equal(missing, 0, JSON.stringify(look));
      } finally {
        await window.close();
      }
    }
  });

  it('shows one message and one action when no folder is served', async () => {
    for (const [scenario, sentence, button, command] of [
      ['idle', 'No folder is chosen yet.', 'Choose folder…', 'host.chooseFolder'],
      ['broken', 'The hosted folder is missing.', 'Change folder…', 'host.chooseFolder'],
    ] as const) {
      await using(scenario, async () => {
        const main = window.page.getByRole('main');
        await main.getByText(sentence).waitFor();
        await main.getByRole('button', { name: button }).click();
        assert.equal((await sent(command)).length, 1);
        assert.deepEqual(await sent('documents.list'), []);
      })();
    }
  });
});
