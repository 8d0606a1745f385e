// Editors in the window: connecting, testing, choosing, opening. The tests of one describe share a page, and each continues where the
// previous one stopped.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright';
import type { WindowState } from '../../app/contract/state.ts';
import { eventually } from '../durability/eventually.ts';
import { lookOver } from './look-over.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';
import { tableOf } from './table-driver.ts';

let lab: WindowLab;
before(async () => {
  lab = await startWindowLab();
});
after(async () => lab.close());

/** One page for all tests of a describe. */
function sharedWindow(scenario: string) {
  let window: OpenWindow;
  let seen = 0;
  before(async () => {
    window = await lab.open({ scenario });
    window.page.setDefaultTimeout(60_000);
  });
  after(async () => {
    assert.deepEqual(window.problems, []);
    await window.close();
  });
  return {
    page: (): Page => window.page,
    window: (): OpenWindow => window,
    async go(view: 'settings' | 'documents' | 'overview', path?: string): Promise<void> {
      await window.push('navigate', path === undefined ? { view } : { view, path });
      await window.page.getByRole('heading', { level: 1, name: view }).waitFor();
    },
    /** Commands whose name starts like this, since the last call. */
    async sent(start: string): Promise<[string, unknown][]> {
      const calls = await window.calls();
      const fresh = calls.slice(seen).filter(({ name }) => name.startsWith(start));
      seen = calls.length;
      return fresh.map(({ name, args }) => [name, args]);
    },
  };
}

const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true });
const card = (page: Page, name: string) => page.getByRole('article', { name });

describe('connecting an editor in the settings', () => {
  const shared = sharedWindow('empty');

  it('starts in the overview, and shows errors at the address field', async () => {
    const page = shared.page();
    await page.getByRole('button', { name: 'Folder, address and editors' }).click();
    await button(page, 'Connect an editor…').click();
    await page.getByRole('heading', { level: 2, name: 'Editors' }).waitFor();
    await card(page, 'Text editor').getByText('Starting').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Connect an editor' });
    const address = dialog.getByRole('textbox', { name: 'Address of the editor' });
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter the address of the document server.').waitFor();
    await page.keyboard.type('nothing.example.org');
    await page.keyboard.press('Enter');
    await dialog.getByText(/can’t resolve the name nothing\.example\.org/u).waitFor();
    assert.equal(await address.getAttribute('aria-invalid'), 'true');
  });

  it('asks before it connects an editor whose pages are on another host', async () => {
    const page = shared.page();
    const dialog = page.getByRole('dialog', { name: 'Connect an editor' });
    await dialog.getByRole('textbox', { name: 'Address of the editor' }).fill('http://other.example.org');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('The other');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('pages.example.net').waitFor();
    await shared.sent('');
    await lookOver(page);
    await button(dialog, 'Connect anyway').click();
    await card(page, 'The other').getByText('Works', { exact: true }).waitFor();
    assert.deepEqual(await shared.sent('editors.'), [
      [
        'editors.add',
        { url: 'http://other.example.org', name: 'The other', publicUrl: null, acceptsOtherHosts: true },
      ],
      ['editors.findAddress', { id: 'added0', isInContainer: false }],
    ]);
  });

  it('lets the user choose another address, says where DocTray would listen, and tests it', async () => {
    const page = shared.page();
    await button(page, 'Actions for The other').click();
    await page.getByRole('menuitem', { name: 'Choose address…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Address of DocTray for The other' });
    await dialog.getByText('Editors that run on this machine, outside of containers.').waitFor();
    assert.equal(
      await dialog.getByText('http://192.168.1.14:8790', { exact: true }).count(),
      1,
      'the address of the network settings isn’t listed twice',
    );
    await dialog.getByRole('radio', { name: /10\.8\.0\.3/u }).press(' ');
    await dialog.getByText('DocTray will listen on 10.8.0.3 as well.').waitFor();
    await lookOver(page);
    await button(dialog, 'Use and test').click();
    await card(page, 'The other').getByRole('list', { name: 'Steps of the test' }).waitFor();
    await card(page, 'The other').getByText('Works', { exact: true }).waitFor();
    assert.deepEqual(
      (await shared.sent('editors.')).filter(([name]) => name !== 'editors.addresses'),
      [
        ['editors.useAddress', { id: 'added0', url: 'http://10.8.0.3:8790' }],
        ['editors.test', { id: 'added0' }],
      ],
    );
  });

  it('accepts an address entered by the user', async () => {
    const page = shared.page();
    await button(page, 'Change the address of DocTray for The other').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Another address' }).press(' ');
    const field = dialog.getByRole('textbox', { name: 'Other address' });
    await field.fill('');
    await button(dialog, 'Use and test').click();
    await dialog.getByText('Enter the address.').waitFor();
    await field.fill('https://docs.example.org/');
    await button(dialog, 'Use and test').click();
    await card(page, 'The other').getByText('https://docs.example.org').waitFor();
    assert.deepEqual(await shared.sent('editors.change'), [
      ['editors.change', { id: 'added0', publicUrl: 'https://docs.example.org' }],
    ]);
  });

  it('shows the failed step of a test, with a line to copy', async () => {
    const page = shared.page();
    await button(page, 'Change the address of DocTray for The other').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /127\.0\.0\.1/u }).press(' ');
    await button(dialog, 'Use and test').click();
    const step = page.getByRole('listitem').filter({ hasText: 'The editor can’t reach DocTray, failed' });
    await step.getByText('What to do: Allow this address').waitFor();
    await button(step, 'Copy line').last().click();
    await page.getByText('Line copied').waitFor();
    assert.deepEqual(await shared.sent('app.copyText'), [
      ['app.copyText', { text: '<host desc="DocTray" allow="true">192\\.168\\.1\\.14</host>' }],
    ]);
    await card(page, 'The other').getByText('Test failed').waitFor();
    assert.equal(await page.getByRole('button', { name: /Overview ?, 1 needs attention/u }).count(), 1);
  });
});

