// Opening a document in an editor, by whichever key or menu: what is said when it opened, when no editor can open it, and when
// none is connected at all.

import { useRef, useState, type ReactNode } from 'react';
import type { OpenedDocument } from '../../../app/contract/results.ts';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import type { RowChoice } from '../table/column.ts';
import { useToasts, type ToastMessage } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useNavigation } from '../state/navigation.tsx';
import { useAction } from '../state/use-action.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { OpenDialog } from './open.tsx';
import { abilityFor, isBuiltIn, listed, typeOf, type Ability } from '../editors/words.ts';

export interface Opening {
  /** By the default editor of its type, unless one is named. */
  open(path: string, mode: 'edit' | 'view', editorId?: string): Promise<void>;
  /** The address and a token, for an editor that is not connected here. */
  showAddress(path: string): Promise<void>;
  /** The most any connected editor does with it; undefined: none opens it. */
  ability(path: string): Ability | undefined;
  editorsFor(path: string): RowChoice[];
  /** To be drawn somewhere. */
  dialogs: ReactNode;
}

export function useOpening(): Opening {
  const editors = useWindowState((state) => state.editors);
  const call = useCall();
  const toasts = useToasts();
  const [missing, setMissing] = useState<string>();
  const [opened, setOpened] = useState<OpenedDocument>();
  const isRunning = useRef(false);
  /** One message at a time: who opens five documents does not want five of them on top of the list. */
  const lastToast = useRef<string>(undefined);
  const tell = (message: ToastMessage) => {
    if (lastToast.current !== undefined) toasts.close(lastToast.current);
    lastToast.current = toasts.show(message);
  };
  const address = useAction('documents.open', { failure: 'Could not open the document' });

  const open = async (path: string, mode: 'edit' | 'view', editorId?: string): Promise<void> => {
    if (isRunning.current) return;
    const { name } = splitPath(path);
    if (editors.length === 0) {
      setMissing(path);
      return;
    }
    // The built-in one opens any text, whatever its type: the host knows the content.
    if (mostOf(editors, path) === undefined && !editors.some(isBuiltIn)) {
      tell({
        tone: 'warn',
        title: `No connected editor opens “${name}”`,
        detail: `Its type is not among those of ${listed(editors.map((editor) => editor.name))}.`,
      });
      return;
    }
    isRunning.current = true;
    try {
      const result = await call('documents.openInEditor', { path, mode, editorId: editorId ?? null });
      const editor = editors.find(({ id }) => id === result.editorId);
      tell(openedWords(name, mode, result.editorName, editor && abilityFor(editor, typeOf(name))));
    } catch (error) {
      tell({ tone: 'bad', title: `Could not open “${name}”`, detail: sentenceOf(error) });
    } finally {
      isRunning.current = false;
    }
  };

  const showAddress = async (path: string) => {
    setMissing(undefined);
    setOpened(await address.run({ path, mode: 'edit' }));
  };

  return {
    open,
    showAddress,
    ability: (path) => mostOf(editors, path),
    editorsFor: (path) =>
      editors.flatMap((editor) => {
        const ability = abilityFor(editor, typeOf(splitPath(path).name));
        if (ability === undefined) return [];
        return [{ id: editor.id, title: ability === 'edit' ? editor.name : `${editor.name} (to view)` }];
      }),
    dialogs: (
      <>
        {missing !== undefined && (
          <NoEditorDialog
            path={missing}
            onShowAddress={() => void showAddress(missing)}
            onClose={() => setMissing(undefined)}
          />
        )}
        <OpenDialog opened={opened} onClose={() => setOpened(undefined)} />
      </>
    ),
  };
}

function mostOf(editors: readonly EditorItem[], path: string): Ability | undefined {
  const extension = typeOf(splitPath(path).name);
  const found = new Set(editors.map((editor) => abilityFor(editor, extension)));
  return (['edit', 'convert', 'view'] as const).find((ability) => found.has(ability));
}

function openedWords(
  name: string,
  mode: 'edit' | 'view',
  editorName: string,
  ability: Ability | undefined,
): ToastMessage {
  const tone = 'good';
  if (mode === 'edit' && ability === 'convert')
    return {
      tone,
      title: `Opened ${name} in ${editorName}, to view`,
      detail: 'It is edited there once it was converted: the page offers that. The original stays.',
    };
  if (mode === 'edit' && ability === 'view')
    return {
      tone,
      title: `Opened ${name} in ${editorName}, to view`,
      detail: 'This editor cannot change documents of this type.',
    };
  return { tone, title: `Opened ${name} in ${editorName}${mode === 'view' ? ', to view' : ''}` };
}

function NoEditorDialog(props: { path: string; onShowAddress(): void; onClose(): void }) {
  const { go } = useNavigation();
  const { name } = splitPath(props.path);
  return (
    <Dialog
      title="No editor is connected yet"
      isOpen
      onClose={props.onClose}
      footer={
        <>
          <Button look="quiet" onPress={props.onShowAddress}>
            Show WOPI address…
          </Button>
          <Button onPress={props.onClose}>Cancel</Button>
          <Button
            look="primary"
            autoFocus
            onPress={() => {
              props.onClose();
              go('settings', 'editors');
            }}
          >
            Connect an editor
          </Button>
        </>
      }
    >
      <p>
        “{name}” opens in a document server of yours, such as ONLYOFFICE Docs or Collabora Online. Connect one
        in the settings: its address is enough.
      </p>
      <p className="muted">
        An editor that cannot be connected here can be given the document’s WOPI address and a token by hand.
      </p>
    </Dialog>
  );
}
