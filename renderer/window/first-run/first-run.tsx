// The first run, in place of everything else: a folder, an editor, and a document to try. Every choice has a default and can be
// changed later in the settings.

import './first-run.css';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { CommandResult } from '../../../app/commands/commands.ts';
import { documentServerNames } from '../../../app/contract/document-servers.ts';
import { problemWords, type EditorItem } from '../../../app/contract/editors.ts';
import { isFolderProblem } from '../../../app/contract/host-status.ts';
import { t } from '../../../app/contract/messages.ts';
import {
  AddressNotes,
  ConnectionSteps,
  connectWords,
  useAddressSearch,
  useConnectForm,
  type AddressSearch,
} from '../editors/connection.tsx';
import {
  ServerList,
  useNothingFound,
  useServerSearch,
  type ServerSearch,
} from '../editors/document-servers.tsx';
import { useConnection } from '../editors/editor-card.tsx';
import { builtInSummary, isBuiltIn, officeEditors, editorStatus } from '../editors/words.ts';
import { useAction, useCommandResult, useTask } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import type { IconName } from '../../kit/icon-shapes.ts';
import { AppMark, Icon } from '../../kit/icon.tsx';
import { MoreButton } from '../../kit/menu.tsx';
import { Message, Skeleton, StatusRow } from '../../kit/blocks.tsx';
import { keyWords } from '../../kit/keys.ts';
import { isMac } from '../shortcuts.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';

const titles = [t('window.folder'), t('window.editor'), t('window.done')] as const;

export function FirstRun() {
  const { go } = useNavigation();
  const folder = useWindowState((state) => state.host.folder);
  const hasEditor = useWindowState(({ editors }) => officeEditors(editors).length > 0);
  const [step, setStep] = useState(0);
  const [seen, setSeen] = useState(0);
  const defaultFolder = useDefaultFolder();
  const addresses = useAddressSearch();
  const sample = useSample();
  const finishing = useAction('app.finishFirstRun', { failure: t('window.couldnt-finish-the-setup') });
  const page = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);

  useEffect(() => {
    // A new step is read from its title on; the first is where the window opens.
    if (!isFirst.current) page.current?.querySelector('h1')?.focus();
    isFirst.current = false;
    page.current?.scrollTo({ top: 0 });
  }, [step]);

  const to = (next: number) => {
    setStep(next);
    setSeen((before) => Math.max(before, next));
  };
  const props: StepProps = {
    next: () => to(Math.min(titles.length - 1, step + 1)),
    back: () => to(Math.max(0, step - 1)),
    finish: (document) => {
      if (document !== undefined) go('documents', document);
      void finishing.run({});
    },
    isFinishing: finishing.isPending,
    defaultFolder,
    addresses,
    sample,
  };
  /** What was really done, not what was skipped. */
  const isDone = [folder !== null && seen > 0, hasEditor && seen > 1, sample.opened !== undefined];
  const CurrentStep = [FolderStep, EditorStep, DoneStep][step] ?? DoneStep;

  return (
    <div className="app first-run">
      <nav className="rail" aria-label={t('window.setup')}>
        <div className="rail-status">
          <AppMark size={22} />
          <span className="rail-status-words rail-app">DocTray</span>
        </div>
        <ol className="rail-list">
          {titles.map((title, index) => {
            const isStepDone = isDone[index] === true;
            const isSkipped = index === 1 && !hasEditor && seen > 1 && step !== 1;
            return (
              <li key={title}>
                <button
                  type="button"
                  className="rail-item"
                  aria-current={index === step ? 'step' : undefined}
                  disabled={index > seen}
                  onClick={() => to(index)}
                >
                  <span className={isStepDone ? 'step-dot tone-good' : 'step-dot'}>
                    {isStepDone ? (
                      <Icon name="check" size={12} />
                    ) : isSkipped ? (
                      <Icon name="dash" size={12} />
                    ) : (
                      index + 1
                    )}
                  </span>
                  <span className="grow rail-name">{title}</span>
                  {isSkipped && <span className="rail-count">{t('window.skipped')}</span>}
                  {isStepDone && <span className="visually-hidden">{t('window.step-is-done')}</span>}
                </button>
              </li>
            );
          })}
        </ol>
        <p className="rail-foot rail-note">
          <span className="rail-count">{t('window.you-can-change-all-of')}</span>
        </p>
      </nav>
      <div className="first-run-page" ref={page}>
        <CurrentStep {...props} />
      </div>
    </div>
  );
}