describe('connected editors in the settings', () => {
  const shared = sharedWindow('settings-day');

  it('shows an editor’s product and types, in every color scheme and size', async () => {
    const page = shared.page();
    await shared.go('settings', 'editors/a1b2c3d4');
    const editor = card(page, 'ONLYOFFICE Docs');
    await editor.getByText('ONLYOFFICE Docs 9.0.4', { exact: true }).waitFor();
    await editor.getByText('Opens 23 types').waitFor();
    const types = await editor.locator('.editor-types').innerText();
    assert.match(types.replaceAll(/\s+/gu, ' '), /Edit docm docx .* View djvu epub pdf xps/u);
    assert.equal(await card(page, 'Collabora in the cellar').getByText('Opens').count(), 0);
    await lookOver(page);
  });

  it('saves name, allowed addresses, signatures and other hosts, each on its own', async () => {
    const page = shared.page();
    await shared.sent('');
    const editor = card(page, 'ONLYOFFICE Docs');
    await editor.getByRole('radio', { name: 'Require signatures' }).press(' ');
    await editor.getByRole('textbox', { name: 'Allowed addresses' }).fill('172.17.0.0/16\n192.168.1.40');
    await editor.getByRole('switch', { name: 'Allow pages on another host' }).press(' ');
    const name = editor.getByRole('textbox', { name: 'Name' });
    await name.fill('');
    await name.press('Enter');
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === 'ONLYOFFICE Docs'),
    );
    await name.fill('The office');
    await name.press('Enter');
    await card(page, 'The office').waitFor();
    assert.deepEqual(
      (await shared.sent('editors.change')).map(([, args]) => args),
      [
        { id: 'a1b2c3d4', proofMode: 'required' },
        { id: 'a1b2c3d4', allowedAddresses: ['172.17.0.0/16', '192.168.1.40'] },
        { id: 'a1b2c3d4', acceptsOtherHosts: true },
        { id: 'a1b2c3d4', name: 'The office' },
      ],
    );
  });

  it('chooses the editor for a kind of document, then for one type', async () => {
    const page = shared.page();
    const choose = async (what: string, name: string) => {
      await page.getByRole('button', { name: `Editor for ${what}` }).click();
      await page.getByRole('option', { name }).click();
    };
    await choose('Presentations', 'Collabora in the cellar');
    await page.getByRole('button', { name: 'Collabora in the cellar Editor for Presentations' }).waitFor();
    await button(page, 'Set by type…').click();
    await choose('pptx', 'The office');
    await page.getByRole('button', { name: 'The office Editor for pptx' }).waitFor();
    await choose('odp', 'Automatic');
    await button(page, 'Set by group').click();
    await page.getByRole('button', { name: 'Mixed Editor for Presentations' }).waitFor();
    const sent = (await shared.sent('editors.setDefault')).map(([, args]) => args);
    assert.deepEqual(sent, [
      ...['odp', 'potx', 'ppt', 'pptx'].map((extension) => ({ extension, editorId: 'e5f6a7b8' })),
      { extension: 'pptx', editorId: 'a1b2c3d4' },
      { extension: 'odp', editorId: null },
    ]);
  });

  it('removes an editor only after a question', async () => {
    const page = shared.page();
    await button(page, 'Actions for Collabora in the cellar').click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove Collabora in the cellar?' });
    await question.getByText('Documents that are open in it stay open and can be saved.').waitFor();
    await button(question, 'Remove').click();
    await page.getByText('Collabora in the cellar was removed').waitFor();
    await card(page, 'Collabora in the cellar').waitFor({ state: 'detached' });
    assert.equal(await page.getByText('Default editors').count(), 0, 'a single editor needs no defaults');
  });

  it('switches HTTPS on with DocTray’s own authority, and shows its certificate', async () => {
    const page = shared.page();
    await shared.go('settings', 'network');
    const network = page.getByRole('region', { name: 'HTTPS', exact: true });
    await network.getByRole('radio', { name: /Certificate created by DocTray/u }).press(' ');
    await network.getByText('DocTray renews it automatically.').waitFor();
    await network.getByText(/^0B:30:55:/u).waitFor();
    await button(network, 'Save certificate…').click();
    await page.getByText('Saved /home/robin/DocTray authority.crt').waitFor();
    assert.deepEqual(
      (await shared.sent('tls.')).map(([name]) => name),
      ['tls.useLocalAuthority', 'tls.saveAuthority'],
    );
  });

  it('switches HTTPS on with the user’s certificate only when both files are given', async () => {
    const page = shared.page();
    await shared.go('settings', 'network');
    const network = page.getByRole('region', { name: 'HTTPS', exact: true });
    await network.getByRole('radio', { name: /Your own certificate/u }).press(' ');
    const use = button(network, 'Turn on HTTPS');
    assert.ok(await use.isDisabled());
    await network.getByRole('textbox', { name: 'Certificate file' }).fill('/etc/tls/chain.pem');
    await network.getByRole('textbox', { name: 'Key file' }).fill('/etc/tls/key.pem');
    await page.keyboard.press('Enter');
    await page.getByText('Both files are chosen').waitFor();
    await lookOver(page);
    await use.click();
    await use.waitFor({ state: 'detached' });
    assert.deepEqual(
      (await shared.sent('settings.set')).map(([, args]) => args),
      [
        { key: 'tlsCertificate', value: '/etc/tls/chain.pem' },
        { key: 'tlsKey', value: '/etc/tls/key.pem' },
        { key: 'tls', value: 'files' },
      ],
    );
  });

  it('has switches for access from the network, and a list of trusted proxies', async () => {
    const page = shared.page();
    await page.getByRole('switch', { name: 'Let other computers open documents' }).press(' ');
    await page.getByRole('switch', { name: 'JSON API on the network' }).press(' ');
    await shared.go('settings', 'advanced');
    const proxies = page.getByRole('textbox', { name: 'Trusted proxies' });
    await proxies.fill('192.168.1.2');
    await proxies.press('Control+Enter');
    await eventually('all three settings are sent', async () => {
      assert.deepEqual(
        (await shared.sent('settings.set')).map(([, args]) => args),
        [
          { key: 'networkPages', value: true },
          { key: 'networkApi', value: true },
          { key: 'trustedProxies', value: ['192.168.1.2'] },
        ],
      );
    });
  });
});

