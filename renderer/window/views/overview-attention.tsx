// What needs attention, each with the one button that settles it.

import { useMemo } from 'react';
import { formatSize } from '../../../app/contract/format-size.ts';
import type { ConflictItem, LockItem, RecoveredItem } from '../../../app/contract/state.ts';
import { Button } from '../parts/button.tsx';
import { useConfirm } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { MenuButton } from '../parts/menu.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { useTimedText } from '../parts/ticker.tsx';
import { ListRow, Section } from '../parts/view.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { needsAttention } from './editor-words.ts';
import { holderOf, staleSentence } from './lock-words.ts';
import { EditorAttention } from './overview-editors.tsx';
import { useForceClear } from './use-force-clear.tsx';

const locksShown = 3;

export function Attention() {
  const problem = useWindowState((state) => state.host.problem);
  const status = useWindowState((state) => state.host.status);
  const needsRestart = useWindowState((state) => state.host.needsListenerRestart);
  const rescued = useWindowState((state) => state.rescued);
  const conflicts = useWindowState((state) => state.conflicts);
  const locks = useWindowState((state) => state.locks);
  const tlsProblem = useWindowState((state) => state.host.tls?.problem ?? null);
  const allEditors = useWindowState((state) => state.editors);
  const editors = useMemo(() => allEditors.filter(needsAttention), [allEditors]);
  const { go } = useNavigation();
  const stale = useMemo(
    () =>
      locks.filter((lock) => lock.state === 'stale').toSorted((a, b) => a.refreshedAtMs - b.refreshedAtMs),
    [locks],
  );
  const isIdle = status === 'idle';
  if (
    problem === null &&
    !needsRestart &&
    tlsProblem === null &&
    rescued.length + conflicts.length + stale.length + editors.length === 0 &&
    !isIdle
  ) {
    return status === 'serving' ? (
      <Section title="Needs attention">
        <ListRow icon="check" tone="good" title="Nothing. Everything is fine." />
      </Section>
    ) : null;
  }
  return (
    <Section title="Needs attention">
      {problem !== null && <ProblemRow message={problem.message} />}
      {needsRestart && <RestartRow />}
      {isIdle && problem === null && <ChooseRow />}
      {tlsProblem !== null && (
        <ListRow
          icon="shield"
          tone="warn"
          title="The encryption on the network needs a look"
          detail={tlsProblem.message}
          actions={<Button onPress={() => go('settings', 'network')}>Show settings</Button>}
        />
      )}
      {editors.map((editor) => (
        <EditorAttention key={editor.id} editor={editor} />
      ))}
      {rescued.map((item) => (
        <RecoveredRow key={item.id} item={item} />
      ))}
      {conflicts.map((item) => (
        <ConflictRow key={item.id} item={item} />
      ))}
      {stale.slice(0, locksShown).map((lock) => (
        <StaleRow key={lock.id} lock={lock} />
      ))}
      {stale.length > locksShown && (
        <ListRow
          icon="warning"
          tone="warn"
          title={`${stale.length - locksShown} more stale locks`}
          actions={<Button onPress={() => go('locks')}>Show locks</Button>}
        />
      )}
    </Section>
  );
}

function ProblemRow({ message }: { message: string }) {
  const restart = useAction('host.restart', { failure: 'Still not serving', success: 'Serving again' });
  return (
    <ListRow
      icon="error"
      tone="bad"
      title={message}
      actions={
        <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
          Try again
        </Button>
      }
    />
  );
}

function RestartRow() {
  const restart = useAction('host.restart', {
    failure: 'Could not reopen the port',
    success: 'The port was reopened',
  });
  return (
    <ListRow
      icon="refresh"
      tone="warn"
      title="A changed setting counts once the port is opened again"
      detail="Editors notice nothing but a short wait."
      actions={
        <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
          Reopen port
        </Button>
      }
    />
  );
}

function ChooseRow() {
  const choose = useAction('host.chooseFolder', { failure: 'Could not use that folder' });
  return (
    <ListRow
      icon="folder"
      tone="info"
      title="No folder is served yet"
      detail="Choose the folder whose documents editors may open."
      actions={
        <Button look="primary" isPending={choose.isPending} onPress={() => void choose.run({})}>
          Choose folder…
        </Button>
      }
    />
  );
}

function RecoveredRow({ item }: { item: RecoveredItem }) {
  const confirm = useConfirm();
  const restore = useAction('rescued.restore', {
    failure: 'Could not restore the save',
    success: ({ path }) => `Restored as ${splitPath(path).name}`,
  });
  const discard = useAction('rescued.discard', { failure: 'Could not discard the save' });
  const { name } = splitPath(item.path);
  const askDiscard = async () => {
    const isSure = await confirm({
      title: `Discard the recovered save of ${name}?`,
      body: <p>These {formatSize(item.size)} exist nowhere else. Discarding cannot be undone.</p>,
      confirm: 'Discard',
      isDanger: true,
    });
    if (isSure) await discard.run({ id: item.id });
  };
  return (
    <ListRow
      icon="warning"
      tone="warn"
      title={`A save of ${name} was recovered`}
      detail={
        <>
          {item.reason} {formatSize(item.size)}, <RelativeTime atMs={item.receivedAtMs} />.
        </>
      }
      actions={
        <>
          <Button
            isPending={restore.isPending}
            aria-label={`Restore as copy: ${name}`}
            onPress={() => void restore.run({ id: item.id })}
          >
            Restore as copy
          </Button>
          <MenuButton
            label={`More for the save of ${name}`}
            icon="more"
            isIconOnly
            look="quiet"
            entries={[
              {
                id: 'discard',
                title: 'Discard…',
                icon: 'trash',
                isDanger: true,
                run: () => void askDiscard(),
              },
            ]}
          />
        </>
      }
    />
  );
}

function ConflictRow({ item }: { item: ConflictItem }) {
  const { go } = useNavigation();
  const dismiss = useAction('conflicts.dismiss', { failure: 'Could not set it aside' });
  const { name } = splitPath(item.path);
  return (
    <ListRow
      icon="warning"
      tone="warn"
      title={`Two programs saved ${name}`}
      detail={
        <>
          The other content lies in {splitPath(item.copy).name}, <RelativeTime atMs={item.madeAtMs} />.
          Compare the two.
        </>
      }
      actions={
        <>
          <Button aria-label={`Show copy: ${name}`} onPress={() => go('documents', item.copy)}>
            Show copy
          </Button>
          <MenuButton
            label={`More for the copy of ${name}`}
            icon="more"
            isIconOnly
            look="quiet"
            entries={[
              {
                id: 'dismiss',
                title: 'Settled',
                icon: 'check',
                run: () => void dismiss.run({ id: item.id }),
              },
            ]}
          />
        </>
      }
    />
  );
}

function StaleRow({ lock }: { lock: LockItem }) {
  const forceClear = useForceClear();
  const { name } = splitPath(lock.path);
  const why = useTimedText((nowMs) => staleSentence(lock, nowMs));
  return (
    <ListRow
      icon="locks"
      tone="warn"
      title={`${name} has a stale lock`}
      detail={
        <>
          Held by {holderOf(lock)}, taken <RelativeTime atMs={lock.takenAtMs} />. {why}
        </>
      }
      actions={
        <Button aria-label={`Force-clear… ${name}`} onPress={() => void forceClear([lock])}>
          Force-clear…
        </Button>
      }
    />
  );
}
