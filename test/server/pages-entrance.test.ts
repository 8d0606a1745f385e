// How a browser gets access to a host page: by a ticket, by its cookie, or by signing in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { User } from '../../app/store/users.ts';
import { openPages, password, type Pages } from './pages-fixture.ts';
import { cookieOf, enterPage, pageAt } from './test-page.ts';

const unknownId = 'A'.repeat(22);
const hour = 60 * 60 * 1000;

let pages: Pages;
let id: string;
let otherId: string;
before(async () => {
  pages = await openPages({ 'letter.docx': 'x', 'other.docx': 'y' });
  id = await pages.fileIdOf('letter.docx');
  otherId = await pages.fileIdOf('other.docx');
  await pages.addUser('viewer', 'viewer');
  await pages.addUser('colleague', 'editor');
});
after(() => pages.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(pages.origin + path, { headers, redirect: 'manual' });
const statusOf = async (path: string, Cookie = ''): Promise<number> =>
  (await get(path, Cookie === '' ? {} : { Cookie })).status;

const issue = (user: User = pages.owner, fileId = id): string =>
  pages.services.tickets.issue({ userId: user.id, fileId, mode: 'edit', editorId: null });
const linkOf = (ticket: string, fileId = id): string => `/edit/${fileId}?ticket=${ticket}`;

const isValid = (token: unknown): boolean => pages.services.accessTokens.find(String(token)) !== undefined;

const signIn = (
  path: string,
  form: { userName: string; password: string },
  headers: Record<string, string> = { Origin: pages.origin },
): Promise<Response> =>
  fetch(`${pages.origin}${path}/sign-in`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
    redirect: 'manual',
  });

test('a ticket redirects to the page without it, with a cookie for this document only', async () => {
  const answer = await get(linkOf(issue()));
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('Location'), id);
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('Referrer-Policy'), 'no-referrer');
  const cookies = answer.headers.getSetCookie();
  assert.equal(cookies.length, 2);
  for (const [index, way] of ['edit', 'view'].entries()) {
    const pattern = `^doctray-page=[\\w-]{43}; Path=/${way}/${id}; HttpOnly; SameSite=Lax$`;
    assert.match(cookies[index] ?? '', new RegExp(pattern, 'u'));
  }
  const cookie = cookieOf(answer);
  const wrong = `doctray-page=${'A'.repeat(43)}`;
  assert.equal(await statusOf(`/edit/${id}`, cookie), 200);
  assert.equal(await statusOf(`/view/${id}`, `a=b; ${wrong}; ${cookie}; c`), 200, 'beside others');
  assert.equal(await statusOf(`/edit/${id}`, wrong), 401);
  assert.equal(await statusOf(`/edit/${otherId}`, cookie), 401);
});

test('redirects a trailing slash and the form’s address to the page without using up the ticket', async () => {
  const ticket = issue();
  const slashed = (await get(`/edit/${id}/?ticket=${ticket}`)).headers.get('location') ?? '';
  assert.equal(new URL(slashed, `${pages.origin}/edit/${id}/`).href, pages.origin + linkOf(ticket));
  const form = (await get(`/edit/${id}/sign-in`)).headers.get('location') ?? '';
  const page = `${pages.origin}/edit/${id}`;
  assert.equal(new URL(form, `${page}/sign-in`).href, page);
  assert.equal(await statusOf(`/EDIT/${id}`), 404);
  assert.equal(await statusOf(linkOf(ticket)), 303);
});

test('behind a proxy, cookies have the path of the public URL, and are Secure with TLS', async () => {
  const { host } = new URL(pages.origin);
  const { settings } = pages.services;
  await settings.update({ publicUrl: `http://${host}/doctray` });
  const answer = await get(linkOf(issue()));
  assert.match(answer.headers.getSetCookie()[0] ?? '', new RegExp(`; Path=/doctray/edit/${id};`, 'u'));
  assert.equal(answer.headers.get('Location'), id);
  const signedIn = await signIn(
    `/edit/${id}`,
    { userName: 'owner', password },
    { Origin: `https://${host}`, 'Sec-Fetch-Site': 'same-origin' },
  );
  assert.equal(signedIn.status, 303);
  assert.match(signedIn.headers.getSetCookie()[0] ?? '', /; Path=\/doctray\/edit\/.*; Secure$/);
  await settings.update({ publicUrl: null });
});