interface StepProps {
  next(): void;
  back(): void;
  /** Leaves the first run; Documents shows the document, where one is given. */
  finish(document?: string): void;
  isFinishing: boolean;
  /** Kept while the steps change. */
  /** Undefined until the host answers; null if there is none. */
  defaultFolder: ReturnType<typeof useDefaultFolder>;
  addresses: AddressSearch;
  sample: ReturnType<typeof useSample>;
}

/** Title and content; at the foot the way back at the left, the way on at the right. */
function Step(props: { title: string; children: ReactNode; aside?: ReactNode; footer: ReactNode }) {
  return (
    <div className="fill first-run-step">
      <div className="fill first-run-body">
        <h1 className="first-run-title" tabIndex={-1}>
          {props.title}
        </h1>
        {props.children}
      </div>
      <div className="row first-run-footer">
        <div className="first-run-aside">{props.aside}</div>
        {props.footer}
      </div>
    </div>
  );
}

function Back(props: { onPress(): void }) {
  return (
    <Button look="quiet" onPress={props.onPress}>
      {t('window.back')}
    </Button>
  );
}

function Facts(props: { facts: [icon: IconName, title: string, words: string][] }) {
  return (
    <ul className="rail-list first-run-facts">
      {props.facts.map(([icon, title, words]) => (
        <StatusRow key={title} as="li" icon={icon} tone="info" name={title} detail={words} />
      ))}
    </ul>
  );
}

// The folder: the default one is selected, and created only when the user goes on.

function useDefaultFolder() {
  const { answer, problem } = useCommandResult('host.defaultFolder', {});
  return problem === null ? answer : null;
}

function FolderStep({ next, finish, isFinishing, defaultFolder }: StepProps) {
  const host = useWindowState((state) => state.host);
  const choose = useAction('host.chooseFolder');
  const useDefault = useAction('host.useDefaultFolder');
  const restart = useAction('host.restart');
  const problem = useDefault.problem ?? choose.problem ?? restart.problem ?? host.problem;
  const isOther = host.folder !== null && defaultFolder != null && host.folder !== defaultFolder.path;
  const selected = host.folder ?? defaultFolder?.path;
  const isBusy = choose.isPending || useDefault.isPending;
  /** Below is what is wrong. */
  const isBroken = isFolderProblem(host.problem);
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
      title={t('window.your-documents')}
      aside={
        <Button look="quiet" isPending={isFinishing} onPress={() => finish()}>
          {t('window.skip-setup')}
        </Button>
      }
      footer={
        selected === undefined && defaultFolder === null ? (
          <Button look="primary" icon="folder" isPending={choose.isPending} onPress={pick} autoFocus>
            {t('window.choose-folder')}
          </Button>
        ) : (
          <Button
            look="primary"
            isDisabled={choose.isPending || isBroken}
            // pending rather than disabled: it has the focus from the start
            isPending={useDefault.isPending || selected === undefined}
            onPress={() => void goOn()}
            autoFocus={!isBroken}
          >
            {t('window.next')}
          </Button>
        )
      }
    >
      <p>{t('window.doctray-lets-office-editors')}</p>
      {selected === undefined && defaultFolder === undefined && <Skeleton rows={2} />}
      {selected !== undefined && (
        <div className="section-body first-run-card">
          <StatusRow
            as="div"
            icon="folder"
            tone={isBroken || host.warning !== null ? 'muted' : 'good'}
            name={splitPath(selected.replaceAll('\\', '/')).name}
            detail={
              <>
                <div className="selectable">{selected}</div>
                {host.folder === null &&
                  (defaultFolder?.exists === true
                    ? t('window.this-folder-exists-its-files')
                    : t('window.doctray-creates-it-with-three'))}
              </>
            }
            actions={
              <>
                {isOther && (
                  <Button look="quiet" isDisabled={isBusy} onPress={() => void serveDefault()}>
                    {t('window.use-default')}
                  </Button>
                )}
                <Button
                  look={isBroken ? 'primary' : 'plain'}
                  icon="folder"
                  autoFocus={isBroken}
                  isDisabled={useDefault.isPending}
                  isPending={choose.isPending}
                  onPress={pick}
                >
                  {t('window.choose-another')}
                </Button>
              </>
            }
          />
        </div>
      )}
      <StepProblem problem={problem}>
        {host.status === 'error' && (
          <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
            {t('common.try-again')}
          </Button>
        )}
      </StepProblem>
      <Facts
        facts={[
          ['folder', t('window.your-files-stay-where-they'), t('window.saves-go-directly-to-your')],
          ['locks', t('window.editors-see-only-the-open'), t('window.they-cant-open-anything-else')],
          ['history', t('window.earlier-versions-are-kept'), t('window.you-can-restore-any-of')],
        ]}
      />
    </Step>
  );
}

