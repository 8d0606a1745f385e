// Names of files and folders: one that is too long keeps its extension. And parts of a text that were searched for.

import { splitName } from '../../app/contract/names.ts';

/** `query`: what was searched for, which is marked. */
export function FileName({ name, query = '' }: { name: string; query?: string }) {
  const [start, end] = splitName(name);
  return <InTwoParts className="path-name" start={start} end={end} query={query} />;
}

/** The last folder stays whole as long as it fits. */
export function FolderName({ folder }: { folder: string }) {
  const cut = Math.max(0, folder.lastIndexOf('/'));
  return (
    <InTwoParts className="path-name path-folders" start={folder.slice(0, cut)} end={folder.slice(cut)} />
  );
}

/** Drawn in two parts by CSS, so that its text stays one for screen readers and search; the first part is shortened. */
function InTwoParts(props: { className: string; start: string; end: string; query?: string }) {
  const { start, end, query = '' } = props;
  const whole = `${start}${end}`;
  const found = foundParts(whole, query);
  const part = (className: string, from: number, to: number) =>
    found.length === 0 ? (
      <span className={className} aria-hidden="true" data-text={whole.slice(from, to)} />
    ) : (
      <span className={className} aria-hidden="true">
        <MarkedText
          text={whole.slice(from, to)}
          found={found.map((place) => ({ from: place.from - from, to: place.to - from }))}
          isDrawn
        />
      </span>
    );
  return (
    <span className={props.className}>
      <span className="visually-hidden">{whole}</span>
      {part('path-start', 0, start.length)}
      {part('path-end', start.length, whole.length)}
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
