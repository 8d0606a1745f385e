import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accessTokenGraceMs } from '../../app/contract/age.ts';
import { expiryWords, graceWords, stateOf } from '../../renderer/window/tokens/words.ts';
import { makeToken } from './harness/rows.ts';
import { windowTests } from './open-window.ts';

const hour = 3_600_000;

it('says when a token expires, and that it can still save for a day if it can edit a document', () => {
  const token = makeToken(1, 0, { mode: 'edit', createdAtMs: 0, expiresAtMs: 10 * hour });
  const viewing = { ...token, mode: 'view' as const };
  const api = { ...token, kind: 'api' as const, path: null };
  assert.equal(expiryWords(token, 7 * hour), 'in 3\u{a0}h');
  assert.equal(graceWords(token, hour), undefined);
  for (const [one, atMs, state] of [
    [token, 10 * hour, 'can-save'],
    [token, 10 * hour + accessTokenGraceMs - 1, 'can-save'],
    [token, 10 * hour + accessTokenGraceMs, 'expired'],
    [viewing, 12 * hour, 'expired'],
    [api, 12 * hour, 'expired'],
  ] as const)
    assert.equal(stateOf(one, atMs), state);
});

describe('the Tokens view', () => {
  const { open } = windowTests({ view: 'tokens', scenario: 'token-life' });

  it('shows what each token opens, for whom and until when, and those that were never used only on request; leads to the session of a token in use; API tokens have neither session nor document', async () => {
    const { page, table, see, state, upsert, press, pressIn, button, choose } = await open({
      size: { width: 1400, height: 720 },
    });
    const words = async (name: string) => (await table.row(name).innerText()).replaceAll(/\s+/gu, ' ');
    assert.match(await words('Good.docx'), /Good\.docx Edit Ana Ruiz 12 h ago In 3 h 3 h ago/u);
    assert.match(
      await words('Late.docx'),
      /Late\.docx Save only, 21 h left Ana Ruiz 12 h ago 2 h ago 3 h ago/u,
    );
    await see('1 valid, 1 can still save, 1 expired, 1 for a deleted document. Next expiry: in 3 h.');
    assert.match(await words('Seen.docx'), /No access Ana Ruiz 12 h ago/u);
    await table.row('Late.docx').click();
    const panel = page.locator('.detail-panel');
    await panel.getByText('So that no work is lost, its editor can still save until').waitFor();
    assert.match(await words('Deleted document'), /No access Ana Ruiz/u);

    const token = (await state()).tokens.find(({ id }) => id === 'good') ?? assert.fail();
    await upsert('tokens', { ...token, id: 'unused', path: 'Never.docx', lastUsedAtMs: null });
    await button(/^Show \d+ never used$/u).waitFor();
    assert.equal(await table.row('Never.docx').count(), 0);
    await press(/^Show \d+ never used$/u);
    await table.row('Never.docx').waitFor();
    await page.getByRole('tab', { name: 'API tokens 1' }).click();
    assert.match(
      await words('Backup script'),
      /Backup script Ben Okafor Edit, all documents(?: \d+ \w{3,4}(?: \d{4})?){2} Never/u,
    );
    await table.row('Backup script').click();
    await see('Edit, all documents');
    await table.row('Backup script').click({ button: 'right' });
    for (const name of ['Show in Documents', 'Show session'])
      assert.equal(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled'), 'true');
    await pressIn('[role="menu"]', 'Escape');
    await page.getByRole('tab', { name: /^Access tokens/u }).click();
    await choose('Good.docx', 'Show session');
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    await page.locator('[data-row][aria-selected="true"]').waitFor();
    assert.deepEqual(await table.selected(), ['Good.docx']);
  });

  it('revokes the selected tokens by keyboard, and all tokens of a user from a row, after a question, and keeps those that the host refuses to revoke; then creates the first one, and is at its row', async () => {
    const { page, table, see, press, pressIn, choose, calls, answer, focused } = await open();
    const question = (name: string) => page.getByRole('alertdialog', { name });
    await table.row('Deleted document').click();
    await page.keyboard.press('Shift+ArrowDown');
    await answer('tokens.revoke', { refuses: 'DocTray isn’t serving a folder.', isOnce: true });
    const revoke = async () => {
      await page.keyboard.press('Delete');
      await question('Revoke 2 tokens?').getByText('loses access immediately').waitFor();
      await pressIn('[role="alertdialog"]', 'Tab', 'Enter');
    };
    await revoke();
    await see('Can’t revoke the tokens');
    await see('DocTray isn’t serving a folder.');
    await page.getByText('2 selected', { exact: true }).waitFor();
    await focused('[data-row]');
    await revoke();
    await see('2 tokens revoked');
    await page.getByRole('tab', { name: 'Access tokens 2' }).waitFor();
    await choose('Late.docx', 'Revoke all tokens of Ana Ruiz…');
    await see(/^Ana Ruiz, Save only, 2\d\sh left$/u);
    await question('Revoke all access and API tokens of Ana Ruiz?').waitFor();
    await press('Revoke all');
    await see('2 tokens of Ana Ruiz revoked');
    await see('No access tokens');
    await page.getByRole('tab', { name: 'API tokens 1' }).click();
    await choose('Backup script', 'Revoke all tokens of Ben Okafor…');
    await page.getByRole('alertdialog').getByText('must sign in again').waitFor();
    assert.equal(await page.getByText('Unsaved changes').count(), 0, 'it has no editor');
    await press('Revoke all');
    await see('1 token of Ben Okafor revoked');
    const ids = ['gone', 'good'];
    assert.deepEqual(await calls(/^tokens\./u), [
      ['tokens.revoke', { ids }],
      ['tokens.revoke', { ids }],
      ['tokens.revokeOfUser', { login: 'ana' }],
      ['tokens.revokeOfUser', { login: 'ben' }],
    ]);
    await press('Create API token…');
    await pressIn('.dialog');
    await page.keyboard.type('Backup');
    await page.keyboard.press('Enter');
    await press('Close');
    await focused('[data-row="new-token"]');
  });

  it('creates an API token for a user, shows it until it is copied or Close is pressed, and then is at its row', async () => {
    const { page, see, press, pressIn, button, calls, focused } = await open();
    await page.getByRole('tab', { name: 'API tokens 1' }).click();
    await press('Create API token…');
    const dialog = page.getByRole('dialog', { name: 'Create an API token' });
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await see('Enter a name.');
    const choice = async (name: RegExp, option: string) => {
      await dialog.getByRole('button', { name }).click();
      await page.getByRole('option', { name: option }).click();
    };
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await name.fill('backup script ');
    await choice(/User$/u, 'Ben Okafor');
    await see('This user already has a token with this name. Choose another.');
    await choice(/User$/u, 'Ana Ruiz');
    await dialog.getByText('This user already has').waitFor({ state: 'detached' });
    await name.fill(' Backup ');
    await choice(/Lifetime$/u, '7 days');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const shown = page.getByRole('alertdialog', { name: 'New API token “Backup”' });
    const field = shown.getByRole('textbox', { name: 'API token' });
    await pressIn(shown, 'Escape');
    const token = await field.inputValue();
    assert.equal(token.length, 43, 'Escape doesn’t close it before the token is copied');
    await page.setViewportSize({ width: 320, height: 700 });
    assert.ok(await field.evaluate((box) => box.scrollWidth === box.clientWidth), 'it is shown whole');
    await shown.getByRole('button', { name: 'Copy' }).click();
    await see('Token copied');
    await button('Close').waitFor();
    await pressIn(shown, 'Escape');
    await shown.waitFor({ state: 'detached' });
    await focused('[data-row="new-token"]');
    assert.equal((await page.content()).includes(token), false, 'it is gone from the page');
    assert.deepEqual(await calls(/^tokens|copyText/u), [
      ['tokens.createApiToken', { login: 'ana', name: 'Backup', days: 7 }],
      ['app.copyText', { text: token }],
    ]);
  });
});
