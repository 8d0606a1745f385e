// Around the window in a browser: its connection to the host, and the questions that the app's window asks with the system's dialogs.

import { useMemo, useState, useSyncExternalStore, type FormEvent, type ReactNode } from 'react';
import type { AnswerProblem, DashboardAnswer, DashboardQuestion } from '../../app/contract/dashboard.ts';
import { t } from '../../app/contract/messages.ts';
import { Button } from './parts/button.tsx';
import { Dialog } from './parts/dialog.tsx';
import { TextField } from './parts/fields.tsx';
import { Icon } from './parts/icon.tsx';
import { Message } from './parts/view.tsx';
import type { DashboardBridge, DashboardState } from './state/dashboard-bridge.ts';
import { DisconnectedProvider } from './state/window-context.tsx';

/** The page is in a browser of the owner, who has a terminal on that computer. */
const refusals: Record<NonNullable<DashboardState['reason']>, (command: ReactNode) => ReactNode> = {
  'no-link': (command) => (
    <Message
      of="This page opens with a link. Run {command} in a terminal on the computer that DocTray runs on."
      values={{ command }}
    />
  ),
  linkInvalid: (command) => (
    <Message
      of="This link has expired. Create another with {command} on the computer that DocTray runs on."
      values={{ command }}
    />
  ),
  linkUsed: (command) => (
    <Message
      of="This link was already used, so the page that it opened was signed out. Create another with {command} on the computer that DocTray runs on."
      values={{ command }}
    />
  ),
  linkUsedAgain: (command) => (
    <Message
      of="You were signed out, because the link to this page was used again. Create another with {command} on the computer that DocTray runs on."
      values={{ command }}
    />
  ),
  sessionEnded: (command) => (
    <Message
      of="You were signed out. Create another link with {command} on the computer that DocTray runs on."
      values={{ command }}
    />
  ),
};

export function Dashboard({ bridge, children }: { bridge: DashboardBridge; children: ReactNode }) {
  const { connection, reason, question, blocked, command } = useSyncExternalStore(
    bridge.subscribe,
    bridge.state,
  );
  const disconnected = useMemo(() => (connection === 'lost' ? { command } : null), [connection, command]);
  if (connection === 'refused') {
    return (
      <main className="broken">
        <h1 className="visually-hidden">DocTray</h1>
        <div className="empty tone-bad" role="alert">
          <Icon name="error" size={28} />
          <p className="empty-sentence">
            {refusals[reason ?? 'no-link'](<code className="code selectable">{command}</code>)}
          </p>
        </div>
      </main>
    );
  }
  return (
    <>
      <DisconnectedProvider value={disconnected}>{children}</DisconnectedProvider>
      {question !== undefined && (
        <QuestionDialog
          key={question.id}
          question={question.question}
          problem={question.problem}
          onAnswer={bridge.answer}
        />
      )}
      {blocked !== undefined && (
        <Dialog
          title={
            blocked.kind === 'show'
              ? t('The browser blocked a new tab')
              : t('The browser didn’t allow copying')
          }
          isOpen
          onClose={() => bridge.retryBlocked(false)}
          footer={
            <>
              <Button onPress={() => bridge.retryBlocked(false)}>{t('Cancel')}</Button>
              <Button look="primary" autoFocus onPress={() => bridge.retryBlocked(true)}>
                {blocked.kind === 'show' ? t('Open') : t('Copy')}
              </Button>
            </>
          }
        >
          {blocked.kind === 'show'
            ? t('Allow pop-ups for this page to open documents without this question.')
            : t('Press the button to copy it.')}
        </Dialog>
      )}
    </>
  );
}

function QuestionDialog(props: {
  question: DashboardQuestion;
  problem: AnswerProblem | null;
  onAnswer(answer: DashboardAnswer | null): void;
}) {
  const { question, problem, onAnswer } = props;
  const isFolder = question.kind === 'folder';
  const [password, setPassword] = useState('');
  const [path, setPath] = useState(isFolder ? (question.startIn ?? '') : '');
  const [sentProblem, setSentProblem] = useState<AnswerProblem | null>();
  // Until the host has answered, each time with another object.
  const isPending = sentProblem !== undefined && sentProblem === problem;
  const problemOf = (field: AnswerProblem['field']) =>
    problem?.field === field && !isPending ? problem.message : null;
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (password === '' || isPending) return;
    setSentProblem(problem);
    onAnswer({ password, ...(isFolder && { path }) });
  };
  return (
    <Dialog
      role="alertdialog"
      title={isFolder ? t('Choose the folder to serve') : question.message}
      isOpen
      onClose={() => onAnswer(null)}
      footer={
        <>
          <Button onPress={() => onAnswer(null)}>{t('Cancel')}</Button>
          <Button look="primary" isPending={isPending} onPress={() => send()}>
            {isFolder ? t('Serve this folder') : question.button}
          </Button>
        </>
      }
    >
      <form className="stack" onSubmit={send}>
        {isFolder ? (
          <TextField
            label={t('Folder on the computer that DocTray runs on')}
            hint={t('An absolute path, such as /home/ana/Documents.')}
            value={path}
            onChange={setPath}
            error={problemOf('path')}
            isCode
            autoFocus
          />
        ) : (
          <p>{question.detail}</p>
        )}
        <TextField
          label={t('The owner’s password')}
          hint={t('Proves that you are the owner of this DocTray.')}
          type="password"
          value={password}
          onChange={setPassword}
          error={problemOf('password')}
          autoFocus={!isFolder}
        />
        {/* Enter in a field submits. */}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}
