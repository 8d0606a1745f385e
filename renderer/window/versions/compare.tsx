// A text document's earlier version and its current content, line by line. Loaded only when it is needed.

import { useCallback, useMemo, useState } from 'react';
import { comparisonWords, createComparison, type ComparedContent } from '../../kit/comparison.ts';
import { useCommandResult } from '../parts/action.tsx';
import { IconButton } from '../../kit/button.tsx';
import { Failure, Skeleton } from '../../kit/blocks.tsx';

export function Comparison(props: {
  path: string;
  versionId: string;
  heads: { old: ComparedContent; now: ComparedContent };
}) {
  const { path, versionId } = props;
  const old = useCommandResult('versions.text', { path, versionId });
  const now = useCommandResult('versions.text', { path, versionId: null });
  const [position, setPosition] = useState<string>();
  // Its heads are those of the compared texts, also when the document is saved again.
  const comparison = useMemo(
    () =>
      old.answer &&
      now.answer &&
      createComparison({
        texts: { old: old.answer.text, now: now.answer.text },
        heads: props.heads,
      }),
    [old.answer, now.answer],
  );
  const lines = comparison?.lines;
  // The same function for the same lines, so that drawing again doesn't put them in again, which would lose where they are scrolled to.
  const putLines = useCallback(
    (place: HTMLDivElement | null) => {
      if (lines !== undefined) place?.replaceChildren(lines);
    },
    [lines],
  );
  const problem = old.problem ?? now.problem;
  if (problem !== null) return <Failure sentence={problem.message} />;
  if (comparison === undefined) return <Skeleton rows={6} />;
  const { step } = comparison;
  return (
    <>
      <div className="row compare-bar">
        <p className="muted grow" role="status">
          {position ?? comparison.summary}
        </p>
        {comparison.changes > 1 && (
          <>
            <IconButton
              icon="chevron-up"
              label={comparisonWords.previous}
              onPress={() => setPosition(step(-1))}
            />
            <IconButton
              icon="chevron-down"
              label={comparisonWords.next}
              onPress={() => setPosition(step(1))}
            />
          </>
        )}
      </div>
      {lines !== undefined && <div className="compare" ref={putLines} />}
      {comparison.isCut && <p className="muted">{comparisonWords.cut}</p>}
    </>
  );
}
