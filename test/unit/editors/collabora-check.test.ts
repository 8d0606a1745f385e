// Collabora Online calls a host only once its page runs in a browser, but it can check on request whether it reaches the host.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { call, createTrial, step, summary, type TrialOptions } from './trial-fixture.ts';

function collabora(
  t: TestContext,
  status: string | null,
  options: TrialOptions & { callsBack?: boolean } = {},
) {
  return createTrial(t, {
    ...options,
    editor: { kind: 'collabora', name: 'Collabora Online', ...options.editor },
    async onOther(request, body, response) {
      if (request.url !== '/hosting/wopiAccessCheck' || status === null) return;
      const { callbackUrl } = JSON.parse(body);
      assert.ok(!String(callbackUrl).includes('token'));
      if (options.callsBack === true) await fetch(callbackUrl);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(JSON.stringify({ status }));
    },
  });
}

test('accepts Collabora’s own check without a browser if its request arrived', async (t) => {
  const trial = await collabora(t, 'NotHttpSuccess', {
    callsBack: true,
    deps: { limitMs: 20_000, quietMs: 20_000 },
  });
  const result = await trial.run();
  assert.match(summary(result), /page passed, callback passed, proof skipped, clock skipped/);
  assert.equal(result.isGood, true);
});

test('reports a wrong address if Collabora’s check succeeds but its request doesn’t arrive', async (t) => {
  const trial = await collabora(t, 'Ok');
  assert.match(summary(await trial.run()), /callback failed wrong-public-address/);
});

test('shows the exact configuration lines for a host that isn’t allowed', async (t) => {
  const trial = await collabora(t, 'WopiHostNotAllowed', { baseUrl: 'https://docs.example/tray' });
  const { code, lines } = step(await trial.run(), 'callback');
  assert.equal(code, 'host-not-allowed');
  assert.deepEqual(lines, [
    '-e "aliasgroup1=https://docs.example:443"',
    '--o:storage.wopi.alias_groups[@mode]=groups --o:storage.wopi.alias_groups.group[0].host=https://docs.example:443 --o:storage.wopi.alias_groups.group[0].host[@allow]=true',
    '<alias_groups mode="groups"><group><host desc="DocTray" allow="true">https://docs.example:443</host></group></alias_groups>',
  ]);
});

test('maps every status of Collabora’s check to a code', async (t) => {
  const codes: Record<string, string> = {
    HostNotFound: 'callback-name-not-resolved',
    ConnectionAborted: 'callback-refused',
    UnspecifiedError: 'callback-refused',
    Timeout: 'callback-timed-out',
    CertificateValidation: 'callback-tls-not-trusted',
    SelfSignedCertificate: 'callback-tls-not-trusted',
    ExpiredCertificate: 'callback-tls-not-trusted',
    SslHandshakeFail: 'callback-tls-failed',
    MissingSsl: 'callback-tls-failed',
    NotHttps: 'mixed-schemes',
  };
  for (const [status, code] of Object.entries(codes)) {
    // oxlint-disable-next-line no-await-in-loop
    const trial = await collabora(t, status, { baseUrl: 'https://docs.example' });
    // oxlint-disable-next-line no-await-in-loop
    assert.equal(step(await trial.run(), 'callback').code, code, status);
  }
});

test('suggests how the container can resolve this computer’s name', async (t) => {
  const trial = await collabora(t, 'HostNotFound', { baseUrl: 'http://host.docker.internal:8790' });
  const { lines } = step(await trial.run(), 'callback');
  assert.deepEqual(lines, ['--add-host=host.docker.internal:host-gateway']);
});

test('only warns of an older version without the check if no browser runs', async (t) => {
  const trial = await collabora(t, null);
  const result = await trial.run();
  assert.match(summary(result), /callback warned needs-browser/);
  assert.equal(result.isGood, false);
});

test('shows the configuration lines for an older version that doesn’t call from a window', async (t) => {
  const trial = await collabora(t, null, { deps: { showPage: () => new Promise(() => undefined) } });
  const { code, lines } = step(await trial.run(), 'callback');
  assert.equal(code, 'no-call');
  assert.match(lines[0] ?? '', /^-e "aliasgroup1=http:\/\/127\.0\.0\.1:\d+"$/);
});

test('doesn’t wait for a call in a window if the check rules it out', { timeout: 60_000 }, async (t) => {
  const showing = () => new Promise<void>(() => undefined);
  const trial = await collabora(t, 'WopiHostNotAllowed', {
    deps: { showPage: showing, limitMs: 45_000 },
  });
  assert.match(summary(await trial.run()), /callback failed host-not-allowed/);
});

test('with a window, passes only with a real call', async (t) => {
  const silent = await collabora(t, 'NotHttpSuccess', {
    callsBack: true,
    deps: { showPage: () => new Promise(() => undefined) },
  });
  const silence = await silent.run();
  assert.match(summary(silence), /callback failed page-does-not-run/);
  // The check compares only host names, but opening a document also compares the port, so the list may be the cause.
  assert.match(step(silence, 'callback').lines[0] ?? '', /^-e "aliasgroup1=http:\/\/127\.0\.0\.1:\d+"$/);
  const calling = await collabora(t, 'NotHttpSuccess', {
    callsBack: true,
    deps: {
      async showPage({ action, accessToken }) {
        const wopiSrc = new URL(action).searchParams.get('WOPISrc') ?? '';
        await call({ wopiSrc, token: accessToken, search: new URLSearchParams() });
      },
    },
  });
  assert.match(summary(await calling.run()), /callback passed/);
});

test('shows configuration lines for a page that may not be framed, over HTTP and HTTPS', async (t) => {
  const framing = async (pageUrl: string, isTls: boolean): Promise<string[]> => {
    const trial = await collabora(t, null, {
      onPage: (_page, _request, response) =>
        void response.writeHead(200, {
          'content-security-policy': 'frame-ancestors https://elsewhere.example',
        }),
      deps: {
        pageUrlOf: () => pageUrl,
        ...(isTls && {
          // As if it were served over TLS.
          request: async () => ({
            status: 200,
            headers: { 'content-security-policy': 'frame-ancestors https://elsewhere.example' },
            body: '',
            isCut: false,
          }),
        }),
      },
      editor: isTls
        ? {
            url: 'https://office.example',
            discovery: {
              actions: [
                {
                  app: 'w',
                  name: 'edit',
                  extension: 'docx',
                  urlsrc: 'https://office.example/cool.html?',
                  isDefault: true,
                },
              ],
              proofKeys: null,
            },
          }
        : {},
    });
    return step(await trial.run(), 'page').lines;
  };
  assert.deepEqual(await framing('http://localhost:8790', false), [
    '--o:net.frame_ancestors=localhost:8790',
    '<content_security_policy>frame-ancestors localhost:8790;</content_security_policy>',
  ]);
  assert.deepEqual(await framing('http://127.0.0.1:8790', true), [
    '--o:net.frame_ancestors=http://127.0.0.1:8790',
    '<content_security_policy>frame-ancestors http://127.0.0.1:8790 127.0.0.1:8790;</content_security_policy>',
  ]);
});
