// One setting while the user types: checked by the host as it changes, saved when the field loses the focus. A value that couldn't be
// saved stays in the field with the reason; a field that disappears before that is saved then.

import { useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../../../app/contract/messages.ts';
import type { SettingsState } from '../../../app/contract/state.ts';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';

export type SettingKey = keyof SettingsState;

const checksAfterMs = 250;
const savedShownMs = 2500;

export interface TypedSetting {
  text: string;
  /** A sentence: why this value is not taken. */
  error: string | null;
  isSaving: boolean;
  /** For a moment after it was saved. */
  isSaved: boolean;
  type(text: string): void;
  /** Saves what was typed, if it is another value. */
  commit(): void;
  /** Back to what is saved; false when nothing else was typed. */
  revert(): boolean;
}

/** `toText` and `toValue` must be stable. A text that is no value of the kind is sent as it is: the host's sentence fits best. */
export function useTypedSetting<Key extends SettingKey>(input: {
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

/** The same for what is no setting of its own, such as the name of an editor. */
export function useTypedValue(input: {
  /** Names it in a message, once its field is gone. */
  label: string;
  storedText: string;
  /** What would be wrong with it, as it is typed; null when it is right. */
  check?(text: string): Promise<string | null>;
  /** Answers what was made of it. */
  save(text: string): Promise<string>;
}): TypedSetting {
  const { storedText } = input;
  const toasts = useToasts();
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  /** Answers to an older text count no more. */
  const step = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const savedTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** `draft` is what was saved, and not typed at since. */
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
          title: t('{setting} wasn’t saved', { setting: last.label }),
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
        () => undefined, // saving says what is wrong
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
      // the state follows in a moment; until then what the host made of it
      isSettled.current = true;
      setDraft(made === now.current.storedText ? null : made);
      setIsSaved(true);
      clearTimeout(savedTimer.current);
      savedTimer.current = setTimeout(() => setIsSaved(false), savedShownMs);
    } catch (problem) {
      setIsSaving(false);
      if (mine === step.current) setError(sentenceOf(problem));
    }
  };

  useEffect(() => {
    // the state has come, or somebody else changed the setting after it was saved here
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

/** A setting that is chosen rather than typed: saved at once, shown as chosen meanwhile, put back with the reason when it fails. */
export function useChosenSetting<Key extends SettingKey>(key: Key): ChosenSetting<SettingsState[Key]> {
  const call = useCall();
  const stored = useWindowState((state) => state.settings[key]);
  return useChosenValue(
    stored,
    useCallback(async (value: SettingsState[Key]) => call('settings.set', { key, value }), [call, key]),
  );
}

/** The same for what is no setting of its own. `save` must be stable. */
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
        setError(sentenceOf(problem));
      });
    },
    [save],
  );
  return { value: chosen === undefined ? stored : chosen.value, error, choose };
}
