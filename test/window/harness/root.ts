// Stands in for react-dom/client in the window's entry, so that a test can begin with a new host without loading the page again: that
// takes most of a short test.

import { cloneElement, type ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot as createReactRoot, type Container, type Root } from 'react-dom/client';
import type { Bridge } from '../../../app/contract/bridge.ts';
import { createCall } from '../../../renderer/window/state/call.ts';
import { createWindowStore, type WindowProvider } from '../../../renderer/window/state/window-context.tsx';

type Window = ReactElement<Parameters<typeof WindowProvider>[0]>;

let container: Container;
let root: Root;
let shown: Window;
let afterMount: () => void;

/** Called when the window listens to pushes, and before it has the state. */
export function onMount(listener: () => void): void {
  afterMount = listener;
}

export function createRoot(given: Container): Pick<Root, 'render'> {
  container = given;
  return { render: (window) => mount(window as Window) };
}

function mount(window: Window): void {
  shown = window;
  root = createReactRoot(container);
  flushSync(() => root.render(shown));
  afterMount();
}

/** Removes the window, and what it and React Aria leave in the page. */
export function unmount(): void {
  root.unmount();
  for (const announcements of document.querySelectorAll('[data-live-announcer] > *'))
    announcements.replaceChildren();
  delete document.documentElement.dataset.appearance;
  document.adoptedStyleSheets = [];
}

/** Shows the window again, as the entry does. */
export function mountWith(bridge: Bridge): void {
  const call = createCall(bridge);
  const services = { bridge, call, store: createWindowStore({ bridge, call }) };
  mount(cloneElement(shown, { services }));
}
