// Steps of the first run, their frame and what each of them gets. The folder: the default one is selected, and created only when the user
// goes on. The end: a sample document opens, where the folder is DocTray's own. Into a folder of the user's it is put only when they ask for it.

import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { CommandResult } from '../../../app/commands/commands.ts';
import { documentServerNames } from '../../../app/contract/document-servers.ts';
import { t } from '../../../app/contract/messages.ts';
import type { AddressSearch } from '../editors/address.tsx';
import { officeEditors } from '../editors/words.ts';
import { useAction, useCommandResult, useTask } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import type { IconName } from '../parts/icon-shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { Skeleton } from '../parts/view.tsx';
import { isMac, keyWords } from '../shortcuts.tsx';
import { useWindowState } from '../state/window-context.tsx';

/** The document that the last step offers. */
interface Sample {
  opened: { path: string; editorName: string; mode: 'edit' | 'view' } | undefined;
  isOpening: boolean;
  problem: string | null;
  /** Puts it into the folder where it isn't there, and opens it. */
  open(): Promise<void>;
}

/** Undefined until the host answers; null if there is none. */
type DefaultFolder = CommandResult<'host.defaultFolder'> | undefined;

export interface StepProps {
  next(): void;
  back(): void;
  /** Leaves the first run; Documents shows the document, where one is given. */
  finish(document?: string): void;
  isFinishing: boolean;
  /** Kept while the steps change. */
  defaultFolder: DefaultFolder;
  addresses: AddressSearch;
  sample: Sample;
}

/** Title and content; at the foot the way back at the left, the way on at the right. */
export function Step(props: { title: string; children: ReactNode; aside?: ReactNode; footer: ReactNode }) {
  return (
    <div className="first-run-step">
      <div className="first-run-body">
        <h1 className="first-run-title" tabIndex={-1}>
          {props.title}
        </h1>
        {props.children}
      </div>
      <div className="first-run-footer">
        <div className="first-run-aside">{props.aside}</div>
        {props.footer}
      </div>
    </div>
  );
}

export function Back(props: { onPress(): void }) {
  return (
    <Button look="quiet" onPress={props.onPress}>
      {t('Back')}
    </Button>
  );
}

export function useDefaultFolder(): DefaultFolder {
  const { answer, problem } = useCommandResult('host.defaultFolder', {});
  return problem === null ? answer : null;
}

export function FolderStep({ next, finish, isFinishing, defaultFolder }: StepProps) {
  const host = useWindowState((state) => state.host);
  const choose = useAction('host.chooseFolder');
  const useDefault = useAction('host.useDefaultFolder');
  const restart = useAction('host.restart');
  const problem = useDefault.problem ?? choose.problem ?? restart.problem ?? host.problem;
  const isOther = host.folder !== null && defaultFolder != null && host.folder !== defaultFolder.path;
  const selected = host.folder ?? defaultFolder?.path;
  const isBusy = choose.isPending || useDefault.isPending;
  const serveDefault = async () => (await useDefault.run({})) !== undefined;
  const goOn = async () => {
    if (host.folder !== null || (await serveDefault())) next();
  };
  const pick = () => {
    useDefault.forget();
    void choose.run({});
  };
  return (
    <Step
      title={t('Your documents')}
      aside={
        <Button look="quiet" isPending={isFinishing} onPress={() => finish()}>
          {t('Skip setup')}
        </Button>
      }
      footer={
        selected === undefined && defaultFolder === null ? (
          <Button look="primary" icon="folder" isPending={choose.isPending} onPress={pick} autoFocus>
            {t('Choose folder…')}
          </Button>
        ) : (
          <Button
            look="primary"
            isDisabled={choose.isPending}
            // pending rather than disabled: it has the focus from the start
            isPending={useDefault.isPending || selected === undefined}
            onPress={() => void goOn()}
            autoFocus
          >
            {t('Next')}
          </Button>
        )
      }
    >
      <p>{t('DocTray opens and saves the documents in one folder.')}</p>
      {selected === undefined ? (
        defaultFolder === undefined && (
          <div className="first-run-card">
            <Skeleton rows={2} />
          </div>
        )
      ) : (
        <div className={`first-run-card tone-${host.status === 'error' ? 'bad' : 'good'}`}>
          <Icon name={host.status === 'error' ? 'error' : 'folder'} size={20} />
          <div className="first-run-card-words">
            <div className="first-run-card-title">{splitPath(selected.replaceAll('\\', '/')).name}</div>
            <div className="muted selectable">{selected}</div>
            {host.folder === null && (
              <div className="muted">
                {defaultFolder?.exists === true
                  ? t('This folder exists. Its files stay as they are.')
                  : t('DocTray creates it, with three sample documents.')}
              </div>
            )}
          </div>
          <div className="row">
            {isOther && (
              <Button look="quiet" isDisabled={isBusy} onPress={() => void serveDefault()}>
                {t('Use default')}
              </Button>
            )}
            <Button
              icon="folder"
              isDisabled={useDefault.isPending}
              isPending={choose.isPending}
              onPress={pick}
            >
              {t('Choose another…')}
            </Button>
          </div>
        </div>
      )}
      {problem !== null && (
        <Notice tone="bad">
          <div className="row">
            <span className="grow" role="alert">
              {problem.message}
            </span>
            {host.status === 'error' && (
              <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
                {t('Try again')}
              </Button>
            )}
          </div>
        </Notice>
      )}
      <Facts
        facts={[
          ['folder', t('Your files stay where they are'), t('Saves go directly to your files.')],
          [
            'locks',
            t('Editors see only the open document'),
            t('They can’t open anything else in the folder.'),
          ],
          ['history', t('Earlier versions are kept'), t('You can restore any of them.')],
        ]}
      />
    </Step>
  );
}

