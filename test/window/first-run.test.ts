import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright';
import type { DocumentServersState } from '../../app/contract/document-servers.ts';
import type { WindowState } from '../../app/contract/state.ts';
import {
  downloading,
  failedPull,
  makeContainer,
  makeStart,
  makeStartedEditor,
  waiting,
} from './harness/document-servers.ts';
import { makeStep } from './harness/editors.ts';
import { lookOver } from './look-over.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';

/** Presses the buttons with these names, in order. */
const press = async (page: Page, ...names: string[]) => {
  for (const name of names) await page.getByRole('button', { name, exact: true }).click();
};

interface HarnessPage {
  harness: {
    host: { state: WindowState };
    answers: Record<string, ((args: unknown) => unknown) | undefined>;
  };
}

const looks: { name: string; scenario: string; presses: string[]; shows: string }[] = [
  {
    name: 'the folder',
    scenario: 'first-steps',
    presses: [],
    shows: 'DocTray creates it, with three sample documents.',
  },
  {
    name: 'a missing folder',
    scenario: 'first-steps-broken',
    presses: [],
    shows: 'The hosted folder is missing.',
  },
  ...[
    ['looking', 'Another document server'],
    ['nothing-found', 'No document server is running on this computer'],
    ['two-found', 'Its certificate isn’t trusted by this computer.'],
    ['docker-stopped', 'Docker is installed, but it isn’t running.'],
    ['docker-ready', 'Runs in Docker.'],
    ['downloading', '33% · 3 of 9 layers'],
    ['waiting', 'Waiting for Collabora Online to respond'],
    ['failed-start', 'The image couldn’t be downloaded.'],
    ['no-way-back', 'it can’t reach DocTray'],
    ['started', 'DocTray now also listens on 172.17.0.1'],
  ].map(([name = '', shows = '']) => ({
    name: `document servers: ${name}`,
    scenario: `first-${name}`,
    presses: ['Next'],
    shows,
  })),
  {
    name: 'the end',
    scenario: 'first-nothing-found',
    presses: ['Next', 'Skip'],
    shows: 'Opened in Text editor, read-only.',
  },
];

