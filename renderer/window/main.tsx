// The window's entry: connects the state to the bridge and draws the app.

import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/table.css';
import './styles/app.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { Failure } from './parts/view.tsx';
import { findBridge } from './state/bridge.ts';
import { createCall } from './state/call.ts';
import { WindowProvider } from './state/window-context.tsx';
import { createWindowStore } from './state/window-store.ts';

const place = document.querySelector('#root');
if (place === null) throw new Error('The page has no #root.');
const root = createRoot(place);
const bridge = findBridge();

if (bridge === undefined) {
  root.render(<Failure sentence="This page belongs into DocTray's window. Open DocTray instead." />);
} else {
  const call = createCall(bridge);
  const store = createWindowStore({ bridge, call });
  root.render(
    <WindowProvider services={{ bridge, call, store }}>
      <App />
    </WindowProvider>,
  );
}
