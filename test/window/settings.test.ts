import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../durability/eventually.ts';
import { windowTests } from './open-window.ts';

describe('the Settings view', () => {
  const { open: openWindow, shown } = windowTests({ view: 'settings' });
  const show = async (pane: string) => {
    const { page } = shown();
    await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('button', { name: pane, exact: true })
      .click();
    await page.getByRole('heading', { name: pane, level: 2 }).waitFor();
  };
  /** Begins in a pane. */
  const open = async (scenario: string, pane?: string) => {
    const window = await openWindow(scenario);
    if (pane !== undefined) await show(pane);
    return window;
  };
  const field = (name: string) => shown().page.getByRole('textbox', { name, exact: true });
  const saved = async () =>
    (await shown().sent('settings.set')).map((args) => {
      const { key, value } = args as { key: string; value: unknown };
      return [key, value];
    });

  it('shows a newer version with its notes, and restarts to install it', async () => {
    const { see, press, page, calls } = await open('settings-update', 'About');
    await see('DocTray is up to date');
    await press('Check for updates');
    await see('DocTray 0.2.0 is ready');
    await page.getByText('What’s new in DocTray 0.2.0').click();
    await see('A faster start.');
    await press('Restart to update');
    assert.deepEqual(await calls(/^app\./u), [
      ['app.checkForUpdates', {}],
      ['app.restartToUpdate', {}],
    ]);
  });

  it('saves when a field loses the focus or a shortcut opens another view, splits lists into entries, and ignores unchanged fields', async () => {
    const { page } = await open('settings-day', 'Advanced');
    await field('Additional host names').fill('docs.example.org\n  files.example.org, \n');
    await field('Allowed addresses').focus();
    await eventually('the list is shown as it was saved', async () =>
      assert.equal(await field('Additional host names').inputValue(), 'docs.example.org\nfiles.example.org'),
    );
    await show('Network & HTTPS');
    await field('Address for editors').fill('http://192.168.1.14:9000/');
    await field('Port').focus();
    await eventually('the URL is shown as it was saved', async () =>
      assert.equal(await field('Address for editors').inputValue(), 'http://192.168.1.14:9000'),
    );
    await field('Address for editors').focus();
    await show('Advanced');
    assert.equal(await field('Largest document').inputValue(), '4');
    await field('Largest document').fill('0.512');
    await show('Network & HTTPS');
    await show('Advanced');
    await field('Largest document').fill('1,000');
    await page.keyboard.press('Control+1');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    assert.deepEqual(await saved(), [
      ['allowedHosts', ['docs.example.org', 'files.example.org']],
      ['publicUrl', 'http://192.168.1.14:9000/'],
      ['maxUploadMB', 512],
      // A comma separates thousands here, and elsewhere a fraction: the host refuses it.
      ['maxUploadMB', '1,000 MB'],
    ]);
  });

  it('keeps a value that couldn’t be saved, says why, and reverts it on Escape; reverts a switch at once; says what this computer lacks, and where secrets are', async () => {
    const { page, see, press } = await open('settings-poor');
    const errors = page.getByRole('switch', { name: 'Errors' });
    await errors.press(' ');
    const failedIn = async (name: string) =>
      page.getByRole('region', { name }).getByText('The disk returned an error.').waitFor();
    await failedIn('Notifications');
    assert.equal(await errors.isChecked(), true);
    await see('This system doesn’t support it.');
    assert.equal(await page.getByRole('switch', { name: /log in/u }).count(), 0);
    await show('Advanced');
    const days = field('API token lifetime');
    await days.fill('7');
    await days.press('Enter');
    await see('The disk returned an error. Nothing was changed.');
    assert.equal(await days.inputValue(), '7');
    await days.press('Escape');
    assert.equal(await days.inputValue(), '30');
    assert.equal(await days.getAttribute('aria-invalid'), null);
    await show('Versions');
    await failedIn('Versions');
    await show('About');
    await see(/secrets\.json in the data folder\. Only you can read it\./u);
    await press('Move to the keychain');
    await see('No keychain is available.');
  });

  it('saves a choice at once, and applies a new appearance; opens help and the data folder', async () => {
    const { page, calls, press } = await open('settings-day');
    const background = async () =>
      page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    const light = await background();
    await page.getByRole('radio', { name: 'Dark' }).press(' ');
    await page.locator('html[data-appearance="dark"]').waitFor();
    assert.notEqual(await background(), light);
    await page.getByRole('switch', { name: 'Stale locks' }).press(' ');
    await page.getByRole('switch', { name: 'Start DocTray when you log in' }).press(' ');
    await press('Change folder…');
    await show('Advanced');
    await page.getByRole('radio', { name: 'Refuse the editor' }).focus();
    await page.keyboard.press('ArrowDown');
    await show('Editors');
    await press('Collabora');
    await show('About');
    await press('Show in file manager', 'Licenses');
    assert.deepEqual(await calls(/^(?:settings\.set|app|host)/u), [
      ['settings.set', { key: 'appearance', value: 'dark' }],
      ['settings.set', { key: 'notifyStaleLocks', value: false }],
      ['app.setStartsAtLogin', { isOn: true }],
      ['host.chooseFolder', {}],
      ['settings.set', { key: 'desktopLocks', value: 'warn' }],
      ['app.openHelp', { page: 'collabora' }],
      ['app.revealDataFolder', {}],
      ['app.openHelp', { page: 'licenses' }],
    ]);
  });

  it('asks once for another bind address, keeps the old one on Cancel, says what it opens, and shows the port of the window in a browser once that is on; closes what went wrong with a port once another is chosen', async () => {
    const { page, see, press, answer, sent, button } = await open('settings-day', 'Network & HTTPS');
    const bind = page.getByRole('radiogroup', { name: 'Bind address' });
    const address = page.locator('.field-row .select-button');
    const chooseAddress = async () => {
      await bind.getByRole('radio', { name: 'A specific address' }).press(' ');
      await address.click();
      await page.getByRole('option', { name: '192.168.1.14 (wlan0)' }).click();
    };
    assert.equal(await bind.getByRole('radio', { name: 'All networks' }).isChecked(), true);
    await see('Only editors can connect, unless you allow more here.');
    const port = field('Port of the window in a browser');
    assert.equal(await port.count(), 0);
    await page.getByRole('switch', { name: 'This window in a browser' }).press(' ');
    await port.waitFor();

    await answer('settings.set', { refuses: 'You didn’t confirm it.', code: 'not-confirmed', isOnce: true });
    await chooseAddress();
    await bind.getByRole('radio', { name: 'All networks', checked: true }).waitFor();
    assert.equal(await page.getByText('You didn’t confirm it.').count(), 0);
    assert.equal(await button('Restart connection').count(), 0);
    await chooseAddress();
    await see('Restart the connection to listen on 192.168.1.14, port 8790.');
    await address.filter({ hasText: '192.168.1.14' }).waitFor();
    await bind.getByRole('radio', { name: 'This computer only' }).press(' ');
    await address.waitFor({ state: 'detached' });
    await see('They can’t connect with this bind address.');
    await press('Restart connection');
    await see('The connection was restarted');
    assert.equal(await button('Restart connection').count(), 0);
    const choosePort = async (value: string) => {
      await field('Port').fill(value);
      await page.keyboard.press('Enter');
    };
    await answer('host.restart', { refuses: 'Port 9000 is already in use.', code: 'port-taken' });
    await choosePort('9000');
    await press('Restart connection');
    await see('Couldn’t restart the connection');
    await choosePort('8790');
    await page.getByText('Couldn’t restart the connection').waitFor({ state: 'detached' });
    assert.deepEqual(await saved(), [
      ['networkDashboard', true],
      ['host', '192.168.1.14'],
      ['host', '192.168.1.14'],
      ['host', '127.0.0.1'],
      ['port', 9000],
      ['port', 8790],
    ]);
    assert.equal((await sent('host.restart')).length, 2);
  });

  it('shows the bind address and port that DocTray was started with instead of the settings', async () => {
    const { page } = await open('settings-fixed-address', 'Network & HTTPS');
    const bind = page.getByRole('radiogroup', { name: 'Bind address' });
    const all = bind.getByRole('radio', { name: 'All networks' });
    assert.deepEqual([await all.isChecked(), await all.isDisabled()], [true, true]);
    await bind.getByText('Set when DocTray was started').waitFor();
    const port = field('Port');
    assert.deepEqual([await port.inputValue(), await port.isEditable()], ['18790', false]);
    await page.locator('[data-setting="port"]').getByText('Set when DocTray was started').waitFor();
    assert.equal(await page.getByText('They can’t connect with this bind address.').count(), 0);
  });

  it('opens the pane and the field it is opened for, and remembers the pane; has one menu of its panes in a narrow window, which keeps the keyboard', async () => {
    const { page, push, focused, pressIn } = await open('settings-day');
    await page.getByRole('heading', { name: 'General', level: 2 }).waitFor();
    await push('navigate', { view: 'settings', path: 'network' });
    await focused(page.getByRole('heading', { name: 'Network & HTTPS' }));
    const current = page.getByRole('navigation', { name: 'Settings' }).locator('[aria-current="page"]');
    assert.equal(await current.innerText(), 'Network & HTTPS');
    await push('navigate', { view: 'settings', path: 'versionDays' });
    await focused(field('Keep versions for'));
    await page.keyboard.press('Control+7');
    await focused(page.getByRole('heading', { level: 1 }));
    await page.keyboard.press('Control+1');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Control+7');
    await page.getByRole('heading', { name: 'Versions', level: 2 }).waitFor();

    await page.setViewportSize({ width: 450, height: 620 });
    // Until the window has its new size, the panes are a list.
    const menu = page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('button', { name: /Settings$/u });
    await menu.press('Enter');
    await page.getByRole('option', { name: 'About' }).waitFor();
    await pressIn('[role="listbox"]', 'End', 'Enter');
    await page.getByRole('heading', { name: 'About', level: 2 }).waitFor();
    await focused('.settings-panes .select-button');
  });

  it('finds settings of all panes by their words, also from a radio button, and leads through the results with the arrows to the field', async () => {
    const { page, see, press, focused } = await open('settings-day', 'Network & HTTPS');
    await page.getByRole('radio', { name: 'Off' }).focus();
    await page.keyboard.press('/');
    await page.keyboard.type('proxy');
    const results = page.getByRole('region', { name: 'Search results' }).getByRole('button');
    await results.filter({ hasText: 'Trusted proxies' }).waitFor();
    assert.deepEqual(
      (await results.allInnerTexts()).map((text) => text.split('\n')[0]),
      ['Public URL of the text editor', 'Address for editors', 'Trusted proxies'],
    );
    for (const [keys, to] of [
      [['ArrowDown'], results.nth(0)],
      [['ArrowDown', 'ArrowDown', 'ArrowDown'], results.nth(2)],
      [['ArrowUp'], results.nth(1)],
      [['ArrowUp', 'ArrowUp'], page.getByRole('searchbox')],
    ] as const) {
      for (const key of keys) await page.keyboard.press(key);
      await focused(to);
    }
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await focused(field('Address for editors'));
    assert.deepEqual(await saved(), []);

    await page.keyboard.press('Control+Home');
    await page.getByRole('searchbox').fill('proxy forwarding');
    await results.filter({ hasText: 'Trusted proxies' }).waitFor();
    await page.keyboard.press('Enter');
    await focused(field('Trusted proxies'));
    await page.getByRole('searchbox').fill('keychain nothing');
    await see('No setting matches “keychain nothing”');
    await press('Show all settings');
    await page.getByRole('heading', { name: 'Advanced', level: 2 }).waitFor();
  });

  it('checks everything, shows and filters the log, and copies diagnostics', async () => {
    const { page, see, press, sent, answer } = await open('settings-port-taken', 'About');
    await press('Run check');
    await see('1 problem found');
    const results = page.getByRole('list', { name: 'Results' });
    await results.getByRole('listitem').first().getByText('Port 8790 is already in use.').waitFor();
    await press('Copy diagnostics');
    await see('Diagnostics copied, without secrets');
    assert.deepEqual(await sent('app.copyText'), [{ text: 'DocTray 0.1.0 on linux x64' }]);
    // It says that the log can't be read only as long as that is so.
    await answer('app.log', { refuses: 'The disk returned an error.', isOnce: true });
    await press('Show log');
    const problem = page.locator('.log').getByText('The disk returned an error.');
    await problem.waitFor();
    const log = page.getByRole('log', { name: 'Log' });
    await log.getByText('DocTray 0.1.0 starts.').waitFor();
    await problem.waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Problems only' }).press(' ');
    await log.getByText('DocTray 0.1.0 starts.').waitFor({ state: 'detached' });
    await log.getByText('Port 8790 is already in use.  err=Error: EADDRINUSE').waitFor();
    await page.getByRole('searchbox', { name: 'Filter the log' }).fill('nothing like this');
    await log.getByText('No lines.').waitFor();
    await press('Change port');
    await field('Port').waitFor();
  });

  it('adds a user by keyboard with errors at the field, sets a password, changes a role after explaining the effect, removes a user, and never offers to remove the owner', async () => {
    const { page, see, press, button, calls, pressIn, focused } = await open('settings-day', 'Users');
    await button('Add user…').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add user' });
    await pressIn(dialog, 'Enter');
    await see('Enter a user name.');
    await see('Enter a password of at least 8 characters.');
    await page.keyboard.type('ana');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Another Ana');
    const password = dialog.getByRole('textbox', { name: 'Password' });
    assert.equal(await password.getAttribute('type'), 'password');
    await press('Show password');
    assert.equal(await password.getAttribute('type'), 'text');
    await password.fill('correct horse');
    await page.keyboard.press('Enter');
    await see('A user with this name already exists.');
    await focused(dialog.getByRole('textbox', { name: 'User name' }));
    await page.keyboard.type('.2');
    await page.keyboard.press('Enter');
    await see('Another Ana was added');
    await page.locator('.field-row').filter({ hasText: 'ana.2' }).waitFor();

    const actions = async (entry: string, user = 'Ben Okafor') => {
      await press(new RegExp(`^Actions for .*${user}`, 'u'));
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await actions('Set password…');
    await pressIn('.dialog');
    await page.keyboard.type('short');
    await page.keyboard.press('Enter');
    await see('A password needs at least 8 characters');
    await page.keyboard.type(' but longer');
    await page.keyboard.press('Enter');
    await see('Ben Okafor has a new password');
    await press(/Role of Ben Okafor/u);
    await page.getByRole('option', { name: 'Can view' }).click();
    const question = page.getByRole('alertdialog', { name: 'Limit Ben Okafor to viewing?' });
    assert.match(await question.innerText(), /can no longer be saved/u);
    await question.getByRole('button', { name: 'Limit to viewing' }).click();
    await button(/^Can view Role of Ben/u).waitFor();
    await actions('Remove…', 'Farid Nasser');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await see('Farid Nasser was removed');
    await focused('#settings-title');
    // The owner's password only goes to the clipboard.
    await actions('Copy password', 'Robin Vale');
    await see('The owner’s password was copied');
    await press('Actions for Robin Vale');
    await page.getByRole('menu').waitFor();
    assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Copy password', 'Set password…']);
    const added = { displayName: 'Another Ana', role: 'editor', password: 'correct horse' };
    assert.deepEqual(await calls(/^users\.|copyOwner/u), [
      ['users.add', { login: 'ana', ...added }],
      ['users.add', { login: 'ana.2', ...added }],
      ['users.setPassword', { login: 'ben', password: 'short' }],
      ['users.setPassword', { login: 'ben', password: 'short but longer' }],
      ['users.setRole', { login: 'ben', role: 'viewer' }],
      ['users.remove', { login: 'farid' }],
      ['host.copyOwnerPassword', {}],
    ]);
  });

  it('shows the space that versions use, and cleans up with progress', async () => {
    const { page, see, press, sent } = await open('settings-day');
    await page.keyboard.press('Control+2');
    await press('Folder actions');
    await page.getByRole('menuitem', { name: 'Show disk space used by versions' }).click();
    await see('412 versions, 93 MB. Cleaning up removes what exceeds these limits.');
    await press('Clean up now');
    await page.getByRole('progressbar', { name: 'Cleaning up versions' }).waitFor();
    await press('Cancel: Cleaning up versions');
    assert.deepEqual(await sent('jobs.cancel'), [{ id: 'clean' }]);
  });
});
