// The app's pages with its Content-Security-Policy, which has no exceptions.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { viewNames } from '../../app/contract/pushes.ts';
import { settle, startSecuredApp, type SecuredApp } from './secured-app.ts';

let secured: SecuredApp;
before(async () => {
  secured = await startSecuredApp();
});
after(() => secured.close());

test('no view violates the policy or has a request refused', async () => {
  const { page } = secured;
  const logged = secured.log().length;
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    document.addEventListener('securitypolicyviolation', (event) => {
      violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  await page.reload();
  await page.waitForSelector('.app:not([aria-busy="true"])');
  const seen: string[] = [];
  for (const number of viewNames.keys()) {
    await page.keyboard.press(`Control+${number + 1}`);
    await page.waitForFunction(
      (last) => document.querySelector('main')?.innerText !== last,
      seen.at(-1) ?? '',
    );
    await settle();
    seen.push(await page.locator('main').innerText());
  }
  assert.equal(new Set(seen).size, viewNames.length, 'every view was shown');
  assert.deepEqual(await page.evaluate('window.violations'), []);
  assert.doesNotMatch(secured.log().slice(logged), /request was blocked/);
});
