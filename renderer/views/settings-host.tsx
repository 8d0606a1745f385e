// Settings of the host: its folder, the network, how editors get here.

import { documentsBeingEdited } from '../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { countOf } from '../parts/format.ts';
import { useNavigation } from '../state/navigation.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { ListSetting, NumberSetting, TextSetting } from './settings-fields.tsx';
import { SettingRow, SettingsSection } from './settings-section.tsx';

export function FolderSection() {
  const host = useWindowState((state) => state.host);
  const editing = useWindowState((state) => documentsBeingEdited(state).length);
  const choose = useAction('host.chooseFolder', {
    failure: 'Could not use that folder',
  });
  const open = useAction('host.openFolder', { failure: 'Could not open the folder' });
  const { folder } = host;
  return (
    <SettingsSection id="folder" title="Folder">
      <SettingRow
        title={folder === null ? 'No folder is chosen yet' : <span className="selectable">{folder}</span>}
        hint={
          folder === null
            ? 'The documents in it can be opened by an editor; nothing else on this machine can be reached.'
            : `Another folder may be chosen at any time. Documents that are open from this one still save here${
                editing === 0 ? '.' : `; at the moment ${countOf(editing, 'is', 'are')}.`
              }`
        }
      >
        {folder !== null && (
          <Button isPending={open.isPending} onPress={() => void open.run({})}>
            Open folder
          </Button>
        )}
        <Button
          icon="folder"
          look={folder === null ? 'primary' : 'plain'}
          isPending={choose.isPending}
          onPress={() => void choose.run({})}
        >
          {folder === null ? 'Choose folder…' : 'Choose another…'}
        </Button>
      </SettingRow>
    </SettingsSection>
  );
}

export function NetworkSection() {
  const needsRestart = useWindowState((state) => state.host.needsListenerRestart);
  const baseUrl = useWindowState((state) => state.host.baseUrl);
  return (
    <SettingsSection
      id="network"
      title="Network"
      hint={
        baseUrl === null ? (
          'DocTray is not listening at the moment.'
        ) : (
          <>
            DocTray listens on <span className="code selectable">{baseUrl}</span>.
          </>
        )
      }
    >
      {needsRestart && <RestartNotice />}
      <TextSetting
        settingKey="host"
        label="Address to listen on"
        hint="127.0.0.1 for this machine alone; 0.0.0.0 for all networks it is in."
      />
      <NumberSetting settingKey="port" label="Port" hint="0 takes any free one." />
      <TextSetting
        settingKey="publicUrl"
        label="Address for editors"
        hint="Under which an editor reaches this machine, such as http://192.168.1.14:8790. Empty: the one DocTray listens on."
        placeholder={baseUrl ?? 'http://'}
      />
      <ListSetting
        settingKey="allowedHosts"
        label="Further names"
        hint="Other names or addresses under which requests may come, one a line. Any other is answered with 421."
        placeholder="docs.example.org"
      />
      <ListSetting
        settingKey="allowedAddresses"
        label="Allowed addresses"
        hint="Of the machines that may call, or their networks, one a line. Empty: all may, and still need a token."
        placeholder="192.168.1.0/24"
      />
    </SettingsSection>
  );
}

function RestartNotice() {
  const restart = useAction('host.restart', {
    failure: 'Could not restart the listener',
    success: 'The listener was restarted',
  });
  return (
    <div className="setting-notice">
      <Notice tone="warn">
        <div className="row">
          <span className="grow">
            The address and the port count once the listener is restarted. Running saves are finished first.
          </span>
          <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
            Restart the listener
          </Button>
        </div>
      </Notice>
    </div>
  );
}

export function EditorsSection() {
  const address = useWindowState((state) => state.host.publicUrl ?? state.host.baseUrl);
  const help = useAction('app.openHelp', { failure: 'Could not open the help page' });
  const { go } = useNavigation();
  return (
    <SettingsSection id="editors" title="Editors">
      <SettingRow
        title={address === null ? 'Not listening' : <span className="code selectable">{address}</span>}
        hint="This address is given to editors. An editor must be allowed to call it: that is set in the editor’s own configuration."
      >
        {address !== null && <CopyButton text={address} what="address" />}
      </SettingRow>
      <SettingRow
        title="How to point an editor here"
        hint="Open a document under Documents: DocTray shows its WOPI address and an access token, and the editor takes both. Editors cannot be connected from here in this version."
      >
        <Button onPress={() => go('documents')}>Show documents</Button>
      </SettingRow>
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
    </SettingsSection>
  );
}
