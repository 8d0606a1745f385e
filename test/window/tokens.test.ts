import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { accessTokenGraceMs } from '../../app/contract/age.ts';
import type { TokenItem, WindowState } from '../../app/contract/state.ts';
import { expirySentence, expiryWords, scopeWords, stateOf } from '../../renderer/window/tokens/words.ts';
import { itLooksRight, type LookedAt } from './look-over.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';
import { eventually } from '../durability/eventually.ts';
import { tableOf } from './table-driver.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('how a token is described', () => {
  const token: TokenItem = {
    id: 't',
    kind: 'access',
    name: null,
    user: 'ana',
    userName: 'Ana Ruiz',
    fileId: 'f',
    path: 'Finance/Budget.xlsx',
    mode: 'edit',
    createdAtMs: 0,
    expiresAtMs: 10 * hour,
    lastUsedAtMs: null,
  };

  it('expires, can still save for a day, then is useless', () => {
    assert.equal(expiryWords(token, 7 * hour), 'in 3\u{a0}h');
    assert.equal(stateOf(token, 10 * hour), 'can-save');
    assert.equal(stateOf(token, 10 * hour + accessTokenGraceMs - 1), 'can-save');
    assert.equal(stateOf(token, 10 * hour + accessTokenGraceMs), 'expired');
    assert.match(expiryWords(token, 10 * hour + accessTokenGraceMs), /^Expired yesterday \d+:\d\d/u);
  });

  it('can’t save after it expired unless it can edit a document', () => {
    for (const other of [
      { ...token, mode: 'view' as const },
      { ...token, kind: 'api' as const, mode: null },
    ])
      assert.equal(stateOf(other, 12 * hour), 'expired');
    assert.equal(expiryWords(token, 12 * hour), 'Expired 2\u{a0}h ago');
  });

  it('says in its tooltip until when open documents can be saved', () => {
    assert.match(
      expirySentence(token, 12 * hour),
      /can no longer open documents\. Open ones can be saved until/u,
    );
    assert.doesNotMatch(expirySentence(token, hour), /saved/u);
  });

  it('names what it opens', () => {
    assert.equal(scopeWords(token), 'Finance/Budget.xlsx (Edit)');
    assert.equal(scopeWords({ ...token, mode: 'view' }), 'Finance/Budget.xlsx (View)');
    assert.equal(scopeWords({ ...token, kind: 'api', mode: null, path: null }), 'All documents');
    assert.equal(scopeWords({ ...token, path: null }), 'Deleted document (Edit)');
  });
});

