import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { typeOf, stemOf } from '../../app/contract/names.ts';
import { nameForCopy } from '../../renderer/host-page/copying.ts';
import { copyNotice, heldBy } from '../../renderer/host-page/document-notices.ts';
import { isMixed, newerFormat } from '../../renderer/host-page/document-page.ts';
import { splitHeading } from '../../renderer/host-page/page-store.ts';

describe('document names', () => {
  it('have an extension unless the dot comes first', () => {
    assert.deepEqual(['a.DOCX', 'a.b.odt', '.hidden', 'none'].map(typeOf), ['docx', 'odt', '', '']);
    assert.deepEqual(['a.DOCX', 'a.b.odt', '.hidden', 'none'].map(stemOf), ['a', 'a.b', '.hidden', 'none']);
  });

  it('keep the extension for a copy, which Collabora needs', () => {
    assert.deepEqual(nameForCopy(' plan ', 'docx'), { name: 'plan.docx' });
    assert.deepEqual(nameForCopy('plan.DOCX', 'docx'), { name: 'plan.DOCX' });
    assert.deepEqual(nameForCopy('plan v1.2', 'docx'), { name: 'plan v1.2.docx' });
    for (const bad of ['', '  ', 'a/b', 'a\\b', 'c:d', 'a?'])
      assert.ok('problem' in nameForCopy(bad, 'docx'));
  });

  it('give the new format of an old one only if all editors agree on it', () => {
    assert.deepEqual(['a.doc', 'a.XLS', 'a.pps', 'a.wps'].map(newerFormat), [
      'docx',
      'xlsx',
      'pptx',
      undefined,
    ]);
  });
});

describe('names in sentences', () => {
  it('are isolated from the text around them if they have right-to-left letters', () => {
    const saidOf = (name: string) => copyNotice({ fileId: 'f', name }, { openCopy: () => undefined })[1].text;
    assert.equal(saidOf('plan.docx'), 'Saved a copy: plan.docx');
    assert.equal(saidOf('ناقش (2).md'), 'Saved a copy: \u2068ناقش (2).md\u2069');
    const holder = { userName: 'دانا', editorName: null, isThisEditor: false, hasLapsed: false };
    const held = heldBy({ ...holder, otherUsers: [], isOpenElsewhere: false });
    assert.match(held, /^\u2068دانا\u2069 is editing/u);
  });
});

describe('a page over HTTPS', () => {
  it('can’t show an editor over HTTP unless it is on this computer', () => {
    assert.equal(isMixed('https:', 'http://docs.example/x'), true);
    assert.equal(isMixed('https:', 'http://localhost:9980/x'), false);
    assert.equal(isMixed('https:', 'http://127.0.0.1/x'), false);
    assert.equal(isMixed('https:', 'http://127.0.0.1.example/x'), true);
    assert.equal(isMixed('https:', 'https://docs.example/x'), false);
    assert.equal(isMixed('http:', 'http://docs.example/x'), false);
  });
});

describe('a notice', () => {
  it('has its first sentence as heading, without full stop', () => {
    const splits = {
      'Restored. The previous content is kept as a version.': [
        'Restored',
        'The previous content is kept as a version.',
      ],
      'DocTray isn’t responding.': ['DocTray isn’t responding', ''],
      'Saved a copy: letter.docx': ['Saved a copy: letter.docx', ''],
      '“Dr. Lee.docx” already exists. Choose another name.': [
        '“Dr. Lee.docx” already exists',
        'Choose another name.',
      ],
      '„Dr. Lee.docx“ gibt es schon.': ['„Dr. Lee.docx“ gibt es schon', ''],
    };
    for (const [text, [heading, rest]] of Object.entries(splits))
      assert.deepEqual(splitHeading(text), { heading, rest });
  });
});
