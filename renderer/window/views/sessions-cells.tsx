// Cells that the tables of sessions, tokens and activity have in common: a document by its name, and what may be done with it.

import { splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { modeWords } from './sessions-words.ts';
import '../styles/view-sessions.css';

/** The name first, its folder after it as long as there is room. */
export function DocumentCell({ path }: { path: string }) {
  const { name, folder } = splitPath(path);
  return (
    <span className="session-path" title={path}>
      <span className="session-name">{name}</span>
      {folder !== '' && <span className="session-folder">{folder}</span>}
    </span>
  );
}

export function ModeCell({ mode }: { mode: 'edit' | 'view' }) {
  return (
    <span className="session-mode">
      <Icon name={mode === 'edit' ? 'edit' : 'eye'} size={14} />
      {modeWords[mode]}
    </span>
  );
}
