// The text of an autostart entry, as the desktop entry specification has it: written with its two layers of quoting, and read back
// as far as is needed to know whether it is on.

/** Read by every desktop that follows the specification. */
export function autostartEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.1',
    'Name=DocTray',
    'Comment=Serves a folder of this machine to document editors',
    `Exec=${execLine(command)}`,
    'Icon=doctray',
    'Terminal=false',
    'StartupNotify=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/**
 * The value of Exec. Every argument is quoted by the specification's rule for Exec, where a percent sign is written twice; the
 * whole is then escaped by its rule for strings, which is undone first when it is read.
 * @see https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html
 */
export function execLine(command: readonly string[]): string {
  // GLib looks for the program by its name as it is written, both percent signs included; `env` is found, and finds it.
  const hasPercent = command[0]?.includes('%') === true;
  const quoted = (hasPercent ? ['env', ...command] : command).map((argument) => {
    const text = argument.replaceAll('%', '%%');
    return /^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replaceAll(/["`$\\]/g, '\\$&')}"`;
  });
  return quoted
    .join(' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
}

/** What somebody, or a desktop's own settings, made of the entry. */
export function readAutostartEntry(text: string): { isOn: boolean; exec: string | undefined } {
  const values = new Map<string, string>();
  let isInside = false;
  for (const line of text.split(/\r?\n/u)) {
    if (line.startsWith('[')) isInside = line.trim() === '[Desktop Entry]';
    const found = isInside ? /^\s*([A-Za-z0-9-]+)\s*=\s*(.*?)\s*$/u.exec(line) : null;
    if (found !== null) values.set(found[1] ?? '', found[2] ?? '');
  }
  const exec = values.get('Exec');
  const isHidden = values.get('Hidden')?.toLowerCase() === 'true';
  const isDisabled = values.get('X-GNOME-Autostart-enabled')?.toLowerCase() === 'false';
  return { isOn: exec !== undefined && exec !== '' && !isHidden && !isDisabled, exec };
}
