import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { viewNames } from '../../../app/contract/pushes.ts';
import { linkRequests, parseLink } from '../../../app/desktop/links-parse.ts';

test('a link leads to a view or to a document in the folder', () => {
  for (const view of viewNames) assert.deepEqual(parseLink(`doctray://${view}`), { to: 'view', view });
  assert.deepEqual(parseLink('DOCTRAY://locks/'), { to: 'view', view: 'locks' });
  assert.deepEqual(parseLink('doctray://open?path=Reports/Q%26A%202026.odt&mode=view'), {
    to: 'document',
    path: 'Reports/Q&A 2026.odt',
    mode: 'view',
  });
  assert.deepEqual(parseLink('doctray://open?path=Notes%2010:30.odt'), {
    to: 'document',
    path: 'Notes 10:30.odt',
    mode: 'edit',
  });
});

const refused = [
  'doctray:',
  'doctray:locks',
  'doctray://',
  'doctray://shell',
  'doctray://open',
  'doctray://open?path=',
  'doctray://open?path=/etc/passwd',
  'doctray://open?path=../x.odt',
  'doctray://open?path=a/%2e%2e/b',
  'doctray://open?path=a//b',
  'doctray://open?path=./b',
  'doctray://open?path=C:/x.odt',
  'doctray://open?path=C%3Ax',
  'doctray://open?path=%5C%5Cserver%5Cshare',
  'doctray://open?path=a%00b',
  'doctray://open?path=a%0Ab',
  'doctray://open?path=a&mode=run',
  'doctray://open?path=a&path=b',
  'doctray://open?path=a&then=quit',
  'doctray://open/x?path=a',
  'doctray://ana:secret@locks',
  'doctray://locks:80',
  'doctray://locks#x',
  'doctray://locks?x=1',
  'doctray://locks/x',
  `doctray://open?path=${'a'.repeat(5000)}`,
  'https://locks',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'locks',
  '',
];

for (const link of refused) {
  test(`a link that is not on the list leads nowhere: ${link.slice(0, 60)}`, () => {
    assert.equal(parseLink(link), undefined);
  });
}

test('whatever a link is, what comes of it is on the list', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withQueryParameters: true }).map((url) => url.replace(/^https?:/u, 'doctray:')),
    fc.string({ unit: 'binary' }).map((path) => {
      return `doctray://open?path=${encodeURIComponent(path.toWellFormed())}`;
    }),
    fc
      .array(
        fc.constantFrom(
          'doctray:',
          '//',
          'open',
          'locks',
          '?',
          'path=',
          'a',
          '..',
          '/',
          '%2e',
          '&',
          '\\',
          '#',
        ),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (link) => {
      const request = parseLink(link);
      if (request === undefined) return;
      assert.notEqual(request.to, 'file');
      if (request.to === 'view') assert.ok(viewNames.includes(request.view));
      if (request.to !== 'document') return;
      assert.ok(!request.path.startsWith('/') && !request.path.includes('\\'));
      assert.ok(request.path.split('/').every((part) => part !== '' && part !== '.' && part !== '..'));
    }),
    { numRuns: 500 },
  );
});

test('a launch may be given files in any of the ways that file managers have', () => {
  const requests = linkRequests({
    cwd: '/home/ana',
    targets: [
      'Documents/a.odt',
      '/srv/b.odt',
      'file:///home/ana/c%20d.odt',
      'file://localhost/e.odt',
      'doctray://locks',
    ],
  });
  assert.deepEqual(requests, [
    { to: 'file', absolute: '/home/ana/Documents/a.odt' },
    { to: 'file', absolute: '/srv/b.odt' },
    { to: 'file', absolute: '/home/ana/c d.odt' },
    { to: 'file', absolute: '/e.odt' },
    { to: 'view', view: 'locks' },
  ]);
});

test('what is not understood, or lies on another machine, is left out', () => {
  const targets = [
    '',
    'a\0b',
    'x'.repeat(9000),
    'https://example.org/a.odt',
    'file://server/share/a.odt',
    'file:////server/share/a.odt',
    'file:///a%2Fb',
    'file:///a%00b',
    'doctray://run?path=x',
  ];
  assert.deepEqual(linkRequests({ cwd: '/', targets }), []);
});

test('more files than anybody gives are cut off', () => {
  const targets = Array.from({ length: 5000 }, (_, index) => `${index}`);
  assert.equal(linkRequests({ cwd: '/', targets }).length, 1000);
});
