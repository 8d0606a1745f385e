// Overview: is everything fine, and if not, what to press.

import { useMemo } from 'react';
import { documentsBeingEdited, type HostState } from '../../../app/contract/state.ts';
import { hostWords } from '../host-words.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { ListRow, Section, View } from '../parts/view.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { holderOf } from '../locks/lock-words.ts';
import { Attention } from './attention.tsx';
import { EditorFacts } from './editors.tsx';
import { Jobs } from './jobs.tsx';
import './overview.css';

export function OverviewView() {
  const host = useWindowState((state) => state.host);
  return (
    <View title="Overview" actions={<HostActions host={host} />}>
      <HostCard host={host} />
      <Attention />
      <Jobs />
      <OpenDocuments />
      <Recent />
    </View>
  );
}

function HostActions({ host }: { host: HostState }) {
  const pause = useAction('host.pause', { failure: 'Could not pause' });
  const openFolder = useAction('host.openFolder', { failure: 'Could not open the folder' });
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  return (
    <>
      {host.folder !== null && !isInBrowser && (
        <Button icon="folder" isPending={openFolder.isPending} onPress={() => void openFolder.run({})}>
          Open folder
        </Button>
      )}
      {host.status === 'serving' && (
        <MenuButton
          label="Pause"
          icon="pause"
          entries={[
            { id: '5', title: 'For 5 minutes', run: () => void pause.run({ minutes: 5 }) },
            { id: '30', title: 'For 30 minutes', run: () => void pause.run({ minutes: 30 }) },
            { id: 'open', title: 'Until resumed', run: () => void pause.run({ minutes: null }) },
          ]}
        />
      )}
    </>
  );
}

function HostCard({ host }: { host: HostState }) {
  const editing = useWindowState((state) => documentsBeingEdited(state).length);
  const choose = useAction('host.chooseFolder', { failure: 'Could not use that folder' });
  const words = hostWords(host);
  const address = host.publicUrl ?? host.baseUrl;
  return (
    <section className="host-card" aria-label="Host">
      <div className={`host-head tone-${words.tone}`}>
        <Icon name={words.icon} size={24} />
        <div>
          <div className="host-state">{words.long}</div>
          <div className="muted">{standing(host, editing)}</div>
        </div>
      </div>
      <dl className="host-facts">
        <dt>Folder</dt>
        <dd>
          {host.folder === null ? (
            <span className="muted">None chosen yet</span>
          ) : (
            <span className="selectable host-value">{host.folder}</span>
          )}
          <Button look="quiet" isPending={choose.isPending} onPress={() => void choose.run({})}>
            {host.folder === null ? 'Choose…' : 'Change…'}
          </Button>
        </dd>
        <dt>Address</dt>
        <dd>
          {address === null ? (
            <span className="muted">Not listening</span>
          ) : (
            <>
              <span className="selectable code host-value">{address}</span>
              <CopyButton text={address} what="address" />
            </>
          )}
        </dd>
        {host.publicUrl !== null && host.baseUrl !== null && host.publicUrl !== host.baseUrl && (
          <>
            <dt>Listens on</dt>
            <dd>
              <span className="selectable code host-value">{host.baseUrl}</span>
            </dd>
          </>
        )}
        <EditorFacts />
        {host.secrets !== null && (
          <>
            <dt>Secrets</dt>
            <dd>
              <span className="host-value">{host.secrets.description}</span>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function standing(host: HostState, editing: number): string {
  if (host.status === 'error') return 'Nobody can open or save documents until this is settled.';
  if (host.status === 'idle') return 'Choose the folder whose documents editors may open.';
  if (host.status !== 'serving' && host.status !== 'paused') return 'One moment.';
  if (editing === 0) return 'No document is being edited.';
  return editing === 1 ? '1 document is being edited.' : `${editing} documents are being edited.`;
}

const shownAtMost = 6;

function OpenDocuments() {
  const locks = useWindowState((state) => state.locks);
  const { go } = useNavigation();
  const open = useMemo(
    () =>
      locks
        .filter((lock) => lock.state === 'held')
        .toSorted((a, b) => b.takenAtMs - a.takenAtMs || a.path.localeCompare(b.path)),
    [locks],
  );
  if (open.length === 0) return null;
  return (
    <Section
      title="Open documents"
      actions={
        <Button look="quiet" onPress={() => go('locks')}>
          {open.length > shownAtMost ? `Show all ${open.length}` : 'Show locks'}
        </Button>
      }
    >
      {open.slice(0, shownAtMost).map((lock) => (
        <ListRow
          key={lock.id}
          icon="edit"
          tone="info"
          title={<DocumentTitle path={lock.path} />}
          detail={
            <>
              {holderOf(lock)}
              {lock.editor !== null && ` in ${lock.editor}`}, opened <RelativeTime atMs={lock.takenAtMs} />
            </>
          }
        />
      ))}
    </Section>
  );
}

function Recent() {
  const recent = useWindowState((state) => state.recent);
  const { go } = useNavigation();
  if (recent.length === 0) return null;
  return (
    <Section title="Recently opened">
      {recent.slice(0, 5).map((item) => (
        <ListRow
          key={item.path}
          icon="file"
          title={<DocumentTitle path={item.path} />}
          detail={<RelativeTime atMs={item.openedAtMs} isStart />}
          actions={
            <Button
              look="quiet"
              aria-label={`Show ${splitPath(item.path).name}`}
              onPress={() => go('documents', item.path)}
            >
              Show
            </Button>
          }
        />
      ))}
    </Section>
  );
}

function DocumentTitle({ path }: { path: string }) {
  const { name, folder } = splitPath(path);
  return (
    <span title={path}>
      {name} {folder !== '' && <span className="muted">{folder}</span>}
    </span>
  );
}