test('reusing a ticket in another browser revokes the page session, and the sessions, tickets and tokens created from it and its copies', async () => {
  const ticket = issue();
  const first = await enterPage(pages.origin + linkOf(ticket));
  const linkFrom = async (page: typeof first): Promise<string> =>
    String((await page.post('ticket')).body['url']);
  const second = await enterPage(await linkFrom(first));
  const third = await enterPage(await linkFrom(second));
  const unused = await linkFrom(third);
  const tokens = await Promise.all(
    [first, third].map(async (page) => String((await pages.open(page)).body['accessToken'])),
  );
  const { body: answer } = await pages.host.wopi({
    fileId: id,
    token: tokens[0] ?? '',
    override: 'PUT_RELATIVE',
    headers: { 'X-WOPI-SuggestedTarget': '.docx', 'X-WOPI-FileConversion': 'true' },
    body: 'converted',
  });
  const { Url, HostEditUrl } = JSON.parse(answer.toString()) as Record<'Url' | 'HostEditUrl', string>;
  const copy = await enterPage(HostEditUrl);
  tokens.push(new URL(Url).searchParams.get('access_token') ?? '');
  for (const token of tokens) assert.ok(isValid(token));
  const again = await get(linkOf(ticket));
  assert.equal(again.status, 403);
  assert.deepEqual(again.headers.getSetCookie(), []);
  assert.match(await again.text(), /has expired or was already used.*<form/s);
  for (const page of [first, second, third, copy]) assert.equal((await page.get()).status, 401);
  assert.equal((await fetch(unused, { redirect: 'manual' })).status, 403);
  for (const token of tokens) assert.ok(!isValid(token));
});

test('issues no token if the page session is revoked during the call', async (t) => {
  const { folder } = pages.services.folders.require();
  const find = folder.find.bind(folder);
  let revokeSession = (): void => undefined;
  t.mock.method(folder, 'find', async (fileId: string) => {
    const seen = await find(fileId);
    revokeSession();
    return seen;
  });
  const { accessTokens, tickets, pageSessions } = pages.services;
  for (const [call, body] of [
    ['open', {}],
    ['token', {}],
    ['token', { editorId: pages.editorId }],
  ] as const) {
    const ticket = issue();
    const page = await enterPage(pages.origin + linkOf(ticket));
    // A token is renewed only where the document is open.
    if ('editorId' in body) await page.post('open');
    const before = accessTokens.list().length;
    revokeSession = () => {
      const again = tickets.redeem(ticket);
      if (again?.kind === 'used') pageSessions.revoke(again.pageSessionId ?? '');
    };
    const { status } = await page.post(call, body);
    revokeSession = () => undefined;
    assert.equal(status, 401, call);
    assert.ok(accessTokens.list().length <= before, call);
  }
});

test('a ticket that is reused in the same browser, or a second one of the same user, keeps the session', async () => {
  const ticket = issue();
  const Cookie = cookieOf(await get(linkOf(ticket)));
  const second = issue();
  for (const link of [linkOf(ticket), linkOf(second)]) {
    const again = await get(link, { Cookie });
    assert.equal(again.status, 303);
    assert.deepEqual(again.headers.getSetCookie(), []);
  }
  assert.equal(await statusOf(linkOf(second)), 403);
  assert.equal(await statusOf(`/edit/${id}`, Cookie), 200, 'reusing the second one doesn’t revoke it');
});

test('a ticket of another user or with more permissions replaces the session', async () => {
  const viewing = await pages.enter('letter.docx', { mode: 'view' });
  const more = await get(linkOf(issue()), { Cookie: viewing.cookie });
  assert.equal(more.headers.getSetCookie().length, 2);
  const colleague = pages.services.users.byLogin('colleague') as User;
  const taken = await get(linkOf(issue(colleague)), { Cookie: cookieOf(more) });
  assert.equal(taken.headers.getSetCookie().length, 2);
});

test('a prefetch or HEAD doesn’t use up a ticket; it expires after a minute and is valid for one document only', async () => {
  const ticket = issue();
  assert.equal((await get(linkOf(ticket), { 'Sec-Purpose': 'prefetch' })).status, 503);
  assert.equal((await fetch(pages.origin + linkOf(ticket), { method: 'HEAD' })).status, 401);
  assert.equal(await statusOf(linkOf(ticket)), 303);
  assert.equal(await statusOf(linkOf(issue(), otherId)), 403);
  const late = issue();
  pages.clock.advance(60_000);
  assert.equal(await statusOf(linkOf(late)), 403);
});

