// An earlier version of a text document and its current content, line by line. Loaded only when it is needed. The texts are shown as
// text; what they contain can't be trusted.

import { memo, useMemo, useRef, useState } from 'react';
import {
  compareLines,
  lineParts,
  type LineBlock,
  type LineComparison,
  type LinePair,
} from '../../app/contract/compare-lines.ts';
import { t } from '../../app/contract/messages.ts';
import { IconButton } from './button.tsx';
import { versionFacts, type Compared } from './version-facts.ts';

type Side = keyof LinePair;

export function Comparison({ texts: { old, now }, heads }: Compared) {
  const compared = useMemo(() => compareLines(old, now), [old, now]);
  const [at, setAt] = useState(-1);
  const lines = useRef<HTMLTableElement>(null);
  const changed = compared.blocks.filter(({ kind }) => kind === 'changed');
  const step = (by: 1 | -1) => {
    const next = (Math.max(at, by < 0 ? 0 : -1) + by + changed.length) % changed.length;
    setAt(next);
    lines.current?.querySelectorAll('tbody.changed')[next]?.scrollIntoView({ block: 'center' });
  };
  return (
    <>
      <div className="line compare-bar">
        <p className="muted grow" role="status">
          {at === -1
            ? summaryOf(compared, old === now)
            : t('kit.change-number-of-count', { number: at + 1, count: changed.length })}
        </p>
        {changed.length > 1 && (
          <>
            <IconButton icon="chevron-up" label={t('kit.previous-change')} onPress={() => step(-1)} />
            <IconButton icon="chevron-down" label={t('kit.next-change')} onPress={() => step(1)} />
          </>
        )}
      </div>
      {compared.changes > 0 && (
        <div className="comparison" tabIndex={0} role="region" aria-label={t('kit.lines')}>
          {/* Explicit roles, because a table that is laid out as a grid loses its own. */}
          <table role="table" aria-label={t('kit.lines')} ref={lines}>
            <thead role="rowgroup">
              <tr role="row">
                {(['old', 'now'] as const).map((side) => (
                  <th key={side} scope="col" role="columnheader" className={side}>
                    {side === 'old' ? t('kit.this-version') : t('common.current')}
                    <span>{versionFacts(heads[side].savedBy, heads[side].size, heads[side].time)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            {compared.blocks.map((block, index) => (
              <Block key={index} block={block} isAt={at !== -1 && block === changed[at]} />
            ))}
          </table>
        </div>
      )}
      {compared.isCut && <p className="muted">{t('kit.the-rest-of-this-long')}</p>}
    </>
  );
}

function summaryOf({ changes, removed, added }: LineComparison, isSame: boolean): string {
  if (isSame) return t('kit.this-version-and-the-current');
  if (changes === 0) return t('kit.only-the-line-endings-differ');
  return [
    t('kit.changes', { count: changes }),
    t('kit.lines-removed', { count: removed }),
    t('kit.lines-added', { count: added }),
  ].join(' · ');
}

const Block = memo(({ block, isAt }: { block: LineBlock; isAt: boolean }) =>
  block.kind === 'hidden' ? (
    <tbody role="rowgroup" className="hidden-lines">
      <tr role="row">
        <td role="cell" colSpan={2}>
          {t('kit.unchanged-lines', { count: block.count })}
        </td>
      </tr>
    </tbody>
  ) : (
    <tbody role="rowgroup" className={isAt ? `${block.kind} is-at` : block.kind}>
      {block.pairs.map((pair, index) => (
        <tr key={index} role="row">
          <Cell side="old" pair={pair} isChanged={block.kind === 'changed'} />
          <Cell side="now" pair={pair} isChanged={block.kind === 'changed'} />
        </tr>
      ))}
    </tbody>
  ),
);

function Cell({ side, pair, isChanged }: { side: Side; pair: LinePair; isChanged: boolean }) {
  const { [side]: line } = pair;
  if (line === undefined) return <td role="cell" className={`${side} no-line`} />;
  const Change = side === 'old' ? 'del' : 'ins';
  return (
    <td role="cell" className={side}>
      <span className="number">{line.number}</span>
      {isChanged ? (
        <Change>
          {lineParts(pair, side).map(({ text, isChanged: isMarked }, index) =>
            isMarked ? <mark key={index}>{text}</mark> : text,
          )}
        </Change>
      ) : (
        <span>{line.text}</span>
      )}
    </td>
  );
}
