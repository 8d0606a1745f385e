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
import { Button } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { MoreButton } from '../../kit/menu.tsx';
import { RelativeTime, useTimedText } from '../../kit/time.tsx';
import { ListRow, Message, Section } from '../../kit/blocks.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';

const locksShown = 3;

export function Attention({ opening }: { opening: Opening }) {
  const items = useAttention();
  const stale = attentionOf(items, 'stale');
  const { go } = useNavigation();
  if (items.length === 0) return null;
  const hidden = new Set<AttentionItem>(stale.slice(locksShown));
  return (
    <Section title={t('window.needs-attention')}>
      {items
        .filter((item) => !hidden.has(item))
        .map((item) => (
          <AttentionRow key={keyOf(item)} item={item} opening={opening} />
        ))}
      {hidden.size > 0 && (
        <ListRow
          icon="warning"
          tone="warn"
          title={t('window.more-stale-locks', {
            count: hidden.size,
          })}
          actions={<Button onPress={() => go('locks')}>{t('window.show-locks')}</Button>}
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
      actions={<Button onPress={() => go('settings', 'tls')}>{t('window.show-settings')}</Button>}
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
      detail={t('window.this-briefly-interrupts-editors')}
      actions={<ReopenPort />}
    />
  );
}

function ChooseRow({ title }: { title: string }) {
  const choose = useAction('host.chooseFolder', { failure: t('window.couldnt-use-this-folder') });
  return (
    <ListRow
      icon="folder"
      tone="info"
      title={title}
      detail={t('window.choose-the-folder-whose-documents')}
      actions={
        <Button look="primary" isPending={choose.isPending} onPress={() => void choose.run({})}>
          {t('window.choose-folder')}
        </Button>
      }
    />
  );
}

function RecoveredRow({ title, item }: { title: string; item: RecoveredItem }) {
  const confirm = useConfirm();
  const restore = useAction('recovered.restore', {
    failure: t('window.couldnt-restore-the-save'),
    success: ({ path }) => t('common.restored-as-name', { name: splitPath(path).name }),
  });
  const discard = useAction('recovered.discard', { failure: t('window.couldnt-discard-the-save') });
  const { name } = splitPath(item.path);
  const askDiscard = async () => {
    const isSure = await confirm({
      title: t('window.discard-the-recovered-save-of', { name }),
      body: <p>{t('window.this-save-size-exists-nowhere', { size: formatSize(item.size) })}</p>,
      confirm: t('window.discard'),
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
          of="window.reason-when"
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
            aria-label={t('window.restore-as-copy-name', { name })}
            onPress={() => void restore.run({ id: item.id })}
          >
            {t('common.restore-as-copy')}
          </Button>
          <MoreButton
            label={t('window.more-for-the-save-of', { name })}
            entries={[
              {
                id: 'discard',
                title: t('window.discard-ask'),
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
  const restore = useAction('recovered.restore', { failure: t('window.couldnt-restore-the-save') });
  const saveAnyway = useAction('recovered.saveAnyway', {
    failure: t('window.couldnt-save-name', { name }),
    success: t('window.saved-name-the-previous-content', { name }),
  });
  const discard = useAction('recovered.discard', { failure: t('window.couldnt-discard-the-save') });
  const openCopy = async () => {
    const copy = await restore.run({ id });
    if (copy !== undefined) await opening.open(copy.path, 'edit');
  };
  const askSaveAnyway = async () => {
    const isSure = await confirm({
      title: t('window.save-name-anyway', { name }),
      body: (
        <>
          <p>{t('window.programs-may-not-be-able')}</p>
          <p className="muted">{t('window.its-current-content-is-kept')}</p>
        </>
      ),
      confirm: t('common.save-it-anyway'),
    });
    if (isSure) await saveAnyway.run({ id });
  };
  const askKeep = async () => {
    const isSure = await confirm({
      title: t('window.keep-the-good-version-of', { name }),
      body: <p>{t('window.what-was-saved-size-is', { size: formatSize(item.size) })}</p>,
      confirm: t('common.keep-the-good-version'),
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
          of="window.when-the-file-still-has"
          values={{ when: <RelativeTime atMs={item.receivedAtMs} isStart /> }}
        />
      }
      actions={
        <>
          <Button
            isPending={restore.isPending}
            aria-label={t('window.open-what-was-saved-name', { name })}
            onPress={() => void openCopy()}
          >
            {t('common.open-what-was-saved')}
          </Button>
          <MoreButton
            label={t('window.more-for-the-save-of', { name })}
            entries={[
              {
                id: 'save',
                title: t('window.save-it-anyway'),
                icon: 'warning',
                run: () => void askSaveAnyway(),
              },
              {
                id: 'keep',
                title: t('window.keep-the-good-version'),
                icon: 'check',
                run: () => void askKeep(),
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
  const dismiss = useAction('conflicts.dismiss', { failure: t('window.couldnt-dismiss-it') });
  const { name } = splitPath(item.path);
  return (
    <ListRow
      icon="warning"
      tone="warn"
      title={title}
      detail={
        <Message
          of="window.the-other-content-is-in"
          values={{ copy: splitPath(item.copy).name, when: <RelativeTime atMs={item.madeAtMs} /> }}
        />
      }
      actions={
        <>
          <Button
            aria-label={t('window.show-copy-name', { name })}
            onPress={() => go('documents', item.copy)}
          >
            {t('window.show-copy')}
          </Button>
          <MoreButton
            label={t('window.more-for-the-copy-of', { name })}
            entries={[
              {
                id: 'dismiss',
                title: t('common.dismiss'),
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
          of="window.locked-by-user-when-why"
          values={{ user: holderOf(lock), when: <RelativeTime atMs={lock.takenAtMs} />, why }}
        />
      }
      actions={
        <Button aria-label={t('window.force-clear-name', { name })} onPress={() => void forceClear([lock])}>
          {t('window.force-clear')}
        </Button>
      }
    />
  );
}

function EditorAttention({ title, editor }: { title: string; editor: EditorItem }) {
  const { go } = useNavigation();
  const { name } = editor;
  const refresh = useAction('editors.refresh', {
    failure: t('window.editor-still-cant-be-reached', { editor: name }),
    success: t('window.editor-responds-again', { editor: name }),
  });
  if (editor.problem !== null) {
    return (
      <ListRow
        icon="error"
        tone="bad"
        title={title}
        detail={
          <Message
            of="window.problem-first-noticed-when"
            values={{
              problem: problemWords(editor.problem),
              when: <RelativeTime atMs={editor.problem.sinceMs} />,
            }}
          />
        }
        actions={
          <Button
            isPending={refresh.isPending}
            aria-label={t('window.try-again-editor', { editor: name })}
            onPress={() => void refresh.run({ id: editor.id })}
          >
            {t('common.try-again')}
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
      detail={failed?.sentence ?? t('window.its-last-connection-test-failed')}
      actions={
        <Button
          aria-label={t('window.show-test-of-editor', { editor: name })}
          onPress={() => go('settings', `editors/${editor.id}`)}
        >
          {t('window.show-test')}
        </Button>
      }
    />
  );
}