describe('the Tokens view', () => {
  let lab: WindowLab;
  before(async () => {
    lab = await startWindowLab();
  });
  after(async () => lab.close());

  const using = (scenario: string, body: (window: OpenWindow) => Promise<void>) => async () => {
    const window = await lab.open({ scenario, view: 'tokens' });
    try {
      await body(window);
      assert.deepEqual(window.problems, []);
    } finally {
      await window.close();
    }
  };
  const revokings = async ({ calls }: OpenWindow) =>
    (await calls()).filter(({ name }) => name.startsWith('tokens.'));

  it(
    'shows what each token opens, for whom and until when',
    using('token-life', async ({ page }) => {
      await page.setViewportSize({ width: 1400, height: 720 });
      const words = async (name: string) =>
        (await tableOf(page).row(name).innerText()).replaceAll(/\s+/gu, ' ');
      assert.match(await words('Good.docx'), /Good\.docx Edit Ana Ruiz 12 h ago In 3 h 3 h ago/u);
      assert.match(await words('Late.docx'), /Can save/u);
      const title = await page
        .getByText('Can save')
        .first()
        .locator('xpath=ancestor-or-self::*[@title][1]')
        .getAttribute('title');
      assert.match(title ?? '', /^Expired on .* Open ones can be saved until /u);
      assert.match(await words('Seen.docx'), /View Ana Ruiz 12 h ago Expired/u);
      await tableOf(page).row('Late.docx').click();
      await page
        .locator('.detail-panel')
        .getByText('It can no longer open documents. Open ones can be saved until')
        .waitFor();
      await page
        .locator('.detail-panel')
        .getByText(/^Expired \d+\sh ago$/u)
        .waitFor();
      assert.match(await words('Deleted document'), /Edit Ana Ruiz/u);
      await page.getByRole('tab', { name: 'API tokens 1' }).click();
      assert.match(
        await words('Backup script'),
        /Backup script Ben Okafor All documents(?: \d+ \w{3,4}(?: \d{4})?){2} Never/u,
      );
    }),
  );

  it(
    'hides access tokens that were never used behind a count',
    using('token-life', async ({ page, change }) => {
      const token = await page.evaluate(() => {
        const { harness } = globalThis as unknown as { harness: { host: { state: WindowState } } };
        return harness.host.state.tokens.find(({ kind, path }) => kind === 'access' && path !== null)!;
      });
      const unused = { ...token, id: 'unused', path: 'Never.docx', lastUsedAtMs: null };
      await change({ values: {}, tables: { tokens: { upsert: [unused], remove: [] } } });
      const show = page.getByRole('button', { name: /^Show \d+ never used$/u });
      await show.waitFor();
      assert.equal(await tableOf(page).row('Never.docx').count(), 0);
      await show.click();
      await tableOf(page).row('Never.docx').waitFor();
    }),
  );

  it('shows names whole in a window of the usual size, beside the details too', async () => {
    const window = await lab.open({ scenario: 'normal', view: 'tokens', size: { width: 900, height: 620 } });
    const { page } = window;
    const nothingCut = async () =>
      eventually('no name is cut', async () =>
        assert.deepEqual(
          await page
            .locator('[role="rowheader"] .path-start')
            .evaluateAll((starts) =>
              starts
                .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
                .map((start) => start.getAttribute('data-text')),
            ),
          [],
        ),
      );
    try {
      await tableOf(page).row('Letter to the council 7.ods').waitFor();
      await nothingCut();
      await tableOf(page).row('Letter to the council 7.ods').click();
      await page.locator('.detail-panel').waitFor();
      await nothingCut();
      await page.locator('.detail-panel').getByRole('button', { name: 'Show session' }).waitFor();
    } finally {
      await window.close();
    }
  });

  it(
    'changes the tab with the arrow keys, Home and End, which take the focus along',
    using('token-life', async ({ page }) => {
      const tab = (name: string) => page.getByRole('tab', { name });
      await tab('Access tokens').focus();
      for (const [key, name] of [
        ['ArrowRight', 'API tokens'],
        ['ArrowRight', 'Access tokens'],
        ['ArrowLeft', 'API tokens'],
        ['Home', 'Access tokens'],
        ['End', 'API tokens'],
      ] as const) {
        await page.keyboard.press(key);
        await page.getByRole('grid', { name }).waitFor();
        await page.getByRole('tabpanel', { name }).waitFor();
        assert.equal(await tab(name).getAttribute('aria-selected'), 'true');
        assert.ok(
          await tab(name).evaluate((element) => element === document.activeElement),
          `${key}: ${name}`,
        );
      }
    }),
  );

  it(
    'outlines what has the focus in a tab, and not the whole view around it',
    using('token-life', async ({ page }) => {
      await page.getByRole('tab', { name: 'Access tokens' }).focus();
      for (const focused of ['[role="tab"]', '[data-takes-slash]', '[data-row]']) {
        for (let steps = 0; steps < 8 && (await page.locator(`${focused}:focus`).count()) === 0; steps += 1)
          await page.keyboard.press('Tab');
        await page.locator(`${focused}:focus`).waitFor();
        const outlined = await page
          .locator('main, main *')
          .evaluateAll((elements) =>
            elements
              .filter(
                (element) => getComputedStyle(element).outlineStyle !== 'none' && !element.matches(':focus'),
              )
              .map(({ className }) => className),
          );
        assert.deepEqual(outlined, [], focused);
      }
    }),
  );

  it(
    'revokes the selected tokens with the keyboard only',
    using('token-life', async (window) => {
      const { page } = window;
      await tableOf(page).row('Deleted document').click();
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Delete');
      const dialog = page.getByRole('alertdialog', { name: 'Revoke 2 tokens?' });
      await dialog.waitFor();
      assert.match(await dialog.innerText(), /loses access immediately/u);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('2 tokens revoked').waitFor();
      assert.deepEqual(await revokings(window), [{ name: 'tokens.revoke', args: { ids: ['gone', 'good'] } }]);
      assert.deepEqual(await page.getByText('2 tokens', { exact: true }).count(), 1);
    }),
  );

  it(
    'revokes all tokens of a user, from a row or from the toolbar',
    using('token-life', async (window) => {
      const { page } = window;
      await tableOf(page).row('Seen.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Revoke all tokens of Ana Ruiz…' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Revoke all tokens of Ana Ruiz?' });
      await dialog.getByRole('button', { name: 'Revoke all' }).click();
      await page.getByText('4 tokens of Ana Ruiz revoked').waitFor();
      await page.getByRole('button', { name: 'Revoke by user' }).click();
      await page.getByRole('menuitem', { name: 'Ben Okafor' }).click();
      await page.getByRole('alertdialog').getByText('must sign in again').waitFor();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke all' }).click();
      await page.getByText('1 token of Ben Okafor revoked').waitFor();
      assert.deepEqual(await revokings(window), [
        { name: 'tokens.revokeOfUser', args: { login: 'ana' } },
        { name: 'tokens.revokeOfUser', args: { login: 'ben' } },
      ]);
      await page.getByText('No access tokens.').waitFor();
    }),
  );

  it(
    'reports that the host refused to revoke tokens, and keeps them',
    using('refusing', async ({ page }) => {
      await page.locator('[data-row]').first().click();
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Can’t revoke the tokens').waitFor();
      await page
        .getByText('DocTray isn’t serving a folder. Wait until it’s running, then try again.')
        .waitFor();
      await page.getByText('1 selected', { exact: true }).waitFor();
    }),
  );

  it(
    'shows the session of a token in use; API tokens have neither session nor document',
    using('token-life', async ({ page }) => {
      await page.getByRole('tab', { name: 'API tokens 1' }).click();
      await tableOf(page).row('Backup script').click({ button: 'right' });
      for (const name of ['Show in Documents', 'Show session']) {
        assert.equal(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled'), 'true');
      }
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: 'Access tokens 4' }).click();
      await tableOf(page).row('Good.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Show session' }).click();
      await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
      await page.locator('[data-row][aria-selected="true"]').waitFor();
      assert.deepEqual(await tableOf(page).selected(), ['Good.docx']);
    }),
  );

  it(
    'creates an API token for a user, and shows it once to copy it',
    using('token-life', async (window) => {
      const { page } = window;
      await page.getByRole('tab', { name: 'API tokens 1' }).click();
      await page.getByRole('button', { name: 'Create API token' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create an API token' });
      await dialog.getByRole('button', { name: 'Create token' }).click();
      await dialog.getByText('Enter a name.').waitFor();
      const chooseUser = async (user: string) => {
        await dialog.getByRole('button', { name: 'User' }).click();
        await page.getByRole('option', { name: user }).click();
      };
      await dialog.getByRole('textbox', { name: 'Name' }).fill('backup script ');
      await chooseUser('Ben Okafor');
      await dialog.getByText('This user already has a token with this name. Choose another.').waitFor();
      await chooseUser('Ana Ruiz');
      await dialog.getByText('This user already has').waitFor({ state: 'detached' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill(' Backup ');
      await dialog.getByRole('button', { name: 'Lifetime' }).click();
      await page.getByRole('option', { name: '7 days' }).click();
      await dialog.getByRole('button', { name: 'Create token' }).click();
      const shown = page.getByRole('alertdialog', { name: 'New API token “Backup”' });
      const field = shown.getByRole('textbox', { name: 'API token' });
      const token = await field.inputValue();
      assert.equal(token.length, 43);
      await shown.getByRole('button', { name: 'Copy' }).click();
      await page.getByText('Token copied').waitFor();
      await shown.getByRole('button', { name: 'Done' }).click();
      await page.locator('[data-row="new-token"]:focus').waitFor();
      assert.equal((await page.content()).includes(token), false, 'it is gone from the page');
      assert.deepEqual(
        (await window.calls()).filter(({ name }) => /^tokens|copyText/u.test(name)),
        [
          { name: 'tokens.createApiToken', args: { login: 'ana', name: 'Backup', days: 7 } },
          { name: 'app.copyText', args: { text: token } },
        ],
      );
    }),
  );

  it(
    'shows the first API token until it is copied or Done is pressed, then is at its row',
    using('empty', async ({ page }) => {
      await page.getByRole('tab', { name: 'API tokens 0' }).click();
      await page.getByRole('button', { name: 'Create API token' }).click();
      await page.keyboard.type('Backup');
      await page.keyboard.press('Enter');
      const shown = page.getByRole('alertdialog');
      const field = shown.getByRole('textbox', { name: 'API token' });
      await field.waitFor();
      await page.keyboard.press('Escape');
      assert.equal((await field.inputValue()).length, 43);
      await shown.getByRole('button', { name: 'Copy' }).click();
      await page.getByText('Token copied').waitFor();
      await page.keyboard.press('Escape');
      await shown.waitFor({ state: 'detached' });
      await page.locator('[data-row="new-token"]:focus').waitFor();
    }),
  );

  const places: LookedAt[] = [
    {
      scenario: 'token-life',
      view: 'tokens',
      steps: [
        ['tokens in every state'],
        [
          'a new token',
          async (page) => {
            await page.getByRole('tab', { name: 'API tokens 1' }).click();
            await page.getByRole('button', { name: 'Create API token' }).click();
            await page.keyboard.type('Backup');
            await page.keyboard.press('Enter');
            await page.getByRole('alertdialog').waitFor();
          },
        ],
      ],
    },
    {
      scenario: 'normal',
      view: 'tokens',
      steps: [
        [
          'the question for all of a user',
          async (page) => {
            await page.getByRole('button', { name: 'Revoke by user' }).click();
            await page.getByRole('menuitem', { name: 'Ana Ruiz' }).click();
            await page.getByRole('alertdialog').waitFor();
          },
        ],
      ],
    },
  ];
  for (const place of places) itLooksRight(() => lab, place);
});
