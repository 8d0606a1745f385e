import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { noCall } from '../../../app/editors/findings.ts';
import { EditorFault, unreachable } from '../../../app/editors/editor-fault.ts';
import { speaking } from '../../../app/languages.ts';
import { keysOf, serve, signingKey } from './editors-fixture.ts';
import { call, createTrial, nowMs, step, summary, type OpenedPage } from './trial-fixture.ts';

const key = signingKey();
const otherKey = signingKey();
const minuteMs = 60_000;
const view = (base: string) => ({
  actions: [{ app: 'Word', name: 'view', extension: 'docx', urlsrc: `${base}/page?`, isDefault: true }],
  proofKeys: keysOf(key),
});
const signing = (options: Parameters<typeof call>[1] = {}) => ({
  onPage: async (page: OpenedPage) => void (await call(page, { key: key.privateKey, ...options })),
});

test('passes every step if the editor’s page makes a signed call', async (t) => {
  const trial = await createTrial(t, signing());
  trial.editor.discovery.proofKeys = keysOf(key);
  const result = await trial.run();
  assert.equal(summary(result), 'discovery passed, page passed, callback passed, proof passed, clock passed');
  assert.equal(result.isGood, true);
  assert.deepEqual(trial.tests.last(trial.editor.id), result);
  assert.match(step(result, 'callback').sentence, /^It called DocTray from 127\.0\.0\.1 at http:/);
  assert.equal(trial.opened[0]?.search.get('ui'), 'en-US');
  assert.match(trial.opened[0]?.wopiSrc ?? '', /\/wopi\/files\/[\w-]{22}$/);
});

test('words its steps for each reader', async (t) => {
  const trial = await createTrial(t, signing());
  trial.editor.discovery.proofKeys = keysOf(key);
  const german = await speaking(['de'], trial.run);
  assert.equal(step(german, 'proof').sentence, 'Seine Signatur ist gültig.');
  const english = trial.tests.last(trial.editor.id);
  assert.equal(english && step(english, 'proof').sentence, 'Its signature is valid.');
});

test('reveals neither the token nor the id of the test document, and invalidates both after the test', async (t) => {
  const trial = await createTrial(t, signing());
  const reported = JSON.stringify(await trial.run());
  const [page] = trial.opened;
  assert.ok(page !== undefined && page.token.length === 43);
  assert.ok(!reported.includes(page.token));
  assert.ok(!reported.includes(page.wopiSrc.slice(-22)));
  assert.equal((await call(page)).status, 404);
});

test('passes an editor without keys, unless signatures are required', async (t) => {
  const onPage = async (page: OpenedPage) => void (await call(page));
  const trial = await createTrial(t, { onPage });
  assert.equal(
    summary(await trial.run()),
    'discovery passed, page passed, callback passed, proof skipped, clock skipped',
  );
  trial.editor.proofMode = 'required';
  const required = await trial.run();
  assert.equal(step(required, 'proof').code, 'proof-no-keys');
  assert.equal(required.isGood, false);
});

test('warns of an unsigned call from an editor with keys, or fails if signatures are required', async (t) => {
  const trial = await createTrial(t, { onPage: async (page) => void (await call(page)) });
  trial.editor.discovery.proofKeys = keysOf(key);
  const warned = await trial.run();
  assert.match(summary(warned), /proof warned proof-missing/);
  assert.equal(warned.isGood, true);
  trial.editor.proofMode = 'required';
  assert.match(summary(await trial.run()), /proof failed proof-missing/);
});

test('fails for a wrong signature, and only warns if signatures are off', async (t) => {
  const wrongKey = await createTrial(t, signing({ key: otherKey.privateKey }));
  wrongKey.editor.discovery.proofKeys = keysOf(key);
  assert.match(summary(await wrongKey.run()), /callback passed, proof failed proof-wrong-key/);
  wrongKey.editor.proofMode = 'off';
  const unchecked = await wrongKey.run();
  assert.match(summary(unchecked), /proof warned proof-wrong-key/);
  assert.equal(unchecked.isGood, true);

  const trial = await createTrial(t, signing({ signedBase: 'https://docs.example' }));
  trial.editor.discovery.proofKeys = keysOf(key);
  const result = await trial.run();
  assert.equal(step(result, 'proof').code, 'proof-wrong-key', 'the call came by the address that was given');
});

