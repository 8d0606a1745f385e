// Messages name a command without the program: “`settings set port N`”. Most come from the host, which can't know how
// DocTray is invoked in the terminal that prints them, so the terminal adds the prefix.

/** The first words of all commands. */
export const commandNames = [
  'serve',
  'start',
  'open',
  'editors',
  'locks',
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
  'rename',
  'trash',
  'import',
  'conflicts',
  'status',
  'activity',
  'quit',
  'uninstall',
] as const;

const namedCommand = new RegExp(`\`(?=(?:${commandNames.join('|')})(?: [^\`\n]*)?\`)`, 'gu');

/** @param command how this terminal invokes DocTray, such as `npm run cli --` */
export function withCommandPrefix(text: string, { command }: { command: string }): string {
  return text.replaceAll(namedCommand, `\`${command} `);
}
