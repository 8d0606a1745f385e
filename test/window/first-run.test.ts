import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
import { windowTests } from './open-window.ts';

const defaultFolder = '/home/robin/Documents/DocTray';
const chosenFolder = '/home/robin/Office';

describe('the first run', () => {
  const { open, shown } = windowTests();
  /** Commands, except those that the window sends without the user. */
  const commands = async () =>
    shown().calls(/^(?!state\.|activity\.|host\.defaultFolder|editors\.detect|documentServers\.refresh)/u);
  const title = async (name: string) => shown().page.getByRole('heading', { level: 1, name }).waitFor();
  const row = (name: string) => shown().page.getByRole('listitem').filter({ hasText: name });
  const showServers = async (change: Partial<DocumentServersState>, values: Partial<WindowState> = {}) =>
    shown().change({ documentServers: change, ...values });
  const enterAddress = async (address: string) => {
    const { page, press } = shown();
    await page.getByRole('textbox', { name: 'Address of the document server' }).fill(address);
    await press('Connect');
  };

  it('can be skipped at once', async () => {
    const { page, press } = await open('first-steps');
    await press('Skip setup');
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    assert.deepEqual(await commands(), [['app.finishFirstRun', {}]]);
  });

  it('puts no sample into a folder that the user chose unless they ask for it, warns if it can’t be written, and keeps the focus at the button, whether the sample could be opened or not', async () => {
    const { page, see, press, answer, change, focused, sent } = await open('first-steps');
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
    assert.deepEqual(await commands(), [['host.chooseFolder', {}]]);
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
      (await sent('documents.createSample')).length,
      3,
      'once per folder, no matter how often the step is shown',
    );
  });

  it('asks for a folder when there is no default', async () => {
    const { press, see } = await open('first-steps-homeless');
    await press('Choose folder…');
    await see(chosenFolder);
    await press('Next');
    await title('Your editor');
  });

  it('shows errors next to the button, and tries again', async () => {
    const { page, see, press, answer, button: named } = await open('first-steps-broken');
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
    await title('Ready');
  });

  it('connects a found server with one click, finds DocTray’s address for it, and shows that it works', async () => {
    const { press, button, focused, sent } = await open('first-two-found');
    await press('Next');
    await row('ONLYOFFICE Docs').getByText('Works').waitFor();
    assert.equal(await row('ONLYOFFICE Docs').count(), 1, 'it isn’t offered again');
    const untrusted = row('https://localhost:8443').getByRole('button');
    assert.deepEqual(await untrusted.allTextContents(), ['Network guide', 'Try again']);
    await untrusted.first().click();
    await untrusted.last().click();
    await eventually('it is looked for again', async () =>
      assert.equal((await sent('editors.detect')).length, 2),
    );
    const connect = button(/^Connect Collabora Online Development Edition/u);
    await connect.press('Enter');
    await connect.waitFor({ state: 'detached' });
    await row('reaches DocTray at http://host.docker.internal:8790').getByText('Works').waitFor();
    await focused('.status-row');
    assert.deepEqual(await commands(), [
      ['app.openHelp', { page: 'network' }],
      [
        'editors.add',
        { url: 'http://localhost:9980', name: null, publicUrl: null, acceptsOtherHosts: false },
      ],
      ['editors.findAddress', { id: 'added2', isInContainer: true }],
    ]);
  });

  it('shows errors of an entered address and which DocTray address it tries, and can be canceled', async () => {
    const { see, press, answer, state, change, pressIn } = await open('first-docker-ready');
    await press('Next', 'Enter address…');
    await pressIn('form', 'Enter');
    await see('Enter the address of the document server.');
    await enterAddress('http://nothing.example.org');
    await see(/can’t resolve the name nothing\.example\.org/u);
    await answer('editors.findAddress', { hangs: true });
    await enterAddress('http://192.168.1.40:8080');
    const connected = row('http://192.168.1.40:8080');
    await connected.getByText('can reach DocTray at http://127.0.0.1:8790').waitFor();
    await connected.getByRole('progressbar').waitFor();
    const { editors } = await state();
    await change({ editors: editors.map((one) => ({ ...one, isAwaitingConfirmation: true })) });
    await connected.getByText('Waiting for your confirmation.').waitFor();
    await press('Cancel');
    assert.deepEqual((await commands()).at(-1), ['editors.cancelFindAddress', { id: 'added1' }]);
  });

  it('says that no other address was tried if the user didn’t allow it, or lets them choose one when none was found to work', async () => {
    const { page, press, answer, see } = await open('first-docker-ready');
    const alert = page.getByRole('alert');
    const failed = makeStep('callback', {
      state: 'failed',
      sentence: 'The editor showed its page, but didn’t call http://127.0.0.1:8790 within 20 s.',
    });
    const none = { url: null, openedHost: null, warning: null };
    await answer('editors.findAddress', { gives: { ...none, failed, isDeclined: true } });
    await press('Next', 'Enter address…');
    await enterAddress('http://192.168.1.40:8080');
    await alert
      .getByText(`${failed.sentence} DocTray didn’t try the addresses`)
      .and(page.getByText('because you didn’t allow it'))
      .waitFor();
    assert.equal(await page.getByText('it didn’t reach DocTray').count(), 0);
    await answer('editors.findAddress', { gives: { ...none, failed: null, isDeclined: false } });
    await press('Enter address…');
    await enterAddress('http://192.168.1.41:8080');
    await see('it didn’t reach DocTray at any address');
    await row('http://192.168.1.41:8080')
      .getByRole('button', { name: /^Choose address: / })
      .click();
    await page.getByRole('dialog', { name: 'Address for ONLYOFFICE Docs' }).waitFor();
  });

  it('starts a document server in a container, shows progress, and opens the sample in it', async () => {
    const { see, press, button, state, answer, focused, page } = await open('first-docker-ready');
    await press('Next', 'Copy command: Collabora Online');
    await see('Command copied. Run it in a terminal, then search again.');
    await button('Start Collabora Online').press('Enter');
    // Another row says that it waits for it.
    const name = page.locator('.status-name', { hasText: 'Collabora Online' });
    const starting = page.getByRole('listitem').filter({ has: name });
    await starting.getByText('Looking for Docker or Podman.').waitFor();
    await focused('.status-row');
    assert.ok(await button('Start ONLYOFFICE Docs').isDisabled());
    await row('ONLYOFFICE Docs').getByText('Wait until Collabora Online is ready.').waitFor();
    const bar = starting.getByRole('progressbar', { name: 'Starting Collabora Online' });
    assert.equal(await bar.getAttribute('aria-valuenow'), null, 'the progress isn’t known yet');
    const nowMs = Date.now();
    await showServers({ start: makeStart(nowMs, downloading) });
    await starting.getByText('33%', { exact: true }).waitFor();
    assert.equal(Math.floor(Number(await bar.getAttribute('aria-valuenow'))), 33);
    await see('You can go on. DocTray finishes this in the background.');
    const editor = makeStartedEditor(nowMs, 'collabora');
    const builtIn = (await state()).editors.slice(0, 1);
    const servers = [makeContainer({ editorId: editor.id })];
    await showServers(
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
    await showServers({ start: makeStart(nowMs, done) }, { editors: [...builtIn, editor] });
    await starting.getByText('Works').waitFor();
    await press('Actions for Collabora Online');
    await page.getByRole('menuitem', { name: 'Stop…' }).press('Escape');
    await answer('documents.createSample', { gives: { path: 'Welcome.docx' } });
    await press('Next');
    await see('Opened in Collabora Online.');
    assert.deepEqual((await commands()).slice(0, 3), [
      ['documentServers.command', { product: 'collabora', engine: null }],
      ['app.copyText', { text: 'docker run collabora' }],
      ['documentServers.start', { product: 'collabora', engine: null }],
    ]);
  });

  it('cancels a start, and retries a failed one', async () => {
    const { see, press, button } = await open('first-downloading');
    await press('Next', 'Cancel the start of Collabora Online');
    await see('Canceled the start of Collabora Online');
    await button('Start Collabora Online').waitFor();
    const help = { ...failedPull, error: { code: 'engine-unavailable', help: 'docker-start' as const } };
    await showServers({ start: makeStart(Date.now(), help) });
    const starting = row('Collabora Online');
    await starting.getByRole('alert').getByText('The image couldn’t be downloaded.').waitFor();
    await press('Docker guide', 'Try again Collabora Online');
    await starting.getByText('Looking for Docker or Podman.').waitFor();
    assert.deepEqual(await commands(), [
      ['documentServers.cancel', { id: 'start1' }],
      ['documentServers.openHelp', { page: 'docker-start' }],
      ['documentServers.start', { product: 'collabora', engine: null }],
    ]);
  });

  it('says what to install without Docker and Podman, and why it couldn’t search; checks and searches again', async () => {
    const { see, press, button, answer, sent } = await open('first-nothing-found');
    await answer('editors.detect', { refuses: 'DocTray is not running.', isOnce: true });
    await press('Next', 'Get Docker');
    assert.equal(await button(/^Start/u).count(), 0);
    assert.deepEqual(await commands(), [['documentServers.openHelp', { page: 'docker-install' }]]);
    await row('DocTray couldn’t look for document servers').getByText('DocTray is not running.').waitFor();
    await press('Try again');
    await see('No document server is running on this computer.');
    const count = async (name: string) => (await sent(name)).length;
    for (const [name, pressed] of [
      ['documentServers.refresh', 'Check again'],
      ['editors.detect', 'Search again'],
    ] as const) {
      const before = await count(name);
      await press(pressed);
      await eventually(pressed, async () => assert.ok((await count(name)) > before));
    }
  });
});
