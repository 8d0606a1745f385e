// What several pages say, in German: the window, the host page and the text editor.

import type { Catalog } from '../../app/contract/messages.ts';

/** In all three. */
export const commonGerman: Catalog = {
  Close: 'Schließen',
  Saved: 'Gespeichert',
  'Save a copy…': 'Kopie speichern…',
  Edit: 'Bearbeiten',
  Cancel: 'Abbrechen',
  Dismiss: 'Ausblenden',
  'Try again': 'Erneut versuchen',
  'Save a copy': 'Kopie speichern',
  'New name': 'Neuer Name',
  'Enter a name.': 'Geben Sie einen Namen ein.',
  Download: 'Herunterladen',
};

/** Versions and saved copies, in the window and on the host page. */
export const versionsGerman: Catalog = {
  Open: 'Öffnen',
  'Open read-only': 'Schreibgeschützt öffnen',
  Restore: 'Wiederherstellen',
  'Restore…': 'Wiederherstellen…',
  'Changes in “{name}” since {time}': 'Änderungen in „{name}“ seit {time}',
  'Loading…': 'Wird geladen…',
  'Restored as {name}': 'Gespeichert als {name}',
  'Restore as copy': 'Kopie speichern',
  'Open the version from {time} read-only': 'Version von {time} schreibgeschützt öffnen',
  'Compare the version from {time} with the current content':
    'Version von {time} mit dem aktuellen Inhalt vergleichen',
  'Save a copy of the version from {time}': 'Kopie speichern: Version von {time}',
  'Restore the version from {time}…': 'Version von {time} wiederherstellen…',
  Compare: 'Vergleichen',
  'Restore this version…': 'Diese Version wiederherstellen…',
  'This version': 'Diese Version',
  Lines: 'Zeilen',
  'This version and the current content have the same text.':
    'Diese Version und der aktuelle Inhalt haben denselben Text.',
  'Only the line endings differ.': 'Nur die Zeilenenden unterscheiden sich.',
  'Previous change': 'Vorherige Änderung',
  'Next change': 'Nächste Änderung',
  'Change {number} of {count}': 'Änderung {number} von {count}',
  '{count, plural, one {# change} other {# changes}}':
    '{count, plural, one {# Änderung} other {# Änderungen}}',
  '{count, plural, one {# line removed} other {# lines removed}}':
    '{count, plural, one {# Zeile entfernt} other {# Zeilen entfernt}}',
  '{count, plural, one {# line added} other {# lines added}}':
    '{count, plural, one {# Zeile hinzugefügt} other {# Zeilen hinzugefügt}}',
  Current: 'Aktuell',
  '{count, plural, one {# unchanged line} other {# unchanged lines}}':
    '{count, plural, one {# unveränderte Zeile} other {# unveränderte Zeilen}}',
  'The rest of this long document isn’t shown.': 'Der Rest dieses langen Dokuments wird nicht angezeigt.',
  saved: 'gespeichert',
  autosaved: 'automatisch gespeichert',
  'saved on closing': 'beim Schließen gespeichert',
  'autosaved on closing': 'beim Schließen automatisch gespeichert',
  'without changes': 'ohne Änderungen',
  restored: 'wiederhergestellt',
  'recovered save': 'gesicherte Fassung',
  created: 'erstellt',
  'not written: the editor reported no changes': 'nicht geschrieben: Der Editor meldete keine Änderungen',
  'changed by another program': 'von einem anderen Programm geändert',
  Versions: 'Versionen',
  Document: 'Dokument',
  'Open again': 'Erneut öffnen',
  'Save copy': 'Kopie speichern',
};
