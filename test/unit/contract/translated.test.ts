import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sharedGerman } from '../../../app/contract/german.ts';
import { german as windowGerman } from '../../../renderer/window/german.ts';
import { withTranslations } from '../../../renderer/window/state/call.ts';
import { chooseLanguage, translated } from '../../../app/contract/messages.ts';
import { formatDuration } from '../../../app/contract/format.ts';
import { recoveredReason } from '../../../app/contract/recovered-reasons.ts';

before(() => chooseLanguage(['de-DE'], { de: sharedGerman }));
after(() => chooseLanguage(['en-GB'], {}));

test('words the reason of a recovered save in the user’s language', () => {
  assert.equal(
    recoveredReason('Not saved: the document was no longer locked.'),
    'Nicht gespeichert: Das Dokument war nicht mehr gesperrt.',
  );
  assert.equal(recoveredReason('Not saved: the host answered 418.'), 'Not saved: the host answered 418.');
});

test('translates an error that another process sent in English', () => {
  assert.match(translated('Something went wrong in DocTray. See its log for details.'), /DocTray/u);
  assert.doesNotMatch(translated('Something went wrong in DocTray. See its log for details.'), /went/u);
  assert.equal(translated('A sentence of a newer version.'), 'A sentence of a newer version.');
});

test('abbreviates days as German does', () => {
  assert.equal(formatDuration(3 * 24 * 3_600_000), '3\u{a0}Tg.');
});

test('has one name for the built-in text editor wherever the host names it', () => {
  chooseLanguage(['de-DE'], { de: windowGerman }, { de: sharedGerman });
  try {
    const data = {
      editors: [
        { kind: 'text-editor', name: 'Text editor' },
        { kind: 'collabora', name: 'Text editor of the cellar' },
      ],
      sessions: [{ editor: 'Text editor', path: 'Text editor' }],
      opened: { editorName: 'Text editor' },
    };
    assert.deepEqual(withTranslations(data), {
      editors: [
        { kind: 'text-editor', name: 'Texteditor' },
        { kind: 'collabora', name: 'Text editor of the cellar' },
      ],
      sessions: [{ editor: 'Texteditor', path: 'Text editor' }],
      opened: { editorName: 'Texteditor' },
    });
  } finally {
    chooseLanguage(['de-DE'], { de: sharedGerman });
  }
});
