import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { remedyOf, testOutcome } from '../../../app/contract/editors.ts';
import type { ConnectionStepName, ConnectionTest } from '../../../app/contract/editors.ts';
import { EditorFault, unreachable } from '../../../app/editors/editor-fault.ts';
import { createEditorRequest } from '../../../app/editors/editor-request.ts';
import { collaboraFinding } from '../../../app/editors/findings.ts';
import { probeAction } from '../../../app/editors/probes.ts';
import { speaking } from '../../../app/languages.ts';
import { editorOf, keysOf, minuteMs, serve, signingKey } from './editors-fixture.ts';
import { call, createTrial, nowMs, summary, type OpenedPage, type TrialOptions } from './trial-fixture.ts';

const key = signingKey();
const proofKeys = keysOf(key);
const calling = (options: Parameters<typeof call>[1] = {}) => ({
  onPage: async (page: OpenedPage) => void (await call(page, options)),
});
const stepOf = ({ steps }: ConnectionTest, name: ConnectionStepName) =>
  steps.find((step) => step.name === name)!;

test('passes every step if the editor’s page makes a signed call, and words them for each reader', async (t) => {
  const trial = await createTrial(t, calling({ key }));
  trial.editor.discovery.proofKeys = proofKeys;
  const [result, second] = await Promise.all([trial.run(), speaking(['de'], trial.run)]);
  assert.equal(summary(result), 'discovery passed, page passed, callback passed, proof passed, clock passed');
  assert.equal(result.isGood, true);
  assert.match(stepOf(result, 'callback').sentence, /^It called DocTray from 127\.0\.0\.1 at http:/);
  assert.equal(stepOf(second, 'proof').sentence, 'Seine Signatur ist gültig.');
  assert.deepEqual(trial.tests.last(trial.editor.id), result);
  assert.equal(trial.opened.length, 1, 'concurrent tests run once');
  assert.equal(trial.opened[0]?.action.searchParams.get('ui'), 'en-US');
});

test('reveals neither the token nor the id of the test document, which others can’t read and nobody can change', async (t) => {
  const statuses: number[] = [];
  const trial = await createTrial(t, {
    async onPage(page) {
      for (const token of ['', 'x'.repeat(43), page.token.slice(1)])
        statuses.push(await call({ ...page, token }));
      statuses.push(await call(page), await call(page, { method: 'POST' }));
    },
  });
  const reported = JSON.stringify(await trial.run());
  assert.deepEqual(statuses, [401, 401, 401, 200, 501]);
  const [page] = trial.opened;
  assert.ok(page);
  assert.match(page.wopiSrc, /\/wopi\/files\/[\w-]{22}$/);
  for (const secret of [page.token, page.wopiSrc.slice(-22)]) assert.ok(!reported.includes(secret));
  assert.equal(await call(page), 404, 'it ends with the test');
});

const signed = 'discovery passed, page passed, callback passed';
const byOther = { key: signingKey() };
const early = { key, atMs: nowMs + 5 * minuteMs };
const late = { key, atMs: nowMs - 180 * minuteMs };
const calls = [
  ['unsigned', {}, 'if-present', 'proof warned proof-missing, clock skipped'],
  ['unsigned', {}, 'required', 'proof failed proof-missing, clock skipped'],
  ['signed with another key', byOther, 'if-present', 'proof failed proof-wrong-key, clock passed'],
  ['signed with another key', byOther, 'off', 'proof warned proof-wrong-key, clock passed'],
  ['a little early', early, 'if-present', 'proof passed, clock warned clock-skew'],
  ['hours late', late, 'if-present', 'proof skipped, clock failed clock-skew'],
] as const;
for (const [what, options, proofMode, expected] of calls) {
  const isGood = !expected.includes('failed');
  test(`with signatures ${proofMode}, a call ${what} is ${isGood ? 'accepted' : 'a failure'}`, async (t) => {
    const trial = await createTrial(t, calling(options));
    Object.assign(trial.editor, { proofMode });
    trial.editor.discovery.proofKeys = proofKeys;
    const result = await trial.run();
    assert.equal(summary(result), `${signed}, ${expected}`);
    assert.equal(result.isGood, isGood);
  });
}