describe('the first run', () => {
  let lab: WindowLab;
  let window: OpenWindow;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const using = (scenario: string, body: (page: Page) => Promise<void>) => async () => {
    window = await lab.open({ scenario });
    window.page.setDefaultTimeout(60_000);
    try {
      await body(window.page);
      assert.deepEqual(window.problems, []);
    } finally {
      await window.close();
    }
  };
  /** Commands, except those that the window sends without the user. */
  const sent = async () => {
    const quiet = [
      'state.get',
      'activity.summary',
      'host.defaultFolder',
      'editors.detect',
      'documentServers.refresh',
    ];
    const calls = await window.calls();
    return calls.filter(({ name }) => !quiet.includes(name)).map(({ name, args }) => [name, args]);
  };
  const title = (name: string) => window.page.getByRole('heading', { level: 1, name }).waitFor();
  const row = (name: string) => window.page.getByRole('listitem').filter({ hasText: name });
  /** Sets the response to a command; with `hangs` there is none. */
  const answer = async (name: string, how: { refuses?: string; gives?: unknown; hangs?: boolean }) =>
    window.page.evaluate(
      ([command, { refuses, gives, hangs }]) => {
        const { harness } = globalThis as unknown as HarnessPage;
        harness.answers[command] = async () => {
          if (hangs === true) await new Promise(() => undefined);
          if (refuses !== undefined) throw new Error(refuses);
          return gives;
        };
      },
      [name, how] as const,
    );
  const showServers = async (change: Partial<DocumentServersState>, values: Partial<WindowState> = {}) => {
    const { documentServers } = await window.page.evaluate(
      () => (globalThis as unknown as HarnessPage).harness.host.state,
    );
    await window.change({
      values: { documentServers: { ...documentServers, ...change }, ...values },
      tables: {},
    });
  };

  it(
    'opens a document in three steps, with Enter only',
    using('first-steps', async (page) => {
      await title('Your documents');
      await page.getByText('/home/robin/Documents/DocTray').waitFor();
      await page.keyboard.press('Enter');
      await page.locator('h1:focus').getByText('Your editor').waitFor();
      await row('Text editor').getByText('Opens text, Markdown and CSV.').waitFor();
      await page.getByRole('button', { name: 'Skip' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('h1:focus').getByText('Ready').waitFor();
      await page.getByText('Opened in Text editor. What you write is saved in the file.').waitFor();
      await page.getByRole('button', { name: 'Show in Documents' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('[data-row="Welcome.md"]:focus').waitFor();
      assert.deepEqual((await sent()).slice(0, 4), [
        ['host.useDefaultFolder', {}],
        ['documents.createSample', {}],
        ['documents.openInEditor', { path: 'Welcome.md', mode: 'edit', editorId: null }],
        ['app.finishFirstRun', {}],
      ]);
    }),
  );

  it(
    'warns of a folder that can’t be written, as soon as it is chosen and at the end, and takes it',
    using('first-steps', async (page) => {
      const warning = 'Documents can be opened but not saved.';
      await press(page, 'Choose another…');
      await page.getByText('/home/robin/Office').waitFor();
      assert.equal(await page.getByText(warning).count(), 0);
      const { host } = await page.evaluate(() => (globalThis as unknown as HarnessPage).harness.host.state);
      await window.change({ values: { host: { ...host, warning } }, tables: {} });
      await page.getByRole('alert').getByText(warning).waitFor();
      await press(page, 'Next', 'Skip');
      await title('Ready');
      await page.getByRole('alert').getByText(warning).waitFor();
    }),
  );

  it(
    'puts no sample into a folder that the user chose unless they ask for it',
    using('first-steps', async (page) => {
      await press(page, 'Choose another…');
      await page.getByText('/home/robin/Office').waitFor();
      await press(page, 'Next', 'Skip');
      await page.getByText('DocTray creates it in your folder.').waitFor();
      assert.deepEqual(await sent(), [['host.chooseFolder', {}]]);
      await press(page, 'Open sample');
      await page.getByText('Opened in Text editor.').waitFor();
      await press(page, 'Back', 'Back', 'Use default');
      await page.getByText('/home/robin/Documents/DocTray').waitFor();
      await press(page, 'Next', 'Skip');
      await page.getByText('Opened in Text editor.').waitFor();
      await press(page, 'Back');
      await press(page, 'Skip');
      await page.getByText('Opened in Text editor.').waitFor();
      assert.equal(
        (await sent()).filter(([name]) => name === 'documents.createSample').length,
        2,
        'once per folder, no matter how often the step is shown',
      );
    }),
  );

  it(
    'keeps the focus at the button of the sample, whether it could be opened or not',
    using('first-steps', async (page) => {
      await press(page, 'Choose another…');
      await page.getByText('/home/robin/Office').waitFor();
      await press(page, 'Next', 'Skip');
      const sample = page.locator('.first-run-card button');
      const isFocused = async () => sample.evaluate((button) => button === document.activeElement);
      await answer('documents.createSample', { refuses: 'The disk is full.' });
      await sample.focus();
      await page.keyboard.press('Enter');
      await page.getByText('The disk is full.').waitFor();
      assert.ok(await isFocused());
      await answer('documents.createSample', { gives: { path: 'Welcome.md' } });
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Open again' }).waitFor();
      assert.ok(await isFocused());
    }),
  );

  it(
    'can be skipped at once',
    using('first-steps', async (page) => {
      await press(page, 'Skip setup');
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      assert.deepEqual(await sent(), [['app.finishFirstRun', {}]]);
    }),
  );

  it(
    'asks for a folder when there is no default',
    using('first-steps-homeless', async (page) => {
      await press(page, 'Choose folder…');
      await page.getByText('/home/robin/Office').waitFor();
      await press(page, 'Next');
      await title('Your editor');
    }),
  );

  it(
    'shows errors next to the button, and tries again',
    using('first-steps-broken', async (page) => {
      await page.getByText('The hosted folder is missing.').waitFor();
      await answer('host.chooseFolder', { refuses: 'DocTray can’t serve this folder.' });
      await press(page, 'Choose another…');
      await page.getByRole('alert').getByText('DocTray can’t serve this folder.').waitFor();
      await answer('host.useDefaultFolder', { refuses: 'DocTray can’t create the folder.' });
      await press(page, 'Use default');
      await page.getByRole('alert').getByText('DocTray can’t create the folder.').waitFor();
      await press(page, 'Try again');
      await press(page, 'Next', 'Skip');
      await answer('documents.createSample', { refuses: 'The disk returned an error. Nothing was changed.' });
      await press(page, 'Open sample');
      await page.getByRole('alert').getByText('The disk returned an error. Nothing was changed.').waitFor();
    }),
  );

  it(
    'connects a found server with one click, finds DocTray’s address for it, and shows that it works',
    using('first-two-found', async (page) => {
      await press(page, 'Next');
      await row('ONLYOFFICE Docs').getByText('Works').waitFor();
      assert.equal(await row('ONLYOFFICE Docs').count(), 1, 'a connected server isn’t offered again');
      assert.equal(
        await row('Document server')
          .getByRole('button', { name: /^Connect/u })
          .count(),
        0,
      );
      const button = page.getByRole('button', { name: /^Connect Collabora Online Development Edition/u });
      await button.focus();
      await page.keyboard.press('Enter');
      await button.waitFor({ state: 'detached' });
      await row('reaches DocTray at http://host.docker.internal:8790').getByText('Works').waitFor();
      await page.waitForFunction(() => document.activeElement?.className.includes('status-row'));
      assert.deepEqual(await sent(), [
        [
          'editors.add',
          { url: 'http://localhost:9980', name: null, publicUrl: null, acceptsOtherHosts: false },
        ],
        ['editors.findAddress', { id: 'added2', isInContainer: true }],
      ]);
    }),
  );

  it(
    'copies the command that starts a document server',
    using('first-docker-ready', async (page) => {
      await press(page, 'Next', 'Copy command: Collabora Online');
      await page.getByText('Command copied. Run it in a terminal, then search again.').waitFor();
      assert.deepEqual((await sent()).slice(-2), [
        ['documentServers.command', { product: 'collabora', engine: null }],
        ['app.copyText', { text: 'docker run collabora' }],
      ]);
    }),
  );

  it(
    'shows errors of an entered address and which DocTray address it tries, and can be canceled',
    using('first-docker-ready', async (page) => {
      await press(page, 'Next', 'Enter address…');
      const field = page.getByRole('textbox', { name: 'Address of the editor' });
      await page.keyboard.press('Enter');
      await page.getByText('Enter the address of the document server.').waitFor();
      await field.fill('http://nothing.example.org');
      await page.keyboard.press('Enter');
      await page.getByText(/can’t resolve the name nothing\.example\.org/u).waitFor();
      await answer('editors.findAddress', { hangs: true });
      await field.fill('http://192.168.1.40:8080');
      await page.keyboard.press('Enter');
      const connected = row('http://192.168.1.40:8080');
      await connected.getByText('can reach DocTray at http://127.0.0.1:8790').waitFor();
      await connected.getByRole('progressbar').waitFor();
      await lookOver(page);
      const { editors } = await window.page.evaluate(
        () => (globalThis as unknown as HarnessPage).harness.host.state,
      );
      const change = {
        values: { editors: editors.map((one) => ({ ...one, isAwaitingConfirmation: true })) },
      };
      await window.change({ ...change, tables: {} });
      await connected.getByText('Waiting for your confirmation.').waitFor();
      await press(page, 'Cancel');
      assert.deepEqual((await sent()).at(-1), ['editors.cancelFindAddress', { id: 'added1' }]);
    }),
  );

  it(
    'lets the user choose an address when none was found to work',
    using('first-docker-ready', async (page) => {
      await press(page, 'Next', 'Enter address…');
      const none = { url: null, openedHost: null, warning: null, failed: null, isDeclined: false };
      await answer('editors.findAddress', { gives: none });
      await page.getByRole('textbox', { name: 'Address of the editor' }).fill('http://192.168.1.40:8080');
      await press(page, 'Connect');
      await page.getByRole('alert').getByText('it didn’t reach DocTray at any address').waitFor();
      await lookOver(page);
      await press(page, 'Choose address…');
      const dialog = page.getByRole('dialog', { name: 'Address of DocTray for ONLYOFFICE Docs' });
      await dialog.getByRole('radio', { name: /192\.168\.1\.14/u }).press(' ');
      await press(page, 'Use and test');
      await row('http://192.168.1.40:8080').getByText('Works').waitFor();
      assert.deepEqual((await sent()).slice(-2), [
        ['editors.useAddress', { id: 'added1', url: 'http://192.168.1.14:8790' }],
        ['editors.test', { id: 'added1' }],
      ]);
    }),
  );

  it(
    'says that no other address was tried if the user didn’t allow it',
    using('first-docker-ready', async (page) => {
      await press(page, 'Next', 'Enter address…');
      const failed = makeStep('callback', {
        state: 'failed',
        sentence: 'The editor showed its page, but didn’t call http://127.0.0.1:8790 within 20 s.',
      });
      const declined = { url: null, openedHost: null, warning: null, failed, isDeclined: true };
      await answer('editors.findAddress', { gives: declined });
      await page.getByRole('textbox', { name: 'Address of the editor' }).fill('http://192.168.1.40:8080');
      await press(page, 'Connect');
      await page
        .getByRole('alert')
        .getByText(`${failed.sentence} DocTray didn’t try the addresses`)
        .and(page.getByText('because you didn’t allow it'))
        .waitFor();
      assert.equal(await page.getByText('it didn’t reach DocTray').count(), 0);
    }),
  );

  it(
    'starts a document server in a container, shows progress, and opens the sample in it',
    using('first-docker-ready', async (page) => {
      await press(page, 'Next');
      await page.getByRole('button', { name: 'Start Collabora Online' }).press('Enter');
      const starting = row('Collabora Online');
      await starting.getByText('Looking for Docker or Podman.').waitFor();
      await page.waitForFunction(() => document.activeElement?.className.includes('status-row'));
      assert.ok(await page.getByRole('button', { name: 'Start ONLYOFFICE Docs' }).isDisabled());
      const bar = starting.getByRole('progressbar', { name: 'Starting Collabora Online' });
      assert.equal(await bar.getAttribute('aria-valuenow'), null, 'the progress isn’t known yet');
      await showServers({ start: makeStart(Date.now(), downloading) });
      await starting.getByText('33% · 3 of 9 layers').waitFor();
      assert.equal(Math.floor(Number(await bar.getAttribute('aria-valuenow'))), 33);
      const nowMs = Date.now();
      const editor = makeStartedEditor(nowMs, 'collabora');
      const builtIn = (
        await page.evaluate(() => (globalThis as unknown as HarnessPage).harness.host.state.editors)
      ).slice(0, 1);
      const servers = [makeContainer({ editorId: editor.id })];
      await showServers(
        { start: makeStart(nowMs - 1000, { ...waiting, step: 'address' }), servers },
        { editors: [...builtIn, { ...editor, lastTest: null }] },
      );
      assert.equal(await row('Collabora Online').count(), 1, 'only one row while it is being connected');
      const result = {
        editorId: editor.id,
        editorName: editor.name,
        url: editor.url,
        address: editor.effectiveUrl,
        wasRunning: false,
        openedHost: null,
        warning: null,
      };
      await showServers(
        {
          start: makeStart(nowMs, { state: 'done', step: 'address', sentence: 'It was started.', result }),
          servers,
        },
        { editors: [...builtIn, editor] },
      );
      await row('Collabora Online').getByText('Works').waitFor();
      await answer('documents.createSample', { gives: { path: 'Welcome.docx' } });
      await press(page, 'Next');
      await page.getByText('Opened in Collabora Online.').waitFor();
      assert.deepEqual((await sent()).slice(0, 1), [
        ['documentServers.start', { product: 'collabora', engine: null }],
      ]);
    }),
  );

  it(
    'cancels a start, and retries a failed one',
    using('first-downloading', async (page) => {
      await press(page, 'Next', 'Cancel the start of Collabora Online');
      await page.getByText('Canceled the start of Collabora Online').waitFor();
      await page.getByRole('button', { name: 'Start Collabora Online' }).waitFor();
      const help = { ...failedPull, error: { code: 'engine-unavailable', help: 'docker-start' as const } };
      await showServers({ start: makeStart(Date.now(), help) });
      await row('Collabora Online')
        .getByRole('alert')
        .getByText('The image couldn’t be downloaded.')
        .waitFor();
      await press(page, 'Docker guide', 'Start again Collabora Online');
      await row('Collabora Online').getByText('Looking for Docker or Podman.').waitFor();
      assert.deepEqual(await sent(), [
        ['documentServers.cancel', { id: 'start1' }],
        ['documentServers.openHelp', { page: 'docker-start' }],
        ['documentServers.start', { product: 'collabora', engine: null }],
      ]);
    }),
  );

  it(
    'says what to install without Docker and Podman, and checks again',
    using('first-nothing-found', async (page) => {
      await press(page, 'Next', 'Get Docker');
      assert.equal(await page.getByRole('button', { name: /^Start/u }).count(), 0);
      assert.deepEqual(await sent(), [['documentServers.openHelp', { page: 'docker-install' }]]);
      const refreshes = async () =>
        (await window.calls()).filter(({ name }) => name === 'documentServers.refresh').length;
      const before = await refreshes();
      await press(page, 'Check again');
      assert.equal(await refreshes(), before + 1);
      await press(page, 'Search again');
      assert.equal((await window.calls()).filter(({ name }) => name === 'editors.detect').length, 2);
    }),
  );

  it(
    'says why it couldn’t search, and searches again',
    using('first-docker-ready', async (page) => {
      await answer('editors.detect', { refuses: 'DocTray is not running.' });
      await press(page, 'Next');
      await row('DocTray couldn’t look for document servers').getByText('DocTray is not running.').waitFor();
      await answer('editors.detect', { gives: { servers: [] } });
      await press(page, 'Try again');
      await page.getByText('No document server is running on this computer.').waitFor();
    }),
  );

  for (const look of looks) {
    it(
      `${look.name}: passes axe in light, dark and forced colors, without horizontal scrolling`,
      using(look.scenario, async (page) => {
        await press(page, ...look.presses);
        await page.getByText(look.shows).first().waitFor();
        await lookOver(page);
      }),
    );
  }
});
