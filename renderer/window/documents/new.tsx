// The menu of new documents and folders, and the dialogs that ask for their names.

import { useCallback, useEffect, useState } from 'react';
import type { TemplateItem } from '../../../app/contract/results.ts';
import { MenuButton } from '../parts/menu.tsx';
import { useToasts } from '../parts/toast.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import { NameDialog } from './name-dialog.tsx';
import { iconOf } from './rows.tsx';

/** What is created: a document from a template, or a folder. */
export type NewThing = TemplateItem | 'folder';

export function NewDocumentMenu(props: { label: string; onChoose(thing: NewThing): void }) {
  const call = useCall();
  const toasts = useToasts();
  const [templates, setTemplates] = useState<TemplateItem[]>();
  const [hasFailed, setHasFailed] = useState(false);
  const load = useCallback(
    async (isTelling: boolean) => {
      try {
        setTemplates(await call('documents.templates', {}));
        setHasFailed(false);
      } catch (error) {
        setHasFailed(true);
        if (isTelling)
          toasts.show({ tone: 'bad', title: 'Could not read the templates', detail: sentenceOf(error) });
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
        { id: 'folder', title: 'Folder', icon: 'folder', run: () => props.onChoose('folder') },
        ...(templates?.map((template, index) => ({
          id: template.id,
          title: template.title,
          icon: iconOf({ kind: 'document', name: `a${dotted(template.extension)}` }),
          startsGroup: index === 0,
          run: () => props.onChoose(template),
        })) ?? [
          {
            id: 'again',
            title: 'Read the templates again',
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
  onMade(path: string): void;
  onClose(): void;
}) {
  const { thing, folder, taken } = props;
  const call = useCall();
  const isFolder = thing === 'folder';
  const extension = isFolder ? '' : dotted(thing.extension);
  return (
    <NameDialog
      title={isFolder ? 'New folder' : `New ${thing.title}`}
      confirm="Create"
      stem={freeStem('Untitled', extension, taken)}
      extension={extension}
      hint={`It will be in “${props.folderName}”.`}
      taken={taken}
      onConfirm={async (name) => {
        const { path } = isFolder
          ? await call('documents.createFolder', { folderPath: folder, name })
          : await call('documents.create', { folderPath: folder, template: thing.id, name });
        props.onMade(path);
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
