import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TokenItem } from '../../app/contract/state.ts';
import { afterlifeMs, endSentence, endWords, scopeWords } from '../../renderer/window/tokens/words.ts';
import { assertLooksRight, type LookedAt } from './look-over.ts';
import { startWindowLab, type OpenWindow, type WindowLab } from './open-window.ts';
import { tableOf } from './table-driver.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('how a token is described', () => {
  const token: TokenItem = {
    id: 't',
    kind: 'access',
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
    assert.equal(endWords(token, 7 * hour), 'in 3 h');
    assert.equal(endWords(token, 10 * hour), 'Expired, saves for 24 h');
    assert.equal(endWords(token, 13 * hour - 1), 'Expired, saves for 21 h');
    assert.match(endWords(token, 10 * hour + afterlifeMs), /^Expired yesterday \d+:\d\d/u);
  });

  it('can’t save after it expired unless it can edit a document', () => {
    assert.equal(endWords({ ...token, mode: 'view' }, 12 * hour), 'Expired 2 h ago');
    assert.equal(endWords({ ...token, kind: 'api', mode: null, path: null }, 12 * hour), 'Expired 2 h ago');
  });

  it('says in its tooltip until when open documents can be saved', () => {
    assert.match(endSentence(token, 12 * hour), /no longer opens documents\. Open ones can be saved until/u);
    assert.doesNotMatch(endSentence(token, hour), /saved/u);
  });

  it('names what it opens', () => {
    assert.equal(scopeWords(token), 'Edit Finance/Budget.xlsx');
    assert.equal(scopeWords({ ...token, mode: 'view' }), 'View Finance/Budget.xlsx');
    assert.equal(scopeWords({ ...token, kind: 'api', mode: null, path: null }), 'API');
    assert.equal(scopeWords({ ...token, path: null }), 'Edit a document that is gone');
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
    'shows what each token opens, for whom and until when, and says that secrets aren’t shown',
    using('token-life', async ({ page }) => {
      await page.getByText('A token’s secret is shown once, when it is made, and never again.').waitFor();
      const words = async (name: string) =>
        (await tableOf(page).row(name).innerText()).replaceAll(/\s+/gu, ' ');
      assert.match(await words('Good.docx'), /Good\.docx Edit Access Ana Ruiz 12 h ago in 3 h 3 h ago/u);
      assert.match(await words('Late.docx'), /Expired, saves for 21 h/u);
      assert.match(await words('Seen.docx'), /View Access Ana Ruiz 12 h ago Expired 2 h ago/u);
      assert.match(await words('a document that is gone'), /Edit Access/u);
      assert.match(
        await words('API'),
        /API all documents – API Ben Okafor \d+ \w{3,4}(?: \d{4})? in 10 d never/u,
      );
    }),
  );

  it(
    'revokes the selected tokens with the keyboard only',
    using('token-life', async (window) => {
      const { page } = window;
      await tableOf(page).row('Good.docx').click();
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Delete');
      const dialog = page.getByRole('alertdialog', { name: 'Revoke 2 tokens?' });
      await dialog.waitFor();
      assert.match(await dialog.innerText(), /refused at its next call/u);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('2 tokens were revoked').waitFor();
      assert.deepEqual(await revokings(window), [{ name: 'tokens.revoke', args: { ids: ['good', 'late'] } }]);
      assert.deepEqual(await page.getByText('3 tokens').count(), 1);
    }),
  );

  it(
    'revokes all tokens of a user, from a row or from the toolbar',
    using('token-life', async (window) => {
      const { page } = window;
      await tableOf(page).row('Seen.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Revoke all of Ana Ruiz…' }).click();
      const dialog = page.getByRole('alertdialog', { name: 'Revoke all tokens of Ana Ruiz?' });
      await dialog.getByRole('button', { name: 'Revoke all' }).click();
      await page.getByText('4 tokens of Ana Ruiz were revoked').waitFor();
      await page.getByRole('button', { name: 'Revoke all of…' }).click();
      await page.getByRole('menuitem', { name: 'Ben Okafor' }).click();
      await page.getByRole('alertdialog').getByText('must sign in again').waitFor();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke all' }).click();
      await page.getByText('1 token of Ben Okafor was revoked').waitFor();
      assert.deepEqual(await revokings(window), [
        { name: 'tokens.revokeOfUser', args: { login: 'ana' } },
        { name: 'tokens.revokeOfUser', args: { login: 'ben' } },
      ]);
      await page.getByText('Nothing is handed out.').waitFor();
    }),
  );

  it(
    'reports that the host refused to revoke tokens, and keeps them',
    using('refusing', async ({ page }) => {
      await page.locator('[data-row]').first().click();
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Could not revoke the tokens').waitFor();
      await page
        .getByText('DocTray isn’t serving a folder. Wait until it’s running, then try again.')
        .waitFor();
      await page.getByText('14 tokens').waitFor();
    }),
  );

  it(
    'shows the session of a token in use; API tokens have neither session nor document',
    using('token-life', async ({ page }) => {
      await tableOf(page).row('API').click({ button: 'right' });
      for (const name of ['Show document', 'Show session']) {
        assert.equal(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled'), 'true');
      }
      await page.keyboard.press('Escape');
      await tableOf(page).row('Good.docx').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Show session' }).click();
      await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
      await page.locator('[data-row][aria-selected="true"]').waitFor();
      assert.deepEqual(await tableOf(page).selected(), ['Good.docx']);
    }),
  );

  const places: [string, LookedAt][] = [
    ['tokens in every state', { scenario: 'token-life', view: 'tokens' }],
    ['no token', { scenario: 'empty', view: 'tokens' }],
    [
      'the question for all of a user',
      {
        scenario: 'normal',
        view: 'tokens',
        reach: async (page) => {
          await page.getByRole('button', { name: 'Revoke all of…' }).click();
          await page.getByRole('menuitem', { name: 'Ana Ruiz' }).click();
          await page.getByRole('alertdialog').waitFor();
        },
      },
    ],
  ];
  for (const [name, place] of places) {
    it(`${name}: passes axe in every color scheme and fits a small window and 200 % zoom`, async () =>
      assertLooksRight(lab, place));
  }
});
