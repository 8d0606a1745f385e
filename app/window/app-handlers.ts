// The commands about the app itself: clipboard, dialogs, start at login, help.

import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../contract/errors.ts';
import type { Handlers } from './handlers.ts';
import type { Desktop } from './desktop.ts';
import type { LiveState } from './live-state.ts';
import type { WindowSettings } from './live-state-settings.ts';

export type AppHandlers = Pick<Handlers, 'state.get' | Extract<keyof Handlers, `app.${string}`>>;

export interface AppHandlerDeps {
  desktop: Desktop;
  dataDir: string;
  live: Pick<LiveState, 'state' | 'mark'>;
  settings: Pick<WindowSettings, 'store'>;
}

export function createAppHandlers(deps: AppHandlerDeps): AppHandlers {
  const { desktop, live } = deps;
  return {
    'state.get': () => live.state(),

    'app.quit'() {
      desktop.quit();
      return null;
    },

    async 'app.setStartsAtLogin'({ isOn }) {
      await desktop.setStartsAtLogin(isOn);
      live.mark('app');
      return null;
    },

    async 'app.finishFirstRun'() {
      const store = await deps.settings.store();
      await store.update({ windowFirstRunDone: true });
      return null;
    },

    'app.copyText'({ text }) {
      desktop.copyText(text);
      return null;
    },

    async 'app.saveText'({ suggestedName, text, kind }) {
      // Only a name is suggested; where to is the person's choice.
      const path = await desktop.chooseSavePath(basename(suggestedName.replaceAll('\\', '/')), kind);
      if (path === undefined) return { savedTo: null };
      try {
        await writeFile(path, text);
      } catch (cause) {
        throw new AppError('disk-refused', { cause, detail: 'Save it in another folder.' });
      }
      return { savedTo: path };
    },

    async 'app.revealDataFolder'() {
      await desktop.openFolder(deps.dataDir);
      return null;
    },

    async 'app.openHelp'({ page }) {
      await desktop.openHelp(page);
      return null;
    },
  };
}