/** Otherwise about the folder: one that can't be written may be wanted for reading. */
function StepProblem(props: { problem: { message: string } | null; children?: ReactNode }) {
  const warning = useWindowState((state) => state.host.warning);
  const sentence = props.problem?.message ?? warning;
  return (
    sentence !== null && (
      <Notice tone={props.problem === null ? 'warn' : 'bad'} role="alert" actions={props.children}>
        {sentence}
      </Notice>
    )
  );
}

// The editor: the built-in one needs nothing; document servers are looked for at once, and one can be started or given by its address.
// Whichever it is, the address under which it reaches DocTray is found by trying.

function EditorStep({ next, back, addresses }: StepProps) {
  const editors = useWindowState((state) => state.editors);
  const servers = useServerSearch();
  const { search } = servers;
  useEffect(search, [search]);
  const isNothingFound = useNothingFound(servers);
  const builtIn = editors.find(isBuiltIn);
  const connected = useConnected();
  const isStarting = useWindowState(({ documentServers }) => documentServers.start?.state === 'running');
  const isWorking = connected.some((editor) => editorStatus(editor).tone === 'good');
  return (
    <Step
      title={t('window.your-editor')}
      aside={<Back onPress={back} />}
      footer={
        connected.length === 0 && !isStarting ? (
          <Button onPress={next}>{t('window.skip')}</Button>
        ) : (
          <Button look={isWorking ? 'primary' : 'plain'} onPress={next}>
            {t('window.next')}
          </Button>
        )
      }
    >
      <div>
        <p>{t(isWorking ? 'window.word-excel-and-powerpoint-work' : 'window.text-files-already-work-for')}</p>
        <p className="muted" role="status">
          {isStarting
            ? t('window.you-can-go-on-doctray')
            : isNothingFound && t('window.no-document-server-is-running')}
        </p>
      </div>
      <div className="section-body">
        <ServerList
          isFirstRun
          hasConnected={connected.length > 0}
          servers={servers}
          addresses={addresses}
          before={
            <>
              {builtIn !== undefined && (
                <StatusRow
                  as="li"
                  icon={editorStatus(builtIn).icon}
                  tone={editorStatus(builtIn).tone}
                  name={builtIn.name}
                  state={t('window.built-in')}
                  detail={builtIn.problem === null ? builtInSummary : problemWords(builtIn.problem)}
                />
              )}
              {connected.map((editor) => (
                <ConnectedRow key={editor.id} editor={editor} addresses={addresses} servers={servers} />
              ))}
            </>
          }
          after={
            <ByAddressRow
              addresses={addresses}
              searchButton={
                <Button
                  look="quiet"
                  icon="refresh"
                  isPending={servers.isDetecting || servers.isChecking}
                  onPress={search}
                >
                  {t(servers.isDetecting ? 'window.searching' : 'window.search-again')}
                </Button>
              }
            />
          }
        />
      </div>
    </Step>
  );
}