describe('the built-in text editor in the settings', () => {
  const shared = sharedWindow('editors-two-found');
  const builtIn = () => card(shared.page(), 'Text editor');

  it('has no connection to test, no address to choose, and can’t be removed', async () => {
    const page = shared.page();
    await shared.go('settings', 'editors');
    await builtIn().getByText('Works', { exact: true }).waitFor();
    await builtIn().getByText('Built in · Opens text, Markdown and CSV.').waitFor();
    await button(page, 'Details of Text editor').click();
    assert.equal(
      await builtIn()
        .getByRole('button', { name: /^Actions|address|^Test/iu })
        .count(),
      0,
    );
    await lookOver(page);
  });

  it('has its own port and public URL, which can be empty', async () => {
    const port = builtIn().getByRole('textbox', { name: 'Port of the text editor' });
    await port.fill('9001');
    await port.press('Enter');
    await shared.page().getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
    await port.fill('');
    await port.press('Enter');
    const url = builtIn().getByRole('textbox', { name: 'Public URL of the text editor' });
    await url.fill('https://edit.example.com');
    await url.press('Enter');
    await shared.page().waitForFunction(() => {
      const { harness } = globalThis as unknown as { harness: { host: { state: WindowState } } };
      return harness.host.state.settings.textEditorUrl !== null;
    });
    assert.deepEqual(
      (await shared.sent('settings.set')).map(([, args]) => args),
      [
        { key: 'textEditorPort', value: 9001 },
        { key: 'textEditorPort', value: null },
        { key: 'textEditorUrl', value: 'https://edit.example.com' },
      ],
    );
  });

  it('can be switched off and on without losing the focus', async () => {
    const page = shared.page();
    const toggle = builtIn().getByRole('switch', { name: 'Text editor' });
    await toggle.press(' ');
    await builtIn().getByText('Off', { exact: true }).waitFor();
    assert.equal(await button(page, 'Details of Text editor').count(), 0);
    await lookOver(page);
    assert.ok(await toggle.evaluate((element) => element.matches(':focus')));
    await toggle.press(' ');
    await builtIn().getByText('Works', { exact: true }).waitFor();
    assert.deepEqual(
      (await shared.sent('settings.set')).map(([, args]) => args),
      [
        { key: 'textEditor', value: false },
        { key: 'textEditor', value: true },
      ],
    );
  });

  it('opens a type that no editor lists, because the host decides whether it is text', async () => {
    const page = shared.page();
    await page.evaluate(() => {
      const { harness } = globalThis as unknown as {
        harness: { answers: Record<string, (args: { path: string; startIndex: number }) => unknown> };
      };
      const path = 'Notes.zzz';
      harness.answers['documents.list'] = ({ startIndex }) => ({
        path: '',
        startIndex,
        total: 1,
        items: [
          {
            kind: 'document',
            fileId: 'notes',
            path,
            name: path,
            size: 12,
            lastModifiedMs: 0,
            versionCount: 0,
            versionBytes: 0,
          },
        ],
      });
      harness.answers['documents.openInEditor'] = () => ({
        fileId: 'notes',
        path,
        mode: 'edit',
        editorId: 'textedit',
        editorName: 'Text editor',
        openedIn: 'browser',
      });
    });
    await shared.go('documents');
    await tableOf(page).row('Notes.zzz').dblclick();
    await page.getByText('Opened Notes.zzz in Text editor', { exact: true }).waitFor();
  });
});