test('names both addresses for a signature for another one, and how far the clock is off', async (t) => {
  const baseUrl = 'http://docs.example';
  const trial = await createTrial(t, {
    baseUrl,
    async onPage(page) {
      const wopiSrc = page.wopiSrc.replace(baseUrl, trial.hostUrl);
      await call({ ...page, wopiSrc }, { key, signedBase: 'http://elsewhere', atMs: nowMs - 3 * minuteMs });
    },
  });
  trial.editor.discovery.proofKeys = proofKeys;
  const result = await trial.run();
  assert.match(summary(result), /proof failed proof-wrong-address, clock warned/);
  assert.match(stepOf(result, 'proof').sentence, /http:\/\/docs\.example.*http:\/\/127\.0\.0\.1/);
  assert.match(stepOf(result, 'clock').sentence, /3\smin behind this/);
});

test('passes an editor without keys, unless signatures are required or it may not call from there', async (t) => {
  const trial = await createTrial(t, calling());
  assert.equal(summary(await trial.run()), `${signed}, proof skipped, clock skipped`);
  trial.editor.proofMode = 'required';
  assert.match(summary(await trial.run()), /proof failed proof-no-keys/);
  trial.editor.allowedAddresses = ['192.0.2.0/24'];
  const callback = stepOf(await trial.run(), 'callback');
  assert.deepEqual([callback.state, callback.code], ['failed', 'address-not-allowed']);
  assert.match(callback.sentence, /127\.0\.0\.1/);
});

test('reports why discovery can’t be read with the lines for WOPI, an editor without types, and one that is not connected', async (t) => {
  const fault = faultOf('status');
  const trial = await createTrial(t, {
    editor: { kind: 'onlyoffice' },
    deps: { editors: { byId: () => trial.editor, refresh: () => Promise.reject(fault) } },
  });
  const result = await trial.run();
  const skipped = 'page skipped, callback skipped, proof skipped, clock skipped';
  assert.equal(summary(result), `discovery failed status, ${skipped}`);
  assert.deepEqual(stepOf(result, 'discovery').lines, ['-e WOPI_ENABLED=true', '"wopi": { "enable": true }']);
  const typeless = await createTrial(t, { editor: { discovery: { actions: [], proofKeys: null } } });
  assert.match(summary(await typeless.run()), /page failed no-view-action, callback skipped/);
  await assert.rejects(typeless.tests.run('00000000'), { code: 'editor-unknown' });
});

const never = (): Promise<void> => new Promise(() => undefined);
const failing = (why: Error) => ({ deps: { showPage: () => Promise.reject(why) } });
const faultOf = (code: 'tls-not-trusted' | 'status') =>
  unreachable(new EditorFault(code, ['host.redirect-isnt-web', 'host.check-the-address'], { from: 'x' }));
/** Only the editor can resolve the name. */
const unresolved = {
  baseUrl: 'http://desk.lan:8790',
  deps: {
    request: createEditorRequest((_name, done) =>
      done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []),
    ),
  },
};
const answering = (status: number, headers: OutgoingHttpHeaders = {}) => ({
  onPage: (): Promise<[number, OutgoingHttpHeaders]> => Promise.resolve([status, headers]),
});
const frame = { 'content-security-policy': 'frame-ancestors https://elsewhere.example' };
const redirect = answering(302, { location: 'https://login.example/x' });
const onlyoffice = { editor: { kind: 'onlyoffice' } } as const;
const elsewhere = { editor: { url: 'http://192.0.2.7' } };
const untrusted = failing(new Error('ERR_CERT_AUTHORITY_INVALID'));
const distrusted = failing(faultOf('tls-not-trusted'));
const failsInWindow = failing(faultOf('status'));
const unresolvedShown = { ...unresolved, deps: { ...unresolved.deps, showPage: never } };
const checked = { check: 'NotHttpSuccess', isCalledByCheck: true, deps: { showPage: never } };
const ruledOut = { check: 'WopiHostNotAllowed', deps: { showPage: never, limitMs: 3_600_000 } };

