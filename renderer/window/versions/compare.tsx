// A text document's earlier version and its current content side by side, line by line. Loaded only when it is needed.

import { useMemo } from 'react';
import {
  compareLines,
  lineParts,
  type LineBlock,
  type LinePair,
} from '../../../app/contract/compare-lines.ts';
import { t } from '../../../app/contract/messages.ts';
import { useCommandResult } from '../parts/action.tsx';
import { capitalized } from '../parts/format.ts';
import { Failure, Skeleton } from '../parts/view.tsx';

/** @param props.time of the version, in words */
export function Comparison(props: { path: string; versionId: string; time: string }) {
  const { path, versionId } = props;
  const old = useCommandResult('versions.text', { path, versionId });
  const now = useCommandResult('versions.text', { path, versionId: null });
  const compared = useMemo(
    () => old.answer && now.answer && compareLines(old.answer.text, now.answer.text),
    [old.answer, now.answer],
  );
  const problem = old.problem ?? now.problem;
  if (problem !== null) return <Failure sentence={problem.message} />;
  if (compared === undefined) return <Skeleton rows={6} />;
  if (compared.changes === 0) return <p>{t('This version and the current content have the same lines.')}</p>;
  return (
    <>
      <p className="compare-summary muted">
        {[
          t('{count, plural, one {# change} other {# changes}}', { count: compared.changes }),
          t('{count, plural, one {# line removed} other {# lines removed}}', { count: compared.removed }),
          t('{count, plural, one {# line added} other {# lines added}}', { count: compared.added }),
        ].join(' · ')}
      </p>
      <table className="compare">
        <colgroup>
          <col className="compare-numbers" />
          <col />
          <col className="compare-numbers" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" colSpan={2}>
              {capitalized(props.time)}
            </th>
            <th scope="col" colSpan={2}>
              {t('Current')}
            </th>
          </tr>
        </thead>
        <tbody>
          {compared.blocks.map((block, index) => (
            <Block key={index} block={block} />
          ))}
        </tbody>
      </table>
      {compared.isCut && <p className="muted">{t('The rest of this long document isn’t shown.')}</p>}
    </>
  );
}

function Block({ block }: { block: LineBlock }) {
  if (block.kind === 'hidden') {
    return (
      <tr className="compare-gap">
        <td colSpan={4}>
          {t('{count, plural, one {# unchanged line} other {# unchanged lines}}', { count: block.count })}
        </td>
      </tr>
    );
  }
  const isChanged = block.kind === 'changed';
  return block.pairs.map((pair, index) => (
    <tr key={index}>
      <Side pair={pair} side="old" isChanged={isChanged} />
      <Side pair={pair} side="now" isChanged={isChanged} />
    </tr>
  ));
}

function Side({ pair, side, isChanged }: { pair: LinePair; side: keyof LinePair; isChanged: boolean }) {
  const line = pair[side];
  const changed = isChanged && line !== undefined ? ` compare-${side}` : '';
  return (
    <>
      <td className={`compare-number${changed}`}>{line?.number}</td>
      <td className={`compare-text${changed}`}>
        {changed !== '' && <span className="compare-sign">{side === 'old' ? '−' : '+'}</span>}
        {changed === ''
          ? line?.text
          : lineParts(pair, side).map((part, index) =>
              part.isChanged ? (
                <mark key={index} className="compare-part">
                  {part.text}
                </mark>
              ) : (
                part.text
              ),
            )}
      </td>
    </>
  );
}
