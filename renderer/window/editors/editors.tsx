// Editors: the built-in one, those that are connected, those on this computer, and which opens what.

import { useEffect, useMemo, useState } from 'react';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { t } from '../../../app/contract/messages.ts';
import { useAction, useTask } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Section } from '../../kit/blocks.tsx';
import { FieldRow } from '../../kit/field-rows.tsx';
import { Select } from '../../kit/fields.tsx';
import { entryOf } from '../settings/catalog.ts';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { useAddressSearch, ConnectDialog } from './connection.tsx';
import { ServerList, useServerSearch } from './document-servers.tsx';
import { BuiltInEditor, EditorCard } from './editor-card.tsx';
import { abilityFor, isBuiltIn, listed, officeEditors } from './words.ts';
import './editors.css';

export function EditorsPane({ path }: { path?: string | undefined }) {
  const editors = useWindowState((state) => state.editors);
  const status = useWindowState((state) => state.host.status);
  const { place } = useNavigation();
  const addresses = useAddressSearch();
  const [isConnecting, setIsConnecting] = useState(false);
  /** The one whose details are shown. */
  const [open, setOpen] = useState<string>();
  const openState = (id: string | undefined) => ({
    isOpen: open === id,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? id : undefined),
  });
  const builtIn = editors.find(isBuiltIn);
  const wanted = path?.startsWith('textEditor') === true ? builtIn?.id : path?.split('/')[1];
  useEffect(() => {
    if (wanted === 'connect') setIsConnecting(true);
    else if (wanted !== undefined) setOpen(wanted);
  }, [wanted, place.step]);

  return (
    <>
      <Section
        level={3}
        actions={
          <Button icon="plus" isDisabled={status === 'stopping'} onPress={() => setIsConnecting(true)}>
            {t('window.connect-document-server')}
          </Button>
        }
      >
        <BuiltInEditor editor={builtIn} {...openState(builtIn?.id)} />
        {officeEditors(editors).map((editor) => (
          <EditorCard key={editor.id} editor={editor} addresses={addresses} {...openState(editor.id)} />
        ))}
      </Section>
      <OnThisComputer addresses={addresses} />
      <EditorDefaults editors={editors} />
      <Help />
      {isConnecting && (
        <ConnectDialog
          onConnected={(id) => {
            setIsConnecting(false);
            void addresses.run(id, false);
          }}
          onClose={() => setIsConnecting(false)}
        />
      )}
    </>
  );
}

/** Docker and Podman are asked when the settings open; the ports of this computer only on request. */
function OnThisComputer({ addresses }: { addresses: ReturnType<typeof useAddressSearch> }) {
  const servers = useServerSearch();
  const { check, search, detection } = servers;
  useEffect(check, [check]);
  const { label, hint } = entryOf('documentServers');
  return (
    <Section
      level={3}
      title={label}
      hint={detection === undefined ? `${hint} ${t('window.not-searched-yet')}` : hint}
      actions={
        <Button look="quiet" icon="search" isPending={servers.isDetecting} onPress={search}>
          {detection === undefined ? t('window.find-document-servers') : t('window.search-again')}
        </Button>
      }
    >
      <ServerList servers={servers} addresses={addresses} />
    </Section>
  );
}

const guides = [
  ['onlyoffice', 'ONLYOFFICE'],
  ['collabora', 'Collabora'],
  ['troubleshooting', t('window.troubleshooting')],
] as const;

function Help() {
  const help = useAction('app.openHelp', { failure: t('window.couldnt-open-the-page') });
  return (
    <Section>
      <FieldRow label={t('window.guides')}>
        {guides.map(([page, title]) => (
          <Button key={page} icon="external" onPress={() => void help.run({ page })}>
            {title}
          </Button>
        ))}
      </FieldRow>
    </Section>
  );
}

/** DocTray chooses. */
const automatic = 'automatic';
const mixed = 'mixed';

