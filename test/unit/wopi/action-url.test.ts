import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actionUrl } from '../../../app/wopi/action-url.ts';

const wopiSrc = 'http://host.docker.internal:8790/wopi/files/abc';
const encoded = 'http%3A%2F%2Fhost.docker.internal%3A8790%2Fwopi%2Ffiles%2Fabc';

test('appends WOPISrc to Collabora’s URL', () => {
  assert.equal(
    actionUrl('http://office.test:9980/browser/4f2c1a9/cool.html?', { wopiSrc }),
    `http://office.test:9980/browser/4f2c1a9/cool.html?WOPISrc=${encoded}`,
  );
});

test('fills in ONLYOFFICE’s placeholders with known values, and drops the others', () => {
  const urlsrc =
    'http://docs.test/hosting/wopi/word/edit?&<rs=DC_LLCC&><thm=THEME_ID&><ui=UI_LLCC&><wopisrc=WOPI_SOURCE&>&';
  assert.equal(
    actionUrl(urlsrc, { wopiSrc, values: { UI_LLCC: 'de-DE' } }),
    `http://docs.test/hosting/wopi/word/edit?ui=de-DE&wopisrc=${encoded}`,
  );
});

test('appends wopisrc in lower case to ONLYOFFICE’s URL without a placeholder for it', () => {
  assert.equal(
    actionUrl('http://docs.test/hosting/wopi/word/view?embed=1&', { wopiSrc }),
    `http://docs.test/hosting/wopi/word/view?embed=1&wopisrc=${encoded}`,
  );
});

test('keeps the query of the URL, or adds one', () => {
  assert.equal(
    actionUrl('https://oos.test/x/xlviewerinternal.aspx?edit=1&<ui=UI_LLCC&>', { wopiSrc }),
    `https://oos.test/x/xlviewerinternal.aspx?edit=1&WOPISrc=${encoded}`,
  );
  assert.equal(
    actionUrl('https://oos.test/page#top', { wopiSrc }),
    `https://oos.test/page?WOPISrc=${encoded}`,
  );
});

test('escapes values, and has no value for placeholders named like object properties', () => {
  assert.equal(
    actionUrl('http://e.test/p?<ui=UI_LLCC&><x=constructor&><y=__proto__>', {
      wopiSrc: 'http://h/wopi/files/a?x=1&y=2#z',
      values: { UI_LLCC: 'en&access_token=x' },
    }),
    'http://e.test/p?ui=en%26access_token%3Dx&WOPISrc=http%3A%2F%2Fh%2Fwopi%2Ffiles%2Fa%3Fx%3D1%26y%3D2%23z',
  );
});

test('adds escaped parameters, unless the query has them already', () => {
  assert.equal(
    actionUrl('http://office.test:9980/browser/4f2c1a9/cool.html?lang=fr&', {
      wopiSrc,
      parameters: { lang: 'de', closebutton: '1', x: 'a&b' },
    }),
    `http://office.test:9980/browser/4f2c1a9/cool.html?lang=fr&WOPISrc=${encoded}&closebutton=1&x=a%26b`,
  );
});
