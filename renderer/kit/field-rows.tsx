// Rows of a section that each hold one value: words at the left, its control at the right, and what is wrong below. A row needs no form:
// what it holds is saved by itself.

import type { ReactNode } from 'react';
import {
  FieldError,
  Input,
  Label,
  Radio,
  RadioGroup,
  Text,
  TextArea,
  TextField,
} from 'react-aria-components';
import { t } from '../../app/contract/messages.ts';
import { Switch } from './fields.tsx';

interface RowProps {
  /** Its place, for a search that leads to it. */
  id?: string | undefined;
  label: ReactNode;
  hint?: ReactNode;
  /** A sentence, in the color of an error. */
  error?: string | null;
}

/** A row that isn't a field: a value with buttons. @param props.note below both */
export function FieldRow(props: RowProps & { note?: ReactNode; children?: ReactNode }) {
  return (
    <div className="field-row" data-setting={props.id}>
      <div className="stack field-words">
        <div className="field-label">{props.label}</div>
        {props.hint !== undefined && <div className="field-hint">{props.hint}</div>}
      </div>
      {props.children !== undefined && <div className="row field-buttons">{props.children}</div>}
      {Boolean(props.note) && <div className="field-hint field-note">{props.note}</div>}
      {props.error != null && (
        <div className="field-error field-note" role="alert">
          {props.error}
        </div>
      )}
    </div>
  );
}

/** In the place of a row that is on its way. */
export function FieldRowSkeleton() {
  return (
    <div className="field-row">
      <div className="stack field-words">
        <span className="skeleton-bar" />
        <span className="skeleton-bar" />
      </div>
      <span className="skeleton-field" />
    </div>
  );
}

interface TextRowProps extends RowProps {
  kind: 'text' | 'number' | 'list';
  value: string;
  onChange(value: string): void;
  /** Enter, or the focus goes elsewhere. */
  onCommit(): void;
  /** Escape; false if there is nothing to go back to. */
  onRevert(): boolean;
  /** A value that it could have, shown while it's empty. */
  example?: string | undefined;
  /** After a number. */
  unit?: string | undefined;
  /** Addresses and paths: one width for all letters. */
  isCode?: boolean;
  isReadOnly?: boolean;
  /** In the field, at its end. */
  mark: ReactNode;
}

export function TextRow(props: TextRowProps) {
  const { kind, unit } = props;
  const input = {
    className: `input field-${kind}${props.isCode === true ? ' code' : ''}`,
    placeholder: props.example === undefined ? '' : t('kit.for-example-value', { value: props.example }),
  };
  return (
    <TextField
      className="field-row"
      data-setting={props.id}
      value={props.value}
      onChange={props.onChange}
      onBlur={props.onCommit}
      isInvalid={props.error != null}
      isReadOnly={props.isReadOnly ?? false}
      autoComplete="off"
      spellCheck="false"
      validationBehavior="aria"
      {...(kind === 'number' && { inputMode: unit?.endsWith('B') === true ? 'decimal' : 'numeric' })}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (kind !== 'list' || event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          props.onCommit();
        } else if (event.key !== 'Escape' || !props.onRevert()) event.continuePropagation();
      }}
    >
      <Words {...props} />
      <div className={kind === 'number' ? 'stack field-control field-small' : 'stack field-control'}>
        <div className="field-value">
          {kind === 'list' ? <TextArea {...input} rows={2} /> : <Input {...input} />}
          {unit !== undefined && <span className="field-unit">{unit}</span>}
          <span className="field-mark tone-good" role="status">
            {props.mark}
          </span>
        </div>
        <FieldError className="field-error">{props.error}</FieldError>
      </div>
    </TextField>
  );
}

function Words({ label, hint }: RowProps) {
  return (
    <div className="stack field-words">
      <Label className="field-label">{label}</Label>
      <Text slot="description" className="field-hint">
        {hint}
      </Text>
    </div>
  );
}

export function SwitchRow(props: RowProps & { label: string; isOn: boolean; onChange(isOn: boolean): void }) {
  return (
    <div className="field-row field-switch" data-setting={props.id}>
      <Switch label={props.label} hint={props.hint} isOn={props.isOn} onChange={props.onChange} />
      {props.error != null && (
        <div className="field-error" role="alert">
          {props.error}
        </div>
      )}
    </div>
  );
}

export interface ChoiceOption<Value extends string> {
  id: Value;
  title: ReactNode;
  hint?: ReactNode;
  isDisabled?: boolean;
}

interface ChoiceProps<Value extends string> extends RowProps {
  value: Value;
  onChange(value: Value): void;
  options: readonly ChoiceOption<Value>[];
  /** In one line, without hints. */
  isInline?: boolean | undefined;
}

export function ChoiceRow<Value extends string>(props: ChoiceProps<Value>) {
  const { isInline = false } = props;
  return (
    <Choices {...props} className={isInline ? 'field-row' : 'field-row field-wide'}>
      <Words {...props} />
      <div className={isInline ? 'stack field-control field-small' : 'stack field-control'}>
        <div className={isInline ? 'segments' : 'stack choices'}>
          {props.options.map((option) => (
            <Choice key={option.id} option={option} isInline={isInline} />
          ))}
        </div>
        <FieldError className="field-error">{props.error}</FieldError>
      </div>
    </Choices>
  );
}

/** One of a list of options, each with a sentence about it. */
export function ChoiceList<Value extends string>(props: ChoiceProps<Value> & { label: string }) {
  return (
    <Choices {...props} className="stack choices choice-list" aria-label={props.label}>
      {props.options.map((option) => (
        <Choice key={option.id} option={option} isInline={false} />
      ))}
      <FieldError className="field-error">{props.error}</FieldError>
    </Choices>
  );
}

function Choices<Value extends string>(
  props: ChoiceProps<Value> & { className: string; 'aria-label'?: string; children: ReactNode },
) {
  return (
    <RadioGroup
      className={props.className}
      {...(props['aria-label'] !== undefined && { 'aria-label': props['aria-label'] })}
      data-setting={props.id}
      value={props.value}
      onChange={(id) => {
        const option = props.options.find((one) => one.id === id);
        if (option !== undefined) props.onChange(option.id);
      }}
      isInvalid={props.error != null}
      validationBehavior="aria"
      orientation={props.isInline === true ? 'horizontal' : 'vertical'}
    >
      {props.children}
    </RadioGroup>
  );
}

function Choice<Value extends string>(props: { option: ChoiceOption<Value>; isInline: boolean }) {
  const { id, title, hint, isDisabled = false } = props.option;
  return (
    <Radio value={id} isDisabled={isDisabled} className={props.isInline ? 'segment' : 'choice'}>
      {!props.isInline && <span className="choice-dot" />}
      <span className="grow">
        {title}
        {hint !== undefined && <span className="field-hint">{hint}</span>}
      </span>
    </Radio>
  );
}