test('shows the same sign-in form whether or not the document exists', async () => {
  const known = await get(`/edit/${id}`);
  const text = await known.text();
  assert.equal(known.status, 401);
  assert.equal(known.headers.get('Referrer-Policy'), 'same-origin');
  assert.match(
    known.headers.get('Content-Security-Policy') ?? '',
    /script-src 'none'.*form-action 'self'; frame-ancestors 'none'/,
  );
  assert.ok(!text.includes('letter'));
  const unknown = await (await get(`/edit/${unknownId}`)).text();
  assert.equal(unknown.replaceAll(unknownId, id), text);
  assert.equal(await statusOf('/edit/%3Cscript%3E'), 404);
});

test('signing in opens the page with the permissions of the user’s role', async () => {
  const answer = await signIn(`/view/${id}`, { userName: 'colleague', password });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('Location'), `../${id}`);
  const openWith = (signedIn: Response) =>
    pages.open(pageAt(`${pages.origin}/edit/${id}`, cookieOf(signedIn)));
  assert.equal((await openWith(answer)).body['mode'], 'edit');
  const { body, grant } = await openWith(await signIn(`/edit/${id}`, { userName: 'viewer', password }));
  assert.deepEqual([body['mode'], body['canEdit'], grant.canWrite], ['view', false, false]);
});

test('answers a wrong password, an unknown user and an empty form identically, without a cookie', async () => {
  const texts = new Set<string>();
  for (const [userName, given] of [
    ['owner', 'wrong'],
    ['nobody', password],
    ['', ''],
  ] as const) {
    const answer = await signIn(`/edit/${id}`, { userName, password: given });
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.headers.getSetCookie(), []);
    texts.add(await answer.text());
  }
  assert.equal(texts.size, 1);
  assert.match([...texts].join(''), /role="alert">The user name or password is wrong/);
});

test('rejects a sign-in form from another origin, or without an origin', async () => {
  for (const headers of [
    {},
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { Origin: 'https://evil.example' },
    { Origin: pages.origin, 'Sec-Fetch-Site': 'same-site' },
  ] as Record<string, string>[]) {
    const answer = await signIn(`/edit/${id}`, { userName: 'owner', password }, headers);
    assert.equal(answer.status, 403, JSON.stringify(headers));
    assert.deepEqual(answer.headers.getSetCookie(), []);
  }
});

test('answers a sign-in for a missing document with 404 and no session', async () => {
  const answer = await signIn(`/edit/${unknownId}`, { userName: 'owner', password });
  assert.equal(answer.status, 404);
  assert.deepEqual(answer.headers.getSetCookie(), []);
  assert.match(await answer.text(), /This document doesn’t exist/);
});

test('throttles failed sign-ins', async () => {
  let answer: Response | undefined;
  for (let guess = 0; guess < 11; guess += 1)
    answer = await signIn(`/edit/${id}`, { userName: 'guessed', password: 'wrong' });
  assert.equal(answer?.status, 429);
  assert.ok(Number(answer.headers.get('Retry-After')) > 0);
  assert.match(await answer.text(), /role="alert">Too many failed sign-ins/);
});

test('removing a user or changing their password revokes their page sessions and tickets', async () => {
  const { users } = pages.services;
  const user = await pages.addUser('leaver', 'editor');
  const first = await pages.enter('letter.docx', { user });
  await users.setPassword('leaver', 'another password');
  assert.equal((await first.get()).status, 401);
  const ticket = issue(user);
  const second = await pages.enter('letter.docx', { user });
  users.remove('leaver');
  assert.equal((await second.get()).status, 401);
  assert.equal(await statusOf(linkOf(ticket)), 403);
});

test('revoking a page’s access token ends the page session and those its tickets led to, so they can’t get another', async () => {
  const page = await pages.enter('letter.docx');
  const { grant } = await pages.open(page);
  const next = await enterPage(String((await page.post('ticket')).body['url']));
  assert.equal(pages.services.accessTokens.revoke(grant.id), true);
  for (const ended of [page, next])
    assert.equal((await ended.post('token')).body['code'], 'not-authenticated');
});

test('a session expires 12 hours after its last use, and survives a restart of the host', async () => {
  const page = await pages.enter('letter.docx');
  pages.clock.advance(11 * hour);
  assert.equal((await page.get()).status, 200);
  pages.host.listenOn({ port: pages.host.port });
  await pages.host.restart();
  const { accessToken } = (await page.post('token')).body;
  assert.equal((await pages.host.wopi({ fileId: id, token: String(accessToken) })).status, 200);
  pages.clock.advance(12 * hour);
  assert.equal((await page.get()).status, 401);
});
