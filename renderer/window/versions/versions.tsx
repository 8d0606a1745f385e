// The earlier contents of a document, and the disk that all kept versions use. What is restored over is kept as well, so that
// a wrong choice here costs nothing.

import { useCallback, useEffect, useState } from 'react';
import type { CommandResult } from '../../../app/commands/commands.ts';
import type { VersionItem } from '../../../app/contract/results.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, useConfirm } from '../parts/dialog.tsx';
import { countOf, formatSize } from '../../../app/contract/format.ts';
import { formatExact, splitPath } from '../parts/format.ts';
import { RelativeTime } from '../parts/relative-time.tsx';
import { Empty, Failure, Skeleton } from '../parts/view.tsx';
import { sentenceOf } from '../state/call.ts';
import { useAction } from '../state/use-action.ts';
import { useCall } from '../state/window-context.tsx';
import { DocumentJobs } from '../documents/jobs.tsx';

type Usage = CommandResult<'versions.usage'>;

const how: Record<string, string> = {
  explicit: 'saved by hand',
  autosave: 'autosave',
  exit: 'saved on closing',
  unmodified: 'without changes',
  restored: 'restored version',
  recovered: 'recovered save',
  created: 'made new',
};

/** `autosave, saved on closing`; what this version does not know is shown as it is. */
function howWords({ savedHow, savedAtMs }: Pick<VersionItem, 'savedHow' | 'savedAtMs'>): string {
  if (savedHow === null) return savedAtMs === null ? 'not saved by an editor' : 'saved';
  return savedHow
    .split(',')
    .map((word) => how[word] ?? word)
    .join(', ');
}

export function VersionsDialog(props: { path: string; onRestored(): void; onClose(): void }) {
  const { path } = props;
  const call = useCall();
  const confirm = useConfirm();
  const { name } = splitPath(path);
  const [versions, setVersions] = useState<VersionItem[]>();
  const [problem, setProblem] = useState<string | null>(null);
  const restore = useAction('documents.restoreVersion', {
    failure: `Could not restore “${name}”`,
    success: `“${name}” is as it was. What it was before is kept as a version.`,
  });

  const load = useCallback(async () => {
    setProblem(null);
    try {
      setVersions((await call('documents.versions', { path })).versions);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }, [call, path]);
  useEffect(() => void load(), [load]);

  const ask = async (version: VersionItem) => {
    const at = version.savedAtMs ?? version.keptAtMs;
    const isYes = await confirm({
      title: `Restore “${name}”?`,
      body: (
        <>
          <p>
            The document becomes what it was on {formatExact(at)} ({formatSize(version.size)}).
          </p>
          <p className="muted">What it is now is kept as a version, so this can be taken back.</p>
        </>
      ),
      confirm: 'Restore',
    });
    if (!isYes) return;
    const done = await restore.run({ path, versionId: version.id });
    if (done === undefined) return;
    props.onRestored();
    void load();
  };

  return (
    <Dialog
      title={`Versions of “${name}”`}
      isOpen
      onClose={props.onClose}
      width="wide"
      footer={
        <Button look="primary" onPress={props.onClose}>
          Close
        </Button>
      }
    >
      <div className="documents-versions">
        {problem !== null ? (
          <Failure sentence={problem} action={<Button onPress={() => void load()}>Try again</Button>} />
        ) : versions === undefined ? (
          <Skeleton rows={4} />
        ) : versions.length === 0 ? (
          <Empty
            icon="history"
            sentence="No earlier content is kept: DocTray keeps one each time an editor saves."
          />
        ) : (
          <ul className="documents-version-list" aria-label="Versions">
            {versions.map((version) => {
              const at = version.savedAtMs ?? version.keptAtMs;
              return (
                <li key={version.id} className="documents-version">
                  <div className="documents-version-words">
                    <div>
                      {formatExact(at)}
                      {version.savedBy !== null && <span className="muted">, by {version.savedBy}</span>}
                    </div>
                    <div className="muted">
                      <RelativeTime atMs={at} isStart /> · {howWords(version)}
                    </div>
                  </div>
                  <span className="documents-version-size">{formatSize(version.size)}</span>
                  <Button
                    icon="undo"
                    isDisabled={restore.isPending}
                    aria-label={`Restore the version of ${formatExact(at)}`}
                    onPress={() => void ask(version)}
                  >
                    Restore
                  </Button>
                </li>
              );
            })}
          </ul>
        )}
      </div>
      <VersionsUsage />
    </Dialog>
  );
}

/** The same without a document: what all versions use, and the way to less. */
export function UsageDialog(props: { onClose(): void }) {
  return (
    <Dialog
      title="Disk used by versions"
      isOpen
      onClose={props.onClose}
      footer={
        <Button look="primary" onPress={props.onClose} autoFocus>
          Close
        </Button>
      }
    >
      <p>
        DocTray keeps what a document was before each save, outside the folder. Versions past the limits of
        the settings go by themselves; cleaning up does it at once.
      </p>
      <VersionsUsage />
    </Dialog>
  );
}

function VersionsUsage() {
  const call = useCall();
  const [usage, setUsage] = useState<Usage>();
  const [problem, setProblem] = useState<string | null>(null);
  const [jobId, setJobId] = useState<string>();
  const cleanUp = useAction('versions.cleanUp', { failure: 'Could not clean up' });
  const load = useCallback(async () => {
    try {
      setUsage(await call('versions.usage', {}));
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }, [call]);
  useEffect(() => void load(), [load]);

  return (
    <div className="documents-usage">
      <div className="documents-usage-words">
        {problem ??
          (usage === undefined
            ? 'Measuring…'
            : `Of all documents: ${countOf(usage.count, 'version')}, ${formatSize(usage.bytes)} of the disk`)}
      </div>
      <Button
        isPending={cleanUp.isPending}
        isDisabled={usage === undefined || usage.count === 0}
        onPress={() =>
          void cleanUp.run({}).then((started) => {
            if (started !== undefined) setJobId(started.jobId);
          })
        }
      >
        Clean up now
      </Button>
      {jobId !== undefined && <DocumentJobs ids={[jobId]} onEnd={() => void load()} />}
    </div>
  );
}
