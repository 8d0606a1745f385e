// `dialog`: questions nobody sees. A test queues the answers; a question without one fails loudly after a while, because
// a real dialog would have stood there for ever.

import type { Dialog } from 'electron';

import { checkOptions, strict } from '../strict.ts';

type Kind = 'open' | 'save' | 'message' | 'error' | 'certificate';

export interface AskedDialog {
  kind: Kind;
  options: Record<string, unknown>;
  window: unknown;
}

export interface DialogHooks {
  /** Answers the next question, or the one that waits: what Electron's promise resolves to. */
  answer(answer: Record<string, unknown>): void;
  asked: AskedDialog[];
  /** How many answers nobody has asked for. */
  unusedAnswers(): number;
}

const patienceMs = 5000;

const openKeys = [
  'title',
  'defaultPath',
  'buttonLabel',
  'filters',
  'properties',
  'message',
  'securityScopedBookmarks',
];
const saveKeys = [...openKeys, 'nameFieldLabel', 'showsTagField'];
const messageKeys = [
  'message',
  'type',
  'buttons',
  'defaultId',
  'signal',
  'title',
  'detail',
  'checkboxLabel',
  'checkboxChecked',
  'icon',
  'textWidth',
  'cancelId',
  'noLink',
  'normalizeAccessKeys',
];
const keysOf: Record<Kind, string[]> = {
  open: openKeys,
  save: saveKeys,
  message: messageKeys,
  error: ['title', 'content'],
  certificate: ['certificate', 'message'],
};

export function createDialog(): { dialog: Dialog; hooks: DialogHooks } {
  const asked: AskedDialog[] = [];
  const answers: Record<string, unknown>[] = [];
  const waiting: ((answer: Record<string, unknown>) => void)[] = [];

  function note(kind: Kind, args: unknown[]): AskedDialog {
    const [first, second] = args;
    const hasWindow =
      args.length > 1 || (typeof first === 'object' && first !== null && 'webContents' in first);
    const question: AskedDialog = {
      kind,
      window: hasWindow ? first : undefined,
      options: ((hasWindow ? second : first) ?? {}) as Record<string, unknown>,
    };
    checkOptions(`dialog (${kind})`, question.options, keysOf[kind]);
    asked.push(question);
    return question;
  }

  const whole = (kind: Kind, answer: Record<string, unknown>): Record<string, unknown> => {
    if (kind === 'message') return { response: 0, checkboxChecked: false, ...answer };
    if (kind === 'open') return { canceled: !answer['filePaths'], filePaths: [], ...answer };
    return { canceled: !answer['filePath'], filePath: '', ...answer };
  };

  const describe = (question: AskedDialog): string =>
    `an unanswered ${question.kind} dialog: ${(question.options['message'] ?? question.options['title'] ?? '') as string}`;

  async function ask(kind: Kind, args: unknown[]): Promise<Record<string, unknown>> {
    const question = note(kind, args);
    const ready = answers.shift();
    if (ready) return whole(kind, ready);
    return new Promise((resolve, reject) => {
      const done = (answer: Record<string, unknown>): void => {
        clearTimeout(timer);
        resolve(whole(kind, answer));
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(done), 1);
        const text = `stand-in: ${describe(question)}; queue an answer by __standin.dialogs.answer({…})`;
        process.stderr.write(`${text}\n`);
        reject(new Error(text));
      }, patienceMs);
      waiting.push(done);
    });
  }

  function askSync(kind: Kind, args: unknown[]): Record<string, unknown> {
    const question = note(kind, args);
    const ready = answers.shift();
    if (!ready)
      throw new Error(`stand-in: ${describe(question)}; a synchronous one needs its answer beforehand`);
    return whole(kind, ready);
  }

  const members = {
    showOpenDialog: (...args: unknown[]) => ask('open', args) as never,
    showSaveDialog: (...args: unknown[]) => ask('save', args) as never,
    showMessageBox: (...args: unknown[]) => ask('message', args) as never,
    showOpenDialogSync: (...args: unknown[]) => {
      const { canceled, filePaths } = askSync('open', args);
      return (canceled === true ? undefined : filePaths) as string[] | undefined;
    },
    showSaveDialogSync: (...args: unknown[]) => askSync('save', args)['filePath'] as string,
    showMessageBoxSync: (...args: unknown[]) => askSync('message', args)['response'] as number,
    showErrorBox: (title: string, content: string) =>
      void asked.push({ kind: 'error', options: { title, content }, window: undefined }),
  } satisfies Pick<
    Dialog,
    | 'showOpenDialog'
    | 'showSaveDialog'
    | 'showMessageBox'
    | 'showOpenDialogSync'
    | 'showSaveDialogSync'
    | 'showMessageBoxSync'
    | 'showErrorBox'
  >;

  return {
    dialog: strict(members, 'dialog') as unknown as Dialog,
    hooks: {
      asked,
      answer(answer) {
        const next = waiting.shift();
        if (next) next(answer);
        else answers.push(answer);
      },
      unusedAnswers: () => answers.length,
    },
  };
}
