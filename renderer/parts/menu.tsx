// A button that opens a menu, and a menu that opens where the pointer is. React Aria's keyboard and focus behaviour.

import { useRef } from 'react';
import {
  Button as AriaButton,
  Menu as AriaMenu,
  MenuItem,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components';
import type { IconName } from './icon-shapes.ts';
import { Icon } from './icon.tsx';

export interface MenuEntry {
  id: string;
  title: string;
  icon?: IconName;
  /** Shown at the right, such as `Del`; it does not make the key work. */
  keys?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** A line above this entry. */
  startsGroup?: boolean;
  run(): void;
}

export interface MenuButtonProps {
  /** Shown on the button; with `isIconOnly` its name for screen readers. */
  label: string;
  entries: readonly MenuEntry[];
  icon?: IconName;
  isIconOnly?: boolean;
  isDisabled?: boolean;
  look?: 'plain' | 'quiet';
}

export function MenuButton(props: MenuButtonProps) {
  const look = props.look ?? 'plain';
  return (
    <MenuTrigger>
      <AriaButton
        className={`button button-${look}${props.isIconOnly === true ? ' button-icon' : ''}`}
        isDisabled={props.isDisabled ?? false}
        aria-label={props.label}
      >
        {props.icon !== undefined && <Icon name={props.icon} />}
        {props.isIconOnly !== true && (
          <>
            <span className="button-text">{props.label}</span>
            <Icon name="chevron-down" size={12} />
          </>
        )}
      </AriaButton>
      <Popover className="popover">
        <Entries label={props.label} entries={props.entries} />
      </Popover>
    </MenuTrigger>
  );
}

export interface ContextMenuProps {
  label: string;
  entries: readonly MenuEntry[];
  /** Where in the window (client coordinates); undefined: closed. */
  at: { x: number; y: number } | undefined;
  onClose(): void;
}

export function ContextMenu(props: ContextMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span
        ref={anchor}
        className="menu-anchor"
        style={props.at === undefined ? {} : { left: props.at.x, top: props.at.y }}
      />
      <Popover
        className="popover"
        aria-label={props.label}
        triggerRef={anchor}
        isOpen={props.at !== undefined}
        onOpenChange={(isOpen) => {
          if (!isOpen) props.onClose();
        }}
        placement="bottom start"
        offset={2}
      >
        <Entries label={props.label} entries={props.entries} onClose={props.onClose} />
      </Popover>
    </>
  );
}

function Entries(props: { label: string; entries: readonly MenuEntry[]; onClose?: () => void }) {
  return (
    <AriaMenu
      className="menu"
      aria-label={props.label}
      autoFocus="first"
      {...(props.onClose === undefined ? {} : { onClose: props.onClose })}
      onAction={(key) => props.entries.find((entry) => entry.id === key)?.run()}
    >
      {props.entries.flatMap((entry) => [
        ...(entry.startsGroup === true ? [<Separator key={`${entry.id}-line`} className="menu-line" />] : []),
        <MenuItem
          key={entry.id}
          id={entry.id}
          textValue={entry.title}
          isDisabled={entry.isDisabled ?? false}
          className={entry.isDanger === true ? 'menu-item menu-item-danger' : 'menu-item'}
        >
          <span className="menu-icon">{entry.icon !== undefined && <Icon name={entry.icon} />}</span>
          <span className="menu-title">{entry.title}</span>
          {entry.keys !== undefined && <kbd className="menu-keys">{entry.keys}</kbd>}
        </MenuItem>,
      ])}
    </AriaMenu>
  );
}
