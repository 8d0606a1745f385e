// The top of the view: the path to the shown folder, recent documents, new documents, and a menu with the rest. A document or folder is
// created by the menu of what there is, and the dialog that asks for a name.

import { useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { t } from '../../../app/contract/messages.ts';
import type { TemplateItem } from '../../../app/contract/results.ts';
import { useAction, useCommandResult } from '../parts/action.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { MenuButton, MoreButton } from '../../kit/menu.tsx';
import { useToasts } from '../../kit/toast.tsx';
import { useCall, useNavigation, useWindowState } from '../state/window-context.tsx';
import { NameDialog } from './name-dialog.tsx';
import { iconOf } from './rows.tsx';

const maxRecent = 10;

export function HeaderActions(props: {
  onLeadTo(path: string): void;
  onNew(thing: NewThing): void;
  onRefresh(): void;
}) {
  const recent = useWindowState((state) => state.recent);
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const { go } = useNavigation();
  const openRoot = useAction('host.openFolder', { failure: t('window.cant-open-the-folder') });
  return (
    <>
      {recent.length > 0 && (
        <MenuButton
          label={t('window.recent')}
          icon="clock"
          look="quiet"
          entries={recent.slice(0, maxRecent).map(({ path }) => ({
            id: path,
            title: splitPath(path).name,
            icon: iconOf({ kind: 'document', name: splitPath(path).name }),
            run: () => props.onLeadTo(path),
          }))}
        />
      )}
      <NewDocumentMenu label={t('window.new')} onChoose={props.onNew} />
      <MoreButton
        label={t('window.folder-actions')}
        entries={[
          ...(isInBrowser
            ? []
            : [
                {
                  id: 'open-root',
                  title: t('window.open-the-folder-in-the'),
                  icon: 'folder' as const,
                  run: () => void openRoot.run({}),
                },
              ]),
          {
            id: 'usage',
            title: t('window.show-disk-space-used-by'),
            icon: 'history',
            run: () => go('settings', 'versionUsage'),
          },
          { id: 'refresh', title: t('window.refresh'), icon: 'refresh', run: props.onRefresh },
        ]}
      />
    </>
  );
}

/** Beyond these, the ones in the middle are in a menu. */
const maxParts = 4;

export function FolderPath(props: { folder: string; rootName: string; onGo(folder: string): void }) {
  const { folder, rootName, onGo } = props;
  const names = folder === '' ? [] : folder.split('/');
  const parts = [
    { path: '', name: rootName },
    ...names.map((name, index) => ({ path: names.slice(0, index + 1).join('/'), name })),
  ];
  const hidden = parts.length > maxParts ? parts.slice(1, -2) : [];
  const shown = parts.filter((part) => !hidden.includes(part));
  return (
    <nav aria-label={t('window.folder')} className="documents-path">
      <ol>
        {shown.map((part, index) => {
          const isLast = index === shown.length - 1;
          return (
            <li key={part.path}>
              {index > 0 && <Icon name="chevron-right" size={12} />}
              {index === 1 && hidden.length > 0 && (
                <>
                  <MoreButton
                    label={t('window.folders-in-between')}
                    entries={hidden.map(({ path, name }) => ({
                      id: path,
                      title: name,
                      icon: 'folder',
                      run: () => onGo(path),
                    }))}
                  />
                  <Icon name="chevron-right" size={12} />
                </>
              )}
              {isLast ? (
                <span aria-current="page" className="documents-path-part cut" title={part.name}>
                  {part.name}
                </span>
              ) : (
                <AriaButton
                  className="documents-path-part cut"
                  data-folder={part.path}
                  onPress={() => onGo(part.path)}
                >
                  {part.name}
                </AriaButton>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** What is created: a document from a template, or a folder. */
export type NewThing = TemplateItem | 'folder';

export function NewDocumentMenu(props: { label: string; onChoose(thing: NewThing): void }) {
  const toasts = useToasts();
  const [isAskedAgain, setIsAskedAgain] = useState(false);
  const { answer: templates, problem, reload } = useCommandResult('documents.templates', {});
  useEffect(() => {
    if (isAskedAgain && problem !== null)
      toasts.show({ tone: 'bad', title: t('window.cant-read-the-templates'), detail: problem.message });
  }, [isAskedAgain, problem, toasts]);

  return (
    <MenuButton
      label={props.label}
      icon="plus"
      isDisabled={templates === undefined && problem === null}
      entries={[
        { id: 'folder', title: t('window.folder'), icon: 'folder', run: () => props.onChoose('folder') },
        ...(templates?.map((template, index) => ({
          id: template.id,
          title: template.title,
          icon: iconOf({ kind: 'document', name: `a${dotted(template.extension)}` }),
          startsGroup: index === 0,
          run: () => props.onChoose(template),
        })) ?? [
          {
            id: 'again',
            title: t('window.read-the-templates-again'),
            icon: 'refresh' as const,
            run: () => {
              setIsAskedAgain(true);
              reload();
            },
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
      title={isFolder ? t('window.new-folder') : t('window.new-type', { type: thing.title })}
      stem={freeStem(isFolder ? t('window.new-folder') : t('window.untitled'), extension, taken)}
      extension={extension}
      hint={t('window.created-in-folder', { folder: props.folderName })}
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