const failures: [what: string, options: TrialOptions, expected: string, remedy?: RegExp][] = [
  ['its page redirects', redirect, 'page warned page-redirected, callback failed'],
  ['its page redirects to nowhere', answering(304), 'page warned page-status, callback failed'],
  ['it may not be framed', answering(200, frame), 'page failed page-not-framed, callback failed'],
  [
    'it doesn’t call, and its page fails for that',
    { ...answering(400), ...unresolved, ...onlyoffice },
    'page warned page-status, callback failed private-address-refused',
    /start its container with the first line/,
  ],
  ['nobody calls', unresolved, 'page passed, callback failed no-call', /no firewall/],
  ['a container gets its own address', onlyoffice, 'callback failed address-is-loopback', /another addr/],
  ['another computer gets a loopback address', elsewhere, 'callback failed address-is-loopback'],
  ['a window can’t show its page', untrusted, 'page failed page-failed, callback skipped'],
  ['a window distrusts it', distrusted, 'page failed tls-not-trusted, callback skipped'],
  ['its page fails in a window', failsInWindow, 'page warned status, callback failed address-is'],
  ['Collabora’s check succeeds elsewhere', { check: 'Ok' }, 'callback failed wrong-public-ad', /publicUrl/],
  ['an older Collabora has no check and no browser', {}, 'callback warned needs-browser'],
  ['an older Collabora doesn’t call in a window', unresolvedShown, 'callback failed no-call'],
  ['its check succeeds, but its page doesn’t call', checked, 'callback failed page-does-not-run'],
  ['its check rules a call out, which isn’t waited for', ruledOut, 'callback failed host-not-allowed'],
];
for (const [what, options, expected, remedy = /./] of failures) {
  test(`says what is wrong and what to do if ${what}`, async (t) => {
    const isCollabora = options.check !== undefined || what.includes('Collabora');
    const editor: TrialOptions['editor'] = isCollabora ? { kind: 'collabora' } : {};
    const trial = await createTrial(t, { ...options, editor: { ...editor, ...options.editor } });
    const result = await trial.run();
    assert.ok(summary(result).includes(expected), summary(result));
    assert.equal(testOutcome(result), what.includes('no browser') ? 'partial' : 'failed');
    const failed = result.steps.find(({ state }) => state === 'failed');
    if (failed !== undefined) assert.match(failed.remedy ?? '', remedy);
  });
}

test('a page that is gone or responds with an error fails, whether it called or not', async (t) => {
  const trial = await createTrial(t, {
    async onPage(page) {
      await call(page);
      return [500];
    },
  });
  assert.match(summary(await trial.run()), /page failed page-status, callback passed/);
  trial.editor.discovery.actions[0]!.urlsrc = 'http://127.0.0.1:9/page?';
  assert.match(summary(await trial.run()), /page failed refused, callback skipped/);
});

test('distinguishes another server at the base address from none', async (t) => {
  const stranger = await serve(t, (_request, response) => void response.end('hello'));
  const trial = await createTrial(t, { baseUrl: stranger.url });
  assert.equal(stepOf(await trial.run(), 'callback').code, 'wrong-public-address');
  await stranger.close();
  assert.equal(stepOf(await trial.run(), 'callback').code, 'not-listening');
});

