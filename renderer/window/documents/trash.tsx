// Moves documents to the trash of the system, after a question that names them, and tells of each that did not go.

import { useCallback, useState } from 'react';
import type { Outcome } from '../../../app/contract/results.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice, useConfirm } from '../parts/dialog.tsx';
import { countOf, formatCount } from '../../../app/contract/format.ts';
import { Icon } from '../parts/icon.tsx';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import { iconOf, type DocumentRow } from './rows.tsx';
import { holderOf } from '../locks/lock-words.ts';

const maxNamed = 8;
const maxPaths = 1000;

export function useTrash(onDone: () => void): {
  trash(rows: readonly DocumentRow[]): Promise<void>;
  failures: Outcome['failed'];
  closeFailures(): void;
} {
  const call = useCall();
  const confirm = useConfirm();
  const toasts = useToasts();
  const [failures, setFailures] = useState<Outcome['failed']>([]);

  const trash = useCallback(
    async (rows: readonly DocumentRow[]) => {
      const [first] = rows;
      if (first === undefined) return;
      const isOne = rows.length === 1;
      const noun = rows.every(({ item }) => item.kind === 'document') ? 'document' : 'item';
      const isYes = await confirm({
        title: isOne
          ? `Move “${first.item.name}” to the trash?`
          : `Move ${countOf(rows.length, noun)} to the trash?`,
        body: <Question rows={rows} />,
        confirm: 'Move to trash',
        isDanger: true,
      });
      if (!isYes) return;
      const paths = rows.map(({ item }) => item.path);
      const gone = new Set<string>();
      const failed: Outcome['failed'] = [];
      for (let start = 0; start < paths.length; start += maxPaths) {
        const some = paths.slice(start, start + maxPaths);
        try {
          const outcome = await call('documents.trash', { paths: some });
          for (const { path } of outcome.done) gone.add(path);
          failed.push(...outcome.failed);
        } catch (error) {
          failed.push(...some.map((path) => ({ id: path, path, message: sentenceOf(error) })));
        }
      }
      onDone();
      if (gone.size > 0) {
        toasts.show({
          tone: 'good',
          title: isOne
            ? `“${first.item.name}” is in the trash`
            : `${countOf(gone.size, noun)} moved to the trash`,
        });
      }
      const [failure] = failed;
      if (failed.length === 1 && failure !== undefined) {
        toasts.show({
          tone: 'bad',
          title: `Could not move “${failure.path}” to the trash`,
          detail: failure.message,
        });
      } else setFailures(failed);
    },
    [call, confirm, onDone, toasts],
  );
  return { trash, failures, closeFailures: useCallback(() => setFailures([]), []) };
}

function Question({ rows }: { rows: readonly DocumentRow[] }) {
  const held = rows.filter(({ lock }) => lock?.state === 'held');
  const hasFolder = rows.some(({ item }) => item.kind === 'folder');
  const [first] = held;
  const more = rows.length - maxNamed;
  return (
    <>
      {rows.length > 1 && (
        <ul className="documents-names">
          {rows.slice(0, maxNamed).map(({ id, item }) => (
            <li key={id}>
              <Icon name={iconOf(item)} />
              <span className="cut" title={item.path}>
                {item.path}
              </span>
            </li>
          ))}
          {more > 0 && <li className="muted">and {formatCount(more)} more</li>}
        </ul>
      )}
      {hasFolder && <p>A folder goes with everything in it.</p>}
      {first?.lock !== undefined && (
        <Notice tone="warn">
          {held.length === 1
            ? `“${first.item.name}” is being edited by ${holderOf(first.lock)} and stays where it is until it is closed there.`
            : `${countOf(held.length, 'document')} of these are being edited and stay where they are until closed there.`}
        </Notice>
      )}
      <p className="muted">
        The system’s trash gives {rows.length === 1 ? 'it' : 'them'} back. Kept versions stay for their time.
      </p>
    </>
  );
}

export function TrashFailures(props: { failures: Outcome['failed']; onClose(): void }) {
  return (
    <Dialog
      title={`${countOf(props.failures.length, 'item')} could not be moved to the trash`}
      isOpen={props.failures.length > 0}
      onClose={props.onClose}
      width="wide"
      footer={
        <Button look="primary" onPress={props.onClose} autoFocus>
          Close
        </Button>
      }
    >
      <ul className="documents-failures">
        {props.failures.map(({ id, path, message }) => (
          <li key={id}>
            <div className="documents-failure-path">{path}</div>
            <div className="muted">{message}</div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
