// Documents, modes and links in table cells and side panels.

import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { t } from '../../../app/contract/messages.ts';
import { modeWords, splitName, splitPath } from './format.ts';
import { Icon } from './icon.tsx';

/** The name first, then its folder if there is room. A name that is too long keeps its extension. */
export function DocumentCell({ path }: { path: string }) {
  const { name, folder } = splitPath(path);
  return (
    <span className="path" title={path}>
      <FileName name={name} />
      {folder !== '' && <span className="path-folder">{folder}</span>}
    </span>
  );
}

/** Drawn in two parts by CSS, so that its text stays one for screen readers and search. */
export function FileName({ name }: { name: string }) {
  const [start, end] = splitName(name);
  return (
    <span className="path-name">
      <span className="visually-hidden">{name}</span>
      <span className="path-stem" aria-hidden="true" data-text={start} />
      <span className="path-extension" aria-hidden="true" data-text={end} />
    </span>
  );
}

/** Users name their editors, so a name can be of any length. */
export function EditorCell({ name }: { name: string | null }) {
  const words = name ?? t('Unknown editor');
  return (
    <span className="cut" title={words} data-any-length="">
      {words}
    </span>
  );
}

export function ModeCell({ mode }: { mode: 'edit' | 'view' }) {
  return (
    <span className={`cell tone-${mode === 'edit' ? 'info' : 'muted'}`}>
      <Icon name={mode === 'edit' ? 'edit' : 'eye'} size={14} />
      {modeWords[mode]}
    </span>
  );
}

/** A button inside a row: reached with →, and its press neither selects the row nor opens its details. */
export function RowButton(props: { children: ReactNode; label: string; isLink?: boolean; onPress(): void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={props.isLink === true ? 'row-link' : 'row-action'}
      data-own-press=""
      aria-label={props.label}
      onClick={props.onPress}
    >
      {props.children}
    </button>
  );
}

/** A link to another view. */
export function TextLink(props: { children: string; onPress(): void }) {
  return (
    <AriaButton className="text-link" onPress={props.onPress}>
      {props.children}
    </AriaButton>
  );
}
