// Every sentence of the page, in one place.

import type { ChangeState } from './changes.ts';

const testConnection =
  'In DocTray, open Settings, then Editors, and press “Test connection”: it names what is wrong.';

export const words = {
  opening: (editor: string) => `Opening in ${editor}…`,
  asking: 'Opening…',
  stillLoading: (editor: string) => `${editor} is still loading the document…`,
  closing: 'Closing…',
  saving: 'Saving…',
  converting: 'Converting…',
  failed: 'Not opened',
  readOnly: 'Read only',

  silent: (editor: string) => `${editor} has said nothing for 20 seconds.`,
  silentMore: `Either it is slow, or this browser cannot reach it, or it cannot reach DocTray. ${testConnection}`,
  slow: (editor: string) => `${editor} has loaded, but not the document.`,
  slowMore: `It may not reach DocTray. ${testConnection}`,
  couldNotOpen: (editor: string) => `${editor} could not open the document.`,
  testConnection,
  blocked: (origin: string | null) =>
    origin === null
      ? 'The editor led to an address that is not its own, and was stopped there.'
      : `The editor led to ${origin}, which is not an address it is known by, and was stopped there.`,
  blockedMore:
    'If this is where its pages are, connect it in DocTray (Settings, Editors) by that address, or agree to its other hosts there.',
  mixed: 'This page is served by https and the editor by http, which browsers refuse to show in one page.',
  mixedMore: 'Connect the editor by an https address, or open DocTray by http on this computer.',

  hostSilent: 'DocTray does not answer.',
  hostSilentMore:
    'Keep this page open. What you write stays with the editor, which saves it when DocTray is back.',
  signedOut: 'You are signed out here.',
  signedOutMore: 'Sign in again before going on: what is typed now may not be saved.',
  tokenEnded: 'The time this document may be open has run out.',
  tokenEndedMore:
    'What you write is still saved for 24 hours. Load the editor again when you have come to a stop; nothing you wrote is lost by that once it is saved.',
  sessionClosed: 'The editor has ended this session.',

  saveFailed: 'The document could not be saved.',
  saveFailedMore: 'It stays open, with all you wrote. Close it anyway, and the last changes may be lost.',
  saveSilent: 'The editor does not say whether it has saved.',
  saveSilentMore: 'Wait a little and close it again. Closed at once, the last changes may be lost.',

  copy: (name: string) => `Saved a copy: ${name}`,
  copyLink: 'If nothing opened, your browser stopped it: ',
  goingOn: (name: string) => `Going on in ${name}…`,
  strayed: 'The editor has gone on to the copy. This page is still that of the first document.',
  versions: 'Earlier versions are kept by DocTray.',
  versionsMore: 'In its window: Documents, then Versions… in the menu of this document.',
  noEdit: 'You may read this document, not edit it.',

  oldFormat: (name: string) => `${name} is in an older format.`,
  oldFormatMore: (editor: string, to: string | null) =>
    `${editor} can show it as it is. To edit it, ${to === null ? 'a copy in a newer format' : `a .${to} copy`} is made beside it; the original stays.`,
  convert: (to: string | null) => (to === null ? 'Convert…' : `Convert to .${to}…`),

  shareTitle: 'Share this document',
  shareLabel: 'Link to this document',
  shareWho:
    'Whoever opens it signs in with a DocTray account, which you make in Settings. Editors may write, viewers may read.',
  shareHere:
    'This address works on this computer alone. For others, open DocTray to the network in Settings first.',
  shareThere: 'It works where this address is reached.',

  saveAsTitle: 'Save a copy',
  saveAsLabel: 'Name of the copy',
  saveAsMore: 'It is saved beside this document. A name that is taken gets a number.',
  nameEmpty: 'Give a name.',
  nameCharacters: 'A name has none of these: \\ / : * ? " < > |',
} as const;

export function changeWords(state: ChangeState, editor: string, savedAtMs: number | undefined): string {
  switch (state) {
    case 'none':
      return '';
    case 'unsaved':
      return 'Changes not saved yet';
    case 'with-editor':
      return `Changes are with ${editor}, which saves them`;
    case 'saved':
      return savedAtMs === undefined
        ? 'Saved'
        : `Saved at ${new Date(savedAtMs).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}`;
  }
}

const newerFormats: Record<string, string> = {
  doc: 'docx',
  dot: 'docx',
  xls: 'xlsx',
  xlt: 'xlsx',
  ppt: 'pptx',
  pot: 'pptx',
  pps: 'pptx',
};

/** What editors convert to; null where they differ. */
export function newerFormat(name: string): string | null {
  return newerFormats[extensionOf(name)] ?? null;
}

/** In lower case, without the dot; '' where there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

export function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}
