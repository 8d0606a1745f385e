// On or off, at once.

import { useId, type ReactNode } from 'react';
import { Switch as AriaSwitch } from 'react-aria-components';

export interface SwitchProps {
  label: string;
  /** The text next to it already shows the label. */
  isLabelHidden?: boolean;
  hint?: ReactNode;
  isOn: boolean;
  onChange(isOn: boolean): void;
  isDisabled?: boolean;
}

export function Switch(props: SwitchProps) {
  const hintId = useId();
  return (
    <div className="switch-field">
      <AriaSwitch
        className="switch"
        isSelected={props.isOn}
        onChange={props.onChange}
        isDisabled={props.isDisabled ?? false}
        {...(props.hint === undefined ? {} : { 'aria-describedby': hintId })}
      >
        <span className="switch-track" />
        <span className={props.isLabelHidden === true ? 'visually-hidden' : undefined}>{props.label}</span>
      </AriaSwitch>
      {props.hint !== undefined && (
        <div id={hintId} className="field-hint switch-hint">
          {props.hint}
        </div>
      )}
    </div>
  );
}
