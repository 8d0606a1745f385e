// Settings as fields: a line of text, a number, a list, a choice, a switch. Each takes its words from the catalog and saves itself: the host
// checks a value while it is typed, and the field saves it when it loses the focus or disappears. A value that couldn't be saved stays in
// the field, with the reason.

import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react';
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
import { t } from '../../../app/contract/messages.ts';
import type { SettingsState } from '../../../app/contract/settings.ts';
import { Switch } from '../../kit/fields.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useToasts } from '../../kit/toast.tsx';
import { isDeclined, sentenceOf } from '../state/call.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { entryOf, type SettingId } from './catalog.ts';

type KeyOf<Value> = {
  [Key in SettingKey]: SettingsState[Key] extends Value
    ? Value extends SettingsState[Key]
      ? Key
      : never
    : never;
}[SettingKey];

interface FieldProps {
  /** Its place for the search; undefined for what the catalog doesn't have. */
  id?: string;
  label: string;
  hint: ReactNode;
}

/** A group of settings in a frame. */
export function SettingsGroup(props: {
  title?: string;
  /** Muted, under the title. */
  hint?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const titleId = useId();
  const { title } = props;
  return (
    <section className="settings-group" {...(title !== undefined && { 'aria-labelledby': titleId })}>
      {(title !== undefined || props.actions !== undefined) && (
        <div className="section-header">
          {title !== undefined && (
            <h3 className="section-title" id={titleId}>
              {title}
            </h3>
          )}
          {props.actions !== undefined && <div className="section-actions">{props.actions}</div>}
        </div>
      )}
      {props.hint !== undefined && <p className="section-hint">{props.hint}</p>}
      <div className="section-body">{props.children}</div>
    </section>
  );
}

interface SettingRowProps {
  id?: string;
  title: ReactNode;
  hint?: ReactNode;
  /** Below the words, in the color of an error. */
  error?: string | null;
  children?: ReactNode;
}

/** A row that isn't a field: a value with buttons. */
export function SettingRow(props: SettingRowProps) {
  return (
    <div className="setting" data-setting={props.id}>
      <div className="setting-words">
        <div className="field-label">{props.title}</div>
        {props.hint !== undefined && <div className="field-hint">{props.hint}</div>}
        {props.error != null && (
          <div className="field-error" role="alert">
            {props.error}
          </div>
        )}
      </div>
      {props.children !== undefined && (
        <div className="setting-control setting-buttons">{props.children}</div>
      )}
    </div>
  );
}

const textOf = (value: string | null) => value ?? '';
const trimmed = (text: string) => text.trim();
const pathOf = (text: string) => text.trim() || null;
const numberText = (value: number | null) => (value === null ? '' : String(value));
const wholeOrNone = (text: string) => (text.trim() === '' ? null : wholeOf(text));
const wholeOf = (text: string) => (/^\s*\d{1,15}\s*$/u.test(text) ? Number(text) : text.trim());
export const linesOf = (values: readonly string[]) => values.join('\n');
export const entriesOf = (text: string) => text.split(/[\s,;]+/u).filter(Boolean);

/** Instead of a setting's own hint. */
export const fixedHint = t('window.set-when-doctray-was-started');

/** A line of text; empty stands for none where the setting may be without. */
export function TextSetting(props: { settingKey: 'publicUrl' | 'textEditorUrl'; placeholder?: string }) {
  const { settingKey: key } = props;
  const { label, hint } = entryOf(key);
  const setting = useTypedSetting({ key, label, toText: textOf, toValue: trimmed });
  return (
    <TypedField id={key} label={label} hint={hint} setting={setting}>
      <Input className="input code" placeholder={props.placeholder ?? ''} />
    </TypedField>
  );
}

/** @param props.fixed what DocTray was started with; null if the setting counts */
export function NumberSetting(props: {
  settingKey: KeyOf<number> & SettingId;
  unit?: string;
  fixed?: number | null;
}) {
  const { fixed = null } = props;
  const { settingKey: key } = props;
  const { label, hint } = entryOf(key);
  const setting = useTypedSetting<KeyOf<number>>({ key, label, toText: String, toValue: wholeOf });
  return (
    <TypedField
      id={key}
      label={label}
      hint={fixed === null ? hint : fixedHint}
      setting={fixed === null ? setting : { ...setting, text: String(fixed) }}
      inputMode="numeric"
      isReadOnly={fixed !== null}
    >
      <Input className="input setting-number" />
      {props.unit !== undefined && <span className="muted">{props.unit}</span>}
    </TypedField>
  );
}

/** A port; empty where none is chosen. */
export function OptionalPortSetting(props: { settingKey: 'textEditorPort' | 'dashboardPort' }) {
  const { settingKey: key } = props;
  const { label, hint } = entryOf(key);
  const setting = useTypedSetting({ key, label, toText: numberText, toValue: wholeOrNone });
  return (
    <TypedField id={key} label={label} hint={hint} setting={setting} inputMode="numeric">
      <Input className="input setting-number" />
    </TypedField>
  );
}

/** The absolute path of a file; empty stands for none. */
export function PathSetting(props: { settingKey: 'tlsCertificate' | 'tlsKey'; placeholder: string }) {
  const { settingKey: key } = props;
  const { label, hint } = entryOf(key);
  const setting = useTypedSetting({ key, label, toText: textOf, toValue: pathOf });
  return (
    <TypedField id={key} label={label} hint={hint} setting={setting}>
      <Input className="input code" placeholder={props.placeholder} />
    </TypedField>
  );
}

/** One entry a line. */
export function ListSetting(props: { settingKey: KeyOf<string[]> & SettingId; placeholder?: string }) {
  const { settingKey: key } = props;
  const { label, hint } = entryOf(key);
  const setting = useTypedSetting<KeyOf<string[]>>({ key, label, toText: linesOf, toValue: entriesOf });
  return (
    <TypedField id={key} label={label} hint={hint} setting={setting} isLong>
      <TextArea className="input code setting-list" rows={2} placeholder={props.placeholder ?? ''} />
    </TypedField>
  );
}

/** A field of a value that is saved when it is left; the control is its child. */
export function TypedField(
  props: FieldProps & {
    setting: TypedSetting;
    isLong?: boolean;
    inputMode?: 'numeric';
    isReadOnly?: boolean;
    children: ReactNode;
  },
) {
  const { setting } = props;
  return (
    <TextField
      className="setting"
      {...(props.id !== undefined && { 'data-setting': props.id })}
      value={setting.text}
      onChange={setting.type}
      onBlur={setting.commit}
      isInvalid={setting.error !== null}
      isReadOnly={props.isReadOnly ?? false}
      autoComplete="off"
      spellCheck="false"
      validationBehavior="aria"
      {...(props.inputMode === undefined ? {} : { inputMode: props.inputMode })}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (props.isLong !== true || event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          setting.commit();
        } else if (event.key !== 'Escape' || !setting.revert()) event.continuePropagation();
      }}
    >
      <div className="setting-words">
        <Label className="field-label">{props.label}</Label>
        <Text slot="description" className="field-hint">
          {props.hint}
        </Text>
      </div>
      <div className="setting-control">
        <div className="setting-line">
          {props.children}
          <SavedMark setting={setting} />
        </div>
        <FieldError className="field-error">{setting.error}</FieldError>
      </div>
    </TextField>
  );
}

