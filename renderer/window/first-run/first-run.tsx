// The first run, in place of everything else: a folder, an editor, and a document to try. Every choice has a default and can be
// changed later in the settings.
// The step of the editor is here: the built-in one needs nothing; document servers are looked for at once, and one can be started or given by
// its address. Whichever it is, the address under which it reaches DocTray is found by trying.

import './first-run.css';
import { useEffect, useRef, useState } from 'react';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { t } from '../../../app/contract/messages.ts';
import {
  AddressDialog,
  AddressNotes,
  AddressSearchResult,
  useAddressSearch,
  type AddressSearch,
} from '../editors/address.tsx';
import {
  ConnectButton,
  ConnectFields,
  ConnectionSteps,
  TestProgress,
  useConnecting,
  useConnectionTest,
} from '../editors/connection.tsx';
import {
  ServerList,
  useNothingFound,
  useServerSearch,
  ServerRow,
  StartFailure,
  type ServerSearch,
} from '../editors/document-servers.tsx';
import { builtInSummary, isBuiltIn, officeEditors, problemWords, editorStatus } from '../editors/words.ts';
import { useAction } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { AppMark, Icon } from '../parts/icon.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { Message } from '../parts/view.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { Back, DoneStep, FolderStep, Step, useDefaultFolder, useSample, type StepProps } from './steps.tsx';

const titles = [t('Folder'), t('Editor'), t('Done')] as const;

export function FirstRun() {
  const { go } = useNavigation();
  const folder = useWindowState((state) => state.host.folder);
  const hasEditor = useWindowState(({ editors }) => officeEditors(editors).length > 0);
  const [step, setStep] = useState(0);
  const [seen, setSeen] = useState(0);
  const defaultFolder = useDefaultFolder();
  const addresses = useAddressSearch();
  const sample = useSample();
  const finishing = useAction('app.finishFirstRun', { failure: t('Couldn’t finish the setup') });
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
  const isSkipped = [false, !hasEditor && seen > 1 && step !== 1, false];
  const Step = [FolderStep, EditorStep, DoneStep][step] ?? DoneStep;

  return (
    <div className="first-run">
      <nav className="first-run-rail" aria-label={t('Setup')}>
        <div className="first-run-brand">
          <AppMark size={22} />
          DocTray
        </div>
        <ol>
          {titles.map((title, index) => (
            <li key={title}>
              <button
                type="button"
                className="first-run-mark"
                aria-current={index === step ? 'step' : undefined}
                disabled={index > seen}
                onClick={() => to(index)}
              >
                <span
                  className={isDone[index] === true ? 'first-run-dot first-run-dot-done' : 'first-run-dot'}
                >
                  {isDone[index] === true ? (
                    <Icon name="check" size={12} />
                  ) : isSkipped[index] === true ? (
                    <Icon name="dash" size={12} />
                  ) : (
                    index + 1
                  )}
                </span>
                <span className="first-run-mark-title">{title}</span>
                {isSkipped[index] === true && <span className="first-run-skipped">{t('Skipped')}</span>}
                {isDone[index] === true && <span className="visually-hidden">{t(', done')}</span>}
              </button>
            </li>
          ))}
        </ol>
        <p className="first-run-later">{t('You can change all of this later in Settings.')}</p>
      </nav>
      <div className="first-run-page" ref={page}>
        <Step {...props} />
      </div>
    </div>
  );
}

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
      title={t('Your editor')}
      aside={<Back onPress={back} />}
      footer={
        connected.length === 0 && !isStarting ? (
          <Button onPress={next}>{t('Skip')}</Button>
        ) : (
          <Button look={isWorking ? 'primary' : 'plain'} onPress={next}>
            {t('Next')}
          </Button>
        )
      }
    >
      <p>{t('Text files already work. For Word, Excel and PowerPoint, connect a document server.')}</p>
      <div className="first-run-lead">
        <p className="muted" role="status">
          {isNothingFound && t('No document server is running on this computer.')}
        </p>
        <Button
          look="quiet"
          icon="refresh"
          isPending={servers.isDetecting || servers.isChecking}
          onPress={search}
        >
          {t('Search again')}
        </Button>
      </div>
      <ServerList
        isFirstRun
        hasWorking={isWorking}
        servers={servers}
        addresses={addresses}
        before={
          <>
            {builtIn !== undefined && (
              <ServerRow
                icon={editorStatus(builtIn).icon}
                tone={editorStatus(builtIn).tone}
                title={builtIn.name}
                state={t('Built in')}
                detail={builtIn.problem === null ? builtInSummary : problemWords(builtIn.problem)}
              />
            )}
            {connected.map((editor) => (
              <ConnectedRow key={editor.id} editor={editor} addresses={addresses} servers={servers} />
            ))}
          </>
        }
        after={<ByAddressRow addresses={addresses} />}
      />
    </Step>
  );
}