describe('document servers of this computer in the settings', () => {
  const open = async (scenario: string): Promise<OpenWindow> => {
    const window = await lab.open({ scenario });
    window.page.setDefaultTimeout(60_000);
    await window.push('navigate', { view: 'settings', path: 'editors' });
    await window.page.getByRole('heading', { level: 2, name: 'Editors' }).waitFor();
    return window;
  };
  const using = (scenario: string, body: (page: Page, window: OpenWindow) => Promise<void>) => async () => {
    const window = await open(scenario);
    try {
      await body(window.page, window);
      assert.deepEqual(window.problems, []);
    } finally {
      await window.close();
    }
  };
  const sent = async (window: OpenWindow) =>
    (await window.calls())
      .filter(({ name }) => name.startsWith('documentServers.') && name !== 'documentServers.refresh')
      .map(({ name, args }) => [name, args]);
  const row = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Document servers' }).getByRole('listitem').filter({ hasText: name });

  it(
    'are searched for on request, and connected as in the first run',
    using('editors-two-found', async (page, window) => {
      assert.equal((await window.calls()).filter(({ name }) => name === 'editors.detect').length, 0);
      await button(page, 'Find document servers').click();
      await row(page, 'https://localhost:8443').getByText('Its certificate isn’t trusted').waitFor();
      assert.equal(await row(page, 'ONLYOFFICE Docs').count(), 0, 'this one is connected already');
      await lookOver(page);
      await page.getByRole('button', { name: /^Connect Collabora/u }).click();
      await row(page, 'http://localhost:9980').waitFor({ state: 'detached' });
      assert.deepEqual(
        (await window.calls()).filter(({ name }) => name === 'editors.findAddress').map(({ args }) => args),
        [{ id: 'added2', isInContainer: true }],
      );
    }),
  );

  it(
    'are tested with a long name inside of their card',
    using('editors-two-found', async (page, window) => {
      await page.evaluate(`harness.answers['editors.findAddress'] = () => new Promise(() => undefined)`);
      await button(page, 'Find document servers').click();
      await page.getByRole('button', { name: /^Connect Collabora/u }).click();
      const searching = page.locator('.searching');
      await searching.waitFor();
      const { editors } = await page.evaluate(
        () => (globalThis as unknown as { harness: { host: { state: WindowState } } }).harness.host.state,
      );
      const name = 'W'.repeat(90);
      await window.change({ values: { editors: editors.map((one) => ({ ...one, name })) }, tables: {} });
      await searching.getByText(name).first().waitFor();
      const { scrollWidth, clientWidth } = await searching.evaluate((box) => ({
        scrollWidth: box.scrollWidth,
        clientWidth: box.clientWidth,
      }));
      assert.equal(scrollWidth, clientWidth);
    }),
  );

  it(
    'are stopped after a question that says how many documents are open',
    using('editors-started', async (page, window) => {
      await row(page, 'Collabora Online').getByText('Running').waitFor();
      await button(page, 'Stop Collabora Online…').click();
      const question = page.getByRole('alertdialog', { name: 'Stop Collabora Online?' });
      await question.getByText('1 document is open in Collabora Online.').waitFor();
      assert.equal(await question.getByRole('switch').count(), 0, 'it has no data to delete');
      await lookOver(page);
      await button(question, 'Stop').click();
      await page.getByText('Collabora Online was stopped').waitFor();
      await card(page, 'Collabora Online').waitFor({ state: 'detached' });
      assert.deepEqual(await sent(window), [
        ['documentServers.stop', { product: 'collabora', deleteData: false }],
      ]);
    }),
  );

  it(
    'lose their data only if the user chooses to delete it',
    using('editors-started', async (page, window) => {
      await row(page, 'ONLYOFFICE Docs').getByText('Stopped').waitFor();
      await button(page, 'Remove ONLYOFFICE Docs…').click();
      const question = page.getByRole('alertdialog', { name: 'Remove ONLYOFFICE Docs?' });
      await question.getByRole('switch', { name: 'Delete its data' }).press(' ');
      await lookOver(page);
      await button(question, 'Remove and delete data').click();
      await page.getByText('ONLYOFFICE Docs was removed, and its data was deleted').waitFor();
      assert.deepEqual(await sent(window), [
        ['documentServers.stop', { product: 'onlyoffice', deleteData: true }],
      ]);
    }),
  );

  it(
    'show why one couldn’t be stopped, and keep the question open',
    using('editors-started', async (page) => {
      await page.evaluate(() => {
        const { harness } = globalThis as unknown as { harness: { answers: Record<string, () => unknown> } };
        harness.answers['documentServers.stop'] = () => {
          throw new Error('The container could not be stopped. Docker: it didn’t respond in time.');
        };
      });
      await button(page, 'Stop Collabora Online…').click();
      await button(page.getByRole('alertdialog'), 'Stop').click();
      await page.getByText('Docker: it didn’t respond in time.').waitFor();
      await page.getByRole('alertdialog', { name: 'Stop Collabora Online?' }).waitFor();
    }),
  );

  it(
    'can be connected but not stopped when they were created outside DocTray',
    using('editors-started', async (page, window) => {
      const { documentServers } = await page.evaluate(
        () => (globalThis as unknown as { harness: { host: { state: WindowState } } }).harness.host.state,
      );
      const servers = documentServers.servers.map((one) => ({ ...one, isOwn: false, editorId: null }));
      await window.change({ values: { documentServers: { ...documentServers, servers } }, tables: {} });
      await row(page, 'Collabora Online').getByText('Created outside DocTray.').waitFor();
      assert.equal(await button(page, 'Stop Collabora Online…').count(), 0);
      await button(page, 'Connect Collabora Online').click();
      assert.deepEqual(await sent(window), [
        ['documentServers.start', { product: 'collabora', engine: 'docker' }],
      ]);
    }),
  );

  // The other states have the same rows as in the first run, where they are checked.
  it(
    'pass axe in every color scheme and fit a small window and 200 % zoom',
    using('editors-no-way-back', async (page) => {
      await page.getByText('it can’t reach DocTray').first().waitFor();
      await lookOver(page);
    }),
  );
});

