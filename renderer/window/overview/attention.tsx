// What needs attention, each with the one button that solves it. Nothing is shown when nothing does: the line above says so.

import { useMemo, type ReactNode } from 'react';
import {
  attentionItems,
  attentionOf,
  attentionTitle,
  type AttentionItem,
} from '../../../app/contract/attention.ts';
import { problemWords } from '../../../app/contract/editors.ts';
import { formatSize } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { recoveredReason } from '../../../app/contract/recovered-reasons.ts';
import type { RecoveredItem } from '../../../app/contract/state.ts';
import type { Opening } from '../documents/opening.tsx';
import { failedWords, isBuiltIn } from '../editors/words.ts';
import { ListRow, Message, Section } from '../../kit/blocks.tsx';
import { Button } from '../../kit/button.tsx';
import { MoreButton } from '../../kit/menu.tsx';
import { RelativeTime, useTimedText } from '../../kit/time.tsx';
import { RestartConnection, useAttentionState } from '../frame.tsx';
import { useForceClear } from '../locks/force-clear.tsx';
import { holderOf, staleWords } from '../locks/words.ts';
import { useAction, useTask } from '../parts/action.tsx';
import { splitPath } from '../parts/format.ts';
import { useNavigation, useWindowState } from '../state/window-context.tsx';

const locksShown = 3;

export function Attention({ opening }: { opening: Opening }) {
  // What is wrong with the host is above, with its buttons.
  const items = useAttention().filter(({ kind }) => kind !== 'problem');
  const { go } = useNavigation();
  const isServing = useWindowState(({ host }) => host.status === 'serving');
  if (items.length === 0) return null;
  const hidden = new Set<AttentionItem>(attentionOf(items, 'stale').slice(locksShown));
  return (
    // While serving, the line above says the title, with how many.
    <Section title={t('window.needs-attention')} isTitleHidden={isServing}>
      {items
        .filter((item) => !hidden.has(item))
        .map((item) => (
          <AttentionRow key={keyOf(item)} item={item} opening={opening} />
        ))}
      {hidden.size > 0 && (
        <ListRow
          icon="locks"
          tone="warn"
          title={t('window.more-stale-locks', { count: hidden.size })}
          actions={<Button onPress={() => go('locks')}>{t('window.show-locks')}</Button>}
        />
      )}
    </Section>
  );
}

function useAttention(): AttentionItem[] {
  const state = useAttentionState();
  return useMemo(() => attentionItems(state), [state]);
}

/** Its kind, and the id of what it is about. */
function keyOf(item: AttentionItem): string {
  return [
    item.kind,
    ...Object.values<unknown>(item).map((about) => (about as { id?: string } | null)?.id),
  ].join(' ');
}

function AttentionRow({ item, opening }: { item: AttentionItem; opening: Opening }) {
  const { go } = useNavigation();
  const choose = useAction('host.chooseFolder', { failure: t('window.couldnt-use-this-folder') });
  const dismiss = useAction('conflicts.dismiss', { failure: t('window.couldnt-dismiss-it') });
  const title = attentionTitle(item);
  const row = { title, tone: 'warn' } as const;
  switch (item.kind) {
    case 'problem':
      return null;
    case 'restart':
      return (
        <ListRow
          {...row}
          icon="refresh"
          detail={t('window.this-briefly-interrupts-editors')}
          actions={<RestartConnection />}
        />
      );
    case 'folder':
      return (
        <ListRow
          {...row}
          icon="folder"
          tone="info"
          detail={t('window.choose-the-folder-whose-documents')}
          actions={
            <Button look="primary" isPending={choose.isPending} onPress={() => void choose.run({})}>
              {t('window.choose-folder')}
            </Button>
          }
        />
      );
    case 'tls':
      return (
        <ListRow
          {...row}
          {...(item.isBroken ? { icon: 'error', tone: 'bad' } : { icon: 'warning' })}
          detail={item.problem.message}
          actions={<Button onPress={() => go('settings', 'tls')}>{t('window.show-settings')}</Button>}
        />
      );
    case 'disk':
      return (
        <ListRow
          {...row}
          icon="warning"
          detail={t('window.doctray-creates-no-new-files')}
          actions={<Button onPress={() => go('settings', 'minFreeMB')}>{t('window.show-settings')}</Button>}
        />
      );
    case 'editor':
      return <EditorRow title={title} {...item} />;
    case 'recovered':
      return <RecoveredRow title={title} save={item.save} opening={opening} />;
    case 'conflict': {
      const { id, path, copy, madeAtMs } = item.conflict;
      const { name } = splitPath(path);
      const values = { copy: splitPath(copy).name, when: <RelativeTime atMs={madeAtMs} /> };
      return (
        <ListRow
          {...row}
          icon="warning"
          detail={<Message of="window.the-other-content-is-in" values={values} />}
          actions={
            <>
              <Button aria-label={t('window.show-copy-name', { name })} onPress={() => go('documents', copy)}>
                {t('window.show-copy')}
              </Button>
              <MoreButton
                label={t('window.more-for-the-copy-of', { name })}
                entries={[
                  {
                    id: 'dismiss',
                    title: t('common.dismiss'),
                    icon: 'check',
                    run: () => void dismiss.run({ id }),
                  },
                ]}
              />
            </>
          }
        />
      );
    }
    case 'stale':
      return <StaleRow title={title} {...item} />;
  }
}