test('accepts Collabora’s own check without a browser if its request arrived, and in a window only a real call', async (t) => {
  const check = { check: 'NotHttpSuccess', isCalledByCheck: true, editor: { kind: 'collabora' as const } };
  const trial = await createTrial(t, { ...check, deps: { limitMs: 3_600_000, quietMs: 3_600_000 } });
  const result = await trial.run();
  assert.match(summary(result), /page passed, callback passed, proof skipped, clock skipped/);
  assert.equal(result.isGood, true);

  let isEnded = false;
  const shown = await createTrial(t, {
    ...check,
    deps: {
      async showPage({ action, accessToken: token, accessTokenTtl }, signal) {
        signal.addEventListener('abort', () => (isEnded = true));
        assert.ok(accessTokenTtl > nowMs);
        await call({ wopiSrc: new URL(action).searchParams.get('WOPISrc') ?? '', token });
        await never();
      },
    },
  });
  assert.match(summary(await shown.run()), /page passed, callback passed/);
  assert.equal(isEnded, true);
});

test('maps each status of Collabora’s check to a cause, with the lines for its configuration', () => {
  const found = (status: string, baseUrl = 'https://docs.example/tray') =>
    collaboraFinding({ editor: editorOf('office', { kind: 'collabora' }), baseUrl }, status);
  assert.equal(found('Ok'), undefined);
  assert.equal(found('HostNotFound')?.code, 'callback-name-not-resolved');
  const [variable, option, element] = found('WopiHostNotAllowed')?.lines ?? [];
  assert.equal(variable, '-e "aliasgroup1=https://docs.example:443"');
  const group = '--o:storage.wopi.alias_groups.group[0].host';
  const [mode, host] = ['--o:storage.wopi.alias_groups[@mode]=groups', 'https://docs.example:443'];
  assert.equal(option, `${mode} ${group}=${host} ${group}[@allow]=true`);
  const allowed = `<group><host desc="DocTray" allow="true">${host}</host></group>`;
  assert.equal(element, `<alias_groups mode="groups">${allowed}</alias_groups>`);
  const gateway = found('HostNotFound', 'http://host.docker.internal:8790');
  assert.deepEqual(gateway?.lines, ['--add-host=host.docker.internal:host-gateway']);
  assert.doesNotMatch(remedyOf(found('Timeout')!) ?? '', /`/u, 'the window shows no command');
});

test('shows configuration lines for a page that may not be framed, over HTTP and HTTPS', async (t) => {
  const framing = async (pageUrl: string, scheme: 'http' | 'https'): Promise<string[]> => {
    const urlsrc = `${scheme}://office.example/cool.html?`;
    const actions = [{ app: 'w', name: 'edit', extension: 'docx', urlsrc, isDefault: true }];
    const discovery = { actions, proofKeys: null };
    const request = async () => ({ status: 200, headers: frame, body: '', isCut: false });
    const trial = await createTrial(t, {
      deps: { pageUrlOf: () => pageUrl, request },
      editor: { kind: 'collabora', url: `${scheme}://office.example`, discovery },
    });
    return stepOf(await trial.run(), 'page').lines;
  };
  const lines = (option: string, policy: string): string[] => [
    `--o:net.frame_ancestors=${option}`,
    `<content_security_policy>frame-ancestors ${policy};</content_security_policy>`,
  ];
  const [name, address] = ['localhost:8790', '127.0.0.1:8790'];
  assert.deepEqual(await framing(`http://${name}`, 'http'), lines(name, name));
  const both = `http://${address} ${address}`;
  assert.deepEqual(await framing(`http://${address}`, 'https'), lines(`http://${address}`, both));
});

test('prefers a type that DocTray can create, and viewing to editing', () => {
  const choose = (...texts: string[]) => {
    const actions = texts.map((text) => {
      const [name = '', extension = ''] = text.split(' ');
      return { app: '', name, extension, urlsrc: '', isDefault: false };
    });
    const found = probeAction({ discovery: { actions, proofKeys: null } });
    return found && `${found.name} ${found.extension}`;
  };
  assert.equal(choose('view txt', 'edit odt', 'edit docx'), 'edit docx');
  assert.equal(choose('edit odt', 'view odt'), 'view odt');
  assert.equal(choose('getinfo', 'view dwg'), 'view dwg');
  assert.equal(choose('convert doc', 'view'), undefined);
});
