// Names of files and folders: one that is too long keeps its extension. And parts of a text that were searched for.

import { splitName } from '../../app/contract/names.ts';

/**
 * Drawn in two parts by CSS, so that its text stays one for screen readers and search; the first part is shortened.
 * @param props.query what was searched for, which is marked
 */
export function FileName({ name, query = '' }: { name: string; query?: string }) {
  const [{ length }] = splitName(name);
  const found = foundParts(name, query);
  const part = (className: string, from: number, to: number) =>
    found.length === 0 ? (
      <span className={className} aria-hidden="true" data-text={name.slice(from, to)} />
    ) : (
      <span className={className} aria-hidden="true">
        <MarkedText
          text={name.slice(from, to)}
          found={found.map((place) => ({ from: place.from - from, to: place.to - from }))}
          isDrawn
        />
      </span>
    );
  return (
    <span className="path-name">
      <span className="visually-hidden">{name}</span>
      {part('path-start', 0, length)}
      {part('path-end', length, name.length)}
    </span>
  );
}

/** Whole, or `…/Harbour bridge` where that doesn’t fit, or `…/Harb…`. Beside a name, it is hidden if even that doesn’t fit. */
export function FolderName({ folder }: { folder: string }) {
  return (
    <span className="path-folder">
      <span className="visually-hidden">{folder}</span>
      <span aria-hidden="true" data-text={folder.replace(/^.*[/]/u, '…/')} />
      <span aria-hidden="true" data-text={folder} />
    </span>
  );
}

interface FoundPart {
  from: number;
  to: number;
}

/** Where the words of a query are in a text, in order; none overlaps another. */
export function foundParts(text: string, query: string): FoundPart[] {
  const lower = text.toLowerCase();
  // A few letters, such as İ, become two: then positions don't match.
  const words = lower.length === text.length ? query.trim().toLowerCase().split(/\s+/u).filter(Boolean) : [];
  const found: FoundPart[] = [];
  for (;;) {
    const at = found.at(-1)?.to ?? 0;
    const [next] = words
      .map((word) => ({ from: lower.indexOf(word, at), to: lower.indexOf(word, at) + word.length }))
      .filter(({ from }) => from >= 0)
      .toSorted((a, b) => a.from - b.from || b.to - a.to);
    if (next === undefined) return found;
    found.push(next);
  }
}

/** Highlights parts, which may begin before the text or end after it. `isDrawn`: by CSS, and not as text. */
export function MarkedText(props: { text: string; found: readonly FoundPart[]; isDrawn?: boolean }) {
  const { text, isDrawn } = props;
  const edges = props.found.flatMap(({ from, to }) => [from, to]);
  // Every second one is found.
  return [0, ...edges].map((edge, index) => {
    const words = text.slice(Math.max(0, edge), Math.max(0, edges[index] ?? text.length));
    if (words === '') return null;
    const Tag = index % 2 === 0 ? 'span' : 'mark';
    return (
      <Tag key={index} {...(isDrawn === true && { 'data-text': words })}>
        {isDrawn === true ? null : words}
      </Tag>
    );
  });
}
