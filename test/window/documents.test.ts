import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright';
import { eventually } from '../durability/eventually.ts';
import { makeOrphanLock, makeSession } from './harness/rows.ts';
import { windowTests } from './open-window.ts';

/** Uses the page's own timers: on a busy computer, Playwright's keys can arrive after the typing pause. */
async function typeWithoutPause(page: Page, text: string): Promise<void> {
  await page.evaluate(async (typed) => {
    const field = document.activeElement;
    if (!(field instanceof HTMLInputElement)) throw new Error('No text field has the focus.');
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
    for (let length = 1; length <= typed.length; length += 1) {
      set?.call(field, typed.slice(0, length));
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, text);
}

/** Waits until the focus is in the field and all of its text, which is this one, is selected. */
async function selectedIn(field: Locator, text: string): Promise<void> {
  await eventually(`“${text}” is selected`, async () =>
    assert.deepEqual(
      await field.evaluate((input: HTMLInputElement) => {
        const { value, selectionStart, selectionEnd } = input;
        const selected = value.slice(selectionStart ?? 0, selectionEnd ?? 0);
        return [selected, value, input === document.activeElement];
      }),
      [text, text, true],
    ),
  );
}

describe('the Documents view', () => {
  const { open, shown } = windowTests({ view: 'documents', scenario: 'documents' });
  /** Changes how the host lists folders: a function's body with `args`, and `list`, which lists them as before. */
  const relist = async (body: string) =>
    shown().inPage(`const before = answers['documents.list'];
      answers['documents.list'] = async (args, host) => {
        const list = (changed) => before(changed, host);
        ${body}
      };`);
  /** As if another program deleted it. */
  const deleteElsewhere = async (path: string) =>
    shown().inPage(`answers['documents.trash']({ paths: [${JSON.stringify(path)}] }, host);`);
  const go = async (path: string) => shown().push('navigate', { view: 'documents', path });
  const focusOn = async (path: string) => shown().focused(`[data-row="${path}"]`);
  const here = async () =>
    shown().page.getByRole('navigation', { name: 'Folder' }).locator('[aria-current="page"]').innerText();
  const newName = () => shown().page.getByRole('textbox', { name: 'New name' });
  const versions = () => shown().page.getByRole('region', { name: 'Versions' });

  it('can be used by keyboard: enters a folder, goes back to it, opens a document in the editor', async () => {
    const { page, table, see, sent } = await open();
    await table.row('Finance').waitFor();
    for (let steps = 0; steps < 30 && (await table.focused()) === ''; steps += 1)
      await page.keyboard.press('Tab');
    assert.equal(await table.focused(), 'Finance');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await table.row('Accounts.xlsx').waitFor();
    assert.equal(await here(), 'Finance');
    await focusOn('Finance/2026');
    await page.keyboard.press('Enter');
    await table.row('Budget 9.xlsx').waitFor();
    assert.equal(await here(), '2026');
    await focusOn('Finance/2026/Offers');

    await page.keyboard.press('Backspace');
    await focusOn('Finance/2026');
    await page.keyboard.press('Alt+ArrowUp');
    await focusOn('Finance');
    await page.locator('[data-row="Finance"][aria-selected="true"]').waitFor();
    assert.deepEqual(await sent('documents.openInEditor'), [], 'folders don’t open in an editor');
    // It watches only the folder that is shown.
    const watched = (await sent('documents.watch')) as { path: string }[];
    assert.deepEqual(
      watched.map(({ path }) => path),
      ['', 'Finance', 'Finance/2026', 'Finance', ''],
    );

    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    assert.equal(await table.focused(), 'Roster.ods');
    await page.keyboard.press('Enter');
    await see('Opened Roster.ods in Collabora in the cellar');
    assert.deepEqual(await sent('documents.openInEditor'), [
      { path: 'Roster.ods', mode: 'edit', editorId: null },
    ]);
    await page.keyboard.press('Control+3');
    await page.getByRole('heading', { name: 'Locks', level: 1 }).waitFor();
    assert.deepEqual((await sent('documents.watch')).at(-1), { path: null }, 'in another view, none');
  });

  it('shows the first of 10,000 documents before the rest has come, all of which can be selected then; goes to the last one by keyboard, and to one that is asked for; a folder that a link opened isn’t selected when another link shows its parent', async () => {
    const { page, table, see } = await open('documents-many');
    await table.row('Year 2017').waitFor();
    await page.evaluate(
      'void (globalThis.rest = new Promise((resolve) => (globalThis.answerRest = resolve)))',
    );
    await relist('if (args.startIndex > 0) await globalThis.rest; return list(args);');
    await go('Year 2020');
    await see('This folder is empty');
    assert.equal(await here(), 'Year 2020');
    await page.keyboard.press('Backspace');
    await focusOn('Year 2020');
    await page.getByText('1,000 items', { exact: true }).or(page.getByText('1 selected')).first().waitFor();
    const all = page.getByRole('checkbox', { name: 'Select all' });
    assert.equal(await all.isDisabled(), true);
    await page.keyboard.press('Control+a');
    assert.deepEqual(await table.selected(), ['Year 2020']);
    await page.evaluate('globalThis.answerRest()');
    await page.locator('[role="grid"][aria-rowcount="10011"]').waitFor();
    assert.ok((await table.names()).length < 60);
    await page.keyboard.press('End');
    await focusOn('Report 009999.pptx');
    await page.keyboard.press('ArrowUp');
    await focusOn('Report 009998.odt');
    await page.keyboard.press('Home');
    await focusOn('Year 2017');
    await all.click();
    await see('10,010 selected');
    assert.equal(await all.isChecked(), true);
    await page.getByRole('row', { name: 'Year 2018' }).click();
    await page.getByText('1 selected', { exact: true }).waitFor();
    assert.equal(await all.evaluate((box) => 'indeterminate' in box && box.indeterminate), true);

    await go('Report 008754.odt');
    await focusOn('Report 008754.odt');
    assert.deepEqual(await table.selected(), ['Report 008754.odt']);
    await go('Year 2020');
    await see('This folder is empty');
    await relist('await new Promise((resolve) => setTimeout(resolve, 100)); return list(args);');
    await go('gone.docx');
    await see('“gone.docx” is no longer in this folder');
    await see('10,010 items');
    assert.deepEqual(await table.selected(), []);
  });

  it('sorts by name, time and size, in both directions with folders first, and keeps the order', async () => {
    const { page, table, press, push } = await open();
    await table.row('letter.docx').waitFor();
    for (const [title, first, firstFolder] of [
      ['Name', 'scan.pdf', 'Projects'],
      ['Modified', 'Budget 2026.xlsx', 'Finance'],
      ['Modified', 'Photos of the bridge.zip', 'Projects'],
      ['Size', 'Photos of the bridge.zip', undefined],
    ] as const) {
      await press(title);
      await eventually(title, async () => {
        const names = await table.names();
        assert.deepEqual(names.slice(0, 4).toSorted(), ['Finance', 'Letters', 'Minutes', 'Projects']);
        assert.ok(names[4]?.startsWith(first), names[4]);
        assert.equal(names[0], firstFolder ?? names[0]);
      });
    }
    const size = page.getByRole('columnheader', { name: 'Size' });
    const sizeIsFirst = async () => size.and(page.locator('[aria-sort="descending"]')).waitFor();
    await sizeIsFirst();
    await table.row('Finance').dblclick();
    await table.row('Accounts.xlsx').waitFor();
    await push('navigate', { view: 'locks' });
    await page.getByRole('heading', { name: 'Locks' }).waitFor();
    await push('navigate', { view: 'documents' });
    await table.row('Accounts.xlsx').waitFor();
    await sizeIsFirst();
  });

  it('searches all folders when typing pauses; shows what was found, where it is, and how far it searched', async () => {
    const { page, table, see, sent, answer } = await open({ size: { width: 900, height: 720 } });
    await table.row('letter.docx').waitFor();
    const tops = async () =>
      page
        .locator('[role="searchbox"], input[type="search"], .table-scroller')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
    const before = await tops();
    await page.keyboard.press('/');
    await typeWithoutPause(page, 'offer');
    const found = table.row('Offer 3.odt');
    await found.waitFor();
    assert.deepEqual(await tops(), before, 'field and rows stay in place');
    assert.deepEqual(await found.locator('mark').allInnerTexts(), ['']);
    assert.equal(await found.locator('mark').getAttribute('data-text'), 'Offer');
    assert.deepEqual(await sent('documents.search'), [{ text: 'offer', count: 500 }]);
    await page.getByText('3 results', { exact: true }).first().waitFor();

    await page
      .getByRole('gridcell', { name: 'Finance/2026/Offers/Harbour bridge', exact: true })
      .locator('[title="Finance/2026/Offers/Harbour bridge/Offer.docx"]')
      .waitFor();

    await answer('documents.search', { gives: { items: [], isComplete: false, searched: 48_210 } });
    await page.keyboard.type('x');
    await see('Searched 48,210 names before time ran out. There may be more.');
    await answer('documents.search', { refuses: 'The disk returned an error.' });
    await page.keyboard.type('y');
    await page.getByRole('alert').getByText('The disk returned an error.').waitFor();
    await page.keyboard.press('Escape');
    await table.row('letter.docx').waitFor();
  });

  it('goes from the search to the first result by ↓ or Enter, opens it by Enter, and clears the search by Escape; shows a result in its folder', async () => {
    const { page, table, see, sent, choose, focused } = await open();
    await table.row('Finance').dblclick();
    await table.row('Accounts.xlsx').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('offer');
    await see('Results in “Documents”');
    await table.row('Offer 3.odt').waitFor();
    for (const key of ['ArrowDown', 'Enter']) {
      await page.keyboard.press(key);
      await focusOn('Finance/2026/Offers');
      assert.deepEqual(await table.selected(), ['Offers']);
      await page.keyboard.press('/');
    }
    await page.keyboard.press('Escape');
    await table.row('Accounts.xlsx').waitFor();
    await focused(page.getByRole('searchbox'));
    // Before there is a result.
    await page.keyboard.type('offer 3');
    await page.keyboard.press('Enter');
    await focusOn('Finance/2026/Offers/Offer 3.odt');
    await page.keyboard.press('Enter');
    await see('Opened Offer 3.odt in');
    assert.equal((await sent('documents.openInEditor')).length, 1);

    await page.getByRole('searchbox').fill('offer');
    await choose('Offer.docx', 'Show in its folder');
    await focusOn('Finance/2026/Offers/Harbour bridge/Offer.docx');
    assert.equal(await here(), 'Harbour bridge');
    assert.deepEqual(await table.selected(), ['Offer.docx']);
  });

  it('deselects what another program deleted out of sight, after Select all', async () => {
    const { page, see, press, push, sent } = await open('documents-many');
    await see('10,010 items');
    await relist(`const { left = [[0, 450]] } = globalThis;
        const { items: all } = await list({ path: args.path, startIndex: 0, count: 450 });
        const items = left.flatMap(([from, to]) => all.slice(from, to));
        const end = args.startIndex + args.count;
        return { ...args, items: items.slice(args.startIndex, end), total: items.length };`);
    /** The host has only these ranges of the 450 items. */
    const leave = async (...left: [from: number, to: number][]) => {
      await page.evaluate(`globalThis.left = ${JSON.stringify(left)}`);
      await push('folder-changed', { path: '' });
    };
    const selected = async (count: number) => page.getByText(`${count} selected`, { exact: true }).waitFor();
    await leave([0, 450]);
    await page.getByText('450 items', { exact: true }).first().waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await selected(450);
    await leave([0, 440], [442, 450]);
    await selected(448);
    await press('Size');
    await leave([0, 430], [442, 450]);
    await selected(438);
    await leave([0, 150]);
    await selected(150);
    const before = (await sent('documents.list')).length;
    await leave([0, 450]);
    await page.locator('[role="grid"][aria-rowcount="451"]').waitFor();
    assert.ok((await sent('documents.list')).length > before);
    await selected(150);
  });

  it('shows the document of a lock by its id, and doesn’t take another one with its name for it', async () => {
    const { page, table, see, choose, upsert, remove } = await open();
    const show = async (name: string): Promise<void> => {
      await page.keyboard.press('Control+3');
      await choose(name, 'Show in Documents');
      await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor();
    };
    await show('Accounts.xlsx');
    await focusOn('Finance/Accounts.xlsx');
    assert.equal((await table.selected()).length, 1);
    await remove('locks', 'id of letter.docx');
    await upsert('locks', { ...makeOrphanLock(7, Date.now()), id: 'deleted', path: 'letter.docx' });
    await show('letter.docx');
    await see('“letter.docx” is no longer in this folder');
    await see('Another item has this name now.');
    await table.row('letter.docx').waitFor();
    assert.deepEqual(await table.selected(), []);
  });

  it('shows the WOPI address and a masked token once, and keeps neither', async () => {
    const { page, choose, sent, pressIn } = await open();
    await choose('letter.docx', 'Advanced', 'Show WOPI address…');
    const dialog = page.getByRole('alertdialog', { name: 'WOPI address of “letter.docx”' });
    const press = async (name: string) => dialog.getByRole('button', { name }).click();
    await dialog.getByText('http://192.168.1.14:8790/wopi/files/3f9c0b7a52e14d06').waitFor();
    assert.doesNotMatch(await page.content(), /secret1/);
    assert.match(await dialog.innerText(), /10\sh, to edit this document only/);
    await press('Copy access token');
    await press('Show the access token');
    await dialog.getByText(/^secret1-/).waitFor();
    await press('Hide the access token');
    await press('Copy WOPI address');
    await press('Collabora');
    assert.deepEqual(
      (await sent('app.copyText')).map((args) => (args as { text: string }).text.slice(0, 12)),
      ['secret1-Zk3v', 'http://192.1'],
    );
    assert.deepEqual(await sent('app.openHelp'), [{ page: 'collabora' }]);
    await page.mouse.click(5, 5);
    assert.ok(await dialog.isVisible(), 'a click outside keeps the token');
    await pressIn(dialog, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.doesNotMatch(await page.content(), /secret1|3f9c0b7a/);
  });

  it('creates a document by keyboard, checks the name while it is typed, reports failures, and selects what was created, duplicated or renamed', async () => {
    const { page, table, answer, sent, press, choose, button, pressIn } = await open();
    await table.row('letter.docx').waitFor();
    await button('New').press('Enter');
    await page.getByRole('menuitem', { name: 'Word document' }).waitFor();
    await pressIn('[role="menu"]', 'ArrowDown', 'Enter');
    const dialog = page.getByRole('dialog', { name: 'New Word document' });
    const field = dialog.getByRole('textbox', { name: 'Name' });
    await dialog.getByText('.docx').waitFor();
    assert.equal(await field.inputValue(), 'Untitled');
    for (const [typed, sentence] of [
      ['a/b', 'A name can’t contain “/”.'],
      ['LETTER', '“letter.docx” already exists. Choose another name.'],
      ['', 'Type a name.'],
    ] as const) {
      await field.fill(typed);
      await dialog.getByText(sentence).waitFor();
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
    }
    await page.keyboard.press('Enter');
    assert.deepEqual(await sent('documents.create'), []);
    await answer('documents.create', { refuses: 'The disk returned an error.', isOnce: true });
    await field.fill('Offer');
    await page.keyboard.press('Enter');
    await dialog.getByText('The disk returned an error.').waitFor();
    await page.keyboard.press('Escape');

    const create = async (kind: string, name: string) => {
      await press('New');
      await page.getByRole('menuitem', { name: kind, exact: true }).click();
      await page.getByRole('dialog').getByRole('textbox').fill(name);
      await page.keyboard.press('Enter');
      await focusOn(name);
    };
    await create('Folder', 'Zoo');
    await create('Excel spreadsheet', 'Zebra list.xlsx');
    await choose('letter.docx', 'Duplicate');
    await focusOn('letter copy.docx');
    await choose('Zebra list.xlsx', 'Rename');
    // Leaving the name is enough.
    await newName().fill('Animals.XLSX');
    await page.getByRole('heading', { name: 'Documents' }).click();
    await table.row('Animals.xlsx').waitFor();
    assert.deepEqual((await shown().calls(/^documents\.(?:create|duplicate|rename)/u)).slice(1), [
      ['documents.createFolder', { folderPath: '', name: 'Zoo' }],
      ['documents.create', { folderPath: '', template: 'xlsx', name: 'Zebra list.xlsx' }],
      ['documents.duplicate', { path: 'letter.docx' }],
      ['documents.rename', { path: 'Zebra list.xlsx', name: 'Animals.xlsx' }],
    ]);
  });

  it('copies a link for a colleague, at once or after opening DocTray to the network and adding a user', async () => {
    const { page, answer, sent, see, change, choose, focused } = await open();
    const linkIs = async (url: string | null, settings: string[], needsUser: boolean) =>
      answer('documents.colleagueLink', { gives: { url, settings, needsUser } });
    const url = 'https://docs.example/edit/abc';
    await linkIs(null, ['networkPages', 'host'], true);
    await answer('settings.openToColleagues', { refuses: 'Port 8790 is already in use.' });
    await choose('letter.docx', 'Copy link for a colleague…');
    const dialog = page.getByRole('dialog', { name: 'Copy link for a colleague' });
    await dialog.getByText('Before a colleague can open “letter.docx”:').waitFor();
    const [copyLink, addsUser, openUp] = ['Copy link', 'Add user…', 'Open to the network'].map((name) =>
      dialog.getByRole('button', { name }),
    ) as [Locator, Locator, Locator];
    const done = async (step: string) =>
      dialog
        .getByRole('listitem')
        .filter({ hasText: `${step} (done)` })
        .waitFor();
    await focused(addsUser);
    assert.equal(await copyLink.isDisabled(), true);
    const warning = dialog.getByText('The connection isn’t encrypted');
    await warning.waitFor();
    await change({ host: { publicUrl: 'https://docs.example' } });
    await warning.waitFor({ state: 'detached' });
    await openUp.click();
    await see('Port 8790 is already in use.');

    await answer('settings.openToColleagues', { gives: null });
    await linkIs(url, [], true);
    await openUp.click();
    await done('DocTray must be open to the network');
    const opening = { settings: ['networkPages', 'host'] };
    assert.deepEqual(await sent('settings.openToColleagues'), [opening, opening]);
    assert.equal(await copyLink.isDisabled(), true, 'nobody could open it yet');
    await focused(addsUser);

    const addUser = page.getByRole('dialog', { name: 'Add user' });
    await addsUser.click();
    await addUser.getByRole('button', { name: 'Cancel' }).click();
    await addsUser.click();
    await addUser.getByRole('textbox', { name: 'User name' }).fill('ana');
    await addUser.getByRole('textbox', { name: 'Password' }).fill('a long password');
    await linkIs(url, [], false);
    await answer('users.add', { gives: null });
    await page.keyboard.press('Enter');
    await done('Your colleague needs an account');
    assert.deepEqual(await sent('app.copyText'), []);
    await focused(copyLink);
    await page.keyboard.press('Enter');
    await see('Link copied');
    assert.equal(await dialog.count(), 0);
    assert.deepEqual(await sent('app.copyText'), [{ text: url }]);
    assert.equal((await sent('users.add')).length, 1);

    await change({ settings: { networkPages: true } });
    await choose('letter.docx', 'Copy link for a colleague');
    await eventually('the link is copied', async () => assert.equal((await sent('app.copyText')).length, 2));
    assert.equal(await dialog.count(), 0);
  });

  it('renames in the row: F2 selects the name without its extension, Escape cancels, problems are shown there', async () => {
    const { page, table, sent, answer } = await open();
    await table.row('letter.docx').click();
    await page.keyboard.press('F2');
    await selectedIn(newName(), 'letter');
    await page.keyboard.type('scan');
    await page.keyboard.press('Escape');
    await focusOn('letter.docx');
    assert.deepEqual(await sent('documents.rename'), []);

    await page.keyboard.press('F2');
    await selectedIn(newName(), 'letter');
    await page.keyboard.type('Opening speech');
    await page.getByRole('alert').getByText('“Opening speech.docx” already exists.').waitFor();
    await page.keyboard.press('Enter');
    assert.equal(await newName().getAttribute('aria-invalid'), 'true');
    await answer('documents.rename', { refuses: 'The disk is full.' });
    await newName().fill('Answer 1');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The disk is full.').waitFor();
    await answer('documents.rename', { gives: { path: 'letter.docx' } });
    await newName().press('ArrowLeft');
    await page.keyboard.press('Enter');
    await focusOn('letter.docx');
    const renaming = { path: 'letter.docx', name: 'Answer 1.docx' };
    assert.deepEqual(await sent('documents.rename'), [renaming, renaming]);
  });

  it('says that a document went away while it was being renamed, unless another folder is shown, and what is still typed acts on no other', async () => {
    const { page, table, see, calls, push, focused } = await open();
    const rename = async (name: string) => {
      await table.row(name).click();
      await page.keyboard.press('F2');
      await newName().waitFor();
    };
    await rename('letter.docx');
    await go('Finance/2026/Budget 9.xlsx');
    await table.row('Budget 9.xlsx').waitFor();
    assert.equal(await page.getByText('is no longer here').count(), 0);

    await rename('Budget 9.xlsx');
    await page.keyboard.type('Answer');
    await deleteElsewhere('Finance/2026/Budget 9.xlsx');
    await push('folder-changed', { path: 'Finance/2026' });
    await see('“Budget 9.xlsx” is no longer here');
    await focused('h1');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    assert.deepEqual(await calls(/^documents\.(?:rename|trash|openInEditor)$/u), []);
  });

  it('moves several documents to a folder chosen in a dialog, with a new one, and back with Undo', async () => {
    const { page, table, see, sent, press, pressIn } = await open();
    await table.row('letter.docx').click();
    await table.row('scan.pdf').click({ modifiers: ['Control'] });
    const bar = page.locator('.table-bar');
    await bar.getByRole('button', { name: 'Move to trash' }).getByText('Move to trash').waitFor();
    assert.equal(await bar.getByRole('button', { name: 'Open', exact: true }).count(), 0, 'only for one');
    await press('Move to…');
    const dialog = page.getByRole('dialog', { name: 'Move 2 items to…' });
    const moveHere = dialog.getByRole('button', { name: 'Move here' });
    await dialog.getByRole('option', { name: 'Finance' }).waitFor();
    assert.ok(await moveHere.isDisabled(), 'they are here');
    await pressIn(dialog.getByRole('listbox'), 'Enter');
    await dialog.getByRole('option', { name: '2026' }).waitFor();
    await dialog.getByRole('button', { name: 'New folder' }).click();
    await page.getByRole('dialog', { name: 'New folder' }).getByRole('textbox').fill('Old');
    await page.keyboard.press('Enter');
    // The keyboard gets out of an empty list.
    await page.locator('.empty:focus').getByText('No folders in here.').waitFor();
    for (let stops = 0; stops < 3; stops += 1) await page.keyboard.press('Tab');
    await moveHere.and(page.locator(':focus')).press('Enter');
    await see('Moved 2 items to “Old”');
    await table.row('letter.docx').waitFor({ state: 'detached' });
    await press(/^Undo/u);
    await table.row('letter.docx').waitFor();
    assert.deepEqual(await sent('documents.move'), [
      { paths: ['letter.docx', 'scan.pdf'], folderPath: 'Finance/Old', keepsBoth: false },
      { paths: ['Finance/Old/letter.docx', 'Finance/Old/scan.pdf'], folderPath: '' },
    ]);
  });

  it('moves rows that are dragged onto a folder or a part of the path; a name that is taken can be kept as well', async () => {
    const { page, table, see, sent, answer } = await open();
    const drag = async (name: string, to: string) =>
      page.evaluate(
        ([from, onto]) => {
          const dataTransfer = new DataTransfer();
          const at = (element: Element | null, kind: string) =>
            element?.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
          const row = document.querySelector(`[data-row="${from}"] [draggable]`);
          const target = document.querySelector(onto);
          at(row, 'dragstart');
          const isTaken = at(target, 'dragover') === false && target?.closest('[data-drop]') !== null;
          at(target, 'drop');
          at(row, 'dragend');
          return isTaken;
        },
        [name, to] as const,
      );
    await table.row('letter.docx').waitFor();
    assert.equal(await drag('letter.docx', '[data-row="scan.pdf"]'), false, 'not onto a document');
    assert.equal(await drag('Finance', '[data-row="Finance"]'), false, 'not into itself');
    assert.equal(await drag('letter.docx', '[data-row="Finance"]'), true);
    await see('Moved “letter.docx” to “Finance”');
    await go('Finance/letter.docx');
    await focusOn('Finance/letter.docx');
    await page.keyboard.press('Escape');
    assert.equal(await drag('Finance/letter.docx', '[data-folder=""]'), true);
    await see(/Moved “letter.docx” to “(?!Finance)/u);

    const taken = { id: 'a', path: 'a', message: '“a” already exists there.', code: 'target-taken' };
    await answer('documents.move', { gives: { done: [], failed: [taken] } });
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
  });

  it('moves documents to the trash at once, with Undo; lists those that stayed, and says which were already gone', async () => {
    const { page, table, see, sent, pressIn } = await open();
    await table.row('letter.docx').click();
    await table.row('Roof plan.pptx').click({ modifiers: ['Control'] });
    await table.row('Budget 2026.xlsx').click({ modifiers: ['Control'] });
    await page.keyboard.press('Delete');
    const failures = page.getByRole('dialog', { name: '2 items weren’t moved to the trash' });
    await failures.waitFor();
    assert.equal(await failures.getByText('The document is being edited.').count(), 2);
    await failures.getByRole('button', { name: 'Show locks' }).waitFor();
    await pressIn(failures, 'Enter');
    await see('Moved “letter.docx” to the trash');
    await table.row('letter.docx').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await table.row('letter.docx').waitFor();
    assert.deepEqual(await sent('documents.trash'), [
      { paths: ['Budget 2026.xlsx', 'letter.docx', 'Roof plan.pptx'] },
    ]);
    assert.deepEqual(await sent('documents.undoTrash'), [{ id: 'undo1' }]);

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
    assert.equal(await page.getByText(/(?:Can’t|weren’t).*trash/u).count(), 0);
  });

  it('returns the focus to the row after a dialog that its menu opened later, and moves it to the next row when the focused one is deleted; deselects what another program deleted', async () => {
    const { page, table, push, pressIn } = await open();
    const closed = async () => {
      await pressIn('.dialog', 'Escape');
      await page.locator('.dialog').waitFor({ state: 'detached' });
    };
    for (const entries of [['Copy link for a colleague…'], ['Advanced', 'Show WOPI address…']]) {
      await table.row('notes.md').click();
      await focusOn('notes.md');
      await page.keyboard.press('Shift+F10');
      for (const name of entries) await page.getByRole('menuitem', { name }).press('Enter');
      await closed();
      await focusOn('notes.md');
    }
    await shown().choose('letter.docx', 'Copy link for a colleague…');
    await closed();
    await focusOn('letter.docx');

    await page.keyboard.press('Delete');
    await table.row('letter.docx').waitFor({ state: 'detached' });
    const next = 'Minutes of the general meeting of the harbour association, second part, corrected.docx';
    await focusOn(next);
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowUp');
    await page.getByText('2 selected', { exact: true }).waitFor();
    await deleteElsewhere(next);
    await push('folder-changed', { path: '' });
    await page.getByText('1 selected', { exact: true }).waitFor();
  });

  it('shows the target of dropped files and copies them as a job, without leaving the page', async () => {
    const { page, table, see, sent, upsert } = await open();
    const drag = async (kind: 'dragover' | 'drop', to: string, count: number) =>
      page.evaluate(`(() => {
          const dataTransfer = new DataTransfer();
          for (let at = 0; at < ${count}; at += 1) dataTransfer.items.add(new File(['x'], 'file' + at + '.docx'));
          const event = new DragEvent('${kind}', { bubbles: true, cancelable: true, dataTransfer });
          document.querySelector('${to}').dispatchEvent(event);
          return event.defaultPrevented;
        })()`);
    await go('Finance/Accounts.xlsx');
    await table.row('Accounts.xlsx').waitFor();
    const address = page.url();
    assert.equal(await drag('dragover', '.table-scroller', 2), true);
    await see('Drop to copy into “Finance”');
    assert.equal(await drag('drop', '.table-scroller', 2), true);
    await page.getByText('Drop to copy into “Finance”').waitFor({ state: 'detached' });
    await see('Copying 2 files into Finance');
    const source = '/home/ana/Desktop/dropped.docx';
    assert.deepEqual(await sent('documents.import'), [{ folderPath: 'Finance', sources: [source, source] }]);
    const before = (await sent('documents.list')).length;
    const [job] = (await shown().state()).jobs;
    assert.ok(job);
    await upsert('jobs', { ...job, done: 2, state: 'done', sentence: '2 files were copied.' });
    await page.getByRole('status').getByText('2 files were copied.').waitFor();
    await eventually('the folder is listed again', async () =>
      assert.ok((await sent('documents.list')).length > before),
    );
    assert.equal(await drag('drop', '.rail', 0), true, 'a file dropped outside the view does nothing');
    assert.equal(page.url(), address);
  });

  it('shows versions beside the documents: opens one, saves a copy, and restores one after a question, unless the document is being edited; a failure keeps the focus at its button', async () => {
    const { page, see, choose, sent, focused, answer, button } = await open();
    const showVersions = async (name: string, earlier: number) => {
      await choose(name, 'Versions');
      await see(`${name}, ${earlier} earlier versions`);
    };
    const restore = button(/^Restore the version from .+…$/u);
    const question = page.getByRole('alertdialog', { name: 'Restore “letter.docx”?' });
    await showVersions('letter.docx', 7);
    await focused(versions().getByRole('heading', { name: 'Versions' }));
    const items = versions().getByRole('list', { name: 'Versions' }).getByRole('listitem');
    for (const [index, words] of [
      /Current\s+(Today|Yesterday) \d\d:\d\d[\s\S]*Ben Okafor · Autosaved\s+18 KB/,
      // An hour ago may be yesterday.
      /(Today \d\d:\d\d\s+1\sh ago|Yesterday \d\d:\d\d)\s+Ana Ruiz · Saved\s+18 KB/,
      /Ana Ruiz · Not written: the editor reported no changes/,
      /Ana Ruiz and Ben Okafor · Autosaved on closing/,
      /Changed by another program\s+\d+ KB/,
    ].entries())
      assert.match(await items.nth(index).innerText(), words);
    await versions()
      .getByRole('img', { name: 'Sizes of 8 versions, oldest first: 13 KB to 18 KB' })
      .waitFor();

    // A bar chooses its version.
    await versions().locator('.versions-bar').nth(5).click();
    await restore.click();
    assert.match(await question.innerText(), /17 KB[\s\S]*current content is kept as a version/);
    await question.getByRole('button', { name: 'Restore' }).click();
    await see('Restored “letter.docx”.');
    await answer('versions.restore', { refuses: 'This version no longer exists.' });
    await restore.click();
    await question.getByRole('button', { name: 'Restore' }).click();
    await see('This version no longer exists.');
    await focused(restore);
    const version = { path: 'letter.docx', versionId: 'version1' };
    assert.deepEqual(await sent('versions.restore'), [version, version]);
    await button(/^Open the version from .+ read-only$/u).click();
    assert.deepEqual(await sent('versions.open'), [version]);
    await button(/^Save a copy of the version from/u).click();
    const copy = page.getByRole('dialog', { name: 'Save a copy' });
    const name = copy.getByRole('textbox');
    assert.match(await name.inputValue(), /^letter \(\d{4}-\d\d-\d\d \d\d\.\d\d\)$/u);
    await name.fill('letter of May');
    await page.keyboard.press('Enter');
    await focusOn('letter of May.docx');
    assert.deepEqual(await sent('versions.saveCopy'), [{ ...version, name: 'letter of May.docx' }]);

    await showVersions('Budget 2026.xlsx', 7);
    await restore.click();
    const refusal = page.getByRole('alertdialog', { name: 'Can’t restore “Budget 2026.xlsx” now' });
    await refusal.getByText('Ana Ruiz is editing this document now.').waitFor();
    await refusal.getByText('Close it in the editor first, or save this version as a copy.').waitFor();
    await refusal.getByRole('button', { name: 'Save a copy…' }).click();
    await copy.waitFor();
  });

  it('updates an open Versions panel after a save with the same version chosen, ignores an older response that arrives late, and follows a document that is renamed elsewhere', async () => {
    const { page, table, see, choose, push, upsert, inPage, sent, press } = await open();
    await choose('letter.docx', 'Versions');
    const panel = versions();
    await panel.getByText('letter.docx, 7 earlier versions').waitFor();
    const chosen = panel.locator('.versions-chosen > .versions-row');
    const chosenAt = await chosen.getAttribute('title');
    // Each answer has one version more; the first of the next two comes last.
    await inPage(`const list = answers['versions.list'];
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
        };`);
    await push('folder-changed', { path: '' });
    // A document of another folder, as a search finds one, changes without a push for the shown folder.
    await upsert('sessions', makeSession(0, Date.now(), { fileId: 'id of letter.docx', saves: 1 }));
    await panel.getByText('letter.docx, 9 earlier versions').waitFor();
    assert.equal(await chosen.getAttribute('title'), chosenAt);
    const current = panel.getByRole('listitem').first();
    assert.match(await current.innerText(), /^Current\s+.+ \d\d:\d\d:\d\d/u, 'others are from its minute');
    await page.evaluate('globalThis.answerFirst()');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    await panel.getByText('letter.docx, 9 earlier versions').waitFor();

    await table.row('notes.md').waitFor();
    await inPage(`const before = answers['versions.list'];
        answers['versions.list'] = async ({ path, fileId }) => {
          if (fileId !== 'id of letter.docx') throw new Error('This document doesn’t exist.');
          return { ...(await before({ path }, host)), path: 'note.docx' };
        };`);
    await push('folder-changed', { path: '' });
    await see(/^note\.docx, \d+ earlier versions/u);
    await press(/^Open the version from/u);
    await eventually('the version is opened', async () =>
      assert.deepEqual(
        (await sent('versions.open')).map((args) => (args as { path: string }).path),
        ['note.docx'],
      ),
    );
  });

  it('compares a version of a text document with its current content, side by side', async () => {
    const { page, choose, press, sent, upsert } = await open();
    await choose('notes.md', 'Versions');
    await press(/^Compare the version from/u);
    const dialog = page.getByRole('dialog', { name: /^Changes in “notes\.md” since/u });
    await dialog.getByText('3 changes · 2 lines removed · 3 lines added').waitFor();
    await dialog.getByText('the bridge is old.').waitFor();
    const isAt = async (change: number) =>
      dialog.getByRole('status').getByText(`Change ${change} of 3`).waitFor();
    await press('Previous change');
    await isAt(3);
    await press('Next change');
    await isAt(1);
    // A comparison that is drawn again is where it was, with the focus.
    await page.setViewportSize({ width: 1100, height: 460 });
    const lines = dialog.getByRole('region', { name: 'Lines' });
    await press('Previous change');
    await isAt(3);
    await lines.focus();
    const place = async () =>
      lines.evaluate((region) => [region.scrollTop, region === document.activeElement]);
    const before = await place();
    assert.ok(Number(before[0]) > 0 && before[1]);
    const lists = (await sent('versions.list')).length;
    await upsert('sessions', makeSession(0, Date.now(), { fileId: 'id of notes.md', saves: 1 }));
    await page.setViewportSize({ width: 1090, height: 460 });
    await eventually('the versions are read again', async () =>
      assert.ok((await sent('versions.list')).length > lists),
    );
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    assert.deepEqual(await place(), before);
    assert.deepEqual((await sent('versions.text')).length, 2);
  });

  it('keeps scroll position and selection when the folder changes, also when documents are added above', async () => {
    const { page, table, sent, push } = await open('documents-many');
    await go('Report 005000.docx');
    await focusOn('Report 005000.docx');
    const top = await table.topOf('Report 005000.docx');
    const before = (await sent('documents.list')).length;
    await push('folder-changed', { path: '' });
    await eventually('it is read again', async () =>
      assert.equal((await sent('documents.list')).length, before + 11),
    );
    /** Folders before all others. */
    const addAbove = async (count: number) => {
      await relist(`const { items } = await list({ path: '', startIndex: 0, count: 20_000 });
          for (let at = 0; at < ${count}; at += 1) items.unshift({ ...items[0], path: 'A' + items.length, name: 'A' });
          const { startIndex } = args;
          return { ...args, items: items.slice(startIndex, startIndex + args.count), total: items.length };`);
      await push('folder-changed', { path: '' });
    };
    const rows = async (count: number) => page.locator(`[role="grid"][aria-rowcount="${count}"]`).waitFor();
    await addAbove(1);
    await rows(10_012);
    assert.equal(await table.topOf('Report 005000.docx'), top, 'a row has the focus');
    assert.deepEqual(await table.selected(), ['Report 005000.docx']);
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').focus();
    await page.mouse.move(5, 5);
    await addAbove(3);
    await rows(10_015);
    assert.equal(await table.topOf('Report 005000.docx'), top, 'nothing has the focus');
  });

  it('opens a document from the button of its row and says why one couldn’t be opened; shows live who edits it, and links a stale lock to the Locks view; copies absolute paths, shows a document in the file manager', async () => {
    const { page, table, remove, see, sent, choose, answer, change } = await open();
    // The pointer is over the row when it moves for a second time.
    for (const _ of [1, 2]) await table.row('Roster.ods').hover();
    await table.row('Roster.ods').locator('.documents-open').click();
    await see('Opened Roster.ods in Collabora in the cellar');
    assert.deepEqual(await sent('documents.openInEditor'), [
      { path: 'Roster.ods', mode: 'edit', editorId: null },
    ]);
    assert.match(await table.row('Budget 2026.xlsx').innerText(), /Being edited by Ana Ruiz/);
    await remove('locks', 'id of Budget 2026.xlsx');
    await table.row('Budget 2026.xlsx').getByText('Being edited by').waitFor({ state: 'detached' });
    await table
      .row('Invitation.odt')
      .getByRole('button', { name: /^Stale lock\. Show the lock on /u })
      .click();
    await focusOn('id of Invitation.odt');

    await go('Finance/Accounts.xlsx');
    await choose('Accounts.xlsx', 'Advanced', 'Copy path');
    await choose('Accounts.xlsx', 'Show in file manager');
    assert.deepEqual(await sent('app.copyText'), [{ text: '/home/robin/Documents/Finance/Accounts.xlsx' }]);
    assert.deepEqual(await sent('documents.reveal'), [{ path: 'Finance/Accounts.xlsx' }]);
    await change({ host: { status: 'paused' } });
    await answer('documents.openInEditor', { refuses: 'DocTray is paused. Resume it.', code: 'paused' });
    await table.row('Accounts.xlsx').dblclick();
    await see('DocTray is paused. Resume it.');
    await page.locator('.toast').getByRole('button', { name: 'Resume' }).click();
    assert.equal((await sent('host.resume')).length, 1);
    await page.getByText('DocTray is paused. Resume it.').waitFor({ state: 'detached', timeout: 9000 });
  });

  it('offers the top folder when a folder is gone, and to try again after other errors', async () => {
    const { table, see, press, answer, push } = await open();
    await table.row('letter.docx').waitFor();
    await go('Nowhere/file.docx');
    await see('This folder doesn’t exist in the hosted folder.');
    await press('Go to the top folder');
    await table.row('letter.docx').waitFor();
    await answer('documents.list', { refuses: 'The disk returned an error.' });
    await push('folder-changed', { path: '' });
    await see('This list may be out of date. The disk returned an error.');
    assert.ok(await table.row('letter.docx').isVisible());
    await answer('documents.list', { gives: { path: '', startIndex: 0, items: [], total: 0 } });
    await press('Try again');
    await see('This folder is empty');
  });

  for (const [scenario, sentence, button] of [
    ['idle', 'No folder is chosen yet', 'Choose folder…'],
    ['broken', 'The folder is missing.', 'Change folder…'],
  ] as const)
    it(`shows one message and one action when no folder is served: ${scenario}`, async () => {
      const opened = await open(scenario);
      const main = opened.page.getByRole('main');
      await main.getByText(sentence).waitFor();
      await main.getByRole('button', { name: button }).click();
      assert.equal((await opened.sent('host.chooseFolder')).length, 1);
      assert.deepEqual(await opened.sent('documents.list'), []);
    });
});
