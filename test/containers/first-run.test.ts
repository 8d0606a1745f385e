// The first run of a new user who has Podman: a document server is started from the window, found again, and opens the sample.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { startDeskApp, type DeskApp } from '../e2e/desk-app.ts';
import { showFailures } from '../e2e/show-failure.ts';
import { deeds } from '../e2e/stand-in-hooks.ts';
import { startUserBrowser, type UserBrowser } from '../e2e/user-browser.ts';
import { prepareMachine, type OwnMachine } from './own-machine.ts';
import { startRegistry, type Registry } from './registry.ts';

let machine: OwnMachine;
let registry: Registry;
let desk: DeskApp;
let browser: UserBrowser;
before(async () => {
  machine = prepareMachine();
  registry = await startRegistry();
  const env = machine.env(registry.port);
  desk = await startDeskApp({ isFirstRun: true, env });
  browser = await startUserBrowser();
});
after(async () => {
  await browser.close();
  await desk.close();
  spawnSync('podman', ['rm', '--force', '--all'], { env: desk.env, stdio: 'ignore' });
  await registry.close();
  machine.remove();
});
showFailures(() => desk);

const button = (name: string | RegExp) => desk.page.getByRole('button', { name, exact: true });
const heading = (name: string) => desk.page.getByRole('heading', { name, exact: true });
const row = (name: string) =>
  desk.page.getByRole('list', { name: 'Document servers' }).getByRole('listitem').filter({ hasText: name });

test('A download that is canceled leaves nothing behind and the same choice', async () => {
  await heading('Your documents').waitFor();
  // Until then, Next does nothing.
  await desk.page.getByText('DocTray creates it').waitFor();
  await button('Next').press('Enter');
  await heading('Your editor').waitFor();
  registry.send('stalled');
  await button('Start Collabora Online').click();
  await desk.dialogs.press('Start');
  await registry.stalled();
  await row('Collabora Online').getByRole('progressbar').waitFor();
  await button('Cancel the start of Collabora Online').click();
  await button('Start Collabora Online').waitFor();
  assert.ok(await button('Skip').isEnabled());
  registry.send('whole');
});

test('Start downloads ONLYOFFICE Docs, connects it, and Next opens the sample in it', async () => {
  await button('Start ONLYOFFICE Docs').click();
  const { message } = await desk.dialogs.press('Start');
  assert.equal(message, 'Start ONLYOFFICE Docs in a container?');
  await row('ONLYOFFICE Docs').getByText('Works', { exact: true }).waitFor();
  const { editors } = await desk.state();
  assert.equal(editors.find(({ kind }) => kind === 'onlyoffice')?.url, 'http://localhost:8080');
  await button('Next').click();
  await heading('Ready').waitFor();
  await desk.page.getByText('Opened in ONLYOFFICE Docs.').waitFor();
  const opened = (await deeds(desk.app)).findLast(({ kind }) => kind === 'open-external');
  await browser.open(String(opened?.['url']));
  await desk.stateWhere(
    ({ sessions }) =>
      sessions.some(({ editor: name, path }) => name === 'ONLYOFFICE Docs' && path === 'Welcome.docx'),
    'the container asked DocTray for the sample',
  );
});
