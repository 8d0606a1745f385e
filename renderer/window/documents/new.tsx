// Creates documents and folders: the menu of what there is, and the dialog that asks for a name. The extension is next to the field and
// can’t be changed, so that the document opens in the editor for its type.

import { useCallback, useEffect, useId, useState } from 'react';
import { FieldError, Input, Label, Text, TextField } from 'react-aria-components';
import type { TemplateItem } from '../../../app/contract/results.ts';
import { t } from '../../../app/contract/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import { fullName, nameProblem } from './names.ts';
import { iconOf } from './rows.tsx';

/** What is created: a document from a template, or a folder. */
export type NewThing = TemplateItem | 'folder';

export function NewDocumentMenu(props: { label: string; onChoose(thing: NewThing): void }) {
  const call = useCall();
  const toasts = useToasts();
  const [templates, setTemplates] = useState<TemplateItem[]>();
  const [hasFailed, setHasFailed] = useState(false);
  const load = useCallback(
    async (isReported: boolean) => {
      try {
        setTemplates(await call('documents.templates', {}));
        setHasFailed(false);
      } catch (error) {
        setHasFailed(true);
        if (isReported)
          toasts.show({ tone: 'bad', title: t('Can’t read the templates'), detail: sentenceOf(error) });
      }
    },
    [call, toasts],
  );
  useEffect(() => void load(false), [load]);

  return (
    <MenuButton
      label={props.label}
      icon="plus"
      isDisabled={templates === undefined && !hasFailed}
      entries={[
        { id: 'folder', title: t('Folder'), icon: 'folder', run: () => props.onChoose('folder') },
        ...(templates?.map((template, index) => ({
          id: template.id,
          title: template.title,
          icon: iconOf({ kind: 'document', name: `a${dotted(template.extension)}` }),
          startsGroup: index === 0,
          run: () => props.onChoose(template),
        })) ?? [
          {
            id: 'again',
            title: t('Read the templates again'),
            icon: 'refresh' as const,
            run: () => void load(true),
          },
        ]),
      ]}
    />
  );
}

export function NewDocumentDialog(props: {
  thing: NewThing;
  folder: string;
  folderName: string;
  taken: readonly string[];
  onCreated(path: string): void;
  onClose(): void;
}) {
  const { thing, folder, taken } = props;
  const call = useCall();
  const isFolder = thing === 'folder';
  const extension = isFolder ? '' : dotted(thing.extension);
  return (
    <NameDialog
      title={isFolder ? t('New folder') : t('New {type}', { type: thing.title })}
      stem={freeStem(isFolder ? t('New folder') : t('Untitled'), extension, taken)}
      extension={extension}
      hint={t('Created in “{folder}”.', { folder: props.folderName })}
      taken={taken}
      onConfirm={async (name) => {
        const { path } = isFolder
          ? await call('documents.createFolder', { folderPath: folder, name })
          : await call('documents.create', { folderPath: folder, template: thing.id, name });
        props.onCreated(path);
      }}
      onClose={props.onClose}
    />
  );
}

function dotted(extension: string): string {
  return extension.startsWith('.') ? extension : `.${extension}`;
}

function freeStem(stem: string, extension: string, taken: readonly string[]): string {
  const keys = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? stem : `${stem} ${number}`;
    if (!keys.has(`${candidate}${extension}`.toLowerCase())) return candidate;
  }
}

interface NameDialogProps {
  title: string;
  stem: string;
  extension: string;
  /** Below the field. */
  hint: string;
  /** Names in the folder, as far as they are known. */
  taken: readonly string[];
  /** What it throws is shown below the field, and the dialog stays. */
  onConfirm(name: string): Promise<void>;
  onClose(): void;
}

export function NameDialog(props: NameDialogProps) {
  const { extension, taken } = props;
  const formId = useId();
  const [stem, setStem] = useState(props.stem);
  const [isTouched, setIsTouched] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const problem = nameProblem(stem, extension, taken);
  const error = refusal ?? (isTouched ? problem : null);

  const confirm = async () => {
    setIsTouched(true);
    if (problem !== null || isPending) return;
    setIsPending(true);
    try {
      await props.onConfirm(fullName(stem, extension));
    } catch (thrown) {
      setRefusal(sentenceOf(thrown));
      setIsPending(false);
    }
  };

  return (
    <Dialog
      title={props.title}
      isOpen
      onClose={props.onClose}
      footer={
        <>
          <Button onPress={props.onClose}>{t('Cancel')}</Button>
          <Button
            look="primary"
            onPress={() => void confirm()}
            isPending={isPending}
            isDisabled={isTouched && error !== null}
          >
            {t('Create')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <TextField
          className="field"
          value={stem}
          onChange={(value) => {
            setStem(value);
            setIsTouched(true);
            setRefusal(null);
          }}
          isInvalid={error !== null}
          autoComplete="off"
          spellCheck="false"
          validationBehavior="aria"
          // The dialog was asked for to type a name.
          autoFocus
          onFocus={(event) => {
            if (event.target instanceof HTMLInputElement) event.target.select();
          }}
        >
          <Label className="field-label">{t('Name')}</Label>
          <div className="documents-name-row">
            <Input className="input grow" />
            {extension !== '' && <span className="code documents-extension">{extension}</span>}
          </div>
          {error === null ? (
            <Text slot="description" className="field-hint">
              {props.hint}
            </Text>
          ) : (
            <FieldError className="field-error">{error}</FieldError>
          )}
        </TextField>
      </form>
    </Dialog>
  );
}
