// The default editor where more than one can open a type: for a family of types at once, or for each type.

import { useMemo, useState } from 'react';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { countOf } from '../../../app/contract/format.ts';
import { Select } from '../parts/select.tsx';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import { abilityFor } from '../editors/words.ts';

/** DocTray chooses. */
const automatic = 'automatic';
const mixed = 'mixed';

const families: { title: string; extensions: readonly string[] }[] = [
  {
    title: 'Text documents',
    extensions: 'docx doc docm dotx dotm dot odt ott fodt rtf txt html htm md pages wps epub'.split(' '),
  },
  {
    title: 'Spreadsheets',
    extensions: 'xlsx xls xlsm xlsb xltx xltm xlt ods ots fods csv tsv numbers'.split(' '),
  },
  {
    title: 'Presentations',
    extensions: 'pptx ppt pptm ppsx ppsm pps potx potm pot odp otp fodp key'.split(' '),
  },
  { title: 'PDF', extensions: ['pdf', 'djvu', 'xps', 'oxps'] },
];
const others = 'Other types';

export function EditorDefaults({ editors }: { editors: EditorItem[] }) {
  const [isEach, setIsEach] = useState(false);
  const shared = useMemo(() => sharedTypes(editors), [editors]);
  const groups = useMemo(() => inFamilies(shared), [shared]);
  const save = useSaveDefaults();
  if (shared.length === 0) return null;
  const current = (extension: string) =>
    editors.find(({ defaultFor }) => defaultFor.includes(extension))?.id ?? automatic;
  const canOpen = (id: string, extension: string) =>
    editors.some((editor) => editor.id === id && abilityFor(editor, extension) !== undefined);
  const options = (extensions: readonly string[]) => [
    { id: automatic, title: 'Automatic', hint: 'Prefers an editor that can edit the type.' },
    ...editors
      .filter((editor) => extensions.some((extension) => abilityFor(editor, extension) !== undefined))
      .map(({ id, name }) => ({ id, title: name })),
  ];
  return (
    <div className="setting setting-wide editor-defaults">
      <div className="editor-defaults-head">
        <div className="setting-words">
          <h3 className="field-label">Default editors</h3>
          <div className="field-hint">More than one editor opens {countOf(shared.length, 'type')}.</div>
        </div>
        <Button look="quiet" onPress={() => setIsEach(!isEach)}>
          {isEach ? 'By kind' : 'Each type'}
        </Button>
      </div>
      <div className={isEach ? 'editor-defaults-types' : 'editor-defaults-kinds'}>
        {isEach
          ? shared.map((extension) => (
              <div key={extension} className="editor-default">
                <span className="code">{extension}</span>
                <Select
                  label={`Editor for ${extension}`}
                  isLabelHidden
                  value={current(extension)}
                  options={options([extension])}
                  onChange={(id) => void save([extension], id)}
                />
              </div>
            ))
          : groups.map(({ title, extensions }) => {
              // an editor is the one of a family when it is that of all types in it that it opens
              const chosen = [automatic, ...editors.map(({ id }) => id)].find((id) =>
                extensions.every(
                  (extension) => current(extension) === id || (id !== automatic && !canOpen(id, extension)),
                ),
              );
              return (
                <div key={title} className="editor-default">
                  <span title={extensions.join(' ')}>{title}</span>
                  <Select
                    label={`Editor for ${title}`}
                    isLabelHidden
                    value={chosen ?? mixed}
                    options={[
                      ...(chosen === undefined
                        ? [{ id: mixed, title: 'Mixed', hint: 'Chosen for each type.' }]
                        : []),
                      ...options(extensions),
                    ]}
                    onChange={(id) => {
                      const fit = extensions.filter(
                        (extension) => id === automatic || canOpen(id, extension),
                      );
                      if (id !== mixed) void save(fit, id);
                    }}
                  />
                </div>
              );
            })}
      </div>
    </div>
  );
}

function useSaveDefaults() {
  const call = useCall();
  const toasts = useToasts();
  return async (extensions: readonly string[], id: string) => {
    try {
      for (const extension of extensions) {
        await call('editors.setDefault', { extension, editorId: id === automatic ? null : id });
      }
    } catch (error) {
      toasts.show({ tone: 'bad', title: 'The default was not saved', detail: sentenceOf(error) });
    }
  };
}

/** What at least two editors open. */
function sharedTypes(editors: readonly EditorItem[]): string[] {
  const counts = new Map<string, number>();
  for (const { types } of editors) {
    for (const { extension } of types) counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([extension]) => extension)
    .toSorted();
}

function inFamilies(extensions: readonly string[]): { title: string; extensions: string[] }[] {
  const titleOf = (extension: string) =>
    families.find((family) => family.extensions.includes(extension))?.title ?? others;
  return [...families.map(({ title }) => title), others]
    .map((title) => ({ title, extensions: extensions.filter((extension) => titleOf(extension) === title) }))
    .filter((group) => group.extensions.length > 0);
}
