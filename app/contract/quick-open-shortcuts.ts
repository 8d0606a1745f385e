// Shortcuts that the system can give to quick open, as Electron names them: few enough to choose from, and rarely used by others.

export const quickOpenShortcuts = [
  'CommandOrControl+Shift+Space',
  'CommandOrControl+Alt+Space',
  'CommandOrControl+Alt+D',
  'CommandOrControl+Alt+O',
] as const;

export type QuickOpenShortcut = (typeof quickOpenShortcuts)[number];
