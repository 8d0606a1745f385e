// Tests DocTray with real document servers in containers: `npm run test:containers`, or `npm run test:containers -- collabora` for one
// of them. Needs Docker or Podman, an internet connection for the images, 4 GB of memory for ONLYOFFICE, and Chromium. After a failure,
// screenshots and logs are in dist/real-editors.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import type { Browser, Page } from 'playwright';
import { documentServerNames, documentServerProducts } from '../../app/contract/document-servers.ts';
import type { DocumentServerProduct } from '../../app/contract/document-servers.ts';
import { AppError } from '../../app/contract/errors.ts';
import { bringNeeds } from '../system-needs.ts';
import { containerServer, engineEnvironment, findEngine, Missing } from './document-server.ts';
import { collaboraUi, onlyOfficeUi, type EditorUi } from './editor-ui.ts';
import { openPlace, scenarios } from './scenarios.ts';

const uis: Record<DocumentServerProduct, EditorUi> = { collabora: collaboraUi, onlyoffice: onlyOfficeUi };
const resultFolder = join(dirname(dirname(import.meta.dirname)), 'dist', 'real-editors');

/** Aborted by Ctrl+C, which also removes everything that was started. */
const stop = new AbortController();

const counts = { passed: 0, failed: 0 };

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** @throws Missing if something that the tests need is missing */
async function testProduct(
  product: DocumentServerProduct,
  browser: Browser,
  image: string | undefined,
  onCleanup: (cleanUp: () => Promise<void>) => void,
): Promise<void> {
  const { place, host, owner, guest } = await openPlace(browser, onCleanup);
  print(`Starting ${documentServerNames[product]}. The first start downloads its image.`);
  const server = await containerServer(place, product);
  onCleanup(server.stop);
  const { editorId, url } = await server.start(image);
  print(`${documentServerNames[product]} runs at ${url}.`);

  const stage = { place, editor: editorId, ui: uis[product], owner, guest };
  for (const [name, run] of Object.entries(scenarios)) {
    if (stop.signal.aborted) break;
    const startedAtMs = Date.now();
    const problem = await run(stage).then(
      () => undefined,
      (error: unknown) => stripVTControlCharacters(error instanceof Error ? error.message : String(error)),
    );
    if (stop.signal.aborted) break;
    const pages = [...owner.pages(), ...guest.pages()];
    const seconds = Math.round((Date.now() - startedAtMs) / 1000);
    counts[problem === undefined ? 'passed' : 'failed'] += 1;
    print(`${problem === undefined ? '✔' : '✖'} ${product}: ${name} (${seconds} s)`);
    if (problem !== undefined) {
      print(problem.replaceAll(/^/gm, '    '));
      const logs = { container: server.log(), doctray: host.stderr() };
      await saveArtifacts(`${product} ${name}`, pages, logs);
    }
    for (const page of pages) await page.close();
  }
  await Promise.all([owner.close(), guest.close()]);
}

async function saveArtifacts(title: string, pages: Page[], logs: Record<string, string>): Promise<void> {
  const name = title.replaceAll(/\W+/g, '-').toLowerCase();
  mkdirSync(resultFolder, { recursive: true });
  for (const [what, text] of Object.entries(logs))
    writeFileSync(join(resultFolder, `${name}-${what}.log`), text);
  const shots = pages.map((page, index) =>
    page.screenshot({ path: join(resultFolder, `${name}-${index + 1}.png`) }).catch(() => undefined),
  );
  await Promise.all(shots);
}

async function main(): Promise<number> {
  const options = { image: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const wanted = documentServerProducts.filter(
    (one) => positionals.length === 0 || positionals.includes(one),
  );
  const unknown = positionals.filter((one) => !(documentServerProducts as readonly string[]).includes(one));
  if (unknown.length > 0)
    throw new Missing(`There is no ${unknown.join(', ')}. Choose onlyoffice or collabora.`);
  for (const product of wanted) {
    // Check this before anything is installed or downloaded.
    await findEngine({ ...process.env, ...engineEnvironment(process.env) }, product);
  }
  const lacking = bringNeeds(['real-editors'], print);
  if (lacking !== undefined) throw new Missing(lacking);

  // Playwright takes longer to load than everything else; a run that lacks something doesn't need it.
  const { launchBrowser } = await import('../browser.ts');
  rmSync(resultFolder, { recursive: true, force: true });
  const cleanups: (() => Promise<void>)[] = [];
  const cleanUp = async (): Promise<void> => {
    for (let next = cleanups.pop(); next !== undefined; next = cleanups.pop())
      await next().catch(() => undefined);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop.abort();
      void cleanUp().finally(() => process.exit(130));
    });
  const browser = await launchBrowser({ isWhole: true, ignoresSignals: true });
  cleanups.push(() => browser.close());
  try {
    for (const product of wanted) {
      // One at a time, because each needs gigabytes of memory.
      await testProduct(product, browser, values.image, (one) => cleanups.push(one));
      while (cleanups.length > 1) await cleanups.pop()?.();
    }
  } finally {
    await cleanUp();
  }
  if (stop.signal.aborted) return 130;
  print(`\n${counts.passed} passed, ${counts.failed} failed`);
  if (counts.failed > 0) print(`Screenshots and logs: ${resultFolder}`);
  return counts.failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  // After Ctrl+C, failures are expected.
  if (!stop.signal.aborted) {
    if (!(error instanceof Missing || error instanceof AppError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