function Facts(props: { facts: [icon: IconName, title: string, words: string][] }) {
  return (
    <ul className="first-run-facts">
      {props.facts.map(([icon, title, words]) => (
        <li key={title}>
          <span className="first-run-fact-sign">
            <Icon name={icon} size={18} />
          </span>
          <div>
            <div className="first-run-card-title">{title}</div>
            <div className="muted">{words}</div>
          </div>
        </li>
      ))}
    </ul>
  );
}

export function useSample(): Sample {
  const folder = useWindowState((state) => state.host.folder);
  const [opened, setOpened] = useState<Sample['opened'] & { folder: string | null }>();
  const { run, isPending, problem } = useTask(async (call) => {
    const { path } = await call('documents.createSample', {});
    const { editorName, mode } = await call('documents.openInEditor', { path, mode: 'edit', editorId: null });
    setOpened({ path, editorName, mode, folder });
  });
  return {
    // A document of the previous folder doesn’t belong to this one.
    opened: opened?.folder === folder ? opened : undefined,
    isOpening: isPending,
    problem: problem?.message ?? null,
    open: run,
  };
}

export function DoneStep({ back, finish, isFinishing, defaultFolder, sample }: StepProps) {
  const folder = useWindowState((state) => state.host.folder);
  const hasTray = useWindowState((state) => state.app.hasTray);
  const editors = useWindowState((state) => state.editors);
  const start = useWindowState((state) => state.documentServers.start);
  const { opened, isOpening, problem, open } = sample;
  const isOwnFolder = folder !== null && defaultFolder != null && folder === defaultFolder.path;
  const canOpen = folder !== null && editors.length > 0;
  const isAutomatic = useRef(isOwnFolder && canOpen && opened === undefined && problem === null);
  useEffect(() => {
    if (!isAutomatic.current) return;
    isAutomatic.current = false;
    void open();
  }, [open]);
  return (
    <Step
      title={folder === null ? t('Almost ready') : t('Ready')}
      aside={<Back onPress={back} />}
      footer={
        <>
          {opened !== undefined && (
            <Button isPending={isFinishing} onPress={() => finish(opened.path)}>
              {t('Show in Documents')}
            </Button>
          )}
          <Button look="primary" isPending={isFinishing} onPress={() => finish()}>
            {t('Finish')}
          </Button>
        </>
      }
    >
      <p>
        {folder === null
          ? defaultFolder == null
            ? t('DocTray has no folder yet. Go back to choose one, or choose it later in Settings.')
            : t('DocTray has no folder yet. Go back to choose one, or finish to use the default folder.')
          : hasTray
            ? t('DocTray keeps running in the tray when you close this window.')
            : t(
                'DocTray runs until you quit it. This desktop has no tray, so closing the window asks first.',
              )}
      </p>
      {canOpen && (
        <div className={`first-run-card tone-${opened === undefined ? 'muted' : 'good'}`}>
          {isOpening || (isAutomatic.current && opened === undefined) ? (
            <>
              <span className="visually-hidden" role="status">
                {t('Opening a sample document')}
              </span>
              <Skeleton rows={2} />
            </>
          ) : (
            <>
              <Icon name={opened === undefined ? 'file' : 'good'} size={20} />
              <div className="first-run-card-words" role="status">
                <div className="first-run-card-title">
                  {opened === undefined ? t('Sample document') : splitPath(opened.path).name}
                </div>
                <div className="muted">
                  {opened === undefined
                    ? t('DocTray creates it in your folder. Delete it whenever you like.')
                    : opened.mode === 'edit'
                      ? t('Opened in {editor}. What you write is saved in the file.', {
                          editor: opened.editorName,
                        })
                      : t('Opened in {editor}, read-only.', { editor: opened.editorName })}
                </div>
              </div>
              <Button icon="edit" onPress={() => void open()}>
                {opened === undefined ? t('Open sample') : t('Open again')}
              </Button>
            </>
          )}
        </div>
      )}
      {problem !== null && (
        <Notice tone="bad">
          <div role="alert">{problem}</div>
        </Notice>
      )}
      {folder !== null && (
        <Facts
          facts={[
            [
              'search',
              t('Open any document'),
              t('Press {keys} and type part of its name.', { keys: keyWords('Ctrl+K', isMac) }),
            ],
            ['locks', t('See who is editing'), t('Locks shows it, and lets you force-clear stale locks.')],
            ['sessions', t('Work together'), t('Add users in Settings, then copy a link to a document.')],
          ]}
        />
      )}
      {start?.state === 'running' ? (
        <p className="muted">
          {t('{server} is still starting. Settings shows the progress.', {
            server: documentServerNames[start.product],
          })}
        </p>
      ) : (
        officeEditors(editors).length === 0 && (
          <p className="muted">
            {t('To edit Word, Excel and PowerPoint files, connect ONLYOFFICE or Collabora in Settings.')}
          </p>
        )
      )}
    </Step>
  );
}
