// `dialog`: questions that nobody sees. A test puts its own function in the place of each it expects; a question that reaches the
// stand-in fails loudly after a while, because a real dialog would have stayed open for ever.

import { setTimeout as delay } from 'node:timers/promises';

import type { Dialog } from 'electron';

import { checkOptions, strict } from '../strict.ts';

const patienceMs = 5000;

const pathKeys = ['title', 'defaultPath', 'buttonLabel', 'filters', 'properties', 'message'];
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
  'cancelId',
  'noLink',
];

export function createDialog(): Dialog {
  const unanswered =
    (kind: string, known: readonly string[]) =>
    async (...args: unknown[]): Promise<never> => {
      const options = (args.at(-1) ?? {}) as Record<string, unknown>;
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
  } satisfies Pick<Dialog, 'showOpenDialog' | 'showSaveDialog' | 'showMessageBox' | 'showErrorBox'>;
  return strict(members, 'dialog') as unknown as Dialog;
}
