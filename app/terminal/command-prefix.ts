// Sentences name a command without what stands before it here: “`settings set port N`”. Most are written by the host, which
// can't know how DocTray is called in the terminal that shows them.

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

/** @param command what a person types before the command's name */
export function withCommandPrefix(text: string, { command }: { command: string }): string {
  return text.replaceAll(namedCommand, `\`${command} `);
}
