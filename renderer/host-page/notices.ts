// The notices about an editor that doesn't open or close as expected.

import { isLoopbackHost } from '../../app/contract/addresses.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import type { Notice } from './page-bar.ts';
import { words } from './words.ts';

export const notices = {
  silent: (editor: string, again: ButtonChoice, isOwner: boolean): Notice => ({
    text: words.silent(editor),
    more: words.silentMore(isOwner),
    tone: 'warn',
    buttons: [again],
  }),
  slow: (editor: string, again: ButtonChoice, isOwner: boolean): Notice => ({
    text: words.slow(editor),
    more: words.slowMore(isOwner),
    tone: 'warn',
    buttons: [again],
  }),
  /** @param reason the editor's own words */
  couldNotOpen: (editor: string, reason: string | null, again: ButtonChoice, isOwner: boolean): Notice => ({
    text: words.couldNotOpen(editor, reason),
    more: words.testConnection(isOwner),
    tone: 'bad',
    buttons: [again],
  }),
  blocked: (origin: string | null, again: ButtonChoice, isOwner: boolean): Notice => ({
    text: words.blocked(origin),
    more: words.blockedMore(isOwner),
    tone: 'bad',
    buttons: [again],
  }),
  tokenEnded: (loadAgain: ButtonChoice): Notice => ({
    text: words.tokenEnded,
    more: words.tokenEndedMore,
    tone: 'warn',
    buttons: [loadAgain],
  }),
  sessionClosed: (loadAgain: ButtonChoice): Notice => ({
    text: words.sessionClosed,
    more: words.sessionClosedMore,
    tone: 'warn',
    buttons: [loadAgain],
    hasDismiss: true,
  }),
  /** @param savesWhenLeft the editor's server already has the text */
  leaving: (editor: string, savesWhenLeft: boolean): Notice => ({
    text: words.leaving,
    more: savesWhenLeft ? words.savesWhenLeft(editor) : words.saveBeforeLeaving(editor),
    tone: 'warn',
    hasDismiss: true,
  }),
} as const;

/** Browsers don't frame an HTTP page in an HTTPS page, unless it is from this computer. */
export function isMixed(pageProtocol: string, action: string): boolean {
  const { protocol, hostname } = new URL(action);
  return pageProtocol === 'https:' && protocol === 'http:' && !isLoopbackHost(hostname);
}
