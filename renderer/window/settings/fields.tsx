// Fields that save themselves. The host checks a value while it is typed, and it is saved when its field loses the focus or disappears. One
// that couldn't be saved stays in the field, with the reason; a choice goes back.

import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { settings, type SettingsState } from '../../../app/contract/settings.ts';
import { ChoiceRow, SwitchRow, TextRow, type ChoiceOption } from '../../kit/field-rows.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useToasts } from '../../kit/toast.tsx';
import { locale } from '../parts/format.ts';
import { isDeclined, sentenceOf } from '../state/call.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { entryOf, wordsOf, type SettingId } from './catalog.ts';

/** A field, described. Of `kind`, the value is what a setting of that kind has. */
export interface FieldDescription {
  kind: 'text' | 'number' | 'list' | 'switch' | 'choice';
  /** Its place, for the search. */
  id?: string;
  label: string;
  hint: ReactNode;
  example?: string | undefined;
  unit?: string | undefined;
  isCode?: boolean;
  /** Can't be changed here. */
  isReadOnly?: boolean;
  options?: readonly ChoiceOption<string>[];
  isInline?: boolean | undefined;
  /** Names it in a message, once its field is gone. */
  longLabel?: string;
}

type Value = string | number | boolean | null | readonly string[];

interface Stored {
  stored: Value;
  /** Must be stable while the stored value is. Resolves to the value as it was saved. */
  save(value: Value): Promise<unknown>;
  /** What is wrong with a value, as a sentence; null if nothing is. */
  check?(value: Value): Promise<string | null>;
}

export function SavedField(props: FieldDescription & Stored) {
  return props.kind === 'switch' || props.kind === 'choice' ? (
    <ChosenField {...props} />
  ) : (
    <TypedField {...props} />
  );
}

function ChosenField({ stored, save, ...field }: FieldDescription & Stored) {
  const { value, error, choose } = useChosenValue(stored, save);
  return field.kind === 'switch' ? (
    <SwitchRow {...field} isOn={value === true} error={error} onChange={choose} />
  ) : (
    <ChoiceRow
      {...field}
      options={field.options ?? []}
      value={String(value)}
      error={error}
      onChange={choose}
    />
  );
}

function TypedField({ stored, save, check, ...field }: FieldDescription & Stored) {
  const { kind, label, longLabel = label } = field;
  const isSize = field.unit === 'MB';
  const valueOf = (text: string): Value =>
    kind === 'list' ? entriesOf(text) : isSize ? sizeOf(text) : valueOfLine(text, kind);
  const textOf = (value: Value) => (isSize ? sizeText(value) : plainText(value));
  const typed = useTypedValue({
    label: longLabel,
    storedText: textOf(stored),
    ...(check !== undefined && { check: async (text: string) => check(valueOf(text)) }),
    save: async (text) => textOf((await save(valueOf(text))) as Value),
  });
  const [, amount = typed.text, unit = field.unit] = (isSize && /^(.*) ([MG]B)$/u.exec(typed.text)) || [];
  return (
    <TextRow
      {...field}
      kind={kind as 'text'}
      value={amount}
      unit={unit}
      error={typed.error}
      onChange={(text) => typed.type(isSize && !/[MG]B$/u.test(text) ? `${text} ${unit}` : text)}
      onCommit={typed.commit}
      onRevert={typed.revert}
      mark={<SavedMark {...typed} />}
    />
  );
}

const plainText = (value: Value): string =>
  Array.isArray(value) ? value.join('\n') : value === null ? '' : String(value);
/** `4 GB`, `500 MB`: exact, with its unit, which depends on the amount. */
const sizeText = (value: Value): string =>
  typeof value === 'number' && value >= 1000
    ? `${(value / 1000).toLocaleString(locale, { maximumFractionDigits: 3, useGrouping: false })} GB`
    : `${plainText(value)} MB`;
