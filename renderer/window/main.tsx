// The window's entry: connects the state to the bridge and draws the app. In the app's window, the preload script provides the
// bridge; in a browser, the page connects to the host itself.

import './language.ts';
import '@fontsource-variable/inter/wght.css';
import './styles/base.css';
import './styles/parts.css';
import './table/table.css';
import './styles/app.css';
import { createRoot } from 'react-dom/client';
import type { Bridge } from '../../app/contract/bridge.ts';
import { App } from './app.tsx';
import { Dashboard } from './dashboard.tsx';
import { createCall, inWindowLanguage } from './state/call.ts';
import { openDashboardBridge } from './state/dashboard-bridge.ts';
import { createWindowStore, WindowProvider } from './state/window-context.tsx';

declare global {
  interface Window {
    /** From the preload script; undefined in a browser. Nothing else in the window touches it. */
    doctray?: Bridge;
  }
}

const place = document.querySelector('#root');
if (place === null) throw new Error('The page has no #root.');
const ofApp = window.doctray;
const ofBrowser = ofApp === undefined ? openDashboardBridge() : undefined;
const ownBridge = ofApp ?? ofBrowser;

if (ownBridge !== undefined) {
  const bridge = inWindowLanguage(ownBridge);
  const call = createCall(bridge);
  const store = createWindowStore({ bridge, call });
  const app = (
    <WindowProvider services={{ bridge, call, store }}>
      <App />
    </WindowProvider>
  );
  createRoot(place).render(ofBrowser === undefined ? app : <Dashboard bridge={ofBrowser}>{app}</Dashboard>);
}