test('accepts a signature for the address that was called instead of the base address, and reports both', async (t) => {
  // The editor calls the host's own address instead of its base address.
  const trial = await createTrial(t, {
    baseUrl: 'http://docs.example',
    async onPage(page) {
      const here = { ...page, wopiSrc: page.wopiSrc.replace('http://docs.example', trial.host.url) };
      await call(here, { key: key.privateKey });
    },
  });
  trial.editor.discovery.proofKeys = keysOf(key);
  const result = await trial.run();
  assert.match(summary(result), /callback passed, proof passed/);
  assert.match(step(result, 'callback').sentence, /instead of http:\/\/docs\.example/);
  assert.match(step(result, 'proof').sentence, /for the address it called/);
});

test('names both addresses for a wrong signature in a call to another address', async (t) => {
  const trial = await createTrial(t, {
    baseUrl: 'http://docs.example',
    async onPage(page) {
      const here = { ...page, wopiSrc: page.wopiSrc.replace('http://docs.example', trial.host.url) };
      await call(here, { key: key.privateKey, signedBase: 'http://elsewhere.example' });
    },
  });
  trial.editor.discovery.proofKeys = keysOf(key);
  const proof = step(await trial.run(), 'proof');
  assert.equal(proof.code, 'proof-wrong-address');
  assert.match(proof.sentence, /http:\/\/docs\.example.*http:\/\/127\.0\.0\.1/);
});

test('warns of a clock skew, and fails for one over 20 minutes', async (t) => {
  const ahead = await createTrial(t, signing({ atMs: nowMs + 5 * minuteMs }));
  ahead.editor.discovery.proofKeys = keysOf(key);
  const warned = await ahead.run();
  assert.match(summary(warned), /proof passed, clock warned clock-skew/);
  assert.match(step(warned, 'clock').sentence, /5 min ahead of/);

  const behind = await createTrial(t, signing({ atMs: nowMs - 3 * 60 * minuteMs }));
  behind.editor.discovery.proofKeys = keysOf(key);
  const failed = await behind.run();
  assert.match(summary(failed), /callback passed, proof skipped, clock failed clock-skew/);
  assert.match(step(failed, 'clock').sentence, /3 h behind/);
  assert.equal(failed.isGood, false);
});

test('reports why discovery can’t be read, and skips the other steps', async (t) => {
  const fault = new EditorFault('status', () => ['It answered 404.', 'Check the address.']);
  const trial = await createTrial(t, {
    editor: { kind: 'onlyoffice' },
    deps: {
      editors: {
        byId: () => trial.editor,
        refresh: () => Promise.reject(unreachable(fault)),
      },
    },
  });
  const result = await trial.run();
  assert.equal(
    summary(result),
    'discovery failed status, page skipped, callback skipped, proof skipped, clock skipped',
  );
  assert.deepEqual(step(result, 'discovery').lines, ['-e WOPI_ENABLED=true', '"wopi": { "enable": true }']);
  assert.equal(trial.opened.length, 0);
});

test('reports an editor without types, and one that is not connected', async (t) => {
  const trial = await createTrial(t, { editor: { discovery: { actions: [], proofKeys: null } } });
  assert.match(summary(await trial.run()), /page failed no-view-action, callback skipped/);
  await assert.rejects(
    trial.tests.run('00000000'),
    (error) => error instanceof AppError && error.code === 'editor-unknown',
  );
});

test('distinguishes a page that is missing, fails, redirects or forbids framing', async (t) => {
  const gone = await createTrial(t);
  gone.editor.discovery = view('http://127.0.0.1:9');
  const refused = await gone.run();
  assert.match(summary(refused), /page failed refused, callback skipped/);

  const called = (page: OpenedPage) => call(page, { key: key.privateKey });
  const answers: [string, number, Record<string, string>, RegExp][] = [
    ['status', 500, {}, /page failed page-status, callback passed/],
    [
      'redirect',
      302,
      { location: 'https://login.example/x' },
      /page warned page-redirected, callback passed/,
    ],
    [
      'frame',
      200,
      { 'content-security-policy': "frame-ancestors 'none'" },
      /page failed page-not-framed, callback passed/,
    ],
  ];
  for (const [name, status, headers, expected] of answers) {
    const trial = await createTrial(t, {
      async onPage(page, _request, response) {
        await called(page);
        response.writeHead(status, headers);
      },
    });
    assert.match(summary(await trial.run()), expected, name);
  }
});

test('reports a page error only as a hint if no call came', async (t) => {
  const trial = await createTrial(t, {
    editor: { kind: 'onlyoffice' },
    onPage: (_page, _request, response) => void response.writeHead(400),
  });
  assert.match(
    summary(await trial.run()),
    /page warned page-status, callback failed private-address-refused/,
  );
});