describe('editors that need attention', () => {
  const shared = sharedWindow('editors-poor');

  it('are counted, and listed in the overview with one button each', async () => {
    const page = shared.page();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('The certificate expires on 2026-11-26.').waitFor();
    await attention.getByText(/didn’t call http:\/\/192\.168\.1\.14:8790/u).waitFor();
    await attention
      .getByText(
        'Nothing is listening at office.example.org:9980 (connection refused). First noticed 2 h ago.',
      )
      .waitFor();
    assert.equal(await attention.locator('.list-row').count(), 3);
    await page.getByRole('button', { name: /Overview ?, 3 need attention/u }).waitFor();
    await page.getByRole('button', { name: 'Folder, address and editors' }).click();
    const host = await page.getByRole('region', { name: 'Host' }).innerText();
    assert.match(host, /ONLYOFFICE Docs\s+Test failed[^]*Collabora in the cellar\s+Can’t be reached/u);
    await lookOver(page);
    await button(page, 'Try again: Collabora in the cellar').click();
    await page.getByText('Collabora in the cellar responds again').waitFor();
    assert.equal(await attention.locator('.list-row').count(), 2);
  });

  it('link to the failed test, which can be run again', async () => {
    const page = shared.page();
    await button(page, 'Show test of ONLYOFFICE Docs').click();
    const editor = card(page, 'ONLYOFFICE Docs');
    await editor.getByText('The editor can’t reach DocTray, failed').waitFor();
    await editor.getByText('This editor has no proof keys').waitFor();
    assert.ok(await editor.getByRole('radio', { name: 'Require signatures' }).isDisabled());
    await lookOver(page);
    await page.evaluate(() => {
      const { harness } = globalThis as unknown as { harness: { answers: Record<string, () => unknown> } };
      harness.answers['editors.test'] = async () =>
        new Promise((_resolve, reject) => {
          addEventListener('fail-test', () => reject(new Error('DocTray isn’t serving a folder.')));
        });
    });
    await button(page, 'Test connection of ONLYOFFICE Docs').click();
    await editor.getByRole('progressbar', { name: 'Testing ONLYOFFICE Docs' }).waitFor();
    await page.evaluate(() => dispatchEvent(new Event('fail-test')));
    await editor.getByRole('alert').getByText('DocTray isn’t serving a folder.').waitFor();
    await editor.getByText('The editor can’t reach DocTray, failed').waitFor();
  });

  it('show since when they can’t be reached, and can be refreshed', async () => {
    const page = shared.page();
    const { editors } = await page.evaluate(
      () => (globalThis as unknown as { harness: { host: { state: WindowState } } }).harness.host.state,
    );
    await shared.window().change({
      values: {
        editors: editors.map((one) => ({
          ...one,
          problem: { code: 'refused', sentence: 'It refused.', sinceMs: Date.now() - 3_600_000 },
        })),
      },
      tables: {},
    });
    const editor = card(page, 'ONLYOFFICE Docs');
    await editor.getByText('It refused. First noticed 1 h ago.').waitFor();
    await shared.sent('');
    await button(editor, 'Try again').click();
    await editor.getByText('It refused.').waitFor({ state: 'detached' });
    assert.deepEqual(await shared.sent('editors.'), [['editors.refresh', { id: 'a1b2c3d4' }]]);
  });
});

