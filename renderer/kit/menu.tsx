// A button that opens a menu, and a menu that opens where the pointer is. React Aria's keyboard and focus behaviour.

import { useRef, type ReactNode } from 'react';
import {
  Button as AriaButton,
  Menu as AriaMenu,
  MenuItem,
  MenuTrigger,
  Popover,
  RootMenuTriggerStateContext,
  Separator,
  SubmenuTrigger,
} from 'react-aria-components';
import { useMenuTriggerState } from 'react-stately';
import { keyWords } from './keys.ts';
import type { IconName } from './icon-shapes.ts';
import { Icon } from './icon.tsx';

export interface MenuEntry {
  id: string;
  title: string;
  icon?: IconName | undefined;
  /** Shown at the right, such as `Del`; it does not make the key work. */
  keys?: string | undefined;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** A line above this entry. */
  startsGroup?: boolean;
  /** A menu in the menu, in place of `run`. None of them: the entry is off. */
  entries?: readonly MenuEntry[] | undefined;
  run(): void;
}

/** A function is called when the menu opens. */
type MenuEntries = readonly MenuEntry[] | (() => readonly MenuEntry[]);

interface MenuButtonProps {
  label: string;
  entries: MenuEntries;
  icon?: IconName;
  isDisabled?: boolean;
  look?: 'plain' | 'quiet';
}

export function MenuButton({ label, icon, look = 'plain', ...props }: MenuButtonProps) {
  return (
    <OpensMenu {...props} label={label} className={`button button-${look}`}>
      {icon !== undefined && <Icon name={icon} />}
      <span className="button-text">{label}</span>
      <Icon name="chevron-down" size={12} />
    </OpensMenu>
  );
}

/** `⋯` if no other icon is given: what is rarely needed. The label is for screen readers. */
export function MoreButton({
  icon = 'more',
  ...props
}: Pick<MenuButtonProps, 'label' | 'icon' | 'entries' | 'isDisabled'>) {
  return (
    <OpensMenu {...props} className="button button-quiet button-icon">
      <Icon name={icon} />
    </OpensMenu>
  );
}

function OpensMenu(props: {
  label: string;
  entries: MenuEntries;
  isDisabled?: boolean;
  className: string;
  children: ReactNode;
}) {
  return (
    <MenuTrigger>
      <AriaButton className={props.className} isDisabled={props.isDisabled ?? false} aria-label={props.label}>
        {props.children}
      </AriaButton>
      <Popover className="popover">
        <Entries label={props.label} entries={props.entries} />
      </Popover>
    </MenuTrigger>
  );
}

interface ContextMenuProps {
  label: string;
  entries: readonly MenuEntry[];
  /** Where in the window (client coordinates); undefined: closed. */
  at: { x: number; y: number } | undefined;
  onClose(): void;
}

export function ContextMenu(props: ContextMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const isOpen = props.at !== undefined;
  const onOpenChange = (isToOpen: boolean) => {
    if (!isToOpen) props.onClose();
  };
  const state = useMenuTriggerState({ isOpen, onOpenChange });
  return (
    // what a menu in the menu closes with itself
    <RootMenuTriggerStateContext value={state}>
      <span
        ref={anchor}
        className="menu-anchor"
        style={
          props.at === undefined
            ? {}
            : // in the window, also when it becomes smaller
              { left: `min(${props.at.x}px, 100vw)`, top: `min(${props.at.y}px, 100vh)` }
        }
      />
      <Popover
        className="popover"
        aria-label={props.label}
        triggerRef={anchor}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        // Beside the pointer: then a menu that is too high for the room below moves up, as native ones do, and doesn't scroll.
        placement="right top"
        offset={2}
      >
        <Entries label={props.label} entries={props.entries} onClose={state.close} />
      </Popover>
    </RootMenuTriggerStateContext>
  );
}

function Entries(props: { label: string; entries: MenuEntries; onClose?: () => void }) {
  const entries = typeof props.entries === 'function' ? props.entries() : props.entries;
  return (
    <AriaMenu
      className="menu"
      aria-label={props.label}
      autoFocus="first"
      {...(props.onClose === undefined ? {} : { onClose: props.onClose })}
      onAction={(key) => entries.find((entry) => entry.id === key)?.run()}
    >
      {entries.flatMap((entry) => [
        ...(entry.startsGroup === true ? [<Separator key={`${entry.id}-line`} className="menu-line" />] : []),
        // called, not drawn as a component: the menu wants its items themselves
        entry.entries === undefined || entry.entries.length === 0 ? item(entry) : submenu(entry),
      ])}
    </AriaMenu>
  );
}

function item(entry: MenuEntry) {
  return (
    <MenuItem
      key={entry.id}
      id={entry.id}
      textValue={entry.title}
      isDisabled={entry.isDisabled === true || entry.entries?.length === 0}
      className={entry.isDanger === true ? 'line menu-item menu-item-danger' : 'line menu-item'}
    >
      <span className="menu-icon">{entry.icon !== undefined && <Icon name={entry.icon} />}</span>
      <span className="grow menu-title">{entry.title}</span>
      {entry.keys !== undefined && <kbd className="menu-keys">{keyWords(entry.keys, false)}</kbd>}
      {entry.entries !== undefined && <Icon name="chevron-right" size={12} />}
    </MenuItem>
  );
}

function submenu(entry: MenuEntry) {
  return (
    <SubmenuTrigger key={entry.id}>
      {item(entry)}
      <Popover className="popover">
        <Entries label={entry.title} entries={entry.entries ?? []} />
      </Popover>
    </SubmenuTrigger>
  );
}
