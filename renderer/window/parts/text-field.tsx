// Fields of a form. The error stands below the field and is read with it; what is right stays silent.

import type { ReactNode } from 'react';
import {
  FieldError,
  Input,
  Label,
  SearchField as AriaSearchField,
  Text,
  TextArea,
  TextField as AriaTextField,
  Button as AriaButton,
} from 'react-aria-components';
import { t } from '../../../app/contract/messages.ts';
import { Icon } from './icon.tsx';

interface FieldProps {
  label: string;
  /** Below the field: what to enter, or what it does. */
  hint?: ReactNode;
  /** A sentence; shown in place of the hint and tells that the value is wrong. */
  error?: string | null;
  isDisabled?: boolean;
  isRequired?: boolean;
  autoFocus?: boolean;
  onBlur?: () => void;
}

export interface TextFieldProps extends FieldProps {
  value: string;
  onChange(value: string): void;
  type?: 'text' | 'password' | 'url';
  placeholder?: string;
  /** More than one line: a list, one entry a line. */
  lines?: number;
  isReadOnly?: boolean;
  /** Addresses, paths, tokens: one width for all letters. */
  isCode?: boolean;
}

export function TextField(props: TextFieldProps) {
  const input = {
    className: props.isCode === true ? 'input code' : 'input',
    ...(props.placeholder === undefined ? {} : { placeholder: props.placeholder }),
  };
  return (
    <AriaTextField
      className="field"
      value={props.value}
      onChange={props.onChange}
      type={props.type ?? 'text'}
      autoComplete="off"
      spellCheck="false"
      isReadOnly={props.isReadOnly ?? false}
      isInvalid={props.error != null}
      {...common(props)}
    >
      <Label className="field-label">{props.label}</Label>
      {props.lines === undefined ? <Input {...input} /> : <TextArea {...input} rows={props.lines} />}
      <Below hint={props.hint} error={props.error} />
    </AriaTextField>
  );
}

export interface SearchFieldProps {
  /** For screen readers; the placeholder shows it to the others. */
  label: string;
  value: string;
  onChange(value: string): void;
  onSubmit?: (value: string) => void;
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
    >
      <Icon name="search" />
      <Input
        className="input search-input"
        placeholder={props.label}
        {...(props.takesSlash === true ? { 'data-takes-slash': '' } : {})}
      />
      <AriaButton className="button button-quiet button-icon search-clear" aria-label={t('Clear')}>
        <Icon name="close" size={12} />
      </AriaButton>
    </AriaSearchField>
  );
}

function common(props: FieldProps) {
  return {
    isDisabled: props.isDisabled ?? false,
    isRequired: props.isRequired ?? false,
    autoFocus: props.autoFocus ?? false,
    ...(props.onBlur === undefined ? {} : { onBlur: props.onBlur }),
  };
}

function Below(props: { hint: ReactNode; error: string | null | undefined }) {
  return (
    <>
      {props.hint !== undefined && props.error == null && (
        <Text slot="description" className="field-hint">
          {props.hint}
        </Text>
      )}
      <FieldError className="field-error">{props.error}</FieldError>
    </>
  );
}
