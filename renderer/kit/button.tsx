// Buttons: React Aria's, in our few looks.

import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  Link,
  ToggleButton as AriaToggleButton,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-shapes.ts';

interface ButtonProps {
  children: ReactNode;
  onPress?: () => void;
  /** `quiet`: no frame until pointed at. `primary`: at most one a view. `danger`: confirms what takes something away, only in its dialog. */
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: IconName | undefined;
  isDisabled?: boolean;
  /** Shows a turning mark, keeps the focus, ignores presses. */
  isPending?: boolean;
  type?: 'button' | 'submit';
  /** The id of the form that it submits. */
  form?: string;
  autoFocus?: boolean;
  'aria-label'?: string;
  'aria-describedby'?: string;
  className?: string;
}

export function Button(props: ButtonProps) {
  const { children, look = 'plain', icon, className, ...rest } = props;
  return (
    <AriaButton
      {...rest}
      className={`button button-${look}${className === undefined ? '' : ` ${className}`}`}
    >
      {props.isPending === true ? (
        <span className="spinner" aria-hidden="true" />
      ) : (
        icon !== undefined && <Icon name={icon} />
      )}
      <span className="button-text">{children}</span>
    </AriaButton>
  );
}

/** Stays pressed while something is on. */
export function ToggleButton(props: {
  children: ReactNode;
  isOn: boolean;
  isDisabled?: boolean;
  onPress(): void;
}) {
  const { isOn, onPress, ...rest } = props;
  return <AriaToggleButton {...rest} isSelected={isOn} onChange={onPress} className="button button-quiet" />;
}

/** Looks like a button, and opens a page in a new tab. */
export function LinkButton(props: { children: ReactNode; href: string; 'aria-label'?: string }) {
  return <Link {...props} target="_blank" rel="noopener" className="button button-plain" />;
}

interface IconButtonProps {
  icon: IconName;
  /** The name for screen readers, and the tooltip unless that has other words. */
  label: string;
  tooltip?: string;
  onPress?: () => void;
  isDisabled?: boolean;
  isPending?: boolean;
  className?: string;
  'aria-expanded'?: boolean;
  'aria-controls'?: string;
}

/** A button of an icon alone; its label is shown on hover and focus. */
export function IconButton(props: IconButtonProps) {
  const { icon, label, tooltip = label, className, ...rest } = props;
  return (
    <TooltipTrigger delay={500}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={`button button-quiet button-icon${className === undefined ? '' : ` ${className}`}`}
      >
        {props.isPending === true ? <span className="spinner" aria-hidden="true" /> : <Icon name={icon} />}
      </AriaButton>
      <Tooltip className="tooltip">{tooltip}</Tooltip>
    </TooltipTrigger>
  );
}
