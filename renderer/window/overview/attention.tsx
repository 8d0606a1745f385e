// What needs attention, each with the one button that settles it.

import { useMemo } from 'react';
import {
  attentionItems,
  attentionOf,
  attentionTitle,
  type AttentionItem,
} from '../../../app/contract/attention.ts';
import { formatSize } from '../../../app/contract/format.ts';
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
import { holderOf, staleSentence } from '../locks/lock-words.ts';
import { EditorAttention } from './editors.tsx';
import { useForceClear } from '../locks/use-force-clear.tsx';

const locksShown = 3;

export function Attention() {
  const status = useWindowState((state) => state.host.status);
  const items = useAttention();
  const stale = attentionOf(items, 'stale');
  const { go } = useNavigation();
  if (items.length === 0) {
    return status === 'serving' ? (
      <Section title="Needs attention">
        <ListRow icon="check" tone="good" title="All good." />
      </Section>
    ) : null;
  }
  const hidden = new Set<AttentionItem>(stale.slice(locksShown));
  return (
    <Section title="Needs attention">
      {items
        .filter((item) => !hidden.has(item))
        .map((item) => (
          <AttentionRow key={keyOf(item)} item={item} />
        ))}
      {hidden.size > 0 && (
        <ListRow
          icon="warning"
          tone="warn"
          title={`${hidden.size} more stale locks`}
          actions={<Button onPress={() => go('locks')}>Show locks</Button>}
        />
      )}
    </Section>
  );
}

function useAttention(): AttentionItem[] {
  const host = useWindowState((state) => state.host);
  const editors = useWindowState((state) => state.editors);
  const recovered = useWindowState((state) => state.recovered);
  const conflicts = useWindowState((state) => state.conflicts);
  const locks = useWindowState((state) => state.locks);
  return useMemo(
    () => attentionItems({ host, editors, recovered, conflicts, locks }),
    [host, editors, recovered, conflicts, locks],
  );
}

function keyOf(item: AttentionItem): string {
  switch (item.kind) {
    case 'editor':
      return `editor ${item.editor.id}`;
    case 'recovered':
      return `recovered ${item.save.id}`;
    case 'conflict':
      return `conflict ${item.conflict.id}`;
    case 'stale':
      return `stale ${item.lock.id}`;
    default:
      return item.kind;
  }
}

function AttentionRow({ item }: { item: AttentionItem }) {
  const title = attentionTitle(item);
  switch (item.kind) {
    case 'problem':
      return <ProblemRow title={title} />;
    case 'restart':
      return <RestartRow title={title} />;
    case 'folder':
      return <ChooseRow title={title} />;
    case 'tls':
      return <TlsRow title={title} detail={item.problem.message} />;
    case 'editor':
      return <EditorAttention title={title} editor={item.editor} />;
    case 'recovered':
      return <RecoveredRow title={title} item={item.save} />;
    case 'conflict':
      return <ConflictRow title={title} item={item.conflict} />;
    case 'stale':
      return <StaleRow title={title} lock={item.lock} />;
  }
}

function TlsRow({ title, detail }: { title: string; detail: string }) {
  const { go } = useNavigation();
  return (
    <ListRow
      icon="shield"
      tone="warn"
      title={title}
      detail={detail}
      actions={<Button onPress={() => go('settings', 'network')}>Show settings</Button>}
    />
  );
}

function ProblemRow({ title }: { title: string }) {
  const restart = useAction('host.restart', { failure: 'Still not serving', success: 'Serving again' });
  return (
    <ListRow
      icon="error"
      tone="bad"
      title={title}
      actions={
        <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
          Try again
        </Button>
      }
    />
  );
}

function RestartRow({ title }: { title: string }) {
  const restart = useAction('host.restart', {
    failure: 'Could not reopen the port',
    success: 'The port was reopened',
  });
  return (
    <ListRow
      icon="refresh"
      tone="warn"
      title={title}
      detail="Editors wait briefly."
      actions={
        <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
          Reopen port
        </Button>
      }
    />
  );
}

function ChooseRow({ title }: { title: string }) {
  const choose = useAction('host.chooseFolder', { failure: 'Could not use that folder' });
  return (
    <ListRow
      icon="folder"
      tone="info"
      title={title}
      detail="Choose the folder whose documents editors may open."
      actions={
        <Button look="primary" isPending={choose.isPending} onPress={() => void choose.run({})}>
          Choose folder…
        </Button>
      }
    />
  );
}

function RecoveredRow({ title, item }: { title: string; item: RecoveredItem }) {
  const confirm = useConfirm();
  const restore = useAction('recovered.restore', {
    failure: 'Could not restore the save',
    success: ({ path }) => `Restored as ${splitPath(path).name}`,
  });
  const discard = useAction('recovered.discard', { failure: 'Could not discard the save' });
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
      title={title}
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

function ConflictRow({ title, item }: { title: string; item: ConflictItem }) {
  const { go } = useNavigation();
  const dismiss = useAction('conflicts.dismiss', { failure: 'Couldn’t dismiss it' });
  const { name } = splitPath(item.path);
  return (
    <ListRow
      icon="warning"
      tone="warn"
      title={title}
      detail={
        <>
          The other content is in {splitPath(item.copy).name}, <RelativeTime atMs={item.madeAtMs} />. Compare
          the two.
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
                title: 'Dismiss',
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

function StaleRow({ title, lock }: { title: string; lock: LockItem }) {
  const forceClear = useForceClear();
  const { name } = splitPath(lock.path);
  const why = useTimedText((nowMs) => staleSentence(lock, nowMs));
  return (
    <ListRow
      icon="locks"
      tone="warn"
      title={title}
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