/** Without the one that is just being started: its row shows how far it is. */
function useConnected(): EditorItem[] {
  const editors = useWindowState((state) => state.editors);
  const start = useWindowState((state) => state.documentServers.start);
  return officeEditors(editors).filter(
    ({ kind, addedAtMs }) =>
      start?.state !== 'running' || kind !== start.product || addedAtMs < start.startedAtMs,
  );
}

function ConnectedRow(props: { editor: EditorItem; addresses: AddressSearch; servers: ServerSearch }) {
  const { editor, addresses, servers } = props;
  const containers = useWindowState((state) => state.documentServers);
  const test = useConnectionTest(editor);
  const remove = useAction('editors.remove');
  const [isChoosing, setIsChoosing] = useState(false);
  const { start } = containers;
  const isSearching = addresses.runningFor === editor.id;
  const status = editorStatus(editor);
  const own = containers.servers.find(({ url }) => url === editor.url);
  const isInContainer =
    own !== undefined ||
    servers.detection?.servers.some(({ url, container }) => url === editor.url && container !== null) ===
      true;
  /** It runs, and nothing that was tried led back to DocTray. */
  const failedStart =
    start?.state === 'failed' && own?.product === start.product && status.kind === 'failed' ? start : null;
  const again = useAction('documentServers.start', {
    failure: t('Couldn’t start {server}', { server: editor.name }),
  });
  const retry = () => void addresses.run(editor.id, isInContainer);
  const isGood = status.tone === 'good';
  const started = start?.state === 'done' && start.result?.editorId === editor.id ? start.result : null;
  const isBusy = isSearching || test.isRunning;
  return (
    <ServerRow
      takesFocus
      phase={`${isSearching}`}
      icon={isSearching ? 'external' : status.icon}
      tone={isSearching ? 'info' : status.tone}
      title={editor.name}
      state={isSearching ? t('Testing') : status.words}
      detail={
        <>
          <span className="code selectable">{editor.url}</span>
          {isGood && !isBusy && (
            <Message
              of=", reaches DocTray at {address}"
              values={{ address: <span className="code selectable">{editor.effectiveUrl}</span> }}
            />
          )}
        </>
      }
      actions={
        <>
          {status.kind === 'untested' && !isBusy && <Button onPress={retry}>{t('Test connection')}</Button>}
          {failedStart !== null && !isBusy && (
            <Button
              isPending={again.isPending}
              onPress={() => void again.run({ product: failedStart.product, engine: own?.engine ?? null })}
            >
              {t('Try again')}
            </Button>
          )}
          <MenuButton
            label={t('Actions for {editor}', { editor: editor.name })}
            icon="more"
            isIconOnly
            look="quiet"
            isDisabled={isBusy}
            entries={[
              {
                id: 'address',
                title: t('Choose address…'),
                icon: 'external',
                run: () => setIsChoosing(true),
              },
              { id: 'test', title: t('Test connection'), icon: 'refresh', run: () => void test.run() },
              {
                id: 'remove',
                title: t('Disconnect'),
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
      {(isBusy || !isGood || started !== null || addresses.outcomeOf(editor.id) !== undefined) && (
        <div className="server-test">
          {started !== null && !isBusy && <AddressNotes {...started} />}
          <AddressSearchResult
            editor={editor}
            search={addresses}
            onChooseAddress={() => setIsChoosing(true)}
            onRetry={retry}
          />
          {test.isRunning && <TestProgress name={editor.name} />}
          {test.problem !== null && <Notice tone="bad">{test.problem}</Notice>}
          {remove.problem !== null && <Notice tone="bad">{remove.problem.message}</Notice>}
          {failedStart !== null && !isBusy && <StartFailure start={failedStart} />}
          {!isGood && !isSearching && failedStart === null && test.shown !== undefined && (
            <ConnectionSteps test={test.shown} areProblemsOnly />
          )}
        </div>
      )}
      {isChoosing && (
        <AddressDialog
          editor={editor}
          onUsed={() => {
            setIsChoosing(false);
            addresses.forget();
            void test.run();
          }}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </ServerRow>
  );
}

/** A document server elsewhere, or one that was not found. */
function ByAddressRow({ addresses }: { addresses: AddressSearch }) {
  const [isOpen, setIsOpen] = useState(false);
  const connecting = useConnecting((id) => {
    setIsOpen(false);
    void addresses.run(id, false);
  });
  return (
    <ServerRow
      icon="plus"
      title={t('Another document server')}
      detail={t('On this computer or in your network.')}
      phase={isOpen ? 'open' : 'closed'}
      actions={
        !isOpen && (
          <Button
            isDisabled={addresses.runningFor !== undefined}
            onPress={() => {
              connecting.setUrl('');
              setIsOpen(true);
            }}
          >
            {t('Enter address…')}
          </Button>
        )
      }
    >
      {isOpen && (
        <div className="server-form">
          <ConnectFields connecting={connecting} isNameHidden />
          <div className="row server-form-buttons">
            <Button onPress={() => setIsOpen(false)}>{t('Cancel')}</Button>
            <ConnectButton connecting={connecting} />
          </div>
        </div>
      )}
    </ServerRow>
  );
}
