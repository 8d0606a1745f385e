import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright';
import { itLooksRight, type LookedAt } from './look-over.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';

describe('the Settings view', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const show = async (page: Page, pane: string) => {
    await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('button', { name: pane, exact: true })
      .click();
    await page.getByRole('heading', { name: pane, level: 2 }).waitFor();
  };
  const using =
    (scenario: string, body: (window: OpenWindow) => Promise<void>, pane?: string) => async () => {
      const window = await lab.open({ scenario, view: 'settings' });
      try {
        if (pane !== undefined) await show(window.page, pane);
        await body(window);
        assert.deepEqual(window.problems, []);
      } finally {
        await window.close();
      }
    };
  const named = async ({ calls }: OpenWindow, start: string) =>
    (await calls()).filter(({ name }) => name.startsWith(start));
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

  it(
    'shows a newer version with its notes, and restarts to install it',
    using(
      'settings-update',
      async (window) => {
        const { page } = window;
        await page.getByText('DocTray is up to date').waitFor();
        await page.getByRole('button', { name: 'Check for updates' }).click();
        await page.getByText('DocTray 0.2.0 is ready').waitFor();
        await page.getByText('What’s new in DocTray 0.2.0').click();
        await page.getByText('A faster start.').waitFor();
        await page.getByRole('button', { name: 'Restart to update' }).click();
        assert.deepEqual(await named(window, 'app.'), [
          { name: 'app.checkForUpdates', args: {} },
          { name: 'app.restartToUpdate', args: {} },
        ]);
      },
      'About',
    ),
  );

  it(
    'has one menu of its panes in a narrow window, which keeps the keyboard',
    using('normal', async ({ page }) => {
      await page.setViewportSize({ width: 450, height: 620 });
      // Until the window has its new size, the panes are a list.
      const menu = page
        .getByRole('navigation', { name: 'Settings' })
        .getByRole('button', { name: /Settings$/u });
      await menu.press('Enter');
      await page.getByRole('option', { name: 'About' }).waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'About', level: 2 }).waitFor();
      await page.locator('.settings-panes .select-button:focus').waitFor();
    }),
  );

  it(
    'validates a value while it is typed, shows errors in place, and saves a valid one',
    using(
      'settings-day',
      async (window) => {
        const { page } = window;
        const port = field(page, 'Port');
        await port.fill('99999');
        await page.getByText('Enter a whole number from 0 to 65535.').waitFor();
        assert.equal(await port.getAttribute('aria-invalid'), 'true');
        await port.fill('eighty');
        await page.waitForFunction(() => {
          const { harness } = globalThis as unknown as { harness: { host: { calls: { name: string }[] } } };
          return harness.host.calls.filter(({ name }) => name === 'settings.check').length === 2;
        });
        assert.deepEqual(await named(window, 'settings.check'), [
          { name: 'settings.check', args: { key: 'port', value: 99_999 } },
          { name: 'settings.check', args: { key: 'port', value: 'eighty' } },
        ]);
        await port.fill('9000');
        await page.getByText('Enter a whole number from 0 to 65535.').waitFor({ state: 'hidden' });
        await port.press('Enter');
        await page.getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
        assert.deepEqual((await named(window, 'settings.set')).at(-1), {
          name: 'settings.set',
          args: { key: 'port', value: 9000 },
        });
        assert.equal(await port.inputValue(), '9000');
      },
      'Network & HTTPS',
    ),
  );

  it(
    'saves when a field loses the focus, splits lists into entries, and ignores unchanged fields',
    using('settings-day', async (window) => {
      const { page } = window;
      await show(page, 'Advanced');
      await field(page, 'Additional host names').fill('docs.example.org\n  files.example.org, \n');
      await field(page, 'Allowed addresses').focus();
      await page.waitForFunction(() => {
        const { harness } = globalThis as unknown as {
          harness: { host: { state: { settings: { allowedHosts: string[] } } } };
        };
        return harness.host.state.settings.allowedHosts.length === 2;
      });
      await page.waitForFunction(() =>
        [...document.querySelectorAll('textarea')].some(
          ({ value }) => value === 'docs.example.org\nfiles.example.org',
        ),
      );
      await show(page, 'Network & HTTPS');
      await field(page, 'Public URL for editors').fill('http://192.168.1.14:9000/');
      await field(page, 'Port').focus();
      await page.waitForFunction(() =>
        [...document.querySelectorAll('input')].some(({ value }) => value === 'http://192.168.1.14:9000'),
      );
      await field(page, 'Port').focus();
      assert.deepEqual(await named(window, 'settings.set'), [
        {
          name: 'settings.set',
          args: { key: 'allowedHosts', value: ['docs.example.org', 'files.example.org'] },
        },
        { name: 'settings.set', args: { key: 'publicUrl', value: 'http://192.168.1.14:9000/' } },
      ]);
    }),
  );

  it(
    'saves the field when a shortcut opens another view',
    using(
      'settings-day',
      async (window) => {
        const { page } = window;
        await field(page, 'Largest document').fill('512');
        await page.keyboard.press('Control+1');
        await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
        assert.deepEqual(await named(window, 'settings.set'), [
          { name: 'settings.set', args: { key: 'maxUploadMB', value: 512 } },
        ]);
      },
      'Advanced',
    ),
  );

  it(
    'keeps a value that couldn’t be saved, says why, and reverts it on Escape',
    using(
      'settings-poor',
      async ({ page }) => {
        const days = field(page, 'API token lifetime');
        await days.fill('7');
        await days.press('Enter');
        await page.getByText('The disk returned an error. Nothing was changed.').first().waitFor();
        assert.equal(await days.inputValue(), '7');
        await days.press('Escape');
        assert.equal(await days.inputValue(), '30');
        assert.equal(await days.getAttribute('aria-invalid'), null);
      },
      'Advanced',
    ),
  );

  it(
    'reverts a switch that couldn’t be saved, with the reason',
    using('settings-poor', async ({ page }) => {
      const errors = page.getByRole('switch', { name: 'Errors' });
      await errors.press(' ');
      await page
        .getByRole('region', { name: 'Notifications' })
        .getByText('The disk returned an error.')
        .waitFor();
      assert.equal(await errors.isChecked(), true);
    }),
  );

  it(
    'saves a choice at once, and applies a new appearance',
    using('settings-day', async (window) => {
      const { page } = window;
      await page.getByRole('radio', { name: 'Dark' }).press(' ');
      await page.waitForFunction(() => document.documentElement.dataset.appearance === 'dark');
      await page.getByRole('switch', { name: 'Stale locks' }).press(' ');
      await page.getByRole('switch', { name: 'Start DocTray when you log in' }).press(' ');
      await show(page, 'Advanced');
      await page.getByRole('radio', { name: 'Refuse the editor' }).focus();
      await page.keyboard.press('ArrowDown');
      const sent = (await window.calls()).filter(({ name }) => /^(?:settings|app)\./u.test(name));
      assert.deepEqual(sent, [
        { name: 'settings.set', args: { key: 'appearance', value: 'dark' } },
        { name: 'settings.set', args: { key: 'notifyStaleLocks', value: false } },
        { name: 'app.setStartsAtLogin', args: { isOn: true } },
        { name: 'settings.set', args: { key: 'desktopLocks', value: 'warn' } },
      ]);
    }),
  );

  it(
    'asks once for another bind address, keeps the old one on Cancel, and offers to reopen the port',
    using(
      'settings-day',
      async (window) => {
        const { page } = window;
        const bind = page.getByRole('radiogroup', { name: 'Bind address' });
        const isChosen = async (name: string) => bind.getByRole('radio', { name }).isChecked();
        const chooseAddress = async () => {
          await page.locator('.field-row .select-button').click();
          await page.getByRole('option', { name: '192.168.1.14 (wlan0)' }).click();
        };
        const restart = page.getByRole('button', { name: 'Reopen port' });
        assert.equal(await isChosen('All networks'), true);
        await bind.getByRole('radio', { name: 'A specific address' }).press(' ');
        assert.deepEqual(await named(window, 'settings.set'), [], 'the address isn’t chosen yet');
        await page.evaluate(`(() => {
          const { answers } = harness;
          const set = answers['settings.set'];
          answers['settings.set'] = () => {
            answers['settings.set'] = set;
            throw Object.assign(new Error('You didn’t confirm it.'), { code: 'not-confirmed' });
          };
        })()`);
        await chooseAddress();
        await bind.getByRole('radio', { name: 'All networks', checked: true }).waitFor();
        assert.equal(await page.getByText('You didn’t confirm it.').count(), 0);
        assert.equal(await restart.count(), 0);

        await bind.getByRole('radio', { name: 'A specific address' }).press(' ');
        await chooseAddress();
        await restart.waitFor();
        await page.locator('.field-row .select-button').filter({ hasText: '192.168.1.14' }).waitFor();
        await bind.getByRole('radio', { name: 'This computer only' }).press(' ');
        await page.locator('.field-row .select-button').waitFor({ state: 'detached' });
        await restart.click();
        await page.getByText('The port was reopened').waitFor();
        assert.equal(await restart.count(), 0);
        assert.deepEqual(
          (await named(window, 'settings.set')).map(({ args }) => (args as { value: unknown }).value),
          ['192.168.1.14', '192.168.1.14', '127.0.0.1'],
        );
        assert.equal((await named(window, 'host.restart')).length, 1);
      },
      'Network & HTTPS',
    ),
  );

  it(
    'shows the bind address and port that DocTray was started with instead of the settings',
    using(
      'settings-fixed-address',
      async ({ page }) => {
        const bind = page.getByRole('radiogroup', { name: 'Bind address' });
        const all = bind.getByRole('radio', { name: 'All networks' });
        assert.equal(await all.isChecked(), true);
        assert.equal(await all.isDisabled(), true);
        await bind.getByText('Set when DocTray was started').waitFor();
        const port = field(page, 'Port');
        assert.equal(await port.inputValue(), '18790');
        assert.equal(await port.isEditable(), false);
        await page.locator('[data-setting="port"]').getByText('Set when DocTray was started').waitFor();
        assert.equal(await page.getByText('They can’t connect with this bind address.').count(), 0);
      },
      'Network & HTTPS',
    ),
  );

  it(
    'says what a bind address for other computers opens, and shows the port of the window in a browser once it’s on',
    using(
      'settings-day',
      async ({ page }) => {
        await page.getByText('Only editors can connect, unless you allow more here.').waitFor();
        const port = field(page, 'Port of the window in a browser');
        assert.equal(await port.count(), 0);
        await page.getByRole('switch', { name: 'This window in a browser' }).press(' ');
        await port.waitFor();
        await page.getByRole('radio', { name: 'This computer only' }).press(' ');
        await page.getByText('They can’t connect with this bind address.').waitFor();
      },
      'Network & HTTPS',
    ),
  );

  it(
    'closes the message about the port once another is chosen',
    using(
      'settings-day',
      async ({ page }) => {
        await page.evaluate(`(() => {
          harness.answers['host.restart'] = () => {
            throw Object.assign(new Error('Port 9000 is already in use.'), { code: 'port-taken' });
          };
        })()`);
        await field(page, 'Port').fill('9000');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Reopen port' }).click();
        const message = page.getByText('Couldn’t reopen the port');
        await message.waitFor();
        await field(page, 'Port').fill('8790');
        await page.keyboard.press('Enter');
        await message.waitFor({ state: 'detached' });
      },
      'Network & HTTPS',
    ),
  );

  it(
    'opens the pane and the field it is opened for, and remembers the pane',
    using('settings-day', async ({ page, push }) => {
      await page.getByRole('heading', { name: 'General', level: 2 }).waitFor();
      await push('navigate', { view: 'settings', path: 'network' });
      await page.waitForFunction(() => document.activeElement?.textContent === 'Network & HTTPS');
      const current = page.getByRole('navigation', { name: 'Settings' }).locator('[aria-current="page"]');
      assert.equal(await current.innerText(), 'Network & HTTPS');
      await push('navigate', { view: 'settings', path: 'versionDays' });
      await field(page, 'Keep versions for').and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Control+1');
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await page.keyboard.press('Control+7');
      await page.getByRole('heading', { name: 'Versions', level: 2 }).waitFor();
    }),
  );

  it(
    'finds settings of all panes by their words, and leads to the field',
    using('settings-day', async ({ page }) => {
      await page.keyboard.press('/');
      await page.keyboard.type('proxy');
      const results = page.getByRole('region', { name: 'Search results' }).getByRole('button');
      await results.filter({ hasText: 'Trusted proxies' }).waitFor();
      assert.deepEqual(
        (await results.allInnerTexts()).map((text) => text.split('\n')[0]),
        ['Public URL of the text editor', 'Public URL for editors', 'Trusted proxies'],
      );
      await page.keyboard.type(' forwarding');
      await page.keyboard.press('Enter');
      await field(page, 'Trusted proxies').and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Control+Home');
      await page.getByRole('searchbox', { name: 'Search settings' }).fill('keychain nothing');
      await page.getByText('No setting matches “keychain nothing”.').waitFor();
      await page.getByRole('button', { name: 'Show all settings' }).click();
      await page.getByRole('heading', { name: 'Advanced', level: 2 }).waitFor();
    }),
  );

  it(
    'goes to the search from a radio button, and through its results with the arrows',
    using(
      'settings-day',
      async (window) => {
        const { page } = window;
        await page.getByRole('radio', { name: 'Off' }).focus();
        await page.keyboard.press('/');
        await page.keyboard.type('proxy');
        const results = page.getByRole('region', { name: 'Search results' }).getByRole('button');
        const focused = (index: number) => results.nth(index).and(page.locator(':focus')).waitFor();
        await page.keyboard.press('ArrowDown');
        await focused(0);
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await focused(2);
        await page.keyboard.press('ArrowUp');
        await focused(1);
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowUp');
        await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await field(page, 'Public URL for editors').and(page.locator(':focus')).waitFor();
        assert.deepEqual(await named(window, 'settings.set'), []);
      },
      'Network & HTTPS',
    ),
  );

  it(
    'checks everything, shows and filters the log, and copies diagnostics',
    using(
      'settings-port-taken',
      async (window) => {
        const { page } = window;
        await page.getByRole('button', { name: 'Run check' }).click();
        await page.getByText('1 problem found').waitFor();
        await page
          .getByRole('list', { name: 'Results' })
          .getByRole('listitem')
          .first()
          .getByText('Port 8790 is already in use.')
          .waitFor();
        await page.getByRole('button', { name: 'Copy diagnostics' }).click();
        await page.getByText('Diagnostics copied, without secrets').waitFor();
        assert.deepEqual((await named(window, 'app.copyText')).at(-1)?.args, {
          text: 'DocTray 0.1.0 on linux x64',
        });
        await page.getByRole('button', { name: 'Show log' }).click();
        const log = page.getByRole('log', { name: 'Log' });
        await log.getByText('DocTray 0.1.0 starts.').waitFor();
        await page.getByRole('switch', { name: 'Problems only' }).press(' ');
        await log.getByText('DocTray 0.1.0 starts.').waitFor({ state: 'detached' });
        await log.getByText('Port 8790 is already in use.').waitFor();
        await page.getByRole('searchbox', { name: 'Filter the log' }).fill('nothing like this');
        await log.getByText('No lines.').waitFor();
        await page
          .getByRole('list', { name: 'Results' })
          .getByRole('button', { name: 'Change port' })
          .click();
        await field(page, 'Port').waitFor();
      },
      'About',
    ),
  );

  it(
    'adds a user by keyboard, and shows an error at its field',
    using(
      'settings-day',
      async (window) => {
        const { page } = window;
        await page.getByRole('button', { name: 'Add user…' }).press('Enter');
        const dialog = page.getByRole('dialog', { name: 'Add user' });
        await dialog.waitFor();
        await page.keyboard.press('Enter');
        await dialog.getByText('Enter a user name.').waitFor();
        await page.keyboard.type('ana');
        await page.keyboard.press('Tab');
        await page.keyboard.type('Another Ana');
        await dialog.getByRole('textbox', { name: 'Password' }).fill('correct horse');
        await page.keyboard.press('Enter');
        await dialog.getByText('A user with this name already exists.').waitFor();
        assert.equal(
          await dialog.getByRole('textbox', { name: 'User name' }).getAttribute('aria-invalid'),
          'true',
        );
        await dialog.getByRole('textbox', { name: 'User name' }).fill('ana.2');
        await page.keyboard.press('Enter');
        await page.getByText('Another Ana was added').waitFor();
        await page.locator('.field-row').filter({ hasText: 'ana.2' }).waitFor();
        assert.deepEqual((await named(window, 'users.')).at(-1), {
          name: 'users.add',
          args: { login: 'ana.2', displayName: 'Another Ana', role: 'editor', password: 'correct horse' },
        });
      },
      'Users',
    ),
  );

  it(
    'sets a password, changes a role after explaining the effect, and removes a user',
    using(
      'settings-day',
      async (window) => {
        const { page } = window;
        const actions = async (entry: string) => {
          await page.getByRole('button', { name: 'Actions for Ben Okafor' }).click();
          await page.getByRole('menuitem', { name: entry }).click();
        };
        await actions('Set password…');
        await page.keyboard.type('short');
        await page.keyboard.press('Enter');
        await page.getByText('A password needs at least 8 characters').waitFor();
        await page.keyboard.type(' but longer');
        await page.keyboard.press('Enter');
        await page.getByText('Ben Okafor has a new password').waitFor();

        await page.getByRole('button', { name: /Role of Ben Okafor/u }).click();
        await page.getByRole('option', { name: 'Viewer' }).click();
        const question = page.getByRole('alertdialog', { name: 'Make Ben Okafor a viewer?' });
        assert.match(await question.innerText(), /can no longer be saved/u);
        await question.getByRole('button', { name: 'Make viewer' }).click();
        await page.getByRole('button', { name: /^Viewer Role of Ben/u }).waitFor();

        await actions('Remove…');
        await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
        await page.getByText('Ben Okafor was removed').waitFor();
        assert.deepEqual(
          (await named(window, 'users.')).map(({ name, args }) => [name, args]),
          [
            ['users.setPassword', { login: 'ben', password: 'short' }],
            ['users.setPassword', { login: 'ben', password: 'short but longer' }],
            ['users.setRole', { login: 'ben', role: 'viewer' }],
            ['users.remove', { login: 'ben' }],
          ],
        );
      },
      'Users',
    ),
  );

  it(
    'only copies the owner’s password to the clipboard, and never offers to remove the owner',
    using(
      'settings-day',
      async (window) => {
        const { page } = window;
        await page.getByRole('button', { name: /^Actions for .*Robin Vale/u }).click();
        await page.getByRole('menuitem', { name: 'Copy password' }).click();
        await page.getByText('The owner’s password was copied').waitFor();
        assert.equal((await named(window, 'host.copyOwnerPassword')).length, 1);
        await page.getByRole('button', { name: 'Actions for Robin Vale' }).click();
        await page.getByRole('menu').waitFor();
        assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), [
          'Copy password',
          'Set password…',
        ]);
      },
      'Users',
    ),
  );

  it(
    'shows the space that versions use, and cleans up with progress',
    using(
      'settings-day',
      async (window) => {
        const { page } = window;
        await page.getByText('412 versions, 93 MB.').waitFor();
        await page.getByRole('button', { name: 'Clean up now' }).click();
        await page.getByRole('progressbar', { name: 'Cleaning up versions' }).waitFor();
        await page.getByRole('button', { name: 'Cancel: Cleaning up versions' }).click();
        assert.deepEqual((await named(window, 'jobs.')).at(0), {
          name: 'jobs.cancel',
          args: { id: 'clean' },
        });
      },
      'Versions',
    ),
  );

  it(
    'says what this computer lacks, and where secrets are stored',
    using('settings-poor', async ({ page }) => {
      await page.getByText('This system doesn’t support it.').waitFor();
      assert.equal(await page.getByRole('switch', { name: /log in/u }).count(), 0);
      await show(page, 'Versions');
      await page.getByRole('region', { name: 'Versions' }).getByText('The disk returned an error.').waitFor();
      await show(page, 'About');
      await page.getByText(/secrets\.json in the data folder\. Only you can read it\./u).waitFor();
      await page.getByRole('button', { name: 'Move to the keychain' }).click();
      await page.getByText('No keychain is available.').waitFor();
    }),
  );

  it(
    'shows why the host isn’t serving, and offers to try again',
    using('broken', async ({ page }) => {
      const problem = page.getByRole('region', { name: 'Not serving' });
      await problem.getByText('The hosted folder is missing.').waitFor();
      await page.locator('[data-setting="folder"]').getByText('The hosted folder is missing.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Open folder' }).count(), 0);
      await problem.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Still not serving').waitFor();
    }),
  );

  it(
    'shows that the log can’t be read only as long as that is so',
    using(
      'settings-day',
      async ({ page }) => {
        await page.evaluate(`(() => {
          const { answers } = harness;
          const log = answers['app.log'];
          answers['app.log'] = () => {
            answers['app.log'] = log;
            throw Object.assign(new Error('The disk returned an error.'), { code: 'x' });
          };
        })()`);
        await page.getByRole('button', { name: 'Show log' }).click();
        const problem = page.locator('.log').getByText('The disk returned an error.');
        await problem.waitFor();
        await page.getByRole('log', { name: 'Log' }).waitFor();
        await problem.waitFor({ state: 'detached' });
      },
      'About',
    ),
  );

  it(
    'opens help, the folder and the data folder',
    using('settings-day', async (window) => {
      const { page } = window;
      const press = async (name: string) => page.getByRole('button', { name, exact: true }).click();
      await press('Open folder');
      await press('Change folder…');
      await show(page, 'Editors');
      await press('Collabora Online');
      await show(page, 'About');
      await press('Show in file manager');
      await press('Licenses');
      const sent = (await window.calls()).filter(
        ({ name }) => !/^(?:state|activity|settings|versions|documentServers)\./u.test(name),
      );
      assert.deepEqual(sent, [
        { name: 'host.openFolder', args: {} },
        { name: 'host.chooseFolder', args: {} },
        { name: 'app.openHelp', args: { page: 'collabora' } },
        { name: 'app.revealDataFolder', args: {} },
        { name: 'app.openHelp', args: { page: 'licenses' } },
      ]);
    }),
  );

  const places: LookedAt[] = [
    {
      scenario: 'settings-day',
      view: 'settings',
      steps: [
        ...['General', 'Editors', 'Versions', 'Network & HTTPS', 'Advanced'].map(
          (pane): LookedAt['steps'][number] => [`the pane ${pane}`, (page) => show(page, pane)],
        ),
        [
          'a specific bind address',
          async (page) => {
            await show(page, 'Network & HTTPS');
            await page.getByRole('radio', { name: 'A specific address' }).press(' ');
            await page.getByRole('button', { name: /^Choose an address…/u }).waitFor();
          },
        ],
        [
          'the pane About with diagnostics',
          async (page) => {
            await show(page, 'About');
            await page.getByRole('button', { name: 'Run check' }).click();
            await page.getByRole('button', { name: 'Show log' }).click();
            await page.getByRole('log').getByText('PutFile').waitFor();
          },
        ],
        [
          'search results',
          async (page) => page.getByRole('searchbox', { name: 'Search settings' }).fill('port'),
        ],
        [
          'the pane Users',
          async (page) => {
            await page.getByRole('searchbox', { name: 'Search settings' }).fill('');
            await show(page, 'Users');
          },
        ],
        [
          'the form for a user',
          async (page) => {
            await page.getByRole('button', { name: 'Add user…' }).click();
            await page.getByRole('dialog').waitFor();
            await page.keyboard.press('Enter');
            await page.getByText('Enter a user name.').waitFor();
          },
        ],
      ],
    },
    {
      scenario: 'settings-poor',
      view: 'settings',
      steps: [
        [
          'settings with errors',
          async (page) => {
            await show(page, 'Network & HTTPS');
            await field(page, 'Port').fill('99999');
            await field(page, 'Public URL for editors').focus();
            await page.getByText('The disk returned an error.').first().waitFor();
          },
        ],
      ],
    },
  ];
  for (const place of places) itLooksRight(() => lab, place);
});
