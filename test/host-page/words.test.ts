import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameForCopy } from '../../renderer/host-page/copying.ts';
import { copyNotice, heldBy } from '../../renderer/host-page/document-notices.ts';
import { splitHeading } from '../../renderer/host-page/page-store.ts';

describe('the words of a host page', () => {
  it('keep the extension for a copy, which Collabora needs', () => {
    assert.deepEqual(nameForCopy(' plan ', 'docx'), { name: 'plan.docx' });
    assert.deepEqual(nameForCopy('plan.DOCX', 'docx'), { name: 'plan.DOCX' });
    assert.deepEqual(nameForCopy('plan v1.2', 'docx'), { name: 'plan v1.2.docx' });
    for (const bad of ['', '  ', 'a/b', 'a\\b', 'c:d', 'a?'])
      assert.ok('problem' in nameForCopy(bad, 'docx'));
  });

  it('isolate names with right-to-left letters from the text around them', () => {
    const saidOf = (name: string) => copyNotice({ fileId: 'f', name }, { openCopy: () => undefined })[1].text;
    assert.equal(saidOf('plan.docx'), 'Saved a copy: plan.docx');
    assert.equal(saidOf('ناقش (2).md'), 'Saved a copy: \u2068ناقش (2).md\u2069');
    const holder = { userName: 'دانا', editorName: null, isThisEditor: false, hasLapsed: false };
    const held = heldBy({ ...holder, otherUsers: [], isOpenElsewhere: false });
    assert.match(held, /^\u2068دانا\u2069 is editing/u);
  });

  it('make the first sentence of a notice its heading, without full stop', () => {
    for (const [text, ...parts] of [
      ['Restored. It is kept.', 'Restored', 'It is kept.'],
      ['DocTray isn’t responding.', 'DocTray isn’t responding', ''],
      ['Saved a copy: letter.docx', 'Saved a copy: letter.docx', ''],
      ['“Dr. Lee.docx” exists. Choose another.', '“Dr. Lee.docx” exists', 'Choose another.'],
      ['„Dr. Lee.docx“ gibt es schon.', '„Dr. Lee.docx“ gibt es schon', ''],
    ] as const)
      assert.deepEqual(Object.values(splitHeading(text)), parts);
  });
});
