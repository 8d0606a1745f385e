import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closedUrl, readClosed } from '../../renderer/host-page/closed.ts';
import { nameForCopy } from '../../renderer/host-page/copying.ts';
import { splitHeading } from '../../renderer/host-page/page-store.ts';

describe('the words of a host page', () => {
  it('keep the extension for a copy, which Collabora needs', () => {
    assert.deepEqual(nameForCopy(' plan ', 'docx'), { name: 'plan.docx' });
    assert.deepEqual(nameForCopy('plan.DOCX', 'docx'), { name: 'plan.DOCX' });
    assert.deepEqual(nameForCopy('plan v1.2', 'docx'), { name: 'plan v1.2.docx' });
    for (const bad of ['', '  ', 'a/b', 'a\\b', 'c:d', 'a?'])
      assert.ok('problem' in nameForCopy(bad, 'docx'));
  });

  it('say after Close where the last save is, or that there is none', () => {
    for (const [left, more, lost = 'The last save isn’t in the file'] of [
      [
        'unreadable',
        'It isn’t a readable document. DocTray keeps it in Recovered saves, and the file is unchanged.',
      ],
      ['version', 'The file has the other program’s content. The save is kept as a version.'],
      ['nowhere', 'DocTray doesn’t have it. Open the document again to check your last changes.'],
      [
        'unsaved',
        'Your last changes may not be in the file. Open the document again to check them.',
        'Closed without saving',
      ],
    ] as const) {
      const document = { name: 'a', savedAtMs: undefined, left, address: undefined };
      const shown = readClosed(new URL(closedUrl('http://host/closed', document)).hash);
      assert.deepEqual([shown.title, shown.more], [lost, more]);
    }
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
