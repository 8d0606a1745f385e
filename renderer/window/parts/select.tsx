// One of a few: a list that drops down.

import type { ReactNode } from 'react';
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
} from 'react-aria-components';
import { Icon } from './icon.tsx';

export interface SelectProps<Value extends string> {
  label: string;
  /** The label is for screen readers alone, say in a toolbar. */
  isLabelHidden?: boolean;
  value: Value;
  options: readonly { id: Value; title: string; hint?: string }[];
  onChange(value: Value): void;
  hint?: ReactNode;
  isDisabled?: boolean;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  return (
    <AriaSelect
      className="field select"
      value={props.value}
      onChange={(key) => {
        const option = props.options.find(({ id }) => id === key);
        if (option !== undefined) props.onChange(option.id);
      }}
      isDisabled={props.isDisabled ?? false}
      {...(props.isLabelHidden === true ? { 'aria-label': props.label } : {})}
    >
      {props.isLabelHidden !== true && <Label className="field-label">{props.label}</Label>}
      <Button className="button button-plain select-button">
        <SelectValue className="select-value" />
        <Icon name="chevron-down" size={12} />
      </Button>
      {props.hint !== undefined && (
        <Text slot="description" className="field-hint">
          {props.hint}
        </Text>
      )}
      <Popover className="popover">
        <ListBox className="menu">
          {props.options.map((option) => (
            <ListBoxItem key={option.id} id={option.id} textValue={option.title} className="menu-item">
              {({ isSelected }) => (
                <>
                  <span className="menu-icon">{isSelected && <Icon name="check" />}</span>
                  <span className="menu-title">
                    <Text slot="label">{option.title}</Text>
                    {option.hint !== undefined && (
                      <Text slot="description" className="menu-hint">
                        {option.hint}
                      </Text>
                    )}
                  </span>
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
