// The network: where DocTray listens, whether what goes over it is encrypted, and who is answered.

import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { ListSetting, NumberSetting, SwitchSetting, TextSetting } from './fields.tsx';
import { SettingsSection } from './section.tsx';
import { TlsSettings } from './tls.tsx';

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
        hint="127.0.0.1 for this computer only, 0.0.0.0 for all its networks."
      />
      <NumberSetting settingKey="port" label="Port" hint="0 takes any free one." />
      <TextSetting
        settingKey="publicUrl"
        label="Address for editors"
        hint="Under which editors reach this machine, unless another was chosen for one of them. Empty: the one DocTray listens on."
        placeholder={baseUrl ?? 'http://'}
      />
      <TlsSettings />
      <SwitchSetting
        settingKey="networkPages"
        label="Documents can be opened from other computers"
        hint="Users sign in on the document’s page. Editors can always connect."
      />
      <SwitchSetting
        settingKey="networkDashboard"
        label="This window can be opened from other computers"
        hint="In a browser, over HTTPS only, with a link that the terminal’s command “dashboard” prints on this computer."
      />
      <SwitchSetting
        settingKey="networkApi"
        label="Programs on other machines can sign in"
        hint="For scripts that list documents and ask for access. Off: they are answered on this machine alone."
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
      <ListSetting
        settingKey="trustedProxies"
        label="Trusted proxies"
        hint="Addresses or networks of proxies that are believed when they say who is calling, one a line. Nobody else is."
        placeholder="192.168.1.2"
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
