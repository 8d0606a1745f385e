// A text document's earlier version and its current content side by side, line by line. Loaded only when it is needed.

import { useEffect, useState } from 'react';
import { diff } from '@codemirror/merge';
import { t } from '../../../app/contract/messages.ts';
import { Failure, Skeleton } from '../parts/view.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';

interface Line {
  number: number;
  text: string;
}

interface Pair {
  old: Line | undefined;
  now: Line | undefined;
  isChanged: boolean;
}

/** Unchanged lines shown around a change. */
const context = 3;
/** More would make the dialog slow. */
const maxPairs = 4000;

export function Comparison(props: { path: string; versionId: string }) {
  const { path, versionId } = props;
  const call = useCall();
  const [pairs, setPairs] = useState<Pair[]>();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    Promise.all([
      call('versions.text', { path, versionId }),
      call('versions.text', { path, versionId: null }),
    ]).then(
      ([old, now]) => {
        if (isWanted) setPairs(compareLines(old.text, now.text));
      },
      (error: unknown) => {
        if (isWanted) setProblem(sentenceOf(error));
      },
    );
    return () => {
      isWanted = false;
    };
  }, [call, path, versionId]);

  if (problem !== null) return <Failure sentence={problem} />;
  if (pairs === undefined) return <Skeleton rows={6} />;
  if (!pairs.some(({ isChanged }) => isChanged)) return <p>{t('Both have the same content.')}</p>;
  const groups = grouped(pairs.slice(0, maxPairs));
  return (
    <>
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
              {t('This version')}
            </th>
            <th scope="col" colSpan={2}>
              {t('Current')}
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group, index) =>
            typeof group === 'number' ? (
              <tr key={index} className="compare-gap">
                <td colSpan={4}>
                  {t('{count, plural, one {# unchanged line} other {# unchanged lines}}', { count: group })}
                </td>
              </tr>
            ) : (
              <tr key={index}>
                <Side line={group.old} sign={group.isChanged ? '−' : ''} kind="old" />
                <Side line={group.now} sign={group.isChanged ? '+' : ''} kind="now" />
              </tr>
            ),
          )}
        </tbody>
      </table>
      {pairs.length > maxPairs && <p className="muted">{t('The rest of this long document isn’t shown.')}</p>}
    </>
  );
}

function Side({ line, sign, kind }: { line: Line | undefined; sign: string; kind: 'old' | 'now' }) {
  const changed = sign !== '' && line !== undefined ? ` compare-${kind}` : '';
  return (
    <>
      <td className={`compare-number${changed}`}>{line?.number}</td>
      <td className={`compare-text${changed}`}>
        {line !== undefined && sign !== '' && <span className="compare-sign">{sign}</span>}
        {line?.text}
      </td>
    </>
  );
}

function compareLines(old: string, now: string): Pair[] {
  const [oldLines, nowLines] = [linesOf(old), linesOf(now)];
  // Each different line becomes one character, so that the comparison of characters compares lines.
  const characters = new Map<string, string>();
  const encode = (lines: readonly string[]) =>
    lines
      .map((line) => {
        const known = characters.get(line) ?? String.fromCharCode(1 + (characters.size % 0xd7fe));
        characters.set(line, known);
        return known;
      })
      .join('');
  const changes = diff(encode(oldLines), encode(nowLines), { scanLimit: 2000 });
  const pairs: Pair[] = [];
  let [oldAt, nowAt] = [0, 0];
  const take = (lines: readonly string[], index: number): Line | undefined => {
    const text = lines[index];
    return text === undefined ? undefined : { number: index + 1, text };
  };
  const unchanged = (until: number) => {
    while (oldAt < until) {
      pairs.push({ old: take(oldLines, oldAt), now: take(nowLines, nowAt), isChanged: false });
      oldAt += 1;
      nowAt += 1;
    }
  };
  for (const { fromA, toA, toB } of changes) {
    unchanged(fromA);
    while (oldAt < toA || nowAt < toB) {
      pairs.push({
        old: oldAt < toA ? take(oldLines, oldAt) : undefined,
        now: nowAt < toB ? take(nowLines, nowAt) : undefined,
        isChanged: true,
      });
      oldAt = Math.min(toA, oldAt + 1);
      nowAt = Math.min(toB, nowAt + 1);
    }
  }
  unchanged(oldLines.length);
  return pairs;
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/u);
}

/** Pairs, and numbers of unchanged ones that are left out. */
function grouped(pairs: readonly Pair[]): (Pair | number)[] {
  const isNear = (index: number) =>
    pairs.slice(Math.max(0, index - context), index + context + 1).some(({ isChanged }) => isChanged);
  const groups: (Pair | number)[] = [];
  for (const [index, pair] of pairs.entries()) {
    const last = groups.at(-1);
    if (isNear(index)) groups.push(pair);
    else if (typeof last === 'number') groups[groups.length - 1] = last + 1;
    else groups.push(1);
  }
  return groups;
}
