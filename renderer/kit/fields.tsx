// Fields of a form, switches and selects. The error stands below the field and is read with it; what is right stays silent.

import { useId, useState, type ReactNode, type Ref } from 'react';
import {
  Button,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField as AriaSearchField,
  Select as AriaSelect,
  SelectValue,
  Switch as AriaSwitch,
  Text,
  TextField as AriaTextField,
} from 'react-aria-components';
import { t } from '../../app/contract/messages.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

interface TextFieldProps {
  label: string;
  /** Below the field: what to enter, or what it does. */
  hint?: ReactNode;
  /** A sentence; shown in place of the hint and tells that the value is wrong. */
  error?: ReactNode;
  autoFocus?: boolean;
  value: string;
  onChange(value: string): void;
  type?: 'text' | 'password';
  placeholder?: string;
  isReadOnly?: boolean;
  /** Addresses, paths, tokens: one width for all letters. */
  isCode?: boolean;
  /** At the end of the line, such as a button. */
  action?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

export function TextField(props: TextFieldProps) {
  const [isShown, setIsShown] = useState(false);
  const isPassword = props.type === 'password';
  return (
    <AriaTextField
      className="stack field"
      value={props.value}
      onChange={props.onChange}
      type={isPassword && !isShown ? 'password' : 'text'}
      autoComplete="off"
      spellCheck="false"
      isReadOnly={props.isReadOnly ?? false}
      isInvalid={props.error != null}
      // Otherwise the browser doesn't submit the form until the error is gone.
      validationBehavior="aria"
      autoFocus={props.autoFocus ?? false}
    >
      <Label className="field-label">{props.label}</Label>
      <div className={isPassword ? 'field-value' : 'line'}>
        <Input
          className={props.isCode === true ? 'input code' : 'input'}
          placeholder={props.placeholder ?? ''}
          ref={props.inputRef ?? null}
        />
        {isPassword && (
          <IconButton
            className="search-clear"
            icon="eye"
            label={t(isShown ? 'kit.hide-password' : 'kit.show-password')}
            onPress={() => setIsShown(!isShown)}
          />
        )}
        {props.action}
      </div>
      {props.hint !== undefined && props.error == null && (
        <Text slot="description" className="field-hint">
          {props.hint}
        </Text>
      )}
      <FieldError className="field-error">{props.error}</FieldError>
    </AriaTextField>
  );
}

interface SearchFieldProps {
  /** For screen readers; the placeholder shows it to the others. */
  label: string;
  value: string;
  onChange(value: string): void;
  onSubmit?: (value: string) => void;
  /** Moves the focus to the results, by ↓, and by Enter without `onSubmit`. */
  onLeave?: () => void;
  /** Focused by `/` from anywhere in the view. Only one field of a view has it; a DataTable's filter has it already. */
  takesSlash?: boolean;
}

export function SearchField(props: SearchFieldProps) {
  return (
    <AriaSearchField
      className="search"
      aria-label={props.label}
      value={props.value}
      onChange={props.onChange}
      {...(props.onSubmit === undefined ? {} : { onSubmit: props.onSubmit })}
      onKeyDown={(event) => {
        const isLeaving =
          event.key === 'ArrowDown' || (event.key === 'Enter' && props.onSubmit === undefined);
        if (props.onLeave === undefined || !isLeaving || event.nativeEvent.isComposing) {
          // Otherwise, React Aria keeps every key from the window's shortcuts.
          event.continuePropagation();
          return;
        }
        event.preventDefault();
        props.onLeave();
      }}
    >
      <Icon name="search" />
      <Input
        className="input search-input"
        placeholder={props.label}
        {...(props.takesSlash === true ? { 'data-takes-slash': '' } : {})}
      />
      <Button className="button button-quiet button-icon search-clear" aria-label={t('kit.clear')}>
        <Icon name="close" size={12} />
      </Button>
    </AriaSearchField>
  );
}

/** There, a key is text, and Ctrl+Z undoes typing. */
export function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type="checkbox"], [type="radio"]), textarea, [contenteditable]')
  );
}

interface SelectProps<Value extends string> {
  label: string;
  /** Only screen readers get the label, for example in a toolbar. */
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
      className="stack field select"
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
            <ListBoxItem key={option.id} id={option.id} textValue={option.title} className="line menu-item">
              {({ isSelected }) => (
                <>
                  <span className="menu-icon">{isSelected && <Icon name="check" />}</span>
                  <span className="grow menu-title">
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

interface SwitchProps {
  label: string;
  /** The text next to it already shows the label. */
  isLabelHidden?: boolean;
  hint?: ReactNode;
  isOn: boolean;
  onChange(isOn: boolean): void;
  isDisabled?: boolean;
}

/** A choice that belongs to the button below it. A `Switch` takes effect at once. */
export function CheckBox(props: Pick<SwitchProps, 'label' | 'hint' | 'isOn' | 'onChange'>) {
  const hintId = useId();
  return (
    <div className="stack switch-field">
      <label className="switch">
        <input
          type="checkbox"
          className="check"
          checked={props.isOn}
          aria-describedby={hintId}
          onChange={({ target }) => props.onChange(target.checked)}
        />
        {props.label}
      </label>
      <div id={hintId} className="field-hint check-hint">
        {props.hint}
      </div>
    </div>
  );
}

export function Switch(props: SwitchProps) {
  const hintId = useId();
  return (
    <div className="stack switch-field">
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
