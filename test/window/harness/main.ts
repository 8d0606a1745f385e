// Runs before the renderer: installs a fake host in place of the preload script's bridge. `?scenario=normal` selects the scenario.

import { sharedGerman } from '../../../app/contract/german.ts';
import { chooseLanguage } from '../../../app/contract/messages.ts';
import { createFakeHost } from './fake-host.ts';
import { scenarios } from './scenarios.ts';

interface Page {
  location: { search: string };
  doctray?: unknown;
  /** For tests. */
  harness?: unknown;
}

// As the host does: it words the titles of jobs in the user's language.
chooseLanguage(navigator.languages, { de: sharedGerman });

const page = globalThis as unknown as Page;
const query = new URLSearchParams(page.location.search);
const scenario = scenarios[query.get('scenario') ?? 'normal'];
if (scenario === undefined) throw new Error(`No scenario of the name ${query.get('scenario') ?? ''}.`);

const made = scenario(Date.now());
const { bridge, host, answers } = createFakeHost(made);
page.doctray = bridge;
page.harness = { host, answers };
made.live?.(host);
