// How a browser gets access to a host page: by a ticket, by its cookie, or by signing in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AppError } from '../../app/contract/errors.ts';
import { cookieOf, openPages, password, type Pages } from './pages-fixture.ts';

let pages: Pages;
let id: string;
before(async () => {
  pages = await openPages({ 'letter.docx': 'x', 'other.docx': 'y' });
  await pages.connect();
  id = await pages.fileId('letter.docx');
  await pages.services.users.add({ login: 'viewer', role: 'viewer', password });
  await pages.services.users.add({ login: 'colleague', role: 'editor', password });
});
after(() => pages.close());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(pages.origin + path, { headers, redirect: 'manual' });
}

function issue(fileId = id, mode: 'edit' | 'view' = 'edit'): string {
  return pages.tickets.issue({ userId: pages.owner.id, fileId, mode, editorId: null });
}

test('a ticket redirects to the page without it, with a cookie for this document only', async () => {
  const answer = await get(`/edit/${id}?ticket=${issue()}`);
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('Location'), id);
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('Referrer-Policy'), 'no-referrer');
  const cookies = answer.headers.getSetCookie();
  assert.equal(cookies.length, 2);
  for (const [index, way] of ['edit', 'view'].entries()) {
    assert.match(
      cookies[index] ?? '',
      new RegExp(`^doctray-page=[\\w-]{43}; Path=/${way}/${id}; HttpOnly; SameSite=Lax$`, 'u'),
    );
  }
  const cookie = cookieOf(answer);
  assert.equal((await get(`/edit/${id}`, { Cookie: cookie })).status, 200);
  assert.equal((await get(`/view/${id}`, { Cookie: `a=b; ${cookie}; c` })).status, 200);
  const other = await pages.fileId('other.docx');
  assert.equal((await get(`/edit/${other}`, { Cookie: cookie })).status, 401);
});

test('finds its cookie beside another one with the same name', async () => {
  const cookie = await pages.enter(pages.owner, id);
  const wrong = `doctray-page=${'A'.repeat(43)}`;
  assert.equal((await get(`/edit/${id}`, { Cookie: `${wrong}; ${cookie}` })).status, 200);
  assert.equal((await get(`/edit/${id}`, { Cookie: wrong })).status, 401);
});

test('behind a proxy, cookies have the path of the public URL, and are Secure with TLS', async () => {
  const { host } = new URL(pages.origin);
  pages.state.knownBases = [`http://${host}/doctray`];
  const answer = await get(`/edit/${id}?ticket=${issue()}`);
  assert.match(answer.headers.getSetCookie()[0] ?? '', new RegExp(`; Path=/doctray/edit/${id};`, 'u'));
  assert.equal(answer.headers.get('Location'), id);
  const signedIn = await pages.signIn(
    `/edit/${id}`,
    { userName: 'owner', password },
    { Origin: `https://${host}`, 'Sec-Fetch-Site': 'same-origin' },
  );
  assert.equal(signedIn.status, 303);
  assert.match(signedIn.headers.getSetCookie()[0] ?? '', /; Path=\/doctray\/edit\/.*; Secure$/);
  pages.state.knownBases = [];
});

test('reusing a ticket in another browser revokes the page session and its access tokens', async () => {
  const ticket = issue();
  const cookie = cookieOf(await get(`/edit/${id}?ticket=${ticket}`));
  const opened = await pages.post(`/edit/${id}/open`, { cookie });
  const token = String(opened.body['accessToken']);
  assert.ok(pages.services.accessTokens.find(token));
  const again = await get(`/edit/${id}?ticket=${ticket}`);
  assert.equal(again.status, 403);
  assert.deepEqual(again.headers.getSetCookie(), []);
  assert.match(await again.text(), /has expired or was already used.*<form/s);
  assert.equal((await get(`/edit/${id}`, { Cookie: cookie })).status, 401);
  assert.equal(pages.services.accessTokens.find(token), undefined);
});

test('reusing a ticket also revokes the sessions and tickets that were created from its session', async () => {
  const ticket = issue();
  const taken = cookieOf(await get(`/edit/${id}?ticket=${ticket}`));
  const createLink = async (cookie: string): Promise<string> =>
    String((await pages.post(`/edit/${id}/ticket`, { cookie })).body['url']);
  const enterBy = async (link: string): Promise<string> =>
    cookieOf(await fetch(link, { redirect: 'manual' }));
  const second = await enterBy(await createLink(taken));
  const third = await enterBy(await createLink(second));
  const unused = await createLink(third);
  const token = String((await pages.post(`/edit/${id}/open`, { cookie: third })).body['accessToken']);
  assert.ok(pages.services.accessTokens.find(token));
  assert.equal((await get(`/edit/${id}?ticket=${ticket}`)).status, 403);
  for (const cookie of [taken, second, third]) {
    assert.equal((await get(`/edit/${id}`, { Cookie: cookie })).status, 401);
  }
  assert.equal((await fetch(unused, { redirect: 'manual' })).status, 403);
  assert.equal(pages.services.accessTokens.find(token), undefined);
});

