// Messages name a command without the program: “`settings set port N`”. Most come from the host, which can't know how
// DocTray is invoked in the terminal that prints them, so the terminal adds the prefix, and the data folder if one was given.

import { isMessageKey } from '../contract/messages.ts';
import type { Terminal } from './terminal.ts';

/** Whether it is the first word of a command: each has a message for the help. */
export function isCommandName(word: string): boolean {
  return isMessageKey(`terminal.help-${word}`);
}

const inBackticks = /`([a-z]+(?:-[a-z]+)*)((?: [^`\n]*)?)`/gu;

/** How users invoke DocTray in a terminal. */
export type Invocation = Pick<Terminal, 'command' | 'dataOption'>;

/** @param named such as `settings set port N` */
export function commandText({ command, dataOption }: Invocation, named: string): string {
  return [command, named, ...(dataOption === undefined ? [] : [dataOption])].join(' ');
}

export function withCommandPrefix(text: string, terminal: Invocation): string {
  return text.replaceAll(inBackticks, (all, word: string, rest: string) =>
    isCommandName(word) ? `\`${commandText(terminal, word + rest)}\`` : all,
  );
}
