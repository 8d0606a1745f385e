import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { DocumentServersState } from '../../app/contract/document-servers.ts';
import type { WindowState } from '../../app/contract/state.ts';
import { eventually } from '../durability/eventually.ts';
import {
  downloading,
  failedPull,
  makeContainer,
  makeStart,
  makeStartedEditor,
  waiting,
} from './harness/document-servers.ts';
import { makeStep } from './harness/editors.ts';
import { windowTests, type OpenWindow } from './open-window.ts';

const defaultFolder = '/home/robin/Documents/DocTray';
const chosenFolder = '/home/robin/Office';

describe('the first run', () => {
  const story = windowTests();
  /** Commands, except those that the window sends without the user. */
  const sent = async ({ calls }: OpenWindow) =>
    calls(/^(?!state\.|activity\.|host\.defaultFolder|editors\.detect|documentServers\.refresh)/u);
  const title = async ({ page }: OpenWindow, name: string) =>
    page.getByRole('heading', { level: 1, name }).waitFor();
  const row = ({ page }: OpenWindow, name: string) => page.getByRole('listitem').filter({ hasText: name });
  const showServers = async (
    window: OpenWindow,
    change: Partial<DocumentServersState>,
    values: Partial<WindowState> = {},
  ) => {
    await window.change({ documentServers: change, ...values });
  };
  const enterAddress = async ({ page, press }: OpenWindow, address: string) => {
    await page.getByRole('textbox', { name: 'Address of the editor' }).fill(address);
    await press('Connect');
  };

  story('can be skipped at once', 'first-steps', async (window) => {
    await window.press('Skip setup');
    await window.page.getByRole('navigation', { name: 'Views' }).waitFor();
    assert.deepEqual(await sent(window), [['app.finishFirstRun', {}]]);
  });

  story(
    'puts no sample into a folder that the user chose unless they ask for it, warns if it can’t be written, and keeps the focus at the button, whether the sample could be opened or not',
    'first-steps',
    async (window) => {
      const { page, see, press, answer, change, focused } = window;
      const warning = 'Documents can be opened but not saved.';
      await press('Choose another…');
      await see(chosenFolder);
      assert.equal(await page.getByText(warning).count(), 0);
      await change({ host: { warning } });
      await page.getByRole('alert').getByText(warning).waitFor();
      for (const [name, step] of [
        ['Next', 'Your editor'],
        ['Skip', 'Ready'],
      ] as const) {
        await press(name);
        await page.locator('h1:focus').getByText(step).waitFor();
      }
      await page.getByRole('alert').getByText(warning).waitFor();
      await see('DocTray creates it in your folder.');
      assert.deepEqual(await sent(window), [['host.chooseFolder', {}]]);
      await answer('documents.createSample', { refuses: 'The disk is full.', isOnce: true });
      const sample = page.locator('.first-run-card button');
      await sample.press('Enter');
      await see('The disk is full.');
      await focused(sample);
      await page.keyboard.press('Enter');
      await see('Opened in Text editor.');
      await focused(sample.filter({ hasText: 'Open again' }));
      await press('Back', 'Back', 'Use default');
      await see(defaultFolder);
      await press('Next', 'Skip');
      await see('Opened in Text editor.');
      await press('Back');
      await press('Skip');
      await see('Opened in Text editor.');
      assert.equal(
        (await window.sent('documents.createSample')).length,
        3,
        'once per folder, no matter how often the step is shown',
      );
    },
  );

  story('asks for a folder when there is no default', 'first-steps-homeless', async (window) => {
    await window.press('Choose folder…');
    await window.see(chosenFolder);
    await window.press('Next');
    await title(window, 'Your editor');
  });

  story('shows errors next to the button, and tries again', 'first-steps-broken', async (window) => {
    const { page, see, press, answer, button: named } = window;
    await see('The folder is missing.');
    assert.ok(await named('Next').isDisabled());
    for (const [command, button] of [
      ['host.chooseFolder', 'Choose another…'],
      ['host.useDefaultFolder', 'Use default'],
    ] as const) {
      await answer(command, { refuses: `${command} failed.` });
      await press(button);
      await page.getByRole('alert').getByText(`${command} failed.`).waitFor();
    }
    await press('Try again');
    await press('Next', 'Skip');
    await title(window, 'Ready');
  });

  story(
    'connects a found server with one click, finds DocTray’s address for it, and shows that it works',
    'first-two-found',
    async (window) => {
      const { press, button, focused } = window;
      await press('Next');
      await row(window, 'ONLYOFFICE Docs').getByText('Works').waitFor();
      assert.equal(await row(window, 'ONLYOFFICE Docs').count(), 1, 'it isn’t offered again');
      const untrusted = row(window, 'https://localhost:8443').getByRole('button');
      assert.deepEqual(await untrusted.allTextContents(), ['Network guide', 'Try again']);
      await untrusted.first().click();
      await untrusted.last().click();
      await eventually('it is looked for again', async () =>
        assert.equal((await window.sent('editors.detect')).length, 2),
      );
      const connect = button(/^Connect Collabora Online Development Edition/u);
      await connect.press('Enter');
      await connect.waitFor({ state: 'detached' });
      await row(window, 'reaches DocTray at http://host.docker.internal:8790').getByText('Works').waitFor();
      await focused('.status-row');
      assert.deepEqual(await sent(window), [
        ['app.openHelp', { page: 'network' }],
        [
          'editors.add',
          { url: 'http://localhost:9980', name: null, publicUrl: null, acceptsOtherHosts: false },
        ],
        ['editors.findAddress', { id: 'added2', isInContainer: true }],
      ]);
    },
  );

  story(
    'shows errors of an entered address and which DocTray address it tries, and can be canceled',
    'first-docker-ready',
    async (window) => {
      const { page, see, press, answer, state, change } = window;
      await press('Next', 'Enter address…');
      await page.keyboard.press('Enter');
      await see('Enter the address of the document server.');
      await enterAddress(window, 'http://nothing.example.org');
      await see(/can’t resolve the name nothing\.example\.org/u);
      await answer('editors.findAddress', { hangs: true });
      await enterAddress(window, 'http://192.168.1.40:8080');
      const connected = row(window, 'http://192.168.1.40:8080');
      await connected.getByText('can reach DocTray at http://127.0.0.1:8790').waitFor();
      await connected.getByRole('progressbar').waitFor();
      const { editors } = await state();
      await change({ editors: editors.map((one) => ({ ...one, isAwaitingConfirmation: true })) });
      await connected.getByText('Waiting for your confirmation.').waitFor();
      await press('Cancel');
      assert.deepEqual((await sent(window)).at(-1), ['editors.cancelFindAddress', { id: 'added1' }]);
    },
  );

  story(
    'says that no other address was tried if the user didn’t allow it, or lets them choose one when none was found to work',
    'first-docker-ready',
    async (window) => {
      const { page, press, answer, see } = window;
      const alert = page.getByRole('alert');
      const failed = makeStep('callback', {
        state: 'failed',
        sentence: 'The editor showed its page, but didn’t call http://127.0.0.1:8790 within 20 s.',
      });
      const none = { url: null, openedHost: null, warning: null };
      await answer('editors.findAddress', { gives: { ...none, failed, isDeclined: true } });
      await press('Next', 'Enter address…');
      await enterAddress(window, 'http://192.168.1.40:8080');
      await alert
        .getByText(`${failed.sentence} DocTray didn’t try the addresses`)
        .and(page.getByText('because you didn’t allow it'))
        .waitFor();
      assert.equal(await page.getByText('it didn’t reach DocTray').count(), 0);
      await answer('editors.findAddress', { gives: { ...none, failed: null, isDeclined: false } });
      await press('Enter address…');
      await enterAddress(window, 'http://192.168.1.41:8080');
      await see('it didn’t reach DocTray at any address');
      await row(window, 'http://192.168.1.41:8080').getByRole('button', { name: 'Choose address…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Address of DocTray for ONLYOFFICE Docs' });
      await dialog.getByRole('radio', { name: /192\.168\.1\.14/u }).press(' ');
      await press('Use and test');
      await row(window, 'http://192.168.1.41:8080').getByText('Works').waitFor();
      assert.deepEqual((await sent(window)).slice(-2), [
        ['editors.useAddress', { id: 'added2', url: 'http://192.168.1.14:8790' }],
        ['editors.test', { id: 'added2' }],
      ]);
    },
  );

  story(
    'starts a document server in a container, shows progress, and opens the sample in it',
    'first-docker-ready',
    async (window) => {
      const { see, press, button, state, answer, focused } = window;
      await press('Next', 'Copy command: Collabora Online');
      await see('Command copied. Run it in a terminal, then search again.');
      await button('Start Collabora Online').press('Enter');
      // Another row says that it waits for it.
      const name = window.page.locator('.status-name', { hasText: 'Collabora Online' });
      const starting = window.page.getByRole('listitem').filter({ has: name });
      await starting.getByText('Looking for Docker or Podman.').waitFor();
      await focused('.status-row');
      assert.ok(await button('Start ONLYOFFICE Docs').isDisabled());
      await row(window, 'ONLYOFFICE Docs').getByText('Wait until Collabora Online is ready.').waitFor();
      const bar = starting.getByRole('progressbar', { name: 'Starting Collabora Online' });
      assert.equal(await bar.getAttribute('aria-valuenow'), null, 'the progress isn’t known yet');
      const nowMs = Date.now();
      await showServers(window, { start: makeStart(nowMs, downloading) });
      await starting.getByText('33% · 3 of 9 layers').waitFor();
      assert.equal(Math.floor(Number(await bar.getAttribute('aria-valuenow'))), 33);
      const editor = makeStartedEditor(nowMs, 'collabora');
      const builtIn = (await state()).editors.slice(0, 1);
      const servers = [makeContainer({ editorId: editor.id })];
      await showServers(
        window,
        { start: makeStart(nowMs - 1000, { ...waiting, step: 'address' }), servers },
        { editors: [...builtIn, { ...editor, lastTest: null }] },
      );
      assert.equal(await starting.count(), 1, 'only one row while it is being connected');
      const result = {
        editorId: editor.id,
        editorName: editor.name,
        url: editor.url,
        address: editor.effectiveUrl,
        wasRunning: false,
        openedHost: null,
        warning: null,
      };
      const done = { state: 'done', step: 'address', sentence: 'It was started.', result } as const;
      await showServers(window, { start: makeStart(nowMs, done) }, { editors: [...builtIn, editor] });
      await starting.getByText('Works').waitFor();
      await answer('documents.createSample', { gives: { path: 'Welcome.docx' } });
      await press('Next');
      await see('Opened in Collabora Online.');
      assert.deepEqual((await sent(window)).slice(0, 3), [
        ['documentServers.command', { product: 'collabora', engine: null }],
        ['app.copyText', { text: 'docker run collabora' }],
        ['documentServers.start', { product: 'collabora', engine: null }],
      ]);
    },
  );

  story('cancels a start, and retries a failed one', 'first-downloading', async (window) => {
    const { see, press, button } = window;
    await press('Next', 'Cancel the start of Collabora Online');
    await see('Canceled the start of Collabora Online');
    await button('Start Collabora Online').waitFor();
    const help = { ...failedPull, error: { code: 'engine-unavailable', help: 'docker-start' as const } };
    await showServers(window, { start: makeStart(Date.now(), help) });
    const starting = row(window, 'Collabora Online');
    await starting.getByRole('alert').getByText('The image couldn’t be downloaded.').waitFor();
    await press('Docker guide', 'Try again Collabora Online');
    await starting.getByText('Looking for Docker or Podman.').waitFor();
    assert.deepEqual(await sent(window), [
      ['documentServers.cancel', { id: 'start1' }],
      ['documentServers.openHelp', { page: 'docker-start' }],
      ['documentServers.start', { product: 'collabora', engine: null }],
    ]);
  });

  story(
    'says what to install without Docker and Podman, and why it couldn’t search; checks and searches again',
    'first-nothing-found',
    async (window) => {
      const { see, press, button, answer } = window;
      await answer('editors.detect', { refuses: 'DocTray is not running.', isOnce: true });
      await press('Next', 'Get Docker');
      assert.equal(await button(/^Start/u).count(), 0);
      assert.deepEqual(await sent(window), [['documentServers.openHelp', { page: 'docker-install' }]]);
      await row(window, 'DocTray couldn’t look for document servers')
        .getByText('DocTray is not running.')
        .waitFor();
      await press('Try again');
      await see('No document server is running on this computer.');
      const count = async (name: string) => (await window.sent(name)).length;
      for (const [name, pressed] of [
        ['documentServers.refresh', 'Try again'],
        ['editors.detect', 'Search again'],
      ] as const) {
        const before = await count(name);
        await press(pressed);
        await eventually(pressed, async () => assert.ok((await count(name)) > before));
      }
    },
  );
});
