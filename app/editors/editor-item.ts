// Connected editors as the window and the terminal show them: no key, and their actions grouped by type.

import type { ConnectionTest, EditorItem } from '../contract/editors.ts';
import { safeText } from '../contract/names.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import { openingEditors, typesOf } from './action-choice.ts';
import type { AddressSearch } from './address-search.ts';
import type { Editor } from '../store/editors.ts';
import type { Editors } from './editors.ts';

/** Oldest first. @param host undefined if none is running */
export function editorItems(
  services: {
    editors: Pick<Editors, 'list' | 'defaults'>;
    settings: Pick<SettingsStore, 'current'>;
    addressSearch: Pick<AddressSearch, 'isAwaitingConfirmation'>;
  },
  host:
    | { baseUrlOf(editorId: string): string; lastTest(editorId: string): ConnectionTest | undefined }
    | undefined,
): EditorItem[] {
  // The stored problem is from the last run, and the text editor runs only with a host.
  const asNow = (known: Editor): Editor =>
    host === undefined && known.kind === 'text-editor' ? { ...known, problem: null } : known;
  const defaults = services.editors.defaults();
  const editors = services.editors.list().map(asNow);
  const opening = openingEditors(editors, defaults);
  return editors.map((editor) => {
    const { discovery, allowedAddresses, ...rest } = editor;
    return {
      ...rest,
      name: safeText(editor.name),
      effectiveUrl: host?.baseUrlOf(editor.id) ?? editor.publicUrl ?? addressBySettings(services.settings),
      isAwaitingConfirmation: services.addressSearch.isAwaitingConfirmation(editor.id),
      hasProofKeys: discovery.proofKeys !== null,
      allowedAddresses: [...allowedAddresses],
      types: typesOf(discovery),
      defaultFor: Object.keys(defaults)
        .filter((extension) => defaults[extension] === editor.id)
        .toSorted(),
      opens: [...opening.keys()].filter((extension) => opening.get(extension) === editor.id).toSorted(),
      // Worded now, for this caller.
      problem: editor.problem && { ...editor.problem },
      lastTest: host?.lastTest(editor.id) ?? null,
    };
  });
}

/** The default base address if a host were started now. */
function addressBySettings(settings: Pick<SettingsStore, 'current'>): string {
  const { publicUrl, port } = settings.current();
  return publicUrl ?? `http://127.0.0.1:${port}`;
}
