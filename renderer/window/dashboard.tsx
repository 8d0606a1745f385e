// Around the window in a browser: its connection to the host, and the questions that the app's window asks with the system's dialogs.

import { useState, useSyncExternalStore, type FormEvent, type ReactNode } from 'react';
import type { DashboardAnswer, DashboardQuestion } from '../../app/contract/dashboard.ts';
import { Button } from './parts/button.tsx';
import { Dialog, Notice } from './parts/dialog.tsx';
import { TextField } from './parts/text-field.tsx';
import { Failure } from './parts/view.tsx';
import type { DashboardBridge, DashboardState } from './state/dashboard-bridge.ts';

const newLink =
  'In a terminal on the computer that DocTray runs on, run its command “dashboard” for a new link.';
const refusals: Record<NonNullable<DashboardState['reason']>, string> = {
  'no-link': `This page opens with a link. ${newLink}`,
  link: `This link has expired or was used before. A page that it opened was signed out. ${newLink}`,
  session: `You were signed out. ${newLink}`,
};

export function Dashboard({ bridge, children }: { bridge: DashboardBridge; children: ReactNode }) {
  const { connection, reason, question, blocked } = useSyncExternalStore(bridge.subscribe, bridge.state);
  if (connection === 'refused') {
    return (
      <main className="broken">
        <h1 className="visually-hidden">DocTray</h1>
        <Failure sentence={refusals[reason ?? 'no-link']} />
      </main>
    );
  }
  return (
    <>
      {children}
      {connection === 'lost' && (
        <div className="dashboard-lost" role="alert">
          <Notice tone="bad">
            DocTray isn’t reachable. This page connects again by itself. If DocTray was restarted, run its
            command “dashboard” for a new link.
          </Notice>
        </div>
      )}
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
            blocked.kind === 'show' ? 'The browser blocked a new tab' : 'The browser didn’t allow copying'
          }
          isOpen
          onClose={() => bridge.retryBlocked(false)}
          footer={
            <>
              <Button onPress={() => bridge.retryBlocked(false)}>Cancel</Button>
              <Button look="primary" autoFocus onPress={() => bridge.retryBlocked(true)}>
                {blocked.kind === 'show' ? 'Open' : 'Copy'}
              </Button>
            </>
          }
        >
          {blocked.kind === 'show'
            ? 'Allow pop-ups for this page to open documents without this question.'
            : 'Press the button to copy it.'}
        </Dialog>
      )}
    </>
  );
}

function QuestionDialog(props: {
  question: DashboardQuestion;
  problem: string | null;
  onAnswer(answer: DashboardAnswer | null): void;
}) {
  const { question, problem, onAnswer } = props;
  const isFolder = question.kind === 'folder';
  const [password, setPassword] = useState('');
  const [path, setPath] = useState(isFolder ? (question.startIn ?? '') : '');
  const [sentProblem, setSentProblem] = useState<string | null | undefined>();
  // Until the host has answered, with the same or another problem.
  const isPending = sentProblem !== undefined && sentProblem === problem && problem === null;
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (password === '' || isPending) return;
    setSentProblem(problem);
    onAnswer({ password, ...(isFolder && { path }) });
    setPassword('');
  };
  return (
    <Dialog
      role="alertdialog"
      title={isFolder ? 'Choose the folder to serve' : question.message}
      isOpen
      onClose={() => onAnswer(null)}
      footer={
        <>
          <Button onPress={() => onAnswer(null)}>Cancel</Button>
          <Button look="primary" isPending={isPending} onPress={() => send()}>
            {isFolder ? 'Serve this folder' : question.button}
          </Button>
        </>
      }
    >
      <form className="stack" onSubmit={send}>
        {isFolder ? (
          <TextField
            label="Folder on the computer that DocTray runs on"
            hint="An absolute path, such as /home/ana/Documents."
            value={path}
            onChange={setPath}
            isCode
            autoFocus
          />
        ) : (
          <p>{question.detail}</p>
        )}
        <TextField
          label="The owner’s password"
          hint="So that nobody else who finds this page open can do it. The terminal’s command “users password” sets a new one."
          type="password"
          value={password}
          onChange={setPassword}
          error={problem}
          autoFocus={!isFolder}
        />
        {/* Enter in a field submits. */}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}