test('issues no token if the page session is revoked during the call', async (t) => {
  const folder = pages.services.folder();
  assert.ok(folder !== undefined);
  const find = folder.find.bind(folder);
  let revokeSession = (): void => undefined;
  t.mock.method(folder, 'find', async (fileId: string) => {
    const seen = await find(fileId);
    revokeSession();
    return seen;
  });
  const ids = (): string[] => pages.services.accessTokens.list().map((token) => token.id);
  for (const [call, body] of [
    ['open', {}],
    ['token', {}],
    ['token', { editorId: pages.editors.list()[0]?.id }],
  ] as const) {
    const ticket = issue();
    const cookie = cookieOf(await get(`/edit/${id}?ticket=${ticket}`));
    // A token is renewed only where the document is open.
    if ('editorId' in body) await pages.post(`/edit/${id}/open`, { cookie });
    const before = ids();
    revokeSession = () => {
      const again = pages.tickets.redeem(ticket);
      if (again?.kind === 'used') pages.pageSessions.revoke(again.pageSessionId ?? '');
    };
    const { status } = await pages.post(`/edit/${id}/${call}`, { cookie, body });
    revokeSession = () => undefined;
    const added = ids().filter((one) => !before.includes(one));
    assert.deepEqual([status, added], [401, []], call);
  }
});

test('reusing a ticket in the same browser keeps the session', async () => {
  const ticket = issue();
  const cookie = cookieOf(await get(`/edit/${id}?ticket=${ticket}`));
  const again = await get(`/edit/${id}?ticket=${ticket}`, { Cookie: cookie });
  assert.equal(again.status, 303);
  assert.deepEqual(again.headers.getSetCookie(), []);
  assert.equal((await get(`/edit/${id}`, { Cookie: cookie })).status, 200);
});

test('a second ticket of the same user keeps the first session, and reusing it doesn’t revoke that session', async () => {
  const cookie = await pages.enter(pages.owner, id);
  const ticket = issue();
  const second = await get(`/view/${id}?ticket=${ticket}`, { Cookie: cookie });
  assert.equal(second.status, 303);
  assert.deepEqual(second.headers.getSetCookie(), []);
  assert.equal((await get(`/edit/${id}?ticket=${ticket}`)).status, 403);
  assert.equal((await get(`/edit/${id}`, { Cookie: cookie })).status, 200);
});

test('a ticket of another user or with more permissions replaces the session', async () => {
  const viewing = await pages.enter(pages.owner, id, { mode: 'view' });
  const more = await get(`/edit/${id}?ticket=${issue()}`, { Cookie: viewing });
  assert.equal(more.headers.getSetCookie().length, 2);
  const colleague = pages.services.users.byLogin('colleague');
  const ticket = pages.tickets.issue({
    userId: colleague?.id ?? '',
    fileId: id,
    mode: 'edit',
    editorId: null,
  });
  const taken = await get(`/edit/${id}?ticket=${ticket}`, { Cookie: cookieOf(more) });
  assert.equal(taken.headers.getSetCookie().length, 2);
});

test('a prefetch or HEAD doesn’t use up a ticket; it expires after a minute and is valid for one document only', async () => {
  const ticket = issue();
  assert.equal((await get(`/edit/${id}?ticket=${ticket}`, { 'Sec-Purpose': 'prefetch' })).status, 503);
  const head = await fetch(`${pages.origin}/edit/${id}?ticket=${ticket}`, { method: 'HEAD' });
  assert.equal(head.status, 401);
  assert.equal((await get(`/edit/${id}?ticket=${ticket}`)).status, 303);
  const other = await pages.fileId('other.docx');
  assert.equal((await get(`/edit/${other}?ticket=${issue(id)}`)).status, 403);
  const late = issue();
  pages.clock.advance(60_000);
  assert.equal((await get(`/edit/${id}?ticket=${late}`)).status, 403);
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
  const unknown = await (await get(`/edit/${'A'.repeat(22)}`)).text();
  assert.equal(unknown.replaceAll('A'.repeat(22), id), text);
  assert.equal((await get('/edit/%3Cscript%3E')).status, 404);
});

