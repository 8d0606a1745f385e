import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../durability/eventually.ts';
import { windowTests } from './open-window.ts';

describe('the Overview', () => {
  const { open } = windowTests();

  it('says that a document server is missing, and what a full disk stops, with the way to its setting', async () => {
    const { page, see, press, change } = await open('empty');
    await see('Word, Excel and PowerPoint files need a document server.');
    await see('No recent activity.');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await change({ host: { isDiskLow: true } });
    await attention.getByText('Low disk space').waitFor();
    await attention.getByText(/^DocTray creates no new files\. Open documents still save\./u).waitFor();
    await press('Show settings');
    const setting = page.locator('[data-setting="minFreeMB"]');
    await setting.getByText('Minimum free disk space').first().waitFor();
  });

  it('unfolds folder, address and editors, remembers it, opens the folder, and copies the address of this computer, not the one for editors; shows one message for an action that fails twice', async () => {
    const { page, see, press, button, sent, answer } = await open();
    assert.equal(await button('Copy address').count(), 0);
    await press(/^Folder, address and editors/u);
    await page.reload();
    await button('Settings of ONLYOFFICE Docs').waitFor();
    await page.getByRole('definition').filter({ hasText: 'http://192.168.1.14:8790' }).waitFor();
    await answer('app.copyText', { refuses: 'Not allowed.' });
    await press('Copy address');
    await see('Not allowed.');
    await press('Copy address');
    await eventually('both were tried', async () => assert.equal((await sent('app.copyText')).length, 2));
    assert.equal(await page.locator('.toast').count(), 1);
    await answer('app.copyText', { gives: null });
    await press('Copy address');
    await see('Address copied');
    assert.deepEqual(await page.locator('.toast-title').allInnerTexts(), ['Address copied']);
    assert.deepEqual((await sent('app.copyText')).at(-1), { text: 'http://127.0.0.1:8790' });
    await press('Open folder');
    assert.deepEqual(await sent('host.openFolder'), [{}]);
  });

  it('has one button for each problem, removes the problem once it is solved, and moves the focus to the next one, and after the last to the heading', async () => {
    const { page, see, button, sent, focused, pressIn } = await open();
    const section = page.getByRole('region', { name: 'Needs attention' });
    const rail = page.getByRole('navigation', { name: 'Views' }).locator('.rail-status');
    const host = page.getByRole('region', { name: 'Host' });
    await rail.getByText('4 need attention').waitFor();
    await host.getByText('4 things need attention').waitFor();
    await button('Actions for Letter to the council 7.ods').click();
    await page.getByRole('menuitem', { name: 'Show lock' }).click();
    await page.locator('[aria-selected="true"]', { hasText: 'Letter to the council 7.ods' }).waitFor();
    await page.keyboard.press('Control+1');
    await focused(page.getByRole('heading', { name: 'Overview', level: 1 }));
    assert.match((await rail.getAttribute('class')) ?? '', /tone-warn/u);

    await button('Restore as copy: Budget 9.xlsx').press('Enter');
    await see('Restored as');
    assert.deepEqual(await sent('recovered.restore'), [{ id: 'recovered1' }]);
    await focused(button('Show copy: Offer 3.odt'));
    const clear = async () => {
      await section
        .getByRole('button', { name: /^Force-clear/u })
        .first()
        .press('Enter');
      await pressIn('[role="alertdialog"]', 'Enter');
    };
    await clear();
    await focused(button('Force-clear… Roof plan 8.xlsx'));
    await clear();
    assert.deepEqual(await sent('locks.forceClear'), [{ ids: ['file6'] }, { ids: ['file7'] }]);
    await focused(section.getByRole('heading'));
    await page.keyboard.press('Control+z');
    await button('Force-clear… Roof plan 8.xlsx').waitFor();
    await section.locator(':focus').waitFor();
    await clear();
    await button('More for the copy of Offer 3.odt').click();
    await page.getByRole('menuitem', { name: 'Dismiss' }).click();
    await rail.getByText('Serving').waitFor();
    await host.getByText('Serving “Documents”').waitFor();
    assert.match((await rail.getAttribute('class')) ?? '', /tone-good/u);
  });

  it('shows the progress of a job, cancels it with the focus kept, and moves the focus from Pause to Resume', async () => {
    const { page, see, press, button, focused } = await open();
    const bar = page.getByRole('progressbar', { name: 'Copying 3 items into “Projects”' });
    assert.equal(await bar.getAttribute('aria-valuetext'), '431 of 1,240 files');
    await button(/^Cancel: Copying/u).press('Enter');
    await see(/^Canceled after 431 of 1,240 files\.$/u);
    await focused(button(/^Dismiss: Copying/u));
    await press(/^Dismiss: Copying/u);
    await page.getByRole('heading', { name: 'Work in progress' }).waitFor({ state: 'detached' });
    await button('Pause').press('Enter');
    await page.getByRole('menuitem', { name: 'For 5 minutes' }).press('Enter');
    await focused(button('Resume'));
    await page.keyboard.press('Enter');
    await focused(button('Pause'));
  });

  it('opens a document that is being edited, and a recent one, with one click; sums up the recent activity, again when a document is closed', async () => {
    const { page, see, sent, remove } = await open();
    const day = page.getByRole('region', { name: 'Recent activity' });
    await day.getByText(/^192 saves, 8 documents, 3 errors since yesterday/u).waitFor();
    const before = (await sent('activity.summary')).length;
    await remove('sessions', 'session1');
    // Long before its usual refresh.
    await eventually('it is read again', async () =>
      assert.equal((await sent('activity.summary')).length, before + 1),
    );
    await page
      .getByRole('region', { name: 'Being edited' })
      .getByRole('button', { name: /^Minutes 2\.ods/u })
      .click();
    await see('Opened Minutes 2.ods in');
    const recent = page.getByRole('region', { name: 'Recent documents' });
    assert.equal(await recent.getByText('Budget 1.docx').count(), 0, 'it is listed as being edited');
    await recent.locator('.doc-name').first().click();
    await eventually('both are opened', async () =>
      assert.equal((await sent('documents.openInEditor')).length, 2),
    );
    const [opened] = await sent('documents.openInEditor');
    assert.deepEqual(opened, { path: 'Finance/Minutes 2.ods', mode: 'edit', editorId: null });
  });

  it('discards a recovered save, and offers three ways out of one that isn’t a readable document; asks before those that change or delete something', async () => {
    const { page, see, button, sent, upsert, pressIn } = await open();
    const question = page.getByRole('alertdialog');
    const ask = async (name: string, entry: string, text: string) => {
      await button(`More for the save of ${name}`).click();
      await page.getByRole('menuitem', { name: `${entry}…` }).click();
      await question.getByText(text).waitFor();
    };
    const exists = 'This save (48 KB) exists nowhere else.';
    await ask('Budget 9.xlsx', 'Discard', exists);
    await pressIn(question, 'Enter');
    await question.waitFor({ state: 'detached' });
    assert.deepEqual(await sent('recovered.discard'), []);
    const makeRow = (name: string) => ({
      id: name,
      path: `Letters/${name}.docx`,
      size: 29,
      reason: 'recovered.unreadable',
      receivedAtMs: Date.now(),
      isUnreadable: true,
    });
    await upsert('recovered', ...['kept', 'written', 'opened'].map(makeRow));
    await page
      .locator('.list-row', { hasText: 'A save of opened.docx isn’t a readable document' })
      .getByText('The file still has the last readable content.')
      .waitFor();
    for (const [name, entry, text] of [
      ['Budget 9.xlsx', 'Discard', exists],
      ['kept.docx', 'Keep the good version', 'What was saved (29 bytes) is deleted.'],
      ['written.docx', 'Save it anyway', 'Its current content is kept as a version.'],
    ] as const) {
      await ask(name, entry, text);
      await question.getByRole('button', { name: entry, exact: true }).click();
      await button(`More for the save of ${name}`).waitFor({ state: 'detached' });
    }
    assert.deepEqual(await sent('recovered.discard'), [{ id: 'recovered1' }, { id: 'kept' }]);
    assert.deepEqual(await sent('recovered.saveAnyway'), [{ id: 'written' }]);
    await button('Open what was saved: opened.docx').click();
    await see('Opened opened (recovered).docx in');
    const [opened] = await sent('documents.openInEditor');
    assert.deepEqual(opened, { path: 'Letters/opened (recovered).docx', mode: 'edit', editorId: null });
  });

  it('shows until when the host is paused, in the Overview itself and above every other view', async () => {
    const { page } = await open('paused');
    const banner = page.getByRole('region', { name: 'Paused' });
    const host = page.getByRole('region', { name: 'Host' });
    await host.getByText('Paused', { exact: true }).waitFor();
    const sentence = /^Until \d\d:\d\d \(in 2\d\smin\), documents can be saved, but not opened\.$/u;
    await host.getByText(sentence).waitFor();
    assert.equal(await banner.count(), 0, 'the Overview says it once');
    await page.keyboard.press('Control+4');
    await banner.getByText(sentence).waitFor();
  });

  it('says what is wrong and what to do, above the tables too, and still does when trying again fails', async () => {
    const { page, see, press, button, sent } = await open('broken');
    const host = page.getByRole('region', { name: 'Host' });
    await host.getByText('Not serving').waitFor();
    await host.getByText('The folder is missing.').waitFor();
    assert.equal(await button('Open folder').count(), 0, 'there is none');
    await press('Try again');
    await see('Still not serving');
    for (const key of [3, 4, 5, 6, 7]) {
      await page.keyboard.press(`Control+${key}`);
      const problem = page.getByRole('region', { name: 'Not serving' });
      await problem.getByText('The folder is missing.').waitFor();
      await problem.getByRole('button', { name: 'Try again' }).waitFor();
      await problem.getByRole('button', { name: 'Change folder…' }).click();
    }
    assert.equal((await sent('host.chooseFolder')).length, 5);
    await page.locator('[data-setting="folder"]').getByText('The folder is missing.').waitFor();
  });

  it('asks for a folder when none is served, and for another one when the default one can’t be created; has nothing to press while it waits for the keychain', async () => {
    const { page, see, press, sent, change } = await open('idle');
    await press('Choose folder…');
    const failed = { code: 'default-folder-failed', message: 'DocTray can’t create the folder.' };
    await change({ host: { status: 'error', problem: failed } });
    await see(failed.message);
    await press('Change folder…');
    assert.deepEqual(await sent('host.chooseFolder'), [{}, {}]);
    const message = 'DocTray is waiting for the keychain. Answer its prompt.';
    await change({ host: { status: 'starting', problem: { code: 'keychain-waiting', message } } });
    await page.keyboard.press('Control+2');
    const problem = page.getByRole('region', { name: 'Starting…' });
    await problem.getByText(message).waitFor();
    assert.equal(await problem.getByRole('button').count(), 0);
  });
});
