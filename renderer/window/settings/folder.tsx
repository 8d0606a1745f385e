// The folder that is served.

import { documentsBeingEdited } from '../../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { countOf } from '../../../app/contract/format.ts';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { SettingRow, SettingsSection } from './section.tsx';

export function FolderSection() {
  const host = useWindowState((state) => state.host);
  const editing = useWindowState((state) => documentsBeingEdited(state).length);
  const choose = useAction('host.chooseFolder', {
    failure: 'Could not use that folder',
  });
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
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
        {folder !== null && !isInBrowser && (
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