const families: { title: string; extensions: readonly string[] }[] = [
  {
    title: t('window.text-documents'),
    extensions: 'docx doc docm dotx dotm dot odt ott fodt rtf txt html htm md pages wps epub'.split(' '),
  },
  {
    title: t('window.spreadsheets'),
    extensions: 'xlsx xls xlsm xlsb xltx xltm xlt ods ots fods csv tsv numbers'.split(' '),
  },
  {
    title: t('window.presentations'),
    extensions: 'pptx ppt pptm ppsx ppsm pps potx potm pot odp otp fodp key'.split(' '),
  },
  { title: 'PDF', extensions: ['pdf', 'djvu', 'xps', 'oxps'] },
];
const others = t('window.other-types');

function EditorDefaults({ editors }: { editors: EditorItem[] }) {
  const [isEach, setIsEach] = useState(false);
  const shared = useMemo(() => sharedTypes(editors), [editors]);
  const groups = useMemo(() => inFamilies(shared), [shared]);
  const save = useSaveDefaults();
  if (shared.length === 0) return null;
  const current = (extension: string) =>
    editors.find(({ defaultFor }) => defaultFor.includes(extension))?.id ?? automatic;
  const canOpen = (editor: EditorItem, extension: string) => abilityFor(editor, extension) !== undefined;
  const rows = isEach ? shared.map((title) => ({ title, extensions: [title] })) : groups;
  return (
    <Section
      level={3}
      title={entryOf('defaultEditors').label}
      hint={t('window.file-types-can-open-in', { count: shared.length })}
      actions={
        <Button look="quiet" onPress={() => setIsEach(!isEach)}>
          {isEach ? t('window.set-by-group') : t('window.set-by-type')}
        </Button>
      }
    >
      {rows.map(({ title, extensions }) => {
        const fitting = editors.filter((editor) => extensions.some((one) => canOpen(editor, one)));
        // an editor is the one of a family when it is that of all types in it that it opens
        const chosen = extensions.every((one) => current(one) === automatic)
          ? automatic
          : fitting.find((editor) =>
              extensions.every((one) => current(one) === editor.id || !canOpen(editor, one)),
            )?.id;
        const isMixed = chosen === undefined;
        const picked = editors.filter(({ opens }) => extensions.some((one) => opens.includes(one)));
        const names = listed(picked.map(({ name }) => name));
        return (
          <FieldRow
            key={title}
            id="defaultEditors"
            label={
              <span className={isEach ? 'code' : ''} title={extensions.join(' ')}>
                {title}
              </span>
            }
            hint={
              chosen === automatic && names ? t('window.opens-in-editors', { editors: names }) : undefined
            }
          >
            <Select
              label={t('window.editor-for-type', { type: title })}
              isLabelHidden
              value={chosen ?? mixed}
              options={[
                ...(isMixed
                  ? [{ id: mixed, title: t('window.mixed'), hint: t('window.chosen-for-each-type') }]
                  : []),
                {
                  id: automatic,
                  title: t('window.automatic'),
                  hint: t('window.prefers-an-editor-that-can'),
                },
                ...fitting.map(({ id, name }) => ({ id, title: name })),
              ]}
              onChange={(id) => {
                const editor = editors.find((one) => one.id === id);
                const fit = extensions.filter((one) => editor === undefined || canOpen(editor, one));
                if (id !== mixed) void save(fit, id);
              }}
            />
          </FieldRow>
        );
      })}
    </Section>
  );
}

function useSaveDefaults() {
  const { run } = useTask(
    async (call, { extensions, id }: { extensions: readonly string[]; id: string }) => {
      for (const extension of extensions) {
        await call('editors.setDefault', { extension, editorId: id === automatic ? null : id });
      }
    },
    { failure: t('window.couldnt-save-the-default'), canOverlap: true },
  );
  return async (extensions: readonly string[], id: string) => run({ extensions, id });
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