function SavedMark({ setting }: { setting: TypedSetting }) {
  return (
    <span className="setting-saved tone-good" role="status">
      {setting.isSaving ? (
        <span className="spinner" aria-hidden="true" />
      ) : (
        setting.isSaved && (
          <>
            <Icon name="check" />
            <span className="visually-hidden">{t('common.saved')}</span>
          </>
        )
      )}
    </span>
  );
}

export function SwitchSetting({ settingKey: key }: { settingKey: KeyOf<boolean> & SettingId }) {
  const { value, error, choose } = useChosenSetting(key);
  const { label, hint } = entryOf(key);
  return <SwitchRow id={key} label={label} hint={hint} isOn={value} error={error} onChange={choose} />;
}

export function SwitchRow(
  props: FieldProps & { isOn: boolean; error: string | null; onChange(isOn: boolean): void },
) {
  return (
    <div className="setting setting-switch" data-setting={props.id}>
      <Switch label={props.label} hint={props.hint} isOn={props.isOn} onChange={props.onChange} />
      {props.error !== null && (
        <div className="field-error" role="alert">
          {props.error}
        </div>
      )}
    </div>
  );
}

interface ChoiceProps<Value extends string> extends FieldProps {
  options: readonly { id: Value; title: string; hint?: ReactNode; isDisabled?: boolean }[];
  /** Side by side, in one line. */
  isRow?: boolean;
}

