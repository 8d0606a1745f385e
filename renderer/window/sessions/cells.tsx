// Cells that the tables of sessions, tokens and activity have in common: a document by its name, and what may be done with it.

import { splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { modeWords } from './words.ts';

/** The name first, its folder after it as long as there is room. */
export function DocumentCell({ path }: { path: string }) {
  const { name, folder } = splitPath(path);
  return (
    <span className="path" title={path}>
      <span className="path-name">{name}</span>
      {folder !== '' && <span className="path-folder">{folder}</span>}
    </span>
  );
}

export function ModeCell({ mode }: { mode: 'edit' | 'view' }) {
  return (
    <span className="cell tone-muted">
      <Icon name={mode === 'edit' ? 'edit' : 'eye'} size={14} />
      {modeWords[mode]}
    </span>
  );
}
