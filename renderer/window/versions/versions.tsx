// The versions of a document, in a panel beside the documents: the current content first, a timeline of sizes, and for each earlier
// version Open, Compare, Restore and Save a copy, once it's chosen. What a restore replaces is kept as a version too.

import { useState } from 'react';
import { formatSize, formatTime, nameTimestamp } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { extensionOf, stemOf } from '../../../app/contract/names.ts';
import type { VersionItem } from '../../../app/contract/results.ts';
import { isComparedType } from '../../../app/contract/text-documents.ts';
import { Empty, Failure, Skeleton } from '../../kit/blocks.tsx';
import { Button } from '../../kit/button.tsx';
import { DetailPanel } from '../../kit/detail-panel.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import type { Compared } from '../../kit/version-facts.ts';
import { ComparisonDialog, Versions } from '../../kit/versions.tsx';
import { NameDialog } from '../documents/name-dialog.tsx';
import { holderOf, lockWords } from '../locks/words.ts';
import { useAction, useCommandResult, useTask } from '../parts/action.tsx';
import { splitPath } from '../parts/format.ts';
import { useCall, usePush, useWindowState } from '../state/window-context.tsx';

interface VersionsProps {
  /** When the panel opened; the panel follows the document. */
  path: string;
  fileId: string;
  /** The document has other content now. */
  onChanged(): void;
  /** A version was saved as this document. */
  onCreated(path: string): void;
}

export function VersionsPanel(props: VersionsProps & { focusStep: number; onClose(): void }) {
  const { path: givenPath, fileId, onChanged, onCreated } = props;
  const call = useCall();
  const confirm = useConfirm();
  // The folder's own changes include those of other programs; saves are counted wherever the document is.
  const saves = useWindowState(({ sessions }) =>
    sessions.reduce((sum, session) => sum + (session.fileId === fileId ? session.saves : 0), 0),
  );
  const {
    answer: listed,
    problem,
    reload,
  } = useCommandResult('versions.list', { path: givenPath, fileId }, { reloadKey: saves });
  const path = listed?.path ?? givenPath;
  const { name } = splitPath(path);
  usePush('folder-changed', reload);
  const [compared, setCompared] = useState<{
    version: VersionItem;
    time: string;
    compared: Promise<Compared>;
  }>();
  const compare = (version: VersionItem, heads: Compared['heads']) => {
    const text = async (versionId: string | null) => (await call('versions.text', { path, versionId })).text;
    const loading = Promise.all([text(version.id), text(null)]);
    setCompared({
      version,
      time: heads.old.time,
      compared: loading.then(([old, now]) => ({ texts: { old, now }, heads })),
    });
  };
  const [copied, setCopied] = useState<VersionItem>();
  const restore = useTask(
    async (call, { id }: VersionItem) => call('versions.restore', { path, versionId: id }),
    {
      question: ({ writtenAtMs, size }) => ({
        title: t('window.restore-name', { name }),
        body: (
          <>
            <p>
              {t('window.the-document-goes-back-to', {
                time: formatTime('toSecond', writtenAtMs),
                size: formatSize(size),
              })}
            </p>
            <p className="muted">{t('window.its-current-content-is-kept')}</p>
          </>
        ),
        confirm: t('common.restore'),
      }),
      failure: t('window.cant-restore-name', { name }),
      success: t('window.restored-name-the-previous-content', { name }),
      canOverlap: true,
    },
  );
  const open = useAction('versions.open', { failure: t('window.cant-open-this-version') });

  const lock = useWindowState((state) => state.locks.find(({ id }) => id === fileId));

  const askToRestore = async (version: VersionItem) => {
    if (lock !== undefined) {
      const copies = await confirm({
        title: t('window.cant-restore-name-now', { name }),
        body: (
          <>
            <p>
              {lock.state === 'held'
                ? t('window.user-is-editing-this-document', { user: holderOf(lock) })
                : lockWords(lock)}
            </p>
            <p>
              {lock.state === 'held'
                ? t('window.close-it-in-the-editor')
                : t('window.force-clear-its-lock-first')}
            </p>
          </>
        ),
        confirm: t('common.save-a-copy-ask'),
      });
      if (copies) setCopied(version);
      return;
    }
    if ((await restore.run(version)) === undefined) return;
    onChanged();
    reload();
  };

  const extension = extensionOf(name);
  return (
    <DetailPanel
      title={t('common.versions')}
      subtitle={
        listed === undefined
          ? name
          : t('window.name-earlier-versions', { name, count: listed.versions.length })
      }
      facts={[]}
      focusStep={props.focusStep}
      onClose={props.onClose}
    >
      {problem !== null ? (
        <Failure
          sentence={problem.message}
          action={<Button onPress={reload}>{t('common.try-again')}</Button>}
        />
      ) : listed === undefined ? (
        <Skeleton rows={4} />
      ) : (
        <div className="stack">
          <Versions
            listed={listed}
            actions={{
              open: ({ id }) => void open.run({ path, versionId: id }),
              compare: isComparedType(name) ? compare : undefined,
              restore: (version) => void askToRestore(version),
              copy: setCopied,
              copyLabel: t('common.save-a-copy-ask'),
            }}
          />
          {listed.versions.length === 0 && (
            <Empty
              icon="history"
              title={t('window.no-earlier-versions-yet')}
              sentence={t('window.doctray-keeps-a-version-each')}
            />
          )}
        </div>
      )}
      {compared !== undefined && (
        <ComparisonDialog
          {...compared}
          documentName={name}
          onRestore={() => {
            setCompared(undefined);
            void askToRestore(compared.version);
          }}
          onClose={() => setCompared(undefined)}
        />
      )}
      {copied !== undefined && (
        <NameDialog
          title={t('common.save-a-copy')}
          stem={`${stemOf(name)} (${nameTimestamp(copied.writtenAtMs)})`}
          extension={extension}
          hint={t('window.created-next-to-name', { name })}
          taken={[]}
          onConfirm={async (copyName) => {
            const created = await call('versions.saveCopy', { path, versionId: copied.id, name: copyName });
            setCopied(undefined);
            onCreated(created.path);
          }}
          onClose={() => setCopied(undefined)}
        />
      )}
    </DetailPanel>
  );
}
