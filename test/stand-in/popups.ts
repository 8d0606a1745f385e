// Popups: the app's window-open handler decides before anything is shown.

import type { BrowserWindowConstructorOptions, HandlerDetails, WindowOpenHandlerResponse } from 'electron';

import type { StandInContents } from './web-contents.ts';
import { checkOptions } from './strict.ts';

export interface OpenDetails {
  url: string;
  frameName: string;
  features: string;
}

export type PopupDecision =
  { action: 'deny' } | { action: 'allow'; options: BrowserWindowConstructorOptions };

/** Without a handler every popup is allowed, as in Electron. */
export function decidePopup(opener: StandInContents, details: OpenDetails): PopupDecision {
  const handler = opener.inner.handler();
  if (!handler) return { action: 'allow', options: {} };
  const given: HandlerDetails = {
    url: details.url,
    frameName: details.frameName,
    features: details.features,
    disposition: details.features === '' ? 'foreground-tab' : 'new-window',
    referrer: { url: '', policy: 'strict-origin-when-cross-origin' },
  };
  const answer: WindowOpenHandlerResponse = handler(given);
  if (answer.action !== 'allow') return { action: 'deny' };
  checkOptions('setWindowOpenHandler', answer, ['action', 'overrideBrowserWindowOptions', 'outlivesOpener']);
  return { action: 'allow', options: answer.overrideBrowserWindowOptions ?? {} };
}
