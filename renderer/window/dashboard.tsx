// Around the window in a browser: its connection to the host, and the questions that the app's window asks with the system's dialogs.

import { useMemo, useState, useSyncExternalStore, type FormEvent, type ReactNode } from 'react';
import type { AnswerProblem, DashboardAnswer, DashboardQuestion } from '../../app/contract/dashboard.ts';
import { t } from '../../app/contract/messages.ts';
import { Dialog } from '../kit/dialog.tsx';
import { TextField } from '../kit/fields.tsx';
import { Icon } from '../kit/icon.tsx';
import { Message } from '../kit/blocks.tsx';
import type { DashboardBridge, DashboardState } from './state/dashboard-bridge.ts';
import { DisconnectedProvider } from './state/window-context.tsx';

/** The page is in a browser of the owner, who has a terminal on that computer. */
const refusals: Record<NonNullable<DashboardState['reason']>, (command: ReactNode) => ReactNode> = {
  'no-link': (command) => <Message of="window.this-page-opens-with-a" values={{ command }} />,
  linkInvalid: (command) => <Message of="window.this-link-has-expired-create" values={{ command }} />,
  linkUsed: (command) => <Message of="window.this-link-was-already-used" values={{ command }} />,
  linkUsedAgain: (command) => <Message of="window.you-were-signed-out-because" values={{ command }} />,
  sessionEnded: (command) => <Message of="window.you-were-signed-out-create" values={{ command }} />,
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
        <div className="stack empty tone-bad" role="alert">
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
              ? t('window.the-browser-blocked-a-new')
              : t('window.the-browser-didnt-allow-copying')
          }
          onClose={() => bridge.retryBlocked(false)}
          confirm={{
            label: blocked.kind === 'show' ? t('common.open') : t('window.copy'),
            autoFocus: true,
            onPress: () => bridge.retryBlocked(true),
          }}
        >
          {blocked.kind === 'show'
            ? t('window.allow-pop-ups-for-this')
            : t('window.press-the-button-to-copy')}
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
      title={isFolder ? t('common.choose-the-folder-to-serve') : question.message}
      onClose={() => onAnswer(null)}
      confirm={{
        label: isFolder ? t('common.serve-this-folder') : question.button,
        isPending,
        onPress: () => send(),
      }}
    >
      <form className="stack" onSubmit={send}>
        {isFolder ? (
          <TextField
            label={t('window.folder-on-the-computer-that')}
            hint={t('window.an-absolute-path-such-as')}
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
          label={t('window.the-owners-password')}
          hint={t('window.proves-that-you-are-the')}
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