/** The content of a save that isn't in the file: keep it as a copy, or for one that isn't readable, decide which content is right. */
function RecoveredRow({ title, save, opening }: { title: string; save: RecoveredItem; opening: Opening }) {
  const { id } = save;
  const { name } = splitPath(save.path);
  const size = formatSize(save.size);
  const failure = t('window.couldnt-restore-the-save');
  const restore = useAction('recovered.restore', {
    failure,
    success: ({ path }) => t('common.restored-as-name', { name: splitPath(path).name }),
  });
  const openCopy = useTask(
    async (call) => opening.open((await call('recovered.restore', { id })).path, 'edit'),
    { failure },
  );
  const saveAnyway = useAction('recovered.saveAnyway', {
    question: () => ({
      title: t('window.save-name-anyway', { name }),
      body: (
        <>
          <p>{t('window.programs-may-not-be-able')}</p>
          <p className="muted">{t('window.its-current-content-is-kept')}</p>
        </>
      ),
      confirm: t('common.save-it-anyway'),
    }),
    failure: t('window.couldnt-save-name', { name }),
    success: t('window.saved-name-the-previous-content', { name }),
  });
  const discard = useAction('recovered.discard', {
    question: () =>
      save.isUnreadable
        ? {
            title: t('window.keep-the-good-version-of', { name }),
            body: <p>{t('window.what-was-saved-size-is', { size })}</p>,
            confirm: t('common.keep-the-good-version'),
            isDanger: true,
          }
        : {
            title: t('window.discard-the-recovered-save-of', { name }),
            body: <p>{t('window.this-save-size-exists-nowhere', { size })}</p>,
            confirm: t('window.discard'),
            isDanger: true,
          },
    failure: t('window.couldnt-discard-the-save'),
  });
  const row = (
    detail: ReactNode,
    button: ReactNode,
    entries: Parameters<typeof MoreButton>[0]['entries'],
  ) => (
    <ListRow
      icon="warning"
      tone="warn"
      title={title}
      detail={detail}
      actions={
        <>
          {button}
          <MoreButton label={t('window.more-for-the-save-of', { name })} entries={entries} />
        </>
      }
    />
  );
  const when = <RelativeTime atMs={save.receivedAtMs} />;
  if (!save.isUnreadable)
    return row(
      <Message
        of="window.content-kept-reason-when"
        values={{ reason: recoveredReason(save.reason), when }}
      />,
      <Button
        isPending={restore.isPending}
        aria-label={t('window.restore-as-copy-name', { name })}
        onPress={() => void restore.run({ id })}
      >
        {t('common.restore-as-copy')}
      </Button>,
      [
        {
          id: 'discard',
          title: t('window.discard-ask'),
          icon: 'trash',
          isDanger: true,
          run: () => void discard.run({ id }),
        },
      ],
    );
  return row(
    <Message of="window.when-the-file-still-has" values={{ when }} />,
    <Button
      isPending={openCopy.isPending}
      aria-label={t('window.open-what-was-saved-name', { name })}
      onPress={() => void openCopy.run()}
    >
      {t('common.open-what-was-saved')}
    </Button>,
    [
      {
        id: 'save',
        title: t('window.save-it-anyway'),
        icon: 'warning',
        run: () => void saveAnyway.run({ id }),
      },
      {
        id: 'keep',
        title: t('window.keep-the-good-version'),
        icon: 'check',
        run: () => void discard.run({ id }),
      },
    ],
  );
}

type Of<Kind extends AttentionItem['kind']> = Extract<AttentionItem, { kind: Kind }>;

function StaleRow({ title, lock }: { title: string } & Of<'stale'>) {
  const forceClear = useForceClear();
  const { go } = useNavigation();
  const { name } = splitPath(lock.path);
  const why = useTimedText((nowMs) => staleWords(lock, nowMs));
  const values = { user: holderOf(lock), when: <RelativeTime atMs={lock.takenAtMs} />, why };
  return (
    <ListRow
      icon="locks"
      tone="warn"
      title={title}
      detail={<Message of="window.locked-by-user-when-why" values={values} />}
      actions={
        <>
          <Button aria-label={t('window.force-clear-name', { name })} onPress={() => void forceClear([lock])}>
            {t('window.force-clear')}
          </Button>
          <MoreButton
            label={t('window.actions-for-name', { name })}
            entries={[
              { id: 'lock', title: t('window.show-lock'), icon: 'locks', run: () => go('locks', lock.path) },
            ]}
          />
        </>
      }
    />
  );
}

function EditorRow({ title, editor }: { title: string } & Of<'editor'>) {
  const { go } = useNavigation();
  const { id, name, problem } = editor;
  const place = problem?.code === 'loopback-refused' ? 'allowedAddresses' : `editors/${id}`;
  const refresh = useAction('editors.refresh', {
    failure: t('window.editor-still-cant-be-reached', { editor: name }),
    success: t('window.editor-responds-again', { editor: name }),
  });
  return (
    <ListRow
      icon="error"
      tone="bad"
      title={title}
      detail={
        problem === null ? (
          failedWords(editor).sentence
        ) : (
          <Message
            of="window.problem-first-noticed-when"
            values={{ problem: problemWords(problem), when: <RelativeTime atMs={problem.sinceMs} /> }}
          />
        )
      }
      actions={
        problem === null || isBuiltIn(editor) ? (
          <Button
            {...(problem === null && { 'aria-label': t('window.show-test-of-editor', { editor: name }) })}
            onPress={() => go('settings', place)}
          >
            {t(problem === null ? 'window.show-test' : 'window.show-settings')}
          </Button>
        ) : (
          <Button
            isPending={refresh.isPending}
            aria-label={t('window.test-again-editor', { editor: name })}
            onPress={() => void refresh.run({ id })}
          >
            {t('window.test-again')}
          </Button>
        )
      }
    />
  );
}
