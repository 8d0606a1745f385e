// The frame every view has: title, one line under it, actions at the right, content below. And what table cells show.

import type { ReactNode } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { FileName, FolderName } from '../../kit/file-name.tsx';
import { splitPath } from './format.ts';

interface ViewProps {
  title: string;
  /** One muted line: such as a count or a path. */
  subtitle?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** The content fills the height and scrolls inside itself: views of one DataTable. Otherwise the view scrolls. */
  isFilled?: boolean;
  children: ReactNode;
}

export function View(props: ViewProps) {
  return (
    <div className={props.isFilled === true ? 'view view-filled' : 'view'}>
      <header className="row view-header">
        <div className="view-heading">
          <h1 className="view-title">{props.title}</h1>
          {props.subtitle !== undefined && <div className="view-subtitle">{props.subtitle}</div>}
        </div>
        {props.actions !== undefined && <div className="row view-actions">{props.actions}</div>}
      </header>
      <div className="stack view-content">{props.children}</div>
    </div>
  );
}

// Documents, editors and links, in table cells and side panels.

/** The name first, then its folder, which is shortened first. A name that is too long keeps its extension. */
export function DocumentCell({ path }: { path: string }) {
  const { name, folder } = splitPath(path);
  return (
    <span className="path" title={path} data-any-length="">
      <FileName name={name} />
      {folder !== '' && <FolderName folder={folder} />}
    </span>
  );
}

/** Users name their editors, so a name can be of any length. */
export function EditorCell({ name }: { name: string | null }) {
  const words = name ?? t('window.unknown-editor');
  return (
    <span className={name === null ? 'cut muted' : 'cut'} title={words} data-any-length="">
      {words}
    </span>
  );
}

/** A button inside a row: reached with →, and its press neither selects the row nor opens its details. */
export function RowButton(props: { children: ReactNode; label: string; isLink?: boolean; onPress(): void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={props.isLink === true ? 'row-link' : 'button button-plain row-action'}
      data-own-press=""
      aria-label={props.label}
      onClick={props.onPress}
    >
      {props.children}
    </button>
  );
}
