// `dialog`: a test replaces each function that it expects to be called. A call that reaches the stand-in fails after a while, because a
// real dialog would have stayed open forever.

import { setTimeout as delay } from 'node:timers/promises';

import type { Dialog } from 'electron';

import { checkOptions, strict } from '../strict.ts';

const patienceMs = 5000;
const pathKeys = 'title defaultPath buttonLabel filters properties';
const messageKeys = 'message type buttons defaultId title detail cancelId noLink';

export function createDialog(): Dialog {
  const unanswered =
    (kind: string, known: string) =>
    async (...args: unknown[]): Promise<never> => {
      const options = args.at(-1) as Record<string, unknown>;
      checkOptions(`dialog (${kind})`, options, known);
      await delay(patienceMs);
      const text = `stand-in: an unanswered ${kind} dialog: ${String(options['message'] ?? options['title'])}`;
      process.stderr.write(`${text}\n`);
      throw new Error(text);
    };
  const members = {
    showOpenDialog: unanswered('open', pathKeys),
    showSaveDialog: unanswered('save', pathKeys),
    showMessageBox: unanswered('message', messageKeys),
    showErrorBox: (title: string, content: string) => void process.stderr.write(`${title}: ${content}\n`),
  };
  return strict(members, 'dialog') as unknown as Dialog;
}
