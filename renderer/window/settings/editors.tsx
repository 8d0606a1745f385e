// Editors: the built-in one, those that are connected, those on this computer, which opens what, and where documents open.

import { useCallback, useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { ServerList, useServerSearch } from '../editors/document-servers.tsx';
import { useAddressSearch } from '../editors/address-search.tsx';
import { AddressDialog } from '../editors/address.tsx';
import { ConnectDialog } from '../editors/connect.tsx';
import { isBuiltIn, officeEditors } from '../editors/words.ts';
import { BuiltInEditor } from './built-in-editor.tsx';
import { EditorCard } from './editor-card.tsx';
import { EditorDefaults } from './editor-defaults.tsx';
import { ChoiceSetting } from './fields.tsx';
import { SettingRow, SettingsSection } from './section.tsx';
import '../editors/editors.css';

export function EditorsSection() {
  const editors = useWindowState((state) => state.editors);
  const status = useWindowState((state) => state.host.status);
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const { place } = useNavigation();
  const addresses = useAddressSearch();
  const [isConnecting, setIsConnecting] = useState(false);
  const [addressOf, setAddressOf] = useState<string>();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  /** Which editor is to test itself, and how often that was asked. */
  const [testing, setTesting] = useState<{ id: string; step: number }>();
  const show = useCallback((id: string, isOpen: boolean) => {
    setOpen((before) => {
      const next = new Set(before);
      if (isOpen) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  const wanted = place.view === 'settings' ? place.path?.split('/')[1] : undefined;
  useEffect(() => {
    if (wanted !== undefined) show(wanted, true);
  }, [wanted, place.step, show]);

  const editorOfDialog = editors.find(({ id }) => id === addressOf);
  const builtIn = editors.find(isBuiltIn);
  return (
    <SettingsSection
      id="editors"
      title="Editors"
      hint="Programs that open your documents."
      actions={
        <Button icon="plus" isDisabled={status === 'stopping'} onPress={() => setIsConnecting(true)}>
          Connect editor…
        </Button>
      }
    >
      <BuiltInEditor
        editor={builtIn}
        isOpen={builtIn !== undefined && open.has(builtIn.id)}
        onOpenChange={(isOpen) => builtIn !== undefined && show(builtIn.id, isOpen)}
      />
      {officeEditors(editors).map((editor) => (
        <EditorCard
          key={editor.id}
          editor={editor}
          addresses={addresses}
          isOpen={open.has(editor.id)}
          testStep={testing?.id === editor.id ? testing.step : 0}
          onOpenChange={(isOpen) => show(editor.id, isOpen)}
          onChooseAddress={() => setAddressOf(editor.id)}
        />
      ))}
      <OnThisComputer addresses={addresses} />
      <EditorDefaults editors={editors} />
      {!isInBrowser && (
        <ChoiceSetting
          settingKey="openIn"
          label="Open documents in"
          hint="Your browser, or a DocTray window for each document."
          isRow
          options={[
            { id: 'browser', title: 'Browser' },
            { id: 'window', title: 'Window' },
          ]}
        />
      )}
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
      {editorOfDialog !== undefined && (
        <AddressDialog
          editor={editorOfDialog}
          onUsed={() => {
            setAddressOf(undefined);
            addresses.forget();
            show(editorOfDialog.id, true);
            setTesting((before) => ({ id: editorOfDialog.id, step: (before?.step ?? 0) + 1 }));
          }}
          onClose={() => setAddressOf(undefined)}
        />
      )}
    </SettingsSection>
  );
}

/** Docker and Podman are asked when the settings open; the ports of this computer only on request. */
function OnThisComputer({ addresses }: { addresses: ReturnType<typeof useAddressSearch> }) {
  const servers = useServerSearch();
  const { check, search, detection } = servers;
  useEffect(() => void check(), [check]);
  return (
    <div className="setting setting-wide">
      <div className="editor-defaults-head">
        <div className="setting-words">
          <h3 className="field-label">On this computer</h3>
          <div className="field-hint">Document servers that run here or that DocTray can start.</div>
        </div>
        <Button icon="search" isPending={servers.isDetecting} onPress={() => void search()}>
          {detection === undefined ? 'Find document servers' : 'Search again'}
        </Button>
      </div>
      <ServerList servers={servers} addresses={addresses} />
    </div>
  );
}

function Help() {
  const help = useAction('app.openHelp', { failure: 'Could not open the help page' });
  return (
    <SettingRow title="Guides">
      <Button icon="external" onPress={() => void help.run({ page: 'onlyoffice' })}>
        ONLYOFFICE Docs
      </Button>
      <Button icon="external" onPress={() => void help.run({ page: 'collabora' })}>
        Collabora Online
      </Button>
      <Button icon="external" onPress={() => void help.run({ page: 'troubleshooting' })}>
        Troubleshooting
      </Button>
    </SettingRow>
  );
}