/** One of a few, each with a sentence on what it means. */
export function ChoiceSetting<Key extends 'desktopLocks' | 'appearance' | 'openIn'>(
  props: Omit<ChoiceProps<SettingsState[Key]>, keyof FieldProps> & { settingKey: Key },
) {
  const { settingKey: key, ...rest } = props;
  const { value, error, choose } = useChosenSetting(key);
  const { label, hint } = entryOf(key);
  return (
    <ChoiceRow {...rest} id={key} label={label} hint={hint} value={value} error={error} onChange={choose} />
  );
}

export function ChoiceRow<Value extends string>(
  props: ChoiceProps<Value> & { value: Value; error: string | null; onChange(value: Value): void },
) {
  const { value, error } = props;
  return (
    <RadioGroup
      className={props.isRow === true ? 'setting' : 'setting setting-wide'}
      {...(props.id !== undefined && { 'data-setting': props.id })}
      value={value}
      onChange={(id) => {
        const option = props.options.find((one) => one.id === id);
        if (option !== undefined) props.onChange(option.id);
      }}
      isInvalid={error !== null}
      validationBehavior="aria"
      orientation={props.isRow === true ? 'horizontal' : 'vertical'}
    >
      <div className="setting-words">
        <Label className="field-label">{props.label}</Label>
        <Text slot="description" className="field-hint">
          {props.hint}
        </Text>
      </div>
      <div className="setting-control">
        <div className={props.isRow === true ? 'setting-segments' : 'setting-choices'}>
          {props.options.map((option) => (
            <Radio
              key={option.id}
              value={option.id}
              isDisabled={option.isDisabled ?? false}
              className={props.isRow === true ? 'setting-segment' : 'setting-choice'}
            >
              {props.isRow !== true && <span className="setting-dot" />}
              <span>
                <span className="setting-choice-title">{option.title}</span>
                {option.hint !== undefined && <span className="field-hint">{option.hint}</span>}
              </span>
            </Radio>
          ))}
        </div>
        <FieldError className="field-error">{error}</FieldError>
      </div>
    </RadioGroup>
  );
}

type SettingKey = keyof SettingsState;

const checksAfterMs = 250;
const savedShownMs = 2500;

interface TypedSetting {
  text: string;
  /** A sentence: why the value is rejected. */
  error: string | null;
  isSaving: boolean;
  /** For a moment after it was saved. */
  isSaved: boolean;
  type(text: string): void;
  /** Saves what was typed, if it differs from what is saved. */
  commit(): void;
  /** Goes back to what is saved; false if nothing else was typed. */
  revert(): boolean;
}

/** `toText` and `toValue` must be stable. A text that isn't a valid value is sent as it is: the host explains it best. */
function useTypedSetting<Key extends SettingKey>(input: {
  key: Key;
  /** Names it in a message, once its field is gone. */
  label: string;
  toText(value: SettingsState[Key]): string;
  toValue(text: string): SettingsState[Key] | string;
}): TypedSetting {
  const { key, label, toText, toValue } = input;
  const call = useCall();
  const stored = useWindowState((state) => state.settings[key]);
  return useTypedValue({
    label,
    storedText: toText(stored),
    check: async (text) => (await call('settings.check', { key, value: toValue(text) })).sentence,
    save: async (text) =>
      toText((await call('settings.set', { key, value: toValue(text) })).value as SettingsState[Key]),
  });
}

