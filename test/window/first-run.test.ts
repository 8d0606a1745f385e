import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright';
import { lookOver } from './look-over.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';

/** Presses the button of each name, one after the other. */
const press = async (page: Page, ...names: string[]) => {
  for (const name of names) await page.getByRole('button', { name, exact: true }).click();
};

const steps: { name: string; scenario: string; presses: string[]; title: string }[] = [
  {
    name: 'the welcome',
    scenario: 'first-steps',
    presses: [],
    title: 'Your own files, in a full document editor',
  },
  {
    name: 'the choice of a folder',
    scenario: 'first-steps',
    presses: ['Begin'],
    title: 'Which folder holds your documents?',
  },
  {
    name: 'a folder that is not there',
    scenario: 'first-steps-broken',
    presses: ['Begin'],
    title: 'Which folder holds your documents?',
  },
  {
    name: 'the address of the editor',
    scenario: 'first-steps',
    presses: ['Begin', 'Choose folder…', 'Next'],
    title: 'Connect your editor',
  },
  {
    name: 'the sample',
    scenario: 'first-steps',
    presses: ['Begin', 'Choose folder…', 'Next', 'Skip this step', 'Make a sample'],
    title: 'Try it with a sample',
  },
  {
    name: 'the end',
    scenario: 'first-steps',
    presses: ['Begin', 'Choose folder…', 'Next', 'Skip this step', 'Make a sample', 'Next', 'Copy password'],
    title: 'Ready',
  },
];