describe('documents and their editors', () => {
  const shared = sharedWindow('documents');
  const row = (name: string) => tableOf(shared.page()).row(name);

  it('open with a double click in the editor for their type, with a message that names it', async () => {
    const page = shared.page();
    await shared.go('documents');
    await row('letter.docx').dblclick();
    await page.getByText('Opened letter.docx in ONLYOFFICE Docs', { exact: true }).waitFor();
    await row('scan.pdf').dblclick();
    await page.getByText('Opened scan.pdf in ONLYOFFICE Docs, view only').waitFor();
    await page.getByText('This editor can’t change documents of this type.').waitFor();
    await page.getByText('Opened letter.docx').waitFor({ state: 'detached' });
    assert.deepEqual(
      (await shared.sent('documents.openInEditor')).map(([, args]) => args),
      [
        { path: 'letter.docx', mode: 'edit', editorId: null },
        { path: 'scan.pdf', mode: 'edit', editorId: null },
      ],
    );
  });

  it('open from the menu, to view or in a chosen editor', async () => {
    const page = shared.page();
    await row('letter.docx').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open read-only' }).click();
    await page.getByText('Opened letter.docx in ONLYOFFICE Docs, view only').waitFor();
    await row('Roster.ods').click();
    await page.keyboard.press('Shift+F10');
    await page
      .getByRole('menuitem', { name: /^Open\b/u })
      .first()
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('menu', { name: 'Open with' }).waitFor();
    assert.deepEqual(
      await page.getByRole('menu', { name: 'Open with' }).getByRole('menuitem').allInnerTexts(),
      ['ONLYOFFICE Docs (view only)', 'Collabora in the cellar'],
    );
    await page.keyboard.press('Enter');
    await page.getByText('To edit it, convert it there. The original is kept.').waitFor();
    await page.getByRole('menu').first().waitFor({ state: 'detached' });
    assert.deepEqual(
      (await shared.sent('documents.openInEditor')).map(([, args]) => args),
      [
        { path: 'letter.docx', mode: 'view', editorId: null },
        { path: 'Roster.ods', mode: 'edit', editorId: 'a1b2c3d4' },
      ],
    );
  });

  it('show a message when no connected editor opens their type', async () => {
    const page = shared.page();
    await row('Photos of the bridge.zip').dblclick();
    await page.getByText('No connected editor opens “Photos of the bridge.zip”').waitFor();
    await row('Photos of the bridge.zip').click({ button: 'right' });
    const entry = page.getByRole('menuitem', { name: 'Open with' });
    assert.equal(await entry.getAttribute('aria-disabled'), 'true');
    await page.keyboard.press('Escape');
    assert.deepEqual(await shared.sent('documents.openInEditor'), []);
  });

  it('without an editor, offer the settings or the WOPI address', async () => {
    const page = shared.page();
    await shared.window().change({ values: { editors: [] }, tables: {} });
    await row('letter.docx').dblclick();
    const dialog = page.getByRole('dialog', { name: 'No editor is connected yet' });
    await dialog.waitFor();
    await lookOver(page);
    await button(dialog, 'Show WOPI address…').click();
    await page.getByRole('alertdialog', { name: 'WOPI address of “letter.docx”' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'WOPI address' }).waitFor({ state: 'detached' });
    await row('letter.docx').dblclick();
    await button(dialog, 'Connect an editor').click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Editors');
    assert.deepEqual(await shared.sent('documents.open'), [
      ['documents.open', { path: 'letter.docx', mode: 'edit' }],
    ]);
  });
});
