// Editors in the window: connecting, testing, choosing, opening.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../durability/eventually.ts';
import { windowTests } from './open-window.ts';

describe('an editor', () => {
  const { open, shown } = windowTests();
  const go = async (view: 'settings' | 'documents', path?: string) => {
    const { page, push } = shown();
    await push('navigate', path === undefined ? { view } : { view, path });
    await page.getByRole('heading', { level: 1, name: view }).waitFor();
  };
  /** A function that returns the commands whose names match, since its last call. */
  function since() {
    const { calls } = shown();
    let seen = 0;
    return async (names: RegExp) => {
      const all = await calls();
      const fresh = all.slice(seen).filter(([name]) => names.test(name));
      seen = all.length;
      return fresh;
    };
  }
  const card = (name: string) => shown().page.getByRole('article', { name });
  const row = (name: string) =>
    shown()
      .page.getByRole('list', { name: 'Document servers' })
      .getByRole('listitem')
      .filter({ hasText: name });

  it('connects an editor from the overview, with errors at the address field; asks before it connects one whose pages are on another host', async () => {
    const { page, press, see, button, pressIn, answer, state, change } = await open('empty');
    const sent = since();
    await press(/^Folder, address and editors/u, 'Connect document server…');
    await page.getByRole('heading', { level: 2, name: 'Editors' }).waitFor();
    await card('Text editor').getByText('Starting').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Connect a document server' });
    const address = dialog.getByRole('textbox', { name: 'Address of the document server' });
    await pressIn(dialog, 'Enter');
    await see('Enter the address of the document server.');
    await page.keyboard.type('nothing.example.org');
    await page.keyboard.press('Enter');
    await see(/can’t resolve the name nothing\.example\.org/u);
    assert.equal(await address.getAttribute('aria-invalid'), 'true');

    await address.fill('http://other.example.org');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('The other');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('pages.example.net').waitFor();
    await sent(/./u);
    const none = { url: null, openedHost: null, warning: null, failed: null, isDeclined: false };
    await answer('editors.findAddress', { gives: none });
    await press('Connect anyway');
    // Neither the search nor its result stays when the editor itself can't be read.
    const alert = card('The other').getByRole('alert');
    await alert.getByText('it didn’t reach DocTray at any address').waitFor();
    await press('Find address');
    const problem = { code: 'refused', sentence: 'It refused.', sinceMs: Date.now() };
    await change({ editors: (await state()).editors.map((one) => ({ ...one, problem })) });
    await alert.getByText('It refused.').waitFor();
    assert.equal(await card('The other').locator('.notice').count(), 1);
    await press('Test again');
    await card('The other').getByText('Works', { exact: true }).waitFor();
    assert.equal(await alert.count(), 0);
    assert.deepEqual(await sent(/^editors\./u), [
      [
        'editors.add',
        { url: 'http://other.example.org', name: 'The other', publicUrl: null, acceptsOtherHosts: true },
      ],
      ['editors.findAddress', { id: 'added0', isInContainer: false }],
      ['editors.findAddress', { id: 'added0', isInContainer: false }],
      ['editors.test', { id: 'added0' }],
    ]);

    // The user can choose another address, and is told where DocTray would listen.
    await press('Actions for The other');
    await page.getByRole('menuitem', { name: 'Choose address…' }).click();
    const choice = page.getByRole('dialog', { name: 'Address for The other' });
    await choice.getByText('Editors that run on this computer, outside of containers.').waitFor();
    assert.equal(
      await choice.getByText('http://192.168.1.14:8790', { exact: true }).count(),
      1,
      'the address of the network settings isn’t listed twice',
    );
    await choice.getByRole('radio', { name: /10\.8\.0\.3/u }).press(' ');
    await choice.getByText('DocTray will listen on 10.8.0.3 as well.').waitFor();
    await press('Use and test');
    await card('The other').getByRole('list', { name: 'Steps of the test' }).waitFor();
    await card('The other').getByText('Works', { exact: true }).waitFor();

    await press('Choose address: The other');
    await choice.getByRole('radio', { name: 'Another address' }).press(' ');
    const field = choice.getByRole('textbox', { name: 'Other address' });
    await field.fill('');
    await press('Use and test');
    await see('Enter the address.');
    await field.fill('https://docs.example.org/');
    await press('Use and test');
    await card('The other').getByText('https://docs.example.org').waitFor();
    assert.deepEqual(await sent(/^editors\.(?:useAddress|test|change)$/u), [
      ['editors.useAddress', { id: 'added0', url: 'http://10.8.0.3:8790' }],
      ['editors.test', { id: 'added0' }],
      ['editors.change', { id: 'added0', publicUrl: 'https://docs.example.org' }],
      ['editors.test', { id: 'added0' }],
    ]);

    // The failed step of a test has a line to copy.
    await press('Choose address: The other');
    await choice.getByRole('radio', { name: /127\.0\.0\.1/u }).press(' ');
    await press('Use and test');
    const step = page.getByRole('listitem').filter({ hasText: 'The editor can’t reach DocTray, failed' });
    await step.getByText('What to do: Allow this address').waitFor();
    await step.getByRole('button', { name: 'Copy line' }).last().click();
    await see('Line copied');
    assert.deepEqual(await shown().sent('app.copyText'), [
      { text: '<host desc="DocTray" allow="true">192\\.168\\.1\\.14</host>' },
    ]);
    await card('The other').getByText('Test failed', { exact: true }).waitFor();
    assert.equal(await button(/Overview ?, 1 needs attention/u).count(), 1);
  });

  it('shows an editor’s product and types, saves each of its fields on its own, chooses the editor for a kind of document or one type, and removes one only after a question', async () => {
    const { page, press, see, sent, button } = await open('settings-day');
    await go('settings', 'editors/a1b2c3d4');
    const editor = card('ONLYOFFICE Docs');
    await editor.getByText('Version 9.0.4', { exact: true }).waitFor();
    const types = await editor.locator('.editor-types').innerText();
    assert.match(types.replaceAll(/\s+/gu, ' '), /Edit docm, docx, .* View djvu, epub, pdf, xps/u);
    // The details of one at a time, below what they belong to.
    const other = card('Collabora in the cellar');
    await press('Details of Collabora in the cellar');
    await other.getByText('Opens 20 types').waitFor();
    assert.equal(await editor.getByText('Opens').count(), 0);
    const { y: top = -1 } = (await other.locator('.status-name').boundingBox()) ?? {};
    assert.ok(top >= 0 && top < 620, `its name is in sight: ${top}`);
    await press('Details of ONLYOFFICE Docs');
    assert.equal(await other.getByText('Opens').count(), 0);

    await editor.getByRole('radio', { name: 'Require signatures' }).press(' ');
    await editor.getByRole('textbox', { name: 'Allowed addresses' }).fill('172.17.0.0/16\n192.168.1.40');
    await editor.getByRole('switch', { name: 'Allow pages on another host' }).press(' ');
    const name = editor.getByRole('textbox', { name: 'Name' });
    await name.fill('');
    await name.press('Enter');
    await eventually('an empty name is the old one', async () =>
      assert.equal(await name.inputValue(), 'ONLYOFFICE Docs'),
    );
    await name.fill('The office');
    await name.press('Enter');
    await card('The office').waitFor();
    assert.deepEqual(await sent('editors.change'), [
      { id: 'a1b2c3d4', proofMode: 'required' },
      { id: 'a1b2c3d4', allowedAddresses: ['172.17.0.0/16', '192.168.1.40'] },
      { id: 'a1b2c3d4', acceptsOtherHosts: true },
      { id: 'a1b2c3d4', name: 'The office' },
    ]);

    const choose = async (what: string, option: string) => {
      await press(new RegExp(`Editor for ${what}$`, 'u'));
      await page.getByRole('option', { name: option }).click();
    };
    await see('Opens in The office and Collabora in the cellar.');
    await choose('Presentations', 'Collabora in the cellar');
    await press('Set by type');
    await choose('pptx', 'The office');
    await button('The office Editor for pptx').waitFor();
    await choose('odp', 'Automatic');
    await press('Set by group');
    await button('Mixed Editor for Presentations').waitFor();
    assert.deepEqual(await sent('editors.setDefault'), [
      ...['odp', 'potx', 'ppt', 'pptx'].map((extension) => ({ extension, editorId: 'e5f6a7b8' })),
      { extension: 'pptx', editorId: 'a1b2c3d4' },
      { extension: 'odp', editorId: null },
    ]);

    await press('Actions for Collabora in the cellar');
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove Collabora in the cellar?' });
    await question.getByText('Documents that are open in it stay open and can be saved.').waitFor();
    await press('Remove');
    await see('Collabora in the cellar was removed');
    await card('Collabora in the cellar').waitFor({ state: 'detached' });
    assert.equal(await page.getByText('Default editors').count(), 0, 'a single editor needs no defaults');
  });

  it('switches HTTPS on with DocTray’s own authority, or the user’s certificate only when both files are given; has switches for the network, and a list of trusted proxies', async () => {
    const { page, press, see, sent } = await open('settings-day');
    await go('settings', 'network');
    const network = page.getByRole('region', { name: 'HTTPS', exact: true });
    await network.getByRole('radio', { name: /Certificate created by DocTray/u }).press(' ');
    await network.getByText('DocTray renews it automatically.').waitFor();
    await network.getByText(/^0B:30:55:/u).waitFor();
    await press('Save certificate…');
    await see('Saved /home/robin/DocTray authority.crt');
    assert.equal((await sent('tls.useLocalAuthority')).length, 1);

    await network.getByRole('radio', { name: /Your own certificate/u }).press(' ');
    const use = network.getByRole('button', { name: 'Turn on HTTPS' });
    assert.ok(await use.isDisabled());
    await network.getByRole('textbox', { name: 'Certificate file' }).fill('/etc/tls/chain.pem');
    await network.getByRole('textbox', { name: 'Key file' }).fill('/etc/tls/key.pem');
    await page.keyboard.press('Enter');
    await see('Both files are chosen');
    await use.click();
    await use.waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Let other computers open documents' }).press(' ');
    await page.getByRole('switch', { name: 'JSON API on the network' }).press(' ');
    await go('settings', 'advanced');
    const proxies = page.getByRole('textbox', { name: 'Trusted proxies' });
    await proxies.fill('192.168.1.2');
    await proxies.press('Control+Enter');
    await eventually('all settings are sent', async () =>
      assert.deepEqual(await sent('settings.set'), [
        { key: 'tlsCertificate', value: '/etc/tls/chain.pem' },
        { key: 'tlsKey', value: '/etc/tls/key.pem' },
        { key: 'tls', value: 'files' },
        { key: 'networkPages', value: true },
        { key: 'networkApi', value: true },
        { key: 'trustedProxies', value: ['192.168.1.2'] },
      ]),
    );
  });

  it('has the text editor, without connection, address or Remove; it has a port and a public URL, can be switched off without losing the focus, and opens a type that no editor lists', async () => {
    const { press, see, answer, focused, button, sent, table } = await open('editors-two-found');
    await go('settings', 'editors');
    const builtIn = card('Text editor');
    await builtIn.getByText('Works', { exact: true }).waitFor();
    await builtIn.getByText('Built in · Opens text, Markdown and CSV.').waitFor();
    await press('Details of Text editor');
    const other = builtIn.getByRole('button', { name: /^Actions|address|^Test/iu });
    assert.equal(await other.count(), 0);
    const enter = async (name: string, value: string) => {
      const field = builtIn.getByRole('textbox', { name });
      await field.fill(value);
      await field.press('Enter');
    };
    await enter('Port of the text editor', '9001');
    await enter('Port of the text editor', '');
    await enter('Public URL of the text editor', 'https://edit.example.com');
    const toggle = builtIn.getByRole('switch', { name: 'Text editor' });
    await toggle.press(' ');
    await builtIn.getByText('Off', { exact: true }).waitFor();
    assert.equal(await button('Details of Text editor').count(), 0);
    await focused(toggle);
    await toggle.press(' ');
    await builtIn.getByText('Works', { exact: true }).waitFor();
    assert.deepEqual(await sent('settings.set'), [
      { key: 'textEditorPort', value: 9001 },
      { key: 'textEditorPort', value: null },
      { key: 'textEditorUrl', value: 'https://edit.example.com' },
      { key: 'textEditor', value: false },
      { key: 'textEditor', value: true },
    ]);

    // The host decides whether it is text.
    const path = 'Notes.zzz';
    const item = { kind: 'document', fileId: 'notes', path, name: path, size: 12, lastModifiedMs: 0 };
    const items = [{ ...item, versionCount: 0, versionBytes: 0 }];
    await answer('documents.list', { gives: { path: '', startIndex: 0, total: 1, items } });
    await answer('documents.openInEditor', {
      gives: { fileId: 'notes', path, mode: 'edit', editorName: 'Text editor', openedIn: 'browser' },
    });
    await go('documents');
    await table.row(path).dblclick();
    await see('Opened Notes.zzz in Text editor');
  });

  it('counts editors that need attention, lists them in the overview with one button each, and leads to the failed test, which can be run again', async () => {
    const { page, press, see, button, state, change, answer } = await open('editors-poor');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    for (const words of [
      /^The certificate expired on .*\. Renew it\.$/u,
      /didn’t reach DocTray at http:\/\/192\.168\.1\.14:8790/u,
      'Nothing is listening at office.example.org:9980 (connection refused). First noticed 2 h ago.',
    ])
      await attention.getByText(words).waitFor();
    assert.equal(await attention.locator('.list-row').count(), 3);
    await button(/Overview ?, 3 need attention/u).waitFor();
    await press(/^Folder, address and editors/u);
    const host = await page.getByRole('region', { name: 'Host' }).innerText();
    assert.match(host, /ONLYOFFICE Docs\s+Test failed[^]*Collabora in the cellar\s+Can’t be reached/u);
    await press('Test again: Collabora in the cellar');
    await see('Collabora in the cellar responds again');
    assert.equal(await attention.locator('.list-row').count(), 2);

    await press('Show test of ONLYOFFICE Docs');
    const editor = card('ONLYOFFICE Docs');
    await editor.getByText('The editor can’t reach DocTray, failed').waitFor();
    await editor.getByText('This editor has no proof keys').waitFor();
    assert.ok(await editor.getByRole('radio', { name: 'Require signatures' }).isDisabled());
    await answer('editors.test', { refuses: 'DocTray isn’t serving a folder.' });
    await press('Test again: ONLYOFFICE Docs');
    await editor.getByRole('alert').getByText('DocTray isn’t serving a folder.').waitFor();
    await editor.getByText('The editor can’t reach DocTray, failed').waitFor();

    const problem = { code: 'refused', sentence: 'It refused.', sinceMs: Date.now() - 3_600_000 };
    await change({ editors: (await state()).editors.map((one) => ({ ...one, problem })) });
    await editor.getByText('It refused. First noticed 1 h ago.').waitFor();
    const editors = (await state()).editors.map((one) => ({ ...one, problem: null }));
    await change({ editors });
    await answer('editors.test', { hangs: true });
    const find = editor.getByRole('button', { name: 'Find address: ONLYOFFICE Docs' });
    await find.click({ trial: true });
    await press('Test again: ONLYOFFICE Docs');
    await editor.getByRole('progressbar', { name: 'Testing ONLYOFFICE Docs' }).waitFor();
    assert.ok(await find.isDisabled());
  });

  it('say why the start of a connected one failed and offer it again, in its row, as that of a stopped one', async () => {
    const { state, change, press } = await open('editors-no-way-back');
    await go('settings', 'editors');
    const collabora = card('Collabora Online');
    await collabora.getByRole('alert').getByText('Check that no firewall blocks it').waitFor();
    await collabora.getByRole('button', { name: 'Try again Collabora Online' }).waitFor();
    const { documentServers } = await state();
    const servers = documentServers.servers.map((one) => ({ ...one, state: 'stopped' as const }));
    await change({ documentServers: { servers, start: null } });
    await collabora.getByText('Its container is stopped.').waitFor();
    await press('Start Collabora Online');
    await collabora.getByRole('button', { name: 'Cancel the start of Collabora Online' }).waitFor();
  });

  it('can be connected but not stopped when they were created outside DocTray; DocTray’s own are stopped after a question that says how many documents are open, and lose their data only if the user chooses so; the question stays open when one can’t be stopped', async () => {
    const { page, press, see, answer, state, change, button } = await open('editors-started');
    await go('settings', 'editors');
    const { documentServers } = await state();
    const servers = documentServers.servers.map((one) => ({ ...one, isOwn: false, editorId: null }));
    await change({ documentServers: { servers } });
    await row('Collabora Online').getByText('Created outside DocTray.').waitFor();
    assert.equal(await button('Stop Collabora Online…').count(), 0);
    await press('Connect Collabora Online');
    await change({ documentServers });

    const stop = page.getByRole('alertdialog', { name: 'Stop Collabora Online?' });
    await card('Collabora Online').getByText('Docker · doctray-collabora').waitFor();
    await press('Actions for Collabora Online');
    await page.getByRole('menuitem', { name: 'Stop…' }).click();
    await stop.getByText('1 document is open in Collabora Online.').waitFor();
    assert.equal(await stop.getByRole('checkbox').count(), 0, 'it has no data to delete');
    await answer('documentServers.stop', { refuses: 'Docker: it didn’t respond in time.', isOnce: true });
    await press('Stop');
    await see('Docker: it didn’t respond in time.');
    assert.equal(await stop.count(), 1);
    await press('Stop');
    await see('Collabora Online was stopped');
    await card('Collabora Online').waitFor({ state: 'detached' });

    await row('ONLYOFFICE Docs').getByText('Stopped').waitFor();
    await press('Remove ONLYOFFICE Docs…');
    const question = page.getByRole('alertdialog', { name: 'Remove ONLYOFFICE Docs?' });
    await question.getByRole('checkbox', { name: 'Delete its data' }).press(' ');
    await press('Remove and delete data');
    await see('ONLYOFFICE Docs was removed, and its data was deleted');
    const stopped = ['documentServers.stop', { product: 'collabora', deleteData: false }];
    assert.deepEqual(await shown().calls(/^documentServers\.(?!refresh)/u), [
      ['documentServers.start', { product: 'collabora', engine: 'docker' }],
      stopped,
      stopped,
      ['documentServers.stop', { product: 'onlyoffice', deleteData: true }],
    ]);
  });

  it('open with a double click in the editor for their type, with a message that names it, or from the menu, to view or in a chosen editor', async () => {
    const { page, table, see, choose, sent, pressIn } = await open({
      scenario: 'documents',
      view: 'documents',
    });
    await table.row('letter.docx').dblclick();
    await see('Opened letter.docx in ONLYOFFICE Docs');
    await table.row('scan.pdf').dblclick();
    await see('Opened scan.pdf in ONLYOFFICE Docs, view only');
    await see('This editor can’t change documents of this type.');
    await choose('letter.docx', 'Open read-only');
    await see('Opened letter.docx in ONLYOFFICE Docs, view only');
    await table.row('Roster.ods').click();
    await page.keyboard.press('Shift+F10');
    await pressIn('[role="menu"]', 'ArrowDown', 'ArrowRight');
    const editors = page.getByRole('menu', { name: 'Open with' });
    await editors.waitFor();
    assert.deepEqual(await editors.getByRole('menuitem').allInnerTexts(), [
      'ONLYOFFICE Docs (view only)',
      'Collabora in the cellar',
    ]);
    await pressIn(editors, 'Enter');
    await see('To edit it, convert it there. The original is kept.');
    assert.deepEqual(await sent('documents.openInEditor'), [
      { path: 'letter.docx', mode: 'edit', editorId: null },
      { path: 'scan.pdf', mode: 'edit', editorId: null },
      { path: 'letter.docx', mode: 'view', editorId: null },
      { path: 'Roster.ods', mode: 'edit', editorId: 'a1b2c3d4' },
    ]);
  });

  it('show a message when no connected editor opens their type; without an editor, offer the settings or the WOPI address', async () => {
    const { page, table, see, press, sent, change, focused, pressIn } = await open({
      scenario: 'documents',
      view: 'documents',
    });
    const zip = 'Photos of the bridge.zip';
    await table.row(zip).dblclick();
    await see(`No connected editor opens “${zip}”`);
    await table.row(zip).click({ button: 'right' });
    const entry = page.getByRole('menuitem', { name: 'Open with' });
    assert.equal(await entry.getAttribute('aria-disabled'), 'true');
    await pressIn('[role="menu"]', 'Escape');
    assert.deepEqual(await sent('documents.openInEditor'), []);

    await change({ editors: [] });
    await table.row('letter.docx').dblclick();
    const dialog = page.getByRole('dialog', { name: 'No editor is connected yet' });
    await dialog.waitFor();
    await press('Show WOPI address…');
    const address = page.getByRole('alertdialog', { name: 'WOPI address of “letter.docx”' });
    await pressIn(address, 'Escape');
    await address.waitFor({ state: 'detached' });
    await table.row('letter.docx').dblclick();
    await dialog.getByRole('button', { name: 'Connect a document server' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await focused(page.getByRole('heading', { level: 2, name: 'Editors' }));
    assert.deepEqual(await sent('documents.open'), [{ path: 'letter.docx', mode: 'edit' }]);
  });
});
