// Runs before the renderer: installs a fake host in place of the preload script's bridge. `?scenario=normal` selects the scenario.

import { createFakeHost } from './fake-host.ts';
import { scenarios } from './scenarios.ts';

interface Page {
  location: { search: string };
  doctray?: unknown;
  /** For tests. */
  harness?: unknown;
}

const page = globalThis as unknown as Page;
const query = new URLSearchParams(page.location.search);
const scenario = scenarios[query.get('scenario') ?? 'normal'];
if (scenario === undefined) throw new Error(`No scenario of the name ${query.get('scenario') ?? ''}.`);

const made = scenario(Date.now());
const { bridge, host, answers } = createFakeHost(made);
page.doctray = bridge;
page.harness = { host, answers };
made.live?.(host);