/** Without one that is just being started, before its container is known: the row of the product shows how far that is. */
function useConnected(): EditorItem[] {
  const editors = useWindowState((state) => state.editors);
  const { start, servers } = useWindowState((state) => state.documentServers);
  return officeEditors(editors).filter(
    ({ id, kind, addedAtMs }) =>
      start?.state !== 'running' ||
      kind !== start.product ||
      addedAtMs < start.startedAtMs ||
      servers.some(({ editorId }) => editorId === id),
  );
}

function ConnectedRow(props: { editor: EditorItem; addresses: AddressSearch; servers: ServerSearch }) {
  const { editor, addresses, servers } = props;
  const start = useWindowState((state) => state.documentServers.start);
  const remove = useAction('editors.remove');
  const connection = useConnection({
    editor,
    search: addresses,
    isInContainer:
      servers.detection?.servers.some(({ url, container }) => url === editor.url && container !== null) ===
      true,
  });
  const { status, isSearching, isBusy, test } = connection;
  const isGood = status.tone === 'good';
  const started = start?.state === 'done' && start.result?.editorId === editor.id ? start.result : null;
  return (
    <StatusRow
      as="li"
      takesFocus
      phase={connection.look.icon}
      {...connection.look}
      name={editor.name}
      detail={
        <>
          <span className="code selectable">{editor.url}</span>
          {isGood && !isBusy && (
            <Message
              of="window.reaches-doctray-at-address"
              values={{ address: <span className="code selectable">{editor.effectiveUrl}</span> }}
            />
          )}
        </>
      }
      actions={
        <>
          {status.kind === 'untested' && !isBusy && (
            <Button onPress={connection.findAddress}>{t('window.find-address')}</Button>
          )}
          <MoreButton
            label={t('window.actions-for-editor', { editor: editor.name })}
            isDisabled={isBusy}
            entries={[
              ...connection.entries,
              {
                id: 'remove',
                title: t('window.disconnect'),
                icon: 'trash',
                isDanger: true,
                startsGroup: true,
                run: () => void remove.run({ id: editor.id }),
              },
            ]}
          />
        </>
      }
    >
      {started !== null && !isBusy && <AddressNotes {...started} />}
      {connection.progress}
      {remove.problem !== null && <Notice tone="bad">{remove.problem.message}</Notice>}
      {!isGood && !isSearching && !connection.showsContainer && test.shown !== undefined && (
        <ConnectionSteps test={test.shown} areProblemsOnly />
      )}
    </StatusRow>
  );
}

/** A document server elsewhere, or one that was not found. */
function ByAddressRow(props: { addresses: AddressSearch; searchButton: ReactNode }) {
  const { addresses } = props;
  const [isOpen, setIsOpen] = useState(false);
  const form = useConnectForm({
    hasName: false,
    onConnected: (id) => {
      setIsOpen(false);
      void addresses.run(id, false);
    },
  });
  return (
    <StatusRow
      as="li"
      icon="plus"
      name={t('window.another-document-server')}
      detail={t('window.on-this-computer-or-in')}
      phase={isOpen ? 'open' : 'closed'}
      actions={
        !isOpen && (
          <>
            {props.searchButton}
            <Button
              isDisabled={addresses.runningFor !== undefined}
              onPress={() => {
                form.clear();
                setIsOpen(true);
              }}
            >
              {t('window.enter-address')}
            </Button>
          </>
        )
      }
    >
      {isOpen && (
        <>
          {form.body}
          <div className="row status-buttons">
            <Button onPress={() => setIsOpen(false)}>{t('common.cancel')}</Button>
            <Button look="primary" isPending={form.isPending} onPress={form.submit}>
              {connectWords(form)}
            </Button>
          </div>
        </>
      )}
    </StatusRow>
  );
}

// The end: a sample document opens, where the folder is DocTray's own. Into a folder of the user's it is put only when they ask for it.

