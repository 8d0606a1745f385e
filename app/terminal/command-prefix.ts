// Messages name a command without the program: “`settings set port N`”. Most come from the host, which can't know how
// DocTray is invoked in the terminal that prints them, so the terminal adds the prefix, and the data folder if one was given.

import type { Terminal } from './terminal.ts';

/** The first words of all commands. */
export const commandNames = [
  'serve',
  'start',
  'open',
  'editors',
  'locks',
  'move',
  'unlock',
  'sessions',
  'tokens',
  'users',
  'versions',
  'restore',
  'recovered',
  'tls',
  'secrets',
  'settings',
  'doctor',
  'pause',
  'resume',
  'new',
  'new-folder',
  'duplicate',
  'link',
  'rename',
  'trash',
  'import',
  'conflicts',
  'copy-version',
  'status',
  'activity',
  'dashboard',
  'quit',
  'uninstall',
] as const;

const namedCommand = new RegExp(`\`((?:${commandNames.join('|')})(?: [^\`\n]*)?)\``, 'gu');

/** How users invoke DocTray in a terminal. */
export type Invocation = Pick<Terminal, 'command' | 'dataOption'>;

/** @param named such as `settings set port N` */
export function commandText({ command, dataOption }: Invocation, named: string): string {
  return [command, named, ...(dataOption === undefined ? [] : [dataOption])].join(' ');
}

export function withCommandPrefix(text: string, terminal: Invocation): string {
  return text.replaceAll(namedCommand, (_, named: string) => `\`${commandText(terminal, named)}\``);
}
