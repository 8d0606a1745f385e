// Runs before the renderer: installs a fake host in place of the preload script's bridge. `?scenario=normal&view=locks` selects the
// scenario and the view.

import '../../../renderer/kit/language.ts';
import type { Bridge } from '../../../app/contract/bridge.ts';
import type { ViewName } from '../../../app/contract/pushes.ts';
import { createFakeHost } from './fake-host.ts';
import { mountWith, onMount, unmount } from './root.ts';
import { scenarios } from './scenarios.ts';

interface Page {
  location: { search: string };
  doctray?: unknown;
  /** For tests. */
  harness?: unknown;
}

const page = globalThis as unknown as Page;

function begin(): Bridge {
  const query = new URLSearchParams(page.location.search);
  const name = query.get('scenario') ?? 'normal';
  const scenario = scenarios[name];
  if (scenario === undefined) throw new Error(`No scenario of the name ${name}.`);
  const { bridge, host, answers } = createFakeHost(scenario(Date.now()));
  page.doctray = bridge;
  page.harness = {
    host,
    answers,
    end: unmount,
    /** Shows the window with another scenario, as if the page were loaded. */
    beginAgain: (address: string) => {
      history.replaceState(null, '', address);
      mountWith(begin());
    },
  };
  onMount(() => {
    const view = query.get('view') as ViewName | null;
    if (view !== null) host.push('navigate', { view });
  });
  return bridge;
}

begin();
