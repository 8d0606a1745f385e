// Connected editors: connect one, see how each stands, which opens what, and where documents open.

import { useCallback, useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { useToasts } from '../parts/toast.tsx';
import { Empty } from '../parts/view.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { AddressDialog } from './editor-address.tsx';
import { ConnectDialog } from './editor-connect.tsx';
import { EditorCard } from './settings-editor-card.tsx';
import { EditorDefaults } from './settings-editor-defaults.tsx';
import { ChoiceSetting } from './settings-fields.tsx';
import { SettingRow, SettingsSection } from './settings-section.tsx';
import '../styles/editors.css';

export function EditorsSection() {
  const editors = useWindowState((state) => state.editors);
  const status = useWindowState((state) => state.host.status);
  const { place } = useNavigation();
  const toasts = useToasts();
  const [isConnecting, setIsConnecting] = useState(false);
  const [addressOf, setAddressOf] = useState<string>();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  /** Told to test itself, and how often. */
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

  const connect = (
    <Button icon="plus" isDisabled={status === 'stopping'} onPress={() => setIsConnecting(true)}>
      Connect editor…
    </Button>
  );
  const isAddressOf = editors.find(({ id }) => id === addressOf);
  return (
    <SettingsSection
      id="editors"
      title="Editors"
      hint="Document servers that open your documents. They and this machine must reach each other."
      {...(editors.length > 0 && { actions: connect })}
    >
      {editors.length === 0 ? (
        <Empty
          icon="external"
          sentence="No editor is connected yet. Connect one to open documents by a double click."
          action={connect}
        />
      ) : (
        editors.map((editor) => (
          <EditorCard
            key={editor.id}
            editor={editor}
            isOpen={open.has(editor.id)}
            testStep={testing?.id === editor.id ? testing.step : 0}
            onOpenChange={(isOpen) => show(editor.id, isOpen)}
            onChooseAddress={() => setAddressOf(editor.id)}
          />
        ))
      )}
      <EditorDefaults editors={editors} />
      <ChoiceSetting
        settingKey="openIn"
        label="Documents open in"
        hint="The system’s browser, or a window of DocTray for each document."
        isRow
        options={[
          { id: 'browser', title: 'The browser' },
          { id: 'window', title: 'A window' },
        ]}
      />
      <Help />
      {isConnecting && (
        <ConnectDialog
          onConnected={(id) => {
            setIsConnecting(false);
            show(id, true);
            // which address it can reach is not known by anybody but it
            setAddressOf(id);
            toasts.show({ tone: 'good', title: 'The editor is connected' });
          }}
          onClose={() => setIsConnecting(false)}
        />
      )}
      {isAddressOf !== undefined && (
        <AddressDialog
          editor={isAddressOf}
          onUsed={() => {
            setAddressOf(undefined);
            show(isAddressOf.id, true);
            setTesting((before) => ({ id: isAddressOf.id, step: (before?.step ?? 0) + 1 }));
          }}
          onClose={() => setAddressOf(undefined)}
        />
      )}
    </SettingsSection>
  );
}

function Help() {
  const help = useAction('app.openHelp', { failure: 'Could not open the help page' });
  return (
    <SettingRow title="Step by step">
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
