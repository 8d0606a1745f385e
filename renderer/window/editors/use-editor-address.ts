// The choice of the address under which an editor reaches DocTray: which there are, which is in use, which is chosen, and saving
// it.

import { t } from '../../../app/contract/messages.ts';
import { useEffect, useState } from 'react';
import type { EditorItem, ReachableAddress } from '../../../app/contract/editors.ts';
import { sentenceOf } from '../state/call.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';

/** Stands for the address that is typed. */
export const other = 'other';
/** Stands for the one of the network settings. */
export const usual = 'usual';

export interface AddressChoice {
  /** Undefined while they load. */
  addresses: ReachableAddress[] | undefined;
  /** Why they could not be loaded. */
  failure: string | null;
  load(): Promise<void>;
  /** An address, `usual` for the one of the network settings, `other` for `typed`. */
  chosen: string;
  choose(chosen: string): void;
  typed: string;
  type(text: string): void;
  /** Another one than the one in use is chosen. */
  isChanged: boolean;
  isSaving: boolean;
  /** Why it was not saved. */
  problem: string | null;
  /** False when it was not saved. */
  save(): Promise<boolean>;
}

export function useAddressChoice(editor: Pick<EditorItem, 'id' | 'publicUrl'>): AddressChoice {
  const call = useCall();
  const host = useWindowState((state) => state.settings.host);
  const baseUrl = useWindowState((state) => state.host.baseUrl);
  const [addresses, setAddresses] = useState<ReachableAddress[]>();
  const [failure, setFailure] = useState<string | null>(null);
  const [choice, setChoice] = useState<string>();
  const [typed, setTyped] = useState(editor.publicUrl ?? '');
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const load = async () => {
    setFailure(null);
    try {
      setAddresses(await call('editors.addresses', {}));
    } catch (error) {
      setFailure(sentenceOf(error));
    }
  };
  // another listener has other addresses
  useEffect(() => void load(), [call, host, baseUrl]);

  const isKnown = addresses?.some(({ url }) => url === editor.publicUrl) ?? true;
  const current = editor.publicUrl === null ? usual : isKnown ? editor.publicUrl : other;
  const chosen = choice ?? current;
  const isChanged = chosen === other ? typed.trim() !== (editor.publicUrl ?? '') : chosen !== current;
  return {
    addresses,
    failure,
    load,
    chosen,
    choose: (next) => {
      setProblem(null);
      setChoice(next);
    },
    typed,
    type: (text) => {
      setProblem(null);
      setTyped(text);
    },
    isChanged,
    isSaving,
    problem,
    async save() {
      const address = typed.trim().replace(/\/+$/u, '');
      if (chosen === other && address === '') {
        setProblem(t('Enter the address.'));
        return false;
      }
      setIsSaving(true);
      setProblem(null);
      try {
        if (chosen === other) await call('editors.change', { id: editor.id, publicUrl: address });
        else await call('editors.useAddress', { id: editor.id, url: chosen === usual ? null : chosen });
        setChoice(undefined);
        return true;
      } catch (error) {
        setProblem(sentenceOf(error));
        return false;
      } finally {
        setIsSaving(false);
      }
    },
  };
}
