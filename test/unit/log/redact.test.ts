import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { test } from 'node:test';
import { redact, redactLine } from '../../../app/log/redact.ts';

const token = randomBytes(32).toString('base64url');
const short = 'hunter-2-abc';

test('leaves text without secrets unchanged', () => {
  for (const text of [
    'PutFile 200 in 12 ms',
    'GET /wopi/files/abcdefghijklmnopqrstuv 200',
    'file id q2Zr8b7XkYl0pWn3Vt5s9A, version 12.3fa9',
    'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'correlation 123e4567-e89b-12d3-a456-426614174000',
    'http://127.0.0.1:8790/edit/x',
    'tokenId 5, accessTokenTtl 1790000000000',
    'The user name or password is wrong.',
  ]) {
    assert.equal(redact(text), text);
  }
});

test('redacts secrets in all common notations', () => {
  const texts = [
    `GET /wopi/files/x?access_token=${token}&sc=1`,
    `GET /wopi/files/x?access_token=${short}#top`,
    `wopisrc=http%3A%2F%2Fx%3Faccess_token%3D${short}%26a`,
    `access%5Ftoken=${short}`,
    `Authorization: ${token}`,
    `Authorization: Bearer ${short}`,
    `authorization: Basic ${short}`,
    `sent Bearer ${short} there`,
    `Cookie: a=1; session=${short}`,
    `set-cookie: session=${short}; Path=/`,
    `{"access_token":"${short}"}`,
    `{"access_token" : "${short}", "x": 1}`,
    `{"password":"${short}"}`,
    `{"userName":"me","password":"a \\"${short}\\" b"}`,
    `password=${short}&x=1`,
    `password: two words ${short}`,
    `passphrase="${short}`,
    `clientSecret=${short}`,
    `token: ${short}`,
    `http://me:${short}@example.org/x`,
    `key ${token} end`,
    `doctray_${token}`,
    `${token}${token}`,
    inspect({ password: short, apiToken: short, nested: { accessToken: short } }),
    inspect({ headers: { authorization: `Bearer ${short}` } }),
    JSON.stringify(JSON.stringify({ password: short, token: short })),
    JSON.stringify(JSON.stringify({ password: `quote " and ${short}` })),
    JSON.stringify(JSON.stringify({ password: `back \\ ${short} \\` })),
    JSON.stringify(JSON.stringify(JSON.stringify({ password: `deep " ${short}` }))),
  ];
  for (const text of texts) {
    const clean = redact(text);
    assert.ok(!clean.includes(short), `${text} → ${clean}`);
    assert.ok(!clean.includes(token), `${text} → ${clean}`);
    assert.ok(clean.includes('[redacted]'), clean);
  }
  assert.equal(redact(texts[0] ?? ''), 'GET /wopi/files/x?access_token=[redacted]&sc=1');
});

test('redacts a line of JSON and keeps it valid JSON on one line', () => {
  const line = JSON.stringify({
    level: 'info',
    msg: `password: ${short}`,
    headers: { authorization: ['Bearer', short], 'x-lock': 'kept' },
    rawHeaders: ['Authorization', short, 'Host', 'kept'],
    password: { value: short },
    token: 12345678,
    note: JSON.stringify({ password: `a"${short}\\` }),
    body: `{"access_token":"${short}`,
    tokenId: 'kept',
  });
  const clean = redactLine(line);
  for (const secret of [short, '12345678', '\n']) assert.ok(!clean.includes(secret), clean);
  const { tokenId, headers, rawHeaders } = JSON.parse(clean);
  assert.deepEqual([tokenId, headers['x-lock'], rawHeaders[3]], ['kept', 'kept', 'kept']);
});

test('handles long text with many near-matches', () => {
  const run = 1 << 17;
  for (const text of ['password', 'token\\', ' password: \\"', 'a', 'a://', 'bearer ', `"token":'`]) {
    const long = text.repeat(run / text.length);
    assert.equal(typeof redact(`${long}${token}`), 'string');
  }
});
