import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameForCopy } from '../../renderer/host-page/dialogs.ts';
import { isMixed } from '../../renderer/host-page/notices.ts';
import { extensionOf, newerFormat, stemOf } from '../../renderer/host-page/words.ts';

describe('the names of documents', () => {
  it('have an extension unless the dot leads them', () => {
    assert.deepEqual(['a.DOCX', 'a.b.odt', '.hidden', 'none'].map(extensionOf), ['docx', 'odt', '', '']);
    assert.deepEqual(['a.DOCX', 'a.b.odt', '.hidden', 'none'].map(stemOf), ['a', 'a.b', '.hidden', 'none']);
  });

  it('keep the extension of what is saved, which Collabora must be told', () => {
    assert.deepEqual(nameForCopy(' plan ', 'docx'), { name: 'plan.docx' });
    assert.deepEqual(nameForCopy('plan.DOCX', 'docx'), { name: 'plan.DOCX' });
    assert.deepEqual(nameForCopy('plan v1.2', 'docx'), { name: 'plan v1.2.docx' });
    for (const bad of ['', '  ', 'a/b', 'a\\b', 'c:d', 'a?'])
      assert.ok('problem' in nameForCopy(bad, 'docx'));
  });

  it('say what an old format is converted to, where all editors agree', () => {
    assert.deepEqual(['a.doc', 'a.XLS', 'a.pps', 'a.wps'].map(newerFormat), ['docx', 'xlsx', 'pptx', null]);
  });
});

describe('a page by https', () => {
  it('shows no editor by http but one of this computer', () => {
    assert.equal(isMixed('https:', 'http://docs.example/x'), true);
    assert.equal(isMixed('https:', 'http://localhost:9980/x'), false);
    assert.equal(isMixed('https:', 'http://127.0.0.1/x'), false);
    assert.equal(isMixed('https:', 'https://docs.example/x'), false);
    assert.equal(isMixed('http:', 'http://docs.example/x'), false);
  });
});
