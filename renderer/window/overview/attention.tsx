// What needs attention, each with the one button that solves it. Nothing is shown when nothing does: the line above says so.

import { useMemo } from 'react';
import {
  attentionItems,
  attentionOf,
  attentionTitle,
  staleSentence,
  type AttentionItem,
} from '../../../app/contract/attention.ts';
import { problemWords, type EditorItem } from '../../../app/contract/editors.ts';
import { formatSize } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { recoveredReason } from '../../../app/contract/recovered-reasons.ts';
import type { ConflictItem, LockItem, Problem, RecoveredItem } from '../../../app/contract/state.ts';
import type { Opening } from '../documents/opening.tsx';
import { ProblemActions, ReopenPort } from '../frame.tsx';
import { useForceClear } from '../locks/locks.tsx';
import { holderOf } from '../locks/words.ts';
import { useAction } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { useConfirm } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { MoreButton } from '../parts/menu.tsx';
import { RelativeTime, useTimedText } from '../parts/time.tsx';
import { ListRow, Message, Section } from '../parts/view.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';

const locksShown = 3;

export function Attention({ opening }: { opening: Opening }) {
  const items = useAttention();
  const stale = attentionOf(items, 'stale');
  const { go } = useNavigation();
  if (items.length === 0) return null;
  const hidden = new Set<AttentionItem>(stale.slice(locksShown));
  return (
    <Section title={t('Needs attention')}>
      {items
        .filter((item) => !hidden.has(item))
        .map((item) => (
          <AttentionRow key={keyOf(item)} item={item} opening={opening} />
        ))}
      {hidden.size > 0 && (
        <ListRow
          icon="warning"
          tone="warn"
          title={t('{count, plural, one {# more stale lock} other {# more stale locks}}', {
            count: hidden.size,
          })}
          actions={<Button onPress={() => go('locks')}>{t('Show locks')}</Button>}
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

function AttentionRow({ item, opening }: { item: AttentionItem; opening: Opening }) {
  const title = attentionTitle(item);
  switch (item.kind) {
    case 'problem':
      return <ProblemRow title={title} problem={item.problem} />;
    case 'restart':
      return <RestartRow title={title} />;
    case 'folder':
      return <ChooseRow title={title} />;
    case 'tls':
      return <TlsRow title={title} detail={item.problem.message} />;
    case 'editor':
      return <EditorAttention title={title} editor={item.editor} />;
    case 'recovered':
      return item.save.isUnreadable ? (
        <UnreadableRow title={title} item={item.save} opening={opening} />
      ) : (
        <RecoveredRow title={title} item={item.save} />
      );
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
      actions={<Button onPress={() => go('settings', 'tls')}>{t('Show settings')}</Button>}
    />
  );
}

function ProblemRow({ title, problem }: { title: string; problem: Problem }) {
  return <ListRow icon="error" tone="bad" title={title} actions={<ProblemActions problem={problem} />} />;
}

function RestartRow({ title }: { title: string }) {
  return (
    <ListRow
      icon="refresh"
      tone="warn"
      title={title}
      detail={t('This briefly interrupts editors.')}
      actions={<ReopenPort />}
    />
  );
}

function ChooseRow({ title }: { title: string }) {
  const choose = useAction('host.chooseFolder', { failure: t('Couldn’t use this folder') });
  return (
    <ListRow
      icon="folder"
      tone="info"
      title={title}
      detail={t('Choose the folder whose documents editors may open.')}
      actions={
        <Button look="primary" isPending={choose.isPending} onPress={() => void choose.run({})}>
          {t('Choose folder…')}
        </Button>
      }
    />
  );
}

function RecoveredRow({ title, item }: { title: string; item: RecoveredItem }) {
  const confirm = useConfirm();
  const restore = useAction('recovered.restore', {
    failure: t('Couldn’t restore the save'),
    success: ({ path }) => t('Restored as {name}', { name: splitPath(path).name }),
  });
  const discard = useAction('recovered.discard', { failure: t('Couldn’t discard the save') });
  const { name } = splitPath(item.path);
  const askDiscard = async () => {
    const isSure = await confirm({
      title: t('Discard the recovered save of {name}?', { name }),
      body: (
        <p>
          {t('This save ({size}) exists nowhere else. You can’t undo this.', { size: formatSize(item.size) })}
        </p>
      ),
      confirm: t('Discard'),
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
        <Message
          of="{reason} {when}."
          values={{
            reason: recoveredReason(item.reason),
            when: <RelativeTime atMs={item.receivedAtMs} isStart />,
          }}
        />
      }
      actions={
        <>
          <Button
            isPending={restore.isPending}
            aria-label={t('Restore as copy: {name}', { name })}
            onPress={() => void restore.run({ id: item.id })}
          >
            {t('Restore as copy')}
          </Button>
          <MoreButton
            label={t('More for the save of {name}', { name })}
            entries={[
              {
                id: 'discard',
                title: t('Discard…'),
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

function UnreadableRow({ title, item, opening }: { title: string; item: RecoveredItem; opening: Opening }) {
  const confirm = useConfirm();
  const { id } = item;
  const { name } = splitPath(item.path);
  const restore = useAction('recovered.restore', { failure: t('Couldn’t restore the save') });
  const saveAnyway = useAction('recovered.saveAnyway', {
    failure: t('Couldn’t save {name}', { name }),
    success: t('Saved {name}. The previous content is kept as a version.', { name }),
  });
  const discard = useAction('recovered.discard', { failure: t('Couldn’t discard the save') });
  const openCopy = async () => {
    const copy = await restore.run({ id });
    if (copy !== undefined) await opening.open(copy.path, 'edit');
  };
  const askSaveAnyway = async () => {
    const isSure = await confirm({
      title: t('Save {name} anyway?', { name }),
      body: (
        <>
          <p>{t('Programs may not be able to open the document afterwards.')}</p>
          <p className="muted">{t('Its current content is kept as a version.')}</p>
        </>
      ),
      confirm: t('Save it anyway'),
    });
    if (isSure) await saveAnyway.run({ id });
  };
  const askKeep = async () => {
    const isSure = await confirm({
      title: t('Keep the good version of {name}?', { name }),
      body: (
        <p>
          {t('What was saved ({size}) is deleted. You can’t undo this.', { size: formatSize(item.size) })}
        </p>
      ),
      confirm: t('Keep the good version'),
      isDanger: true,
    });
    if (isSure) await discard.run({ id });
  };
  return (
    <ListRow
      icon="warning"
      tone="warn"
      title={title}
      detail={
        <Message
          of="{when}. The file still has the last readable content."
          values={{ when: <RelativeTime atMs={item.receivedAtMs} isStart /> }}
        />
      }
      actions={
        <>
          <Button
            isPending={restore.isPending}
            aria-label={t('Open what was saved: {name}', { name })}
            onPress={() => void openCopy()}
          >
            {t('Open what was saved')}
          </Button>
          <MoreButton
            label={t('More for the save of {name}', { name })}
            entries={[
              { id: 'save', title: t('Save it anyway…'), icon: 'warning', run: () => void askSaveAnyway() },
              { id: 'keep', title: t('Keep the good version…'), icon: 'check', run: () => void askKeep() },
            ]}
          />
        </>
      }
    />
  );
}

function ConflictRow({ title, item }: { title: string; item: ConflictItem }) {
  const { go } = useNavigation();
  const dismiss = useAction('conflicts.dismiss', { failure: t('Couldn’t dismiss it') });
  const { name } = splitPath(item.path);
  return (
    <ListRow
      icon="warning"
      tone="warn"
      title={title}
      detail={
        <Message
          of="The other content is in {copy}, {when}."
          values={{ copy: splitPath(item.copy).name, when: <RelativeTime atMs={item.madeAtMs} /> }}
        />
      }
      actions={
        <>
          <Button aria-label={t('Show copy: {name}', { name })} onPress={() => go('documents', item.copy)}>
            {t('Show copy')}
          </Button>
          <MoreButton
            label={t('More for the copy of {name}', { name })}
            entries={[
              {
                id: 'dismiss',
                title: t('Dismiss'),
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
  const why = useTimedText((nowMs) => (lock.stale === null ? '' : staleSentence(lock.stale, nowMs)));
  return (
    <ListRow
      icon="locks"
      tone="warn"
      title={title}
      detail={
        <Message
          of="Locked by {user} {when}. {why}"
          values={{ user: holderOf(lock), when: <RelativeTime atMs={lock.takenAtMs} />, why }}
        />
      }
      actions={
        <Button aria-label={t('Force-clear… {name}', { name })} onPress={() => void forceClear([lock])}>
          {t('Force-clear…')}
        </Button>
      }
    />
  );
}

function EditorAttention({ title, editor }: { title: string; editor: EditorItem }) {
  const { go } = useNavigation();
  const { name } = editor;
  const refresh = useAction('editors.refresh', {
    failure: t('{editor} still can’t be reached', { editor: name }),
    success: t('{editor} responds again', { editor: name }),
  });
  if (editor.problem !== null) {
    return (
      <ListRow
        icon="error"
        tone="bad"
        title={title}
        detail={
          <Message
            of="{problem} First noticed {when}."
            values={{
              problem: problemWords(editor.problem),
              when: <RelativeTime atMs={editor.problem.sinceMs} />,
            }}
          />
        }
        actions={
          <Button
            isPending={refresh.isPending}
            aria-label={t('Try again: {editor}', { editor: name })}
            onPress={() => void refresh.run({ id: editor.id })}
          >
            {t('Try again')}
          </Button>
        }
      />
    );
  }
  const failed = editor.lastTest?.steps.find(({ state }) => state === 'failed');
  return (
    <ListRow
      icon="error"
      tone="bad"
      title={title}
      detail={failed?.sentence ?? t('Its last connection test failed.')}
      actions={
        <Button
          aria-label={t('Show test of {editor}', { editor: name })}
          onPress={() => go('settings', `editors/${editor.id}`)}
        >
          {t('Show test')}
        </Button>
      }
    />
  );
}
