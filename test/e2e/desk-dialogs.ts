// The system's dialogs, answered by the test: a question stays open until the test presses a button or chooses a path. This replaces
// the members of `dialog` in the main process, which works in real Electron, too.

import assert from 'node:assert/strict';
import type { ElectronApplication } from 'playwright';
import { until } from './window-of.ts';

export interface AskedQuestion {
  kind: 'open' | 'save' | 'message';
  message: string;
  detail: string;
  buttons: string[];
  defaultId: number;
  cancelId: number;
  /** The path that a save dialog suggests. */
  defaultPath: string;
}

export type Dialogs = Awaited<ReturnType<typeof watchDialogs>>;

interface InMain {
  deskDialogs: {
    asked: AskedQuestion[];
    standing: { question: AskedQuestion; answer(given: object): void }[];
    /** Answers every message with its first button. */
    answersItself: boolean;
  };
}

/** Call right after the start, before the app asks anything. */
export async function watchDialogs(app: ElectronApplication) {
  await app.evaluate(({ dialog }) => {
    const desk: InMain['deskDialogs'] = { asked: [], standing: [], answersItself: false };
    (globalThis as unknown as InMain).deskDialogs = desk;
    const ask = (kind: AskedQuestion['kind'], given: unknown[]): Promise<never> => {
      const options = given.at(-1) as Partial<AskedQuestion> & { title?: string; signal?: AbortSignal };
      const question: AskedQuestion = {
        kind,
        message: options.message ?? options.title ?? '',
        detail: options.detail ?? '',
        buttons: options.buttons ?? [],
        defaultId: options.defaultId ?? 0,
        cancelId: options.cancelId ?? 0,
        defaultPath: options.defaultPath ?? '',
      };
      // A question that is confirmed at once isn't recorded.
      const isConfirmation = ['Add user', 'Connect', 'Open to the network'].includes(
        question.buttons[0] ?? '',
      );
      if (isConfirmation) return Promise.resolve({ response: 0, checkboxChecked: false } as never);
      desk.asked.push(question);
      const { promise, resolve } = Promise.withResolvers<object>();
      const answer = (answered: object): void => {
        const at = desk.standing.findIndex((item) => item.question === question);
        if (at !== -1) desk.standing.splice(at, 1);
        resolve(answered);
      };
      if (desk.answersItself && kind === 'message') resolve({ response: 0, checkboxChecked: false });
      else desk.standing.push({ question, answer });
      options.signal?.addEventListener('abort', () =>
        answer({ response: question.cancelId, checkboxChecked: false }),
      );
      return promise as Promise<never>;
    };
    dialog.showMessageBox = (...given: unknown[]) => ask('message', given);
    dialog.showOpenDialog = (...given: unknown[]) => ask('open', given);
    dialog.showSaveDialog = (...given: unknown[]) => ask('save', given);
  });

  async function standing(): Promise<AskedQuestion> {
    let question: AskedQuestion | undefined;
    await until(async () => {
      question = await app.evaluate(
        () => (globalThis as unknown as InMain).deskDialogs.standing[0]?.question,
      );
      return question !== undefined;
    }, 'the app asks something');
    return question!;
  }

  async function answer(
    kind: AskedQuestion['kind'],
    toAnswer: (question: AskedQuestion) => object,
  ): Promise<AskedQuestion> {
    const question = await standing();
    assert.equal(question.kind, kind, question.message);
    await app.evaluate((_, given) => {
      (globalThis as unknown as InMain).deskDialogs.standing[0]?.answer(given);
    }, toAnswer(question));
    return question;
  }

  return {
    /** Presses a button of the open message, and resolves to its question. */
    press: (button: string) =>
      answer('message', ({ buttons, message }) => {
        const response = buttons.indexOf(button);
        assert.notEqual(response, -1, `“${message}” has the buttons ${buttons.join(', ')}`);
        return { response, checkboxChecked: false };
      }),
    /** Null cancels the dialog. */
    chooseFolder: (path: string | null) =>
      answer('open', () => ({ canceled: path === null, filePaths: path === null ? [] : [path] })),
    chooseSavePath: (path: string | null) =>
      answer('save', () => ({ canceled: path === null, filePath: path ?? '' })),
    /** Every question so far. */
    asked: () => app.evaluate(() => (globalThis as unknown as InMain).deskDialogs.asked),
  };
}

/** At the end of a test: answers every message with its first button, including open ones. */
export async function stopAsking(app: ElectronApplication): Promise<void> {
  await app.evaluate(() => {
    const { deskDialogs: desk } = globalThis as unknown as Partial<InMain>;
    if (desk === undefined) return;
    desk.answersItself = true;
    for (const { answer } of desk.standing.splice(0))
      answer({ response: 0, canceled: true, filePaths: [], filePath: '' });
  });
}