/** The same for a value that isn't a setting, such as the name of an editor. */
export function useTypedValue(input: {
  /** Names it in a message, once its field is gone. */
  label: string;
  storedText: string;
  /** What is wrong with the typed text, as a sentence; null if nothing is. */
  check?(text: string): Promise<string | null>;
  /** Resolves to the text as it was saved. */
  save(text: string): Promise<string>;
}): TypedSetting {
  const { storedText } = input;
  const toasts = useToasts();
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  /** Answers about an older text are ignored. */
  const step = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const savedTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** `draft` was saved, and nothing was typed since. */
  const isSettled = useRef(false);
  const now = useRef({ ...input, draft, error, isSaving });
  now.current = { ...input, draft, error, isSaving };

  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearTimeout(savedTimer.current);
      const last = now.current;
      if (last.draft === null || last.error !== null || last.isSaving) return;
      if (isSettled.current || last.draft === last.storedText) return;
      last.save(last.draft).catch((problem: unknown) => {
        toasts.show({
          tone: 'bad',
          title: t('window.setting-wasnt-saved', { setting: last.label }),
          detail: sentenceOf(problem),
        });
      });
    },
    [toasts],
  );

  const type = (text: string) => {
    step.current += 1;
    const mine = step.current;
    isSettled.current = false;
    setDraft(text);
    setIsSaved(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (input.check === undefined) return setError(null);
      input.check(text).then(
        (sentence) => {
          if (mine === step.current) setError(sentence);
        },
        () => undefined, // saving reports what is wrong
      );
    }, checksAfterMs);
  };

  const save = async (text: string) => {
    step.current += 1;
    const mine = step.current;
    clearTimeout(timer.current);
    setIsSaving(true);
    try {
      const made = await input.save(text);
      setIsSaving(false);
      if (mine !== step.current) return;
      setError(null);
      // The state arrives in a moment; until then, the field shows the text as the host saved it.
      isSettled.current = true;
      setDraft(made === now.current.storedText ? null : made);
      setIsSaved(true);
      clearTimeout(savedTimer.current);
      savedTimer.current = setTimeout(() => setIsSaved(false), savedShownMs);
    } catch (problem) {
      setIsSaving(false);
      if (mine !== step.current) return;
      if (isDeclined(problem)) revert();
      else setError(sentenceOf(problem));
    }
  };

  useEffect(() => {
    // The state has arrived, or the setting was changed elsewhere after it was saved here.
    if (isSettled.current) setDraft(null);
  }, [storedText]);

  const revert = () => {
    if (draft === null && error === null) return false;
    step.current += 1;
    clearTimeout(timer.current);
    setDraft(null);
    setError(null);
    return true;
  };
  const commit = () => {
    if (draft === null || isSaving || isSettled.current) return;
    if (draft === storedText) revert();
    else void save(draft);
  };
  return { text: draft ?? storedText, error, isSaving, isSaved, type, commit, revert };
}

interface ChosenSetting<Value> {
  value: Value;
  error: string | null;
  choose(value: Value): void;
}

/** A setting that is chosen instead of typed: saved and shown immediately; if saving fails, it goes back, with the reason. */
export function useChosenSetting<Key extends SettingKey>(key: Key): ChosenSetting<SettingsState[Key]> {
  const call = useCall();
  const stored = useWindowState((state) => state.settings[key]);
  return useChosenValue(
    stored,
    useCallback(async (value: SettingsState[Key]) => call('settings.set', { key, value }), [call, key]),
  );
}

/** The same for a value that isn't a setting. `save` must be stable. */
export function useChosenValue<Value>(
  stored: Value,
  save: (value: Value) => Promise<unknown>,
): ChosenSetting<Value> {
  const [chosen, setChosen] = useState<{ value: Value }>();
  const [error, setError] = useState<string | null>(null);
  const step = useRef(0);
  useEffect(() => setChosen(undefined), [stored]);
  const choose = useCallback(
    (value: Value) => {
      step.current += 1;
      const mine = step.current;
      setChosen({ value });
      setError(null);
      save(value).catch((problem: unknown) => {
        if (mine !== step.current) return;
        setChosen(undefined);
        setError(isDeclined(problem) ? null : sentenceOf(problem));
      });
    },
    [save],
  );
  return { value: chosen === undefined ? stored : chosen.value, error, choose };
}
