// A window in German in front of a host that speaks English, as `doctray serve` does: what the host says with values in it is German too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { shareBrowser } from '../browser.ts';
import { startDocumentServer } from '../editors/servers/document-server.ts';
import { startTestHost } from '../server/test-host.ts';

test('a German window shows an English host’s questions, setting faults and connection tests in German', async (t) => {
  const [host, shared, editor] = await Promise.all([
    startTestHost({ files: { 'Notes.md': 'A line.\n' }, pagesBuild: pagesBuild(process.env) }),
    shareBrowser(),
    startDocumentServer({ kind: 'onlyoffice' }),
  ]);
  t.after(async () => {
    for (const context of shared.browser.contexts()) await context.close();
    await shared.close();
    await host.stop();
  });
  const { id } = await host.host.services.editors.add({ url: editor.url, name: 'Office' });
  await editor.stop();
  const context = await shared.browser.newContext({
    locale: 'de-AT',
    viewport: { width: 1100, height: 900 },
  });
  const page = await context.newPage();
  await page.goto(await host.host.createDashboardLink());
  await page.getByRole('heading', { name: 'Übersicht', exact: true, level: 1 }).waitFor();
  const pane = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+7');
    await page.getByRole('heading', { name: 'Einstellungen', exact: true, level: 1 }).waitFor();
    await page.getByRole('button', { name, exact: true }).click();
  };

  await pane('Erweitert');
  await page.getByLabel('Gültigkeit von Zugriffstoken', { exact: true }).fill('70000');
  await page.getByText('Geben Sie eine ganze Zahl von 1 bis 720 ein.').waitFor();
  await page.keyboard.press('Escape');

  await pane('Editoren');
  await page.getByRole('button', { name: 'Verbindung testen: Office' }).click();
  const { host: place } = new URL(editor.url);
  await page.getByText(`Unter ${place} lauscht nichts (Verbindung abgelehnt).`).first().waitFor();
  await page.getByText('Starten Sie den Dokumentserver oder prüfen Sie den Port.').first().waitFor();

  await page.getByRole('button', { name: 'Editor verbinden…' }).click();
  await page.getByRole('dialog', { name: 'Editor verbinden' }).waitFor();
  await page.keyboard.type('http://127.0.0.1:1');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Editor unter http://127.0.0.1:1 verbinden?' });
  await question.getByText('Dokumente, die darin geöffnet werden, gehen an diese Adresse.').waitFor();
  await question.locator('input:focus').waitFor();
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await question.getByText('Das ist nicht das Passwort des Besitzers.').waitFor();
  await question.locator('input').fill(host.owner.password);
  await question.getByRole('button', { name: 'Verbinden' }).click();
  await page.getByText('Unter 127.0.0.1:1 lauscht nichts (Verbindung abgelehnt).').waitFor();

  // The host itself says it in English.
  const test = await host.host.testEditor(id);
  assert.equal(test.steps[0]?.sentence, `Nothing is listening at ${place} (connection refused).`);
});
