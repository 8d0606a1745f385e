// Runs the scenarios for real document servers with scripted ones, to check that they pass, and that they detect errors.

import assert from 'node:assert/strict';
import { after, before, describe, it, test, type TestContext } from 'node:test';
import type { Browser } from 'playwright';
import { launchBrowser } from '../browser.ts';
import { runTerminal } from '../../app/terminal/program.ts';
import { makePlace, type Place } from '../cli/processes.ts';
import { readFixture, remarkIn, unpack } from '../editors/office-zip.ts';
import { startDocumentServer, type DocumentServer } from '../editors/servers/document-server.ts';
import type { DialectKind } from '../editors/dialects/dialect.ts';
import { fakeTerminal } from '../unit/terminal/fake-terminal.ts';
import { documentText } from './document-text.ts';
import {
  guestLogin,
  runScenarios,
  scenarioFiles,
  scenarios,
  type ScenarioResult,
  type Stage,
} from './scenarios.ts';
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

async function openStage(
  context: TestContext,
  kind: DialectKind,
): Promise<{ stage: Stage; server: DocumentServer }> {
  const letter = { docx: await readFixture('letter.docx'), odt: await readFixture('letter.odt') };
  const place = { ...(await makePlace(scenarioFiles(letter), { textEditor: false })), run };
  context.after(() => place.remove());
  await place.serve();
  const server = await startDocumentServer({ kind });
  context.after(() => server.stop());
  const set = async (args: string[], input = ''): Promise<void> => {
    const { code, stderr } = await place.run([...args, '--data', place.dataDir], { input });
    assert.equal(code, 0, stderr);
  };
  await set(['editors', 'add', server.url, '--name', 'Scripted']);
  await set(['users', 'add', guestLogin.login, '--password-stdin'], `${guestLogin.password}\n`);
  const [owner, guest] = [
    await browser.newContext({ locale: 'en-US' }),
    await browser.newContext({ locale: 'en-US' }),
  ];
  context.after(() => Promise.all([owner.close(), guest.close()]));
  const stage: Stage = {
    place,
    editor: 'Scripted',
    ui: scriptedUi(kind),
    owner,
    guest,
    textOf(_name, bytes) {
      // A scripted editor writes its text into the archive's comment.
      unpack(bytes);
      return remarkIn(bytes);
    },
    stop: context.signal,
    timeoutMs: 60_000,
    diskTimeoutMs: 60_000,
  };
  return { stage, server };
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
    const { stage } = await openStage(context, 'collabora');
    const documents = ['close.docx', 'copy.docx', 'original.docx', 'renamed.docx', 'save.docx', 'save.odt'];
    await assertPass(stage, scenarios, [...documents, 'together.docx']);

    const lost = { ...stage, textOf: () => '', diskTimeoutMs: 1_000 };
    const [failed] = await resultsOf(lost, scenarios.slice(0, 1));
    assert.match(failed?.problem ?? '', /^Not within 1 s: save\.docx contains what was typed/);
  });

  // It differs in how it copies, shares and closes a document.
  it('pass with a scripted ONLYOFFICE', async (context) => {
    const { stage } = await openStage(context, 'onlyoffice');
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