/** The document that the last step offers. */
function useSample() {
  const folder = useWindowState((state) => state.host.folder);
  const [opened, setOpened] = useState<
    Pick<CommandResult<'documents.openInEditor'>, 'editorName' | 'mode'> & {
      path: string;
      folder: string | null;
    }
  >();
  const opening = useTask(async (call) => {
    const { path } = await call('documents.createSample', {});
    const { editorName, mode } = await call('documents.openInEditor', { path, mode: 'edit', editorId: null });
    setOpened({ path, editorName, mode, folder });
  });
  // A document of the previous folder doesn’t belong to this one.
  return { ...opening, opened: opened?.folder === folder ? opened : undefined };
}

function DoneStep({ back, finish, isFinishing, defaultFolder, sample }: StepProps) {
  const folder = useWindowState((state) => state.host.folder);
  const hasTray = useWindowState((state) => state.app.hasTray);
  const editors = useWindowState((state) => state.editors);
  const start = useWindowState((state) => state.documentServers.start);
  const { opened, isPending, problem, run: open } = sample;
  const isOwnFolder = folder !== null && defaultFolder != null && folder === defaultFolder.path;
  const canOpen = folder !== null && editors.length > 0;
  const isAutomatic = useRef(isOwnFolder && canOpen && opened === undefined && problem === null);
  const isWaiting = isPending || (isAutomatic.current && opened === undefined);
  const sampleWords =
    opened === undefined
      ? t('window.doctray-creates-it-in-your')
      : t(opened.mode === 'edit' ? 'window.opened-in-editor-what-you' : 'window.opened-in-editor-read-only', {
          editor: opened.editorName,
        });
  useEffect(() => {
    if (!isAutomatic.current) return;
    isAutomatic.current = false;
    void open();
  }, [open]);
  return (
    <Step
      title={folder === null ? t('window.almost-ready') : t('window.ready')}
      aside={<Back onPress={back} />}
      footer={
        <>
          {opened !== undefined && (
            <Button isPending={isFinishing} onPress={() => finish(opened.path)}>
              {t('window.show-in-documents')}
            </Button>
          )}
          <Button look="primary" isPending={isFinishing} onPress={() => finish()}>
            {t('window.finish')}
          </Button>
        </>
      }
    >
      <p>
        {folder === null
          ? t(
              defaultFolder == null
                ? 'window.doctray-has-no-folder-yet'
                : 'window.doctray-has-no-folder-yet-go',
            )
          : t(hasTray ? 'window.doctray-keeps-running-in-the' : 'window.doctray-runs-until-you-quit')}
      </p>
      {canOpen && (
        <div className="section-body first-run-card">
          <StatusRow
            as="div"
            icon={opened === undefined ? 'file' : 'good'}
            tone={opened === undefined ? 'muted' : 'good'}
            name={opened === undefined ? t('window.sample-document') : splitPath(opened.path).name}
            detail={
              <div role="status">{isWaiting ? t('window.opening-a-sample-document') : sampleWords}</div>
            }
            actions={
              // Not replaced while it is pending: it may have the focus.
              <Button icon="edit" isPending={isWaiting} onPress={() => void open()}>
                {opened === undefined ? t('window.open-sample') : t('common.open-again')}
              </Button>
            }
          />
        </div>
      )}
      <StepProblem problem={problem} />
      {start?.state === 'running' ? (
        <p className="muted">
          {t('window.server-is-still-starting-settings', {
            server: documentServerNames[start.product],
          })}
        </p>
      ) : (
        officeEditors(editors).length === 0 && (
          <Notice tone="info" actions={<Button onPress={back}>{t('window.connect-document-server')}</Button>}>
            {t('window.to-edit-word-excel-and')}
          </Notice>
        )
      )}
      {folder !== null && (
        <Facts
          facts={[
            [
              'search',
              t('window.open-any-document'),
              t('window.press-keys-and-type-part', { keys: keyWords('Ctrl+K', isMac) }),
            ],
            ['locks', t('window.see-who-is-editing'), t('window.locks-shows-it-and-lets')],
            ['sessions', t('window.work-together'), t('window.add-users-in-settings-then')],
          ]}
        />
      )}
    </Step>
  );
}
