import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright';
import { assertLooksRight, type LookedAt } from './look-over.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';

describe('the Settings view', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const using = (scenario: string, body: (window: OpenWindow) => Promise<void>) => async () => {
    const window = await lab.open({ scenario, view: 'settings' });
    try {
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
    using('settings-update', async (window) => {
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
    }),
  );

  it(
    'validates a value while it is typed, shows errors in place, and saves a valid one',
    using('settings-day', async (window) => {
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
      assert.deepEqual(await named(window, 'settings.'), [
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
    }),
  );

  it(
    'saves when a field loses the focus, splits lists into entries, and ignores unchanged fields',
    using('settings-day', async (window) => {
      const { page } = window;
      await field(page, 'Further names').fill('docs.example.org\n  files.example.org, \n');
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
      await field(page, 'Address for editors').fill('http://192.168.1.14:9000/');
      await field(page, 'Address to listen on').focus();
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
    using('settings-day', async (window) => {
      const { page } = window;
      await field(page, 'Largest document').fill('512');
      await page.keyboard.press('Control+1');
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      assert.deepEqual(await named(window, 'settings.set'), [
        { name: 'settings.set', args: { key: 'maxUploadMiB', value: 512 } },
      ]);
    }),
  );

  it(
    'keeps a value that couldn’t be saved, says why, and reverts it on Escape',
    using('settings-poor', async ({ page }) => {
      const days = field(page, 'A program stays signed in for');
      await days.fill('7');
      await days.press('Enter');
      await page.getByText('The disk returned an error. Nothing was changed.').first().waitFor();
      assert.equal(await days.inputValue(), '7');
      await days.press('Escape');
      assert.equal(await days.inputValue(), '30');
      assert.equal(await days.getAttribute('aria-invalid'), null);
    }),
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
      await page.getByRole('radio', { name: 'Refuse the editor' }).focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('switch', { name: 'Stale locks' }).press(' ');
      await page.getByRole('switch', { name: 'Start DocTray when you log in' }).press(' ');
      const sent = (await window.calls()).filter(({ name }) => /^(?:settings|app)\./u.test(name));
      assert.deepEqual(sent, [
        { name: 'settings.set', args: { key: 'appearance', value: 'dark' } },
        { name: 'settings.set', args: { key: 'desktopLocks', value: 'warn' } },
        { name: 'settings.set', args: { key: 'notifyStaleLocks', value: false } },
        { name: 'app.setStartsAtLogin', args: { isOn: true } },
      ]);
    }),
  );

  it(
    'offers to restart the listener when a new address needs it',
    using('settings-day', async (window) => {
      const { page } = window;
      const restart = page.getByRole('button', { name: 'Restart the listener' });
      assert.equal(await restart.count(), 0);
      await field(page, 'Address to listen on').fill('127.0.0.1');
      await page.keyboard.press('Enter');
      await restart.click();
      await page.getByText('The listener was restarted').waitFor();
      assert.equal(await restart.count(), 0);
      assert.equal((await named(window, 'host.restart')).length, 1);
    }),
  );

  it(
    'jumps to the section it is opened for, and filters sections by text',
    using('settings-day', async ({ page, push }) => {
      await push('navigate', { view: 'settings', path: 'Network' });
      await page.waitForFunction(() => document.activeElement?.textContent === 'Network');
      assert.equal(await page.getByRole('button', { name: 'Network' }).getAttribute('aria-current'), 'true');
      await page.getByRole('button', { name: 'About' }).press('Enter');
      await page.waitForFunction(() => document.activeElement?.textContent === 'About');
      const { y = 999 } = (await page.getByRole('region', { name: 'About' }).boundingBox()) ?? {};
      assert.ok(y < 60, String(y));
      await page.keyboard.press('/');
      await page.keyboard.type('keychain');
      await page.getByRole('heading', { name: 'Network' }).waitFor({ state: 'hidden' });
      await page.getByRole('heading', { name: 'Secrets in use' }).waitFor();
      await page.keyboard.type(' nothing');
      await page.getByText('No setting matches “keychain nothing”.').waitFor();
      await page.getByRole('button', { name: 'Show all settings' }).click();
      await page.getByRole('heading', { name: 'Network' }).waitFor();
    }),
  );

  it(
    'adds a user by keyboard, and shows an error at its field',
    using('settings-day', async (window) => {
      const { page } = window;
      await page.getByRole('button', { name: 'Add user…' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Add a user' });
      await dialog.waitFor();
      await page.keyboard.press('Enter');
      await dialog.getByText('Give the name to sign in with.').waitFor();
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
      await page.getByRole('row', { name: /Another Ana/u }).waitFor();
      assert.deepEqual((await named(window, 'users.')).at(-1), {
        name: 'users.add',
        args: { login: 'ana.2', displayName: 'Another Ana', role: 'editor', password: 'correct horse' },
      });
    }),
  );

  it(
    'sets a password, changes a role after explaining the effect, and removes a user',
    using('settings-day', async (window) => {
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
      await question.getByRole('button', { name: 'Make a viewer' }).click();
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
    }),
  );

  it(
    'only copies the owner’s password to the clipboard, and never offers to remove the owner',
    using('settings-day', async (window) => {
      const { page } = window;
      await page.getByRole('button', { name: 'Copy password' }).click();
      await page.getByText('The owner’s password is on the clipboard').waitFor();
      assert.equal((await named(window, 'host.copyOwnerPassword')).length, 1);
      await page.getByRole('button', { name: 'Actions for Robin Vale' }).click();
      await page.getByRole('menu').waitFor();
      assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Set password…']);
    }),
  );

  it(
    'shows the space that versions use, and cleans up with progress',
    using('settings-day', async (window) => {
      const { page } = window;
      await page.getByText('412 versions of all documents, 93 MB.').waitFor();
      await page.getByRole('button', { name: 'Clean up now' }).click();
      await page.getByRole('progressbar', { name: 'Cleaning up versions' }).waitFor();
      await page.getByRole('button', { name: 'Cancel: Cleaning up versions' }).click();
      assert.deepEqual((await named(window, 'jobs.')).at(0), { name: 'jobs.cancel', args: { id: 'clean' } });
    }),
  );

  it(
    'says what this computer lacks, and where secrets are stored',
    using('settings-poor', async ({ page }) => {
      await page.getByText('Not offered by this system').waitFor();
      const words = await page.getByRole('region', { name: 'Secrets in use' }).innerText();
      assert.match(words, /A private file[^]*secrets\.json[^]*Only you can read the file/u);
      await page.getByRole('region', { name: 'Versions' }).getByText('The disk returned an error.').waitFor();
      assert.equal(await page.getByRole('switch', { name: /log in/u }).count(), 0);
    }),
  );

  it(
    'shows why the host isn’t serving, and offers to try again',
    using('broken', async ({ page }) => {
      await page.getByText('The hosted folder is missing.').first().waitFor();
      await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().click();
      await page.getByText('Still not serving').waitFor();
    }),
  );

  it(
    'opens help, the folder and the data folder',
    using('settings-day', async (window) => {
      const { page } = window;
      for (const name of [
        'ONLYOFFICE Docs',
        'Collabora Online',
        'Open folder',
        'Choose another…',
        'Show in file manager',
        'Licenses',
      ])
        await page.getByRole('button', { name, exact: true }).click();
      const sent = (await window.calls()).filter(
        ({ name }) => !/^(?:state|settings|versions|documentServers)\./u.test(name),
      );
      assert.deepEqual(sent, [
        { name: 'app.openHelp', args: { page: 'onlyoffice' } },
        { name: 'app.openHelp', args: { page: 'collabora' } },
        { name: 'host.openFolder', args: {} },
        { name: 'host.chooseFolder', args: {} },
        { name: 'app.revealDataFolder', args: {} },
        { name: 'app.openHelp', args: { page: 'licenses' } },
      ]);
    }),
  );

  const places: [string, LookedAt][] = [
    ['all settings', { scenario: 'settings-day', view: 'settings' }],
    [
      'settings with errors',
      {
        scenario: 'settings-poor',
        view: 'settings',
        reach: async (page) => {
          await field(page, 'Port').fill('99999');
          await field(page, 'Address to listen on').focus();
          await page.getByText('The disk returned an error.').first().waitFor();
        },
      },
    ],
    [
      'the form for a user',
      {
        scenario: 'settings-day',
        view: 'settings',
        reach: async (page) => {
          await page.getByRole('button', { name: 'Add user…' }).click();
          await page.getByRole('dialog').waitFor();
          await page.keyboard.press('Enter');
          await page.getByText('Give the name to sign in with.').waitFor();
        },
      },
    ],
  ];
  for (const [name, place] of places) {
    it(`${name}: passes axe in every color scheme and fits a small window and 200 % zoom`, async () =>
      assertLooksRight(lab, place));
  }
});
