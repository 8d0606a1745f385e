// The one door out of the window: `window.doctray`, put there by the preload script (app/contract/bridge.ts). Nothing else in
// the renderer touches it.

import type { Bridge } from '../../../app/contract/bridge.ts';

declare global {
  interface Window {
    doctray?: Bridge;
  }
}

/** Undefined when the page was opened outside DocTray, say in a browser. */
export function findBridge(): Bridge | undefined {
  return window.doctray;
}
