// Every sentence of the page, in one place.

import type { ChangeState } from './changes.ts';

const testConnection =
  'In DocTray, open Settings, then Editors, and press “Test connection” to see what is wrong.';

function timeOf(atMs: number): string {
  return new Date(atMs).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/** The time of today, or the day. */
function whenOf(atMs: number): string {
  const at = new Date(atMs);
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? timeOf(atMs) : at.toLocaleDateString([], { dateStyle: 'medium' });
}

export const words = {
  opening: (editor: string) => `Opening in ${editor}…`,
  asking: 'Opening…',
  stillLoading: (editor: string) => `${editor} is still loading the document…`,
  closing: 'Closing…',
  saving: 'Saving…',
  writing: 'Writing the file…',
  converting: 'Converting…',
  failed: 'Not opened',
  readOnly: 'Read only',

  silent: (editor: string) => `${editor} hasn’t responded for 20 seconds.`,
  silentMore: `It may be slow, this browser may not reach it, or it may not reach DocTray. ${testConnection}`,
  slow: (editor: string) => `${editor} has started, but hasn’t loaded the document.`,
  slowMore: `It may not reach DocTray. ${testConnection}`,
  couldNotOpen: (editor: string) => `${editor} could not open the document.`,
  testConnection,
  blocked: (origin: string | null) =>
    origin === null
      ? 'The editor tried to open an unknown address. DocTray blocked it.'
      : `The editor tried to open ${origin}, which isn’t one of its addresses. DocTray blocked it.`,
  blockedMore:
    'If its pages are at that address, connect it in DocTray (Settings, Editors) by that address, or allow its other hosts there.',
  mixed: 'This page uses HTTPS and the editor uses HTTP. Browsers don’t show both in one page.',
  mixedMore: 'Connect the editor by an HTTPS address, or open DocTray by HTTP on this computer.',
  unread: (editor: string) => `${editor} hasn’t downloaded this document from DocTray.`,
  unreadMore: (editor: string) =>
    `If the editor is empty, it may not be able to reach DocTray. If it shows text, that’s ${editor}’s own copy from an earlier session: compare it with the file before you save.`,

  hostSilent: 'DocTray isn’t responding.',
  hostSilentMore:
    'Keep this page open. Unsaved changes are only in the editor: save again there when DocTray responds.',
  signedOut: 'You are signed out.',
  signedOutMore: 'Sign in again before you continue. What you type now may not be saved.',
  tokenEnded: 'Your access to this document has expired.',
  tokenEndedMore:
    'The editor can still save this document for 24 hours. Save your changes, then load the editor again.',
  sessionClosed: 'The editor has closed this session.',

  // what is not on disk, and where it is kept
  notSaved: {
    failed: (editor: string) => `${editor} couldn’t save the document.`,
    nothing: (_editor: string) => 'DocTray hasn’t received a save since your last change.',
    silent: (editor: string) => `${editor} hasn’t reported whether it saved the document.`,
  },
  maybeUndone: (editor: string) =>
    `${editor} reports nothing to save. If you undid your changes, nothing is lost.`,
  keptInEditor: (editor: string) =>
    `Your last changes are only in ${editor}. They may be lost if you close the page now.`,
  keptInRecovered: (editor: string) =>
    `DocTray keeps the save it couldn’t write in Recovered saves. Newer changes are only in ${editor} and may be lost if you close the page now.`,
  leaving: 'This document has changes that aren’t in the file yet.',
  saveBeforeLeaving: (editor: string) => `They are only in ${editor}. Save before you leave.`,
  savesWhenLeft: (editor: string) =>
    `${editor} writes the file a few seconds after everyone has closed the document.`,
  writingTitle: (name: string) => `Saving ${name}…`,
  writingMore: (editor: string) =>
    `${editor} has your changes and writes the file now. Keep this tab open until it is on disk.`,
  notWrittenTitle: (name: string) => `${name} isn’t on disk yet`,
  notWrittenMore: (editor: string) =>
    `${editor} has your changes, but hasn’t written the file. If somebody else has the document open, it is written when they close it.`,
  refusedMore:
    'The last save couldn’t be written to the file. DocTray keeps it in Recovered saves: open the document again to restore it.',
  releasedMore: (editor: string) =>
    `${editor} closed the document, and DocTray received no save. Open it again to check your last changes.`,

  // what the host keeps, and who holds the document
  recovered: (count: number, newestAtMs: number) =>
    count === 1
      ? `A save of this document (${whenOf(newestAtMs)}) couldn’t be written to the file.`
      : `${count} saves of this document (latest: ${whenOf(newestAtMs)}) couldn’t be written to the file.`,
  recoveredMore: 'DocTray keeps it in Recovered saves. You can restore it as a copy next to this document.',
  recoveredMoreViewer: 'DocTray keeps it in Recovered saves. Ask the owner of this DocTray to restore it.',
  restored: (name: string) => `Restored as ${name}`,
  conflict: (name: string) => `Another version of this document is kept as ${name}.`,
  conflictMore:
    'The file had changed elsewhere when the editor saved it. Compare both, then delete the one you don’t need.',
  heldBy: (user: string | null, editor: string | null) =>
    `${user ?? 'Another user'} is editing this document in ${editor ?? 'another editor'}.`,
  heldByMore:
    'You can only read it here. Ask them to close it, or force-clear the lock in DocTray. Then load it again.',
  noLock: 'This editor doesn’t hold the document’s lock.',
  noLockMore:
    'The lock was force-cleared, or the editor didn’t get it. Saves from this page go to Recovered saves instead of the file. Load the document again to continue.',
  copyFirst: 'Copy your unsaved text first.',

  copy: (name: string) => `Saved a copy: ${name}`,
  copyLink: 'If nothing opened, your browser blocked it: ',
  goingOn: (name: string) => `Opening ${name}…`,
  theCopy: 'the copy',
  strayed: 'The editor shows the copy. This page is still for the first document.',
  versions: 'DocTray keeps earlier versions.',
  versionsMore: 'In DocTray, open Documents, then Versions… in the menu of this document.',
  noEdit: 'You can read this document, but not edit it.',

  oldFormat: (name: string) => `${name} is in an older format.`,
  oldFormatMore: (editor: string, to: string | null) =>
    `${editor} can show it as it is. To edit it, ${to === null ? 'a copy in a newer format' : `a .${to} copy`} is created next to it. The original stays.`,
  convert: (to: string | null) => (to === null ? 'Convert…' : `Convert to .${to}…`),

  shareTitle: 'Share this document',
  shareLabel: 'Link to this document',
  shareWho: 'People sign in as a DocTray user. Add users in Settings. Editors can write, viewers can read.',
  shareHere:
    'Only people on this computer can open this link. For others, open DocTray to the network in Settings.',
  shareThere: 'The link works on any computer that can reach this address.',

  saveAsTitle: 'Save a copy',
  saveAsLabel: 'Name of the copy',
  saveAsMore: 'The copy is saved next to this document. If the name is taken, a number is added.',
  nameEmpty: 'Enter a name.',
  nameCharacters: 'A name can’t contain \\ / : * ? " < > |',
} as const;

export function changeWords(state: ChangeState, editor: string, savedAtMs: number | undefined): string {
  switch (state) {
    case 'none':
      return '';
    case 'unsaved':
      return 'Changes not saved yet';
    case 'unconfirmed':
      return 'Not saved since the last change';
    case 'with-editor':
      return `In ${editor}, not in the file yet`;
    case 'saved':
      return savedAtMs === undefined ? 'Saved' : `Saved at ${timeOf(savedAtMs)}`;
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