const entriesOf = (text: string): string[] => text.split(/[\s,;]+/u).filter(Boolean);
/** A text that isn't a valid value is sent as it is: the host explains it best. */
const valueOfLine = (text: string, kind: string): Value => {
  const line = text.trim();
  return kind === 'number' && /^\d{1,15}$/u.test(line) ? Number(line) : line || null;
};
/** The other of comma and point separates thousands in this region, so it isn't taken. */
const size = new RegExp(`^(\\d{1,9})([${(1.5).toLocaleString(locale).charAt(1)}]\\d{1,3})? ?([MG]B)$`, 'u');
/** `500 MB`, `4 GB`, `0.5 GB` in MB. */
const sizeOf = (text: string): Value => {
  const [, whole, fraction = '', unit] = (size.exec(text.trim()) ?? []) as (string | undefined)[];
  if (whole === undefined || (fraction !== '' && unit === 'MB')) return text.trim();
  return unit === 'MB' ? Number(whole) : Number(whole + fraction.slice(1).padEnd(3, '0'));
};

function SavedMark({ isSaving, isSaved }: { isSaving: boolean; isSaved: boolean }) {
  if (isSaving) return <span className="spinner" aria-hidden="true" />;
  return (
    isSaved && (
      <>
        <Icon name="check" />
        <span className="visually-hidden">{t('common.saved')}</span>
      </>
    )
  );
}

// Settings.

export type StoredSetting = keyof SettingsState & SettingId;

export function isStored(id: SettingId): id is StoredSetting {
  return Object.hasOwn(settings, id);
}

/** Instead of a setting's own hint. */
export const fixedHint = t('window.set-when-doctray-was-started');

/** @param props.fixed what DocTray was started with; null if the setting counts */
export function SettingField(props: { id: StoredSetting; fixed?: number | null }) {
  const { id, fixed = null } = props;
  const entry = entryOf(id);
  const call = useCall();
  const stored = useWindowState((state) => state.settings[id]);
  const save = useSaveSetting(id);
  const setting = settings[id];
  return (
    <SavedField
      {...entry}
      {...(fixed !== null && { hint: fixedHint, isReadOnly: true })}
      kind={setting.kind}
      isCode={setting.kind !== 'number'}
      options={setting.kind === 'choice' ? optionsOf(id, setting.values) : []}
      stored={fixed ?? stored}
      save={save}
      check={async (value) => (await call('settings.check', { key: id, value: value as string })).sentence}
    />
  );
}

/** The values of a choice, with their words. */
export function optionsOf<Value extends string>(id: SettingId, values: readonly Value[]) {
  return values.map((value) => {
    const { label, hint } = wordsOf(`${id}.${value}`);
    return { id: value, title: label, ...(hint !== undefined && { hint }) };
  });
}

export function useSaveSetting(key: StoredSetting): (value: unknown) => Promise<unknown> {
  const call = useCall();
  return useCallback(
    async (value) => (await call('settings.set', { key, value: value as string })).value,
    [call, key],
  );
}

/** A setting that is chosen instead of typed, for a view of its own. */
export function useChosenSetting<Key extends StoredSetting>(key: Key) {
  return useChosenValue<SettingsState[Key]>(
    useWindowState((state) => state.settings[key]),
    useSaveSetting(key),
  );
}

// Values that are typed or chosen, until they are saved.

const checksAfterMs = 250;
const savedShownMs = 2500;

function useTypedValue(input: {
  /** Names it in a message, once its field is gone. */
  label: string;
  storedText: string;
  /** What is wrong with the typed text, as a sentence; null if nothing is. */
  check?(text: string): Promise<string | null>;
  /** Resolves to the text as it was saved. */
  save(text: string): Promise<string>;
}) {
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

  /** Goes back to what is saved; false if nothing else was typed. */
  const revert = () => {
    if (draft === null && error === null) return false;
    step.current += 1;
    clearTimeout(timer.current);
    setDraft(null);
    setError(null);
    return true;
  };
  /** Saves what was typed, if it differs from what is saved. */
  const commit = () => {
    if (draft === null || isSaving || isSettled.current) return;
    if (draft === storedText) revert();
    else void save(draft);
  };
  return {
    text: draft ?? storedText,
    /** A sentence: why the value is rejected. */
    error,
    isSaving,
    /** For a moment after it was saved. */
    isSaved,
    type,
    commit,
    revert,
  };
}

/** Saved and shown immediately; if saving fails, it goes back, with the reason. `save` must be stable. */
export function useChosenValue<Value>(stored: Value, save: (value: Value) => Promise<unknown>) {
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