test('shows the lines that let ONLYOFFICE call private addresses if it doesn’t call', async (t) => {
  const trial = await createTrial(t, { editor: { kind: 'onlyoffice' } });
  const callback = step(await trial.run(), 'callback');
  assert.equal(callback.code, 'private-address-refused');
  assert.deepEqual(callback.lines, [
    '-e ALLOW_PRIVATE_IP_ADDRESS=true',
    '"services": { "CoAuthoring": { "request-filtering-agent": { "allowPrivateIPAddress": true } } }',
  ]);
  assert.match(callback.remedy ?? '', /in a container/);
});

test('mentions the certificate if ONLYOFFICE didn’t call an HTTPS address', async (t) => {
  const trial = await createTrial(t, { editor: { kind: 'onlyoffice' } });
  const { remedy, lines } = noCall(
    { editor: trial.editor, baseUrl: 'https://10.0.0.7:8790' },
    { seconds: 20, hasAddressList: false, isReachable: false },
  );
  assert.match(remedy ?? '', /trust the certificate/);
  assert.ok(lines.some((line) => line.includes('extra-ca-certs.pem')));
});

test('reports a loopback base address for an editor on another computer', async (t) => {
  const trial = await createTrial(t, { editor: { kind: 'onlyoffice', url: 'http://192.0.2.7' } });
  const callback = step(await trial.run(), 'callback');
  assert.equal(callback.code, 'address-is-loopback');
});

test('distinguishes another server at the base address from none', async (t) => {
  const stranger = await serve(t, (_request, response) => void response.end('hello'));
  const elsewhere = await createTrial(t, { baseUrl: stranger.url });
  const found = step(await elsewhere.run(), 'callback');
  assert.equal(found.code, 'wrong-public-address');
  assert.doesNotMatch(found.remedy ?? '', /allowedAddresses/);
  const filtered = await createTrial(t, {
    baseUrl: stranger.url,
    deps: { settings: () => ({ allowedAddresses: ['10.0.0.0/8'] }) },
  });
  assert.match(step(await filtered.run(), 'callback').remedy ?? '', /allowedAddresses/);

  await stranger.close();
  const nothing = await createTrial(t, { baseUrl: stranger.url });
  assert.equal(step(await nothing.run(), 'callback').code, 'not-listening');
});

test('fails for a call from an address that isn’t allowed for the editor', async (t) => {
  const trial = await createTrial(t, { ...signing(), editor: { allowedAddresses: ['192.0.2.0/24'] } });
  const result = await trial.run();
  assert.match(summary(result), /callback failed address-not-allowed/);
  assert.match(step(result, 'callback').sentence, /127\.0\.0\.1/);
  assert.equal(result.isGood, false);
});

test('runs concurrent tests of the same editor once', async (t) => {
  const trial = await createTrial(t, signing());
  const [first, second] = await Promise.all([trial.run(), trial.run()]);
  assert.deepEqual(first, second);
  assert.equal(trial.opened.length, 1);
});

test('shows the page in a window until the call arrives', async (t) => {
  let isEnded = false;
  const trial = await createTrial(t, {
    deps: {
      async showPage({ action, accessToken, accessTokenTtl }, signal) {
        signal.addEventListener('abort', () => (isEnded = true));
        assert.ok(accessTokenTtl > nowMs);
        const wopiSrc = new URL(action).searchParams.get('WOPISrc') ?? '';
        await call({ wopiSrc, token: accessToken, search: new URLSearchParams() });
        await new Promise(() => undefined);
      },
    },
  });
  const result = await trial.run();
  assert.match(summary(result), /page passed, callback passed/);
  assert.equal(isEnded, true);
});

test('fails with the reason if the window can’t show the page', async (t) => {
  const trial = await createTrial(t, {
    deps: { showPage: () => Promise.reject(new Error('ERR_CERT_AUTHORITY_INVALID')) },
  });
  const result = await trial.run();
  assert.match(summary(result), /page failed page-failed, callback skipped/);
  assert.match(step(result, 'page').sentence, /ERR_CERT_AUTHORITY_INVALID\.$/);
});

test('reports a window’s fault as it is, and the page’s response only as a hint', async (t) => {
  const failing = (code: 'tls-not-trusted' | 'status') => ({
    deps: { showPage: () => Promise.reject(unreachable(new EditorFault(code, () => ['Seen.', 'Do that.']))) },
  });
  const distrusted = await createTrial(t, failing('tls-not-trusted'));
  const result = await distrusted.run();
  assert.match(summary(result), /page failed tls-not-trusted, callback skipped/);
  assert.equal(step(result, 'page').remedy, 'Do that.');
  const refused = await createTrial(t, failing('status'));
  assert.match(summary(await refused.run()), /page warned status, callback failed no-call/);
});
