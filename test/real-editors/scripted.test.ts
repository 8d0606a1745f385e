// Runs the scenarios for real document servers with scripted ones, to check that they pass, and that they detect errors.

import assert from 'node:assert/strict';
import { after, before, describe, it, test, type TestContext } from 'node:test';
import { unzipSync } from 'fflate';
import type { Browser } from 'playwright';
import { launchBrowser } from '../browser.ts';
import { runTerminal } from '../../app/terminal/program.ts';
import type { Place } from '../cli/processes.ts';
import { readFixture, remarkIn } from '../editors/office-zip.ts';
import { startDocumentServer } from '../editors/servers/document-server.ts';
import type { DialectKind } from '../editors/dialects/dialect.ts';
import { fakeTerminal } from '../unit/terminal/fake-terminal.ts';
import { documentText } from './document-text.ts';
import { openPlace, runScenarios, scenarios, type ScenarioResult, type Stage } from './scenarios.ts';
import { scriptedUi } from './scripted-ui.ts';

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(async () => browser.close());

/** Runs a command in this process, because a process for each takes longer than the scenarios. */
const run: Place['run'] = async (args, { input = '' } = {}) => {
  const { terminal, out, err } = fakeTerminal({ isTTY: false });
  terminal.stdin.push(input);
  terminal.stdin.push(null);
  const code = await runTerminal(args, terminal);
  return { code, signal: null, stdout: out(), stderr: err() };
};

async function openStage(context: TestContext, kind: DialectKind): Promise<Stage> {
  const { place, owner, guest } = await openPlace(browser, (made) => ({ ...made, run }));
  context.after(async () => {
    await Promise.all([owner.close(), guest.close()]);
    await place.remove();
  });
  const server = await startDocumentServer({ kind });
  context.after(() => server.stop());
  const add = ['editors', 'add', server.url, '--name', 'Scripted', '--data', place.dataDir];
  assert.equal((await place.run(add)).code, 0);
  return {
    place,
    editor: 'Scripted',
    ui: scriptedUi(kind),
    owner,
    guest,
    // A scripted editor writes its text into the archive's comment.
    textOf: (_name, bytes) => (Object.keys(unzipSync(bytes)).length > 1 ? remarkIn(bytes) : ''),
    stop: context.signal,
    timeoutMs: 60_000,
    diskTimeoutMs: 60_000,
  };
}

async function resultsOf(stage: Stage, chosen = scenarios): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  await runScenarios(
    stage,
    (result) => results.push(result),
    () => Promise.resolve(),
    chosen,
  );
  return results;
}

/** Runs them, and checks that they pass and have read these documents from the disk. */
async function assertPass(stage: Stage, chosen: typeof scenarios, documents: string[]): Promise<void> {
  const read = new Set<string>();
  const textOf: Stage['textOf'] = (name, bytes) => {
    read.add(name);
    return stage.textOf(name, bytes);
  };
  const results = await resultsOf({ ...stage, textOf }, chosen);
  assert.deepEqual(
    results.map(({ name, problem }) => [name, problem]),
    chosen.map(({ name }) => [name, undefined]),
  );
  assert.deepEqual([...read].toSorted(), documents);
}

describe('the scenarios', { concurrency: true }, () => {
  it('pass with a scripted Collabora, read every document from the disk, and fail if its text isn’t there', async (context) => {
    const stage = await openStage(context, 'collabora');
    const documents = ['close.docx', 'copy.docx', 'original.docx', 'renamed.docx', 'save.docx', 'save.odt'];
    await assertPass(stage, scenarios, [...documents, 'together.docx']);

    const lost = { ...stage, textOf: () => '', diskTimeoutMs: 1_000 };
    const [failed] = await resultsOf(lost, scenarios.slice(0, 1));
    assert.match(failed?.problem ?? '', /^Not within 1 s: save\.docx contains what was typed/);
  });

  // It differs in how it copies, shares and closes a document.
  it('pass with a scripted ONLYOFFICE', async (context) => {
    const stage = await openStage(context, 'onlyoffice');
    const documents = ['close.docx', 'copy.docx', 'original.docx', 'together.docx'];
    await assertPass(stage, scenarios.slice(3), documents);
  });
});

test('reads the text of a document, and rejects a corrupt one and one of another type', async () => {
  const docx = await readFixture('letter.docx');
  const odt = await readFixture('letter.odt');
  assert.match(documentText('letter.docx', docx), /\w{3}/);
  assert.match(documentText('letter.odt', odt), /\w{3}/);
  assert.doesNotMatch(documentText('letter.docx', docx), /[<>]/);
  assert.throws(() => documentText('letter.docx', odt), /has no word\/document\.xml/);
  assert.throws(() => documentText('letter.docx', docx.subarray(0, 200)));
  assert.throws(() => documentText('letter.pdf', docx), /can’t be read/);
});