describe('the first steps', () => {
  let lab: WindowLab;
  let window: OpenWindow;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const using = (scenario: string, body: () => Promise<void>) => async () => {
    window = await lab.open({ scenario });
    try {
      await body();
      assert.deepEqual(window.problems, []);
    } finally {
      await window.close();
    }
  };
  const sent = async () =>
    (await window.calls()).filter(({ name }) => name !== 'state.get').map(({ name, args }) => [name, args]);
  const title = (name: string) => window.page.getByRole('heading', { level: 1, name }).waitFor();

  it(
    'lead from nothing to the first document, by keyboard alone',
    using('first-steps', async () => {
      const { page } = window;
      await title('Your own files, in a full document editor');
      // Enter on the button that has the focus, then Tab from the title of the step to its buttons
      const pressNext = async (name: string) => {
        const button = page.getByRole('button', { name, exact: true });
        for (let tabs = 0; tabs < 12; tabs += 1) {
          if (await button.evaluate((element) => element.matches(':focus'))) break;
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
      };
      await pressNext('Begin');
      await page.locator('h1:focus').getByText('Which folder holds your documents?').waitFor();
      await pressNext('Choose folder…');
      await page.getByText('/home/robin/Documents').waitFor();
      await pressNext('Next');
      await page.locator('h1:focus').getByText('Connect your editor').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.type('http://localhost:8080');
      await page.keyboard.press('Enter');
      await page.locator('h1:focus').getByText('Can it reach this machine?').waitFor();
      await page.getByText('It opens 23 types, 9 of them to edit.').waitFor();
      const chosen = page.getByRole('radio', { checked: true });
      for (let tabs = 0; tabs < 12; tabs += 1) {
        if (await chosen.evaluate((element) => element.matches(':focus'))) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('ArrowDown');
      await pressNext('Use and test');
      await page.getByRole('list', { name: 'Steps of the test' }).waitFor();
      await pressNext('Next');
      await pressNext('Make a sample');
      await page.getByText('Welcome.docx').waitFor();
      await pressNext('Open it');
      await page.getByText('It is open in ONLYOFFICE Docs.').waitFor();
      await pressNext('Show it in Documents');
      await page.locator('[data-row="Welcome.docx"]:focus').waitFor();
      assert.deepEqual((await sent()).slice(0, 8), [
        ['host.chooseFolder', {}],
        [
          'editors.add',
          { url: 'http://localhost:8080', name: null, publicUrl: null, acceptsOtherHosts: false },
        ],
        ['editors.addresses', {}],
        ['editors.useAddress', { id: 'added0', url: 'http://192.168.1.14:8790' }],
        ['editors.test', { id: 'added0' }],
        ['host.makeSample', {}],
        ['documents.openInEditor', { path: 'Welcome.docx', mode: 'edit', editorId: null }],
        ['app.finishFirstRun', {}],
      ]);
    }),
  );

  it(
    'can be passed over, all at once or one by one, and gone back through',
    using('first-steps', async () => {
      const { page } = window;
      await press(page, 'Begin', 'Skip this step');
      await title('Connect your editor');
      await press(page, 'Skip this step');
      assert.ok(
        await page.getByRole('button', { name: 'Make a sample' }).isDisabled(),
        'there is no folder to put it into',
      );
      await page.getByText('There is no folder to put it into yet.').waitFor();
      await press(page, 'Skip this step');
      await title('Ready, but for a folder');
      await press(page, 'Back', 'Back', 'Back');
      await title('Which folder holds your documents?');
      await page
        .getByRole('navigation', { name: 'First steps' })
        .getByRole('button', { name: 'Welcome' })
        .click();
      await press(page, 'Skip all of this');
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      assert.deepEqual(await sent(), [['app.finishFirstRun', {}]]);
    }),
  );

  it(
    'say what is wrong with an address, lead to help, and show which step of a test failed with what to do',
    using('first-steps', async () => {
      const { page } = window;
      await press(page, 'Begin', 'Choose folder…', 'Next', 'ONLYOFFICE Docs', 'Collabora Online');
      const field = page.getByRole('textbox', { name: 'Address of the editor' });
      await press(page, 'Connect');
      await page.getByText('Give the address of the document server.').waitFor();
      await field.fill('http://nothing.example.org');
      await press(page, 'Connect');
      await page.getByText('The name nothing.example.org is not known.').waitFor();
      await field.fill('http://localhost:8080');
      await press(page, 'Connect', 'Test connection');
      const step = page.getByRole('listitem').filter({ hasText: 'The editor reaches DocTray, failed' });
      await step.getByText('What to do: Allow this address in the editor’s configuration').waitFor();
      await step.getByRole('button', { name: 'Copy line' }).first().click();
      await lookOver(page);
      await press(page, 'Another editor…');
      await title('Connect your editor');
      assert.deepEqual(
        (await sent()).slice(1).filter(([name]) => !String(name).startsWith('editors.a')),
        [
          ['app.openHelp', { page: 'onlyoffice' }],
          ['app.openHelp', { page: 'collabora' }],
          ['editors.test', { id: 'added0' }],
          ['app.copyText', { text: 'docker run -e aliasgroup1=http://192.168.1.14:8790 collabora/code' }],
          ['editors.remove', { id: 'added0' }],
        ],
      );
    }),
  );

  it(
    'say where the owner’s password lies and copy it without showing it',
    using('first-steps', async () => {
      const { page } = window;
      await press(page, 'Begin', 'Skip this step', 'Skip this step', 'Skip this step');
      await page.getByText('The owner’s account: owner').waitFor();
      await page.getByText('Its password lies in the keychain of this machine.').waitFor();
      await press(page, 'Copy password');
      await page.getByText('The password is on the clipboard.').waitFor();
      assert.deepEqual(await sent(), [['host.copyOwnerPassword', {}]]);
    }),
  );

  it(
    'say beside the button what went wrong, and let one try again',
    using('first-steps-broken', async () => {
      const { page } = window;
      const refuse = async (name: string, message: string) =>
        page.evaluate(
          ([command, words]) => {
            const { harness } = globalThis as unknown as {
              harness: { answers: Record<string, () => unknown> };
            };
            harness.answers[command as string] = () => {
              throw new Error(words);
            };
          },
          [name, message],
        );
      await press(page, 'Begin');
      await page.getByText('The hosted folder is not there.').waitFor();
      await refuse('host.chooseFolder', 'This is not a folder that can be hosted.');
      await press(page, 'Choose another…');
      await page.getByText('This is not a folder that can be hosted.').waitFor();
      await press(page, 'Try again');
      await page.getByText('The hosted folder is not there.').waitFor({ state: 'detached' });
      await press(page, 'Next', 'Skip this step');
      await refuse('host.makeSample', 'The disk refused. Nothing was changed.');
      await press(page, 'Make a sample');
      await page.getByText('The disk refused. Nothing was changed.').waitFor();
      await refuse('host.copyOwnerPassword', 'DocTray does not know the owner’s password.');
      await press(page, 'Skip this step', 'Copy password');
      await page.getByText('DocTray does not know the owner’s password.').waitFor();
    }),
  );

  for (const step of steps) {
    it(
      `axe finds nothing in ${step.name}, in light, dark and forced colours, and nothing needs sideways scrolling`,
      using(step.scenario, async () => {
        await press(window.page, ...step.presses);
        await title(step.title);
        await lookOver(window.page);
      }),
    );
  }
});
