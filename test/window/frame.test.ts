import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { windowTests } from './open-window.ts';

describe('the window’s frame', () => {
  const { open, shown } = windowTests();
  const quickOpen = async (text: string) => {
    const { page, pressIn } = shown();
    await page.keyboard.press('Control+K');
    await pressIn('.quick');
    await page.keyboard.type(text);
  };

  it('opens each view with Ctrl and its number, whatever the host’s system is, and lets the keyboard skip the rail; shows all shortcuts on F1 and ?, but not when ? is typed into a field, and keeps Ctrl+Z from undoing what was typed in another one', async () => {
    const { page, change, pressIn } = await open();
    await change({ app: { platform: 'darwin' } });
    const names = ['Documents', 'Locks', 'Sessions', 'Tokens', 'Activity', 'Settings', 'Overview'];
    for (const name of names) {
      await page.keyboard.press(`Control+${((names.indexOf(name) + 1) % names.length) + 1}`);
      await page.getByRole('main', { name }).waitFor();
      const current = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current="page"]');
      assert.match(await current.innerText(), new RegExp(`^${name}`));
      await page.locator('main :focus').waitFor();
    }
    await page.locator('.skip-link').press('Enter');
    await page.locator('main:focus').waitFor();
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    for (const key of ['F1', '?']) {
      await page.keyboard.press(key);
      await pressIn(help, 'Escape');
      await help.waitFor({ state: 'detached' });
    }
    await page.getByRole('navigation', { name: 'Views' }).getByText('Settings').click();
    await page.keyboard.press('Control+3');
    await page.getByRole('heading', { name: 'Locks', level: 1 }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('o?');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'o?');
    assert.equal(await help.count(), 0);
    await page.keyboard.press('Backspace');
    await page.locator('[data-row]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-row]:focus').waitFor();
    await page.keyboard.press('Control+Z');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'o');
  });

  it('finds a document with Ctrl+K and opens it, by keyboard only; creates one under the next free name; opens what it marks, also after the search was replaced by another', async () => {
    const { page, see, sent } = await open('documents');
    const quick = page.getByRole('dialog', { name: 'Quick open' });
    const entry = (name: string) => quick.getByRole('menuitem', { name });
    await quickOpen('');
    await entry('letter.docx').waitFor();
    await page.keyboard.type('lett');
    await page.keyboard.press('Escape');
    await quick.waitFor({ state: 'detached' });
    await quickOpen('budg');
    await entry('Budget 2026.xlsx').getByText('Editing: Ana Ruiz').waitFor();
    assert.deepEqual(new Set(await quick.locator('mark').allInnerTexts()), new Set(['Budg']));
    await page.keyboard.type('et 2026');
    await entry('Budget 9.xlsx').waitFor();
    assert.match((await quick.getByRole('menuitem').allInnerTexts())[0] ?? '', /Budget/u);
    await page.keyboard.type('.');
    await entry('Budget 9.xlsx').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await quick.waitFor({ state: 'detached' });
    await see('Opened Budget 2026.xlsx in ONLYOFFICE Docs');
    assert.deepEqual(await sent('documents.openInEditor'), [
      { path: 'Budget 2026.xlsx', mode: 'edit', editorId: null },
    ]);

    for (const name of ['Untitled.docx', 'Untitled 2.docx']) {
      await quickOpen('new word');
      await page.keyboard.press('Enter');
      await see(`Opened ${name} in`);
    }

    await quickOpen('connect');
    // React Aria reports what it marked half a second after typing.
    await quick.locator('[aria-activedescendant]').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('server');
    await quick.locator('[data-focused]', { hasText: 'Connect document server…' }).waitFor();
    await page.keyboard.press('Enter');
    await quick.waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: 'Connect a document server' }).waitFor();
  });

  it('shows in quick open what begins with the typed word before documents that only contain it', async () => {
    const { page, answer } = await open('documents');
    const found = { kind: 'document', path: 'Report.docx', name: 'Report.docx', fileId: 'report' };
    const items = [{ ...found, size: 1, lastModifiedMs: 0, versionCount: 0, versionBytes: 0 }];
    await answer('documents.search', { gives: { items, isComplete: true, searched: 1 } });
    const quick = page.getByRole('dialog', { name: 'Quick open' });
    await quickOpen('port');
    await quick.getByRole('menuitem', { name: 'Report.docx' }).waitFor();
    assert.match((await quick.getByRole('menuitem').allInnerTexts())[0] ?? '', /^Port\b/u);
  });

  it('runs actions from quick open, which the tray and the shortcut of the system open too', async () => {
    const { page, push, see, sent, focused, pressIn } = await open();
    const quick = page.getByRole('dialog', { name: 'Quick open' });
    await page.keyboard.press('Control+3');
    await push('navigate', { view: 'documents', quickOpen: true });
    await pressIn(quick, 's');
    await quick.getByRole('menuitem', { name: 'Offer 3.xlsx' }).waitFor();
    // What was found for the beginning of the word isn't what Enter opens.
    await page.keyboard.type('tale');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Force-clear' }).click();
    await page.getByRole('main', { name: 'Locks' }).waitFor();
    assert.deepEqual(await sent('locks.forceClear'), [{ ids: ['file6', 'file7'] }]);
    await quickOpen('recovered saves for');
    await page.keyboard.press('Enter');
    await focused(page.getByRole('textbox', { name: 'Keep recovered saves for' }));
    await quickOpen('no such thing');
    await see('Nothing found.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await quick.waitFor({ state: 'detached' });
  });

  it('says calmly that it was restarted after an error, with the log and diagnostics', async () => {
    const { page, see, change } = await open();
    await change({ app: { hasCrashed: true } });
    const banner = page.getByRole('region', { name: 'DocTray was restarted' });
    await banner.getByText('Everything that was saved is safe.').waitFor();
    await banner.getByRole('button', { name: 'Copy diagnostics' }).click();
    await see('Diagnostics copied, without secrets');
    await banner.getByRole('button', { name: 'Show log' }).click();
    await page.getByRole('log', { name: 'Log' }).waitFor();
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await banner.waitFor({ state: 'detached' });
  });

  it('shows the rail and the view’s title while the state is loading', async () => {
    const { page, press } = await open('stuck');
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' });
    assert.equal(await page.locator('.app[aria-busy="true"]').count(), 1);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await press('Locks');
    await page.getByRole('main', { name: 'Locks' }).getByRole('heading', { name: 'Locks' }).waitFor();
    assert.equal(await page.locator('.skeleton-row').count(), 8);
  });

  it('without the state, shows the shortcuts, the log and diagnostics, and offers to try again', async () => {
    const { page, calls } = await open('failing');
    const problem = page.getByRole('alert');
    const heading = problem.getByRole('heading', { name: 'This window couldn’t load' });
    await heading.waitFor();
    await page.getByRole('navigation', { name: 'Views' }).getByText('Not responding').waitFor();
    await problem.getByRole('button', { name: 'Try again' }).click();
    await heading.waitFor();
    assert.equal((await calls()).length, 2);
    await problem.getByRole('button', { name: 'Show log' }).click();
    await page.getByRole('log', { name: 'Log' }).waitFor();
    await problem.getByRole('button', { name: 'Copy diagnostics' }).click();
    await page.keyboard.press('F1');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  });

  it('shows at most three messages: the oldest leaves', async () => {
    const { page, press, answer, button } = await open('broken');
    const messages = page.getByText('Still not serving');
    for (let count = 1; count <= 5; count += 1) {
      // The same failure would replace its message.
      await answer('host.restart', { refuses: `Reason ${count}.` });
      await press('Try again');
      await messages.nth(Math.min(count, 3) - 1).waitFor();
    }
    assert.equal(await messages.count(), 3);
    for (let left = 2; left >= 0; left -= 1) {
      await button('Close message').first().click();
      await messages.nth(left).waitFor({ state: 'detached' });
    }
    assert.equal(await messages.count(), 0, 'none was waiting');
  });

  it('has everything of the rail in sight in the smallest window at 200 % zoom, details over the whole view, and one scroller', async () => {
    const { page, choose, pressIn } = await open({
      scenario: 'paused',
      view: 'locks',
      size: { width: 450, height: 310 },
    });
    const scrollers = async () =>
      page
        .locator('main, main *')
        .evaluateAll((parts) =>
          parts
            .filter(
              (part) =>
                part.scrollHeight > part.clientHeight + 1 &&
                /auto|scroll/u.test(getComputedStyle(part).overflowY),
            )
            .map(({ className }) => className),
        );
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
    const bottom = async (selector: string) =>
      page
        .locator(selector)
        .last()
        .evaluate((part) => part.getBoundingClientRect().bottom);
    assert.ok((await bottom('.rail-item')) <= 310);
    await choose(page.locator('[data-row]').first(), 'Details');
    const panel = page.locator('.detail-panel');
    await panel.waitFor();
    assert.deepEqual(await panel.boundingBox(), { x: 60, y: 0, width: 390, height: 310 });
    assert.ok((await scrollers()).includes('detail-panel'));
    assert.ok(!(await scrollers()).includes('detail-body'));
    assert.equal(await page.locator('.table-bar').isVisible(), false, 'nothing below it gets the focus');
    await pressIn(panel, 'Escape');
    await page.locator('[data-row]:focus').waitFor();
    await page.locator('.table-bar').waitFor();
    assert.deepEqual(await scrollers(), ['main']);
    await page.keyboard.press('End');
    await page.locator('[data-row][aria-rowindex="9"]:focus').waitFor();
    await page.keyboard.press('Control+1');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    assert.equal(await top('.view'), 0, 'another view is shown from its top');
  });
});
