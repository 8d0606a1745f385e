// Rules for every answer under /wopi. @see docs/protocol.md, “WOPI”

import assert from 'node:assert/strict';
import type { Exchange } from './wire.ts';

/** @param secrets strings that no answer may contain, such as local paths */
export function assertWopiRules(exchange: Exchange, secrets: readonly string[] = []): void {
  const { status, received, body, operation } = exchange;
  const what = `${operation} answered ${String(status)}`;

  assert.ok(status < 300 || status >= 400, `${what}: a redirect`);
  assert.equal(received.location, undefined, `${what}: Location`);
  assert.equal(received['content-length'], String(body.length), `${what}: the exact Content-Length`);
  assert.equal(received['transfer-encoding'], undefined, `${what}: no chunks`);
  assert.match(received['cache-control'] ?? '', /\bno-store\b/, `${what}: Cache-Control`);
  assert.notEqual(body.toString(), 'OK', `${what}: the framework's own text`);

  const lockHeaders = count(exchange, 'x-wopi-lock');
  if (status === 409) assert.equal(lockHeaders, 1, `${what}: X-WOPI-Lock`);
  else if (status === 200 && operation !== 'GetLock') assert.equal(lockHeaders, 0, `${what}: X-WOPI-Lock`);
  if (status !== 409) assert.equal(count(exchange, 'x-wopi-lockfailurereason'), 0, `${what}: a lock failure`);
  if (status !== 400)
    assert.equal(count(exchange, 'x-wopi-invalidfilenameerror'), 0, `${what}: a name error`);
  if (status === 500) assert.ok(count(exchange, 'x-wopi-servererror') > 0, `${what}: X-WOPI-ServerError`);
  else assert.equal(count(exchange, 'x-wopi-servererror'), 0, `${what}: X-WOPI-ServerError`);
  if (status === 401)
    assert.match(received['www-authenticate'] ?? '', /^Bearer\b/, `${what}: WWW-Authenticate`);

  if (operation === 'GetFile' && status < 300) return;
  const text = `${exchange.rawReceived.join('\n')}\n${body.toString()}`;
  for (const secret of secrets) assert.ok(!text.includes(secret), `${what}: contains ${secret}`);
  assert.doesNotMatch(text, /\n {4}at /, `${what}: a stack trace`);
}

function count(exchange: Exchange, name: string): number {
  return exchange.rawReceived.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