test('signing in opens the page with the permissions of the user’s role', async () => {
  const answer = await pages.signIn(`/view/${id}`, { userName: 'colleague', password });
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get('Location'), `../${id}`);
  const cookie = cookieOf(answer);
  assert.equal((await pages.post(`/edit/${id}/open`, { cookie })).body['mode'], 'edit');
  const viewing = cookieOf(await pages.signIn(`/edit/${id}`, { userName: 'viewer', password }));
  const { mode, canEdit, accessToken } = (await pages.post(`/edit/${id}/open`, { cookie: viewing })).body;
  assert.deepEqual({ mode, canEdit }, { mode: 'view', canEdit: false });
  assert.equal(pages.services.accessTokens.find(String(accessToken))?.canWrite, false);
});

test('answers a wrong password, an unknown user and an empty form identically, without a cookie', async () => {
  const forms = [
    { userName: 'owner', password: 'wrong' },
    { userName: 'nobody', password },
    { userName: '', password: '' },
  ];
  const texts = new Set<string>();
  for (const form of forms) {
    const answer = await pages.signIn(`/edit/${id}`, form);
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.headers.getSetCookie(), []);
    texts.add(await answer.text());
  }
  assert.equal(texts.size, 1);
  assert.match([...texts].join(''), /role="alert">The user name or password is wrong/);
});

test('rejects a sign-in form from another origin, or without an origin', async () => {
  const form = { userName: 'owner', password };
  const headers: Record<string, string>[] = [
    {},
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { Origin: 'https://evil.example' },
    { Origin: pages.origin, 'Sec-Fetch-Site': 'same-site' },
  ];
  for (const one of headers) {
    const answer = await pages.signIn(`/edit/${id}`, form, one);
    assert.equal(answer.status, 403, JSON.stringify(one));
    assert.deepEqual(answer.headers.getSetCookie(), []);
  }
});

test('answers a sign-in for a missing document with 404 and no session', async () => {
  const answer = await pages.signIn(`/edit/${'A'.repeat(22)}`, { userName: 'owner', password });
  assert.equal(answer.status, 404);
  assert.deepEqual(answer.headers.getSetCookie(), []);
  assert.match(await answer.text(), /This document doesn’t exist/);
});

test('throttles failed sign-ins', async () => {
  let answer: Response | undefined;
  for (let guess = 0; guess < 11; guess += 1) {
    answer = await pages.signIn(`/edit/${id}`, { userName: 'guessed', password: 'wrong' });
  }
  assert.equal(answer?.status, 429);
  assert.ok(Number(answer?.headers.get('Retry-After')) > 0);
  assert.match((await answer?.text()) ?? '', /role="alert">Too many failed sign-ins/);
});

test('removing a user or changing their password revokes their page sessions and tickets', async () => {
  const user = await pages.services.users.add({ login: 'leaver', role: 'editor', password });
  const first = await pages.enter(user, id);
  await pages.services.users.setPassword('leaver', 'another password');
  assert.equal((await get(`/edit/${id}`, { Cookie: first })).status, 401);
  const ticket = pages.tickets.issue({ userId: user.id, fileId: id, mode: 'edit', editorId: null });
  const second = await pages.enter(user, id);
  pages.services.users.remove('leaver');
  assert.equal((await get(`/edit/${id}`, { Cookie: second })).status, 401);
  assert.equal((await get(`/edit/${id}?ticket=${ticket}`)).status, 403);
});

test('a session expires 12 hours after its last use', async () => {
  const cookie = await pages.enter(pages.owner, id);
  pages.clock.advance(11 * 60 * 60 * 1000);
  assert.equal((await get(`/edit/${id}`, { Cookie: cookie })).status, 200);
  pages.clock.advance(12 * 60 * 60 * 1000);
  assert.equal((await get(`/edit/${id}`, { Cookie: cookie })).status, 401);
});

test('while the host is paused, the page says so and opens nothing, but renews tokens', async () => {
  const cookie = await pages.enter(pages.owner, id);
  pages.state.refusal = new AppError('paused');
  const answer = await get(`/edit/${id}`, { Cookie: cookie });
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /<h1>DocTray is paused<\/h1>/);
  const opened = await pages.post(`/edit/${id}/open`, { cookie });
  assert.deepEqual([opened.status, opened.body['code']], [503, 'paused']);
  // Open documents can still be saved.
  assert.equal((await pages.post(`/edit/${id}/token`, { cookie })).status, 200);
  pages.state.refusal = undefined;
});
