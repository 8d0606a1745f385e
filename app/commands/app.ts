// The app around the window: clipboard, dialogs, start at login, help.

import { basename } from 'node:path';
import { z } from 'zod';
import type { WindowState } from '../contract/state.ts';
import { command, name } from './command.ts';
import { helpPages } from './desktop.ts';
import { diagnosticsText } from '../doctor/diagnostics.ts';
import { speaking } from '../languages.ts';

const longText = z.string().max(64 * 1024 * 1024);

export const appCommands = {
  'state.get': command({
    needs: 'window',
    from: 'window',
    run: ({ live }): WindowState => live.state(),
  }),

  'app.quit': command({
    needs: 'window',
    from: 'window',
    run: ({ desktop }) => desktop.quit(),
  }),

  'app.checkForUpdates': command({
    needs: 'window',
    from: 'window',
    run: ({ desktop }) => desktop.checkForUpdates(),
  }),

  'app.restartToUpdate': command({
    needs: 'window',
    from: 'window',
    run: ({ desktop }) => desktop.restartToUpdate(),
  }),

  'app.setStartsAtLogin': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ isOn: z.boolean() }),
    async run({ desktop, live }, { isOn }) {
      await desktop.setStartsAtLogin(isOn);
      live.refresh();
    },
  }),

  'app.finishFirstRun': command({
    needs: 'settings',
    from: 'window',
    async run({ settings }) {
      await settings.update({ windowFirstRunDone: true });
    },
  }),

  /** To the clipboard. */
  'app.copyText': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ text: longText }),
    run: ({ desktop }, { text }) => desktop.copyText(text),
  }),

  /** Asks where to save; null if the user cancels. */
  'app.saveText': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ suggestedName: name, text: longText, kind: z.enum(['csv', 'json']) }),
    async run({ desktop }, { suggestedName, text, kind }) {
      // Only a name is suggested; the user chooses the folder.
      const fileName = basename(suggestedName.replaceAll('\\', '/'));
      return { savedTo: (await desktop.saveFile(fileName, kind, text)) ?? null };
    },
  }),

  'app.revealDataFolder': command({
    needs: 'window',
    from: 'window',
    run: ({ desktop, keeper }) => desktop.openFolder(keeper.dataDir),
  }),

  /** The latest lines of the log, each one JSON; it contains no secrets. */
  'app.log': command({
    needs: 'window',
    from: 'window',
    run: ({ log }) => ({ lines: log.tail?.() ?? [] }),
  }),

  /** A report for support, in English, without secrets, paths and names of documents. */
  'app.diagnostics': command({
    needs: 'diagnosis',
    from: 'window',
    run: async ({ state, findings, log }) => ({
      text: diagnosticsText({ state, findings: await speaking(['en'], findings), log }),
    }),
  }),

  'app.dismissCrash': command({
    needs: 'window',
    from: 'window',
    run({ desktop, live }) {
      desktop.dismissCrash();
      live.refresh();
    },
  }),

  /** A page of the project, in the default browser. */
  'app.openHelp': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({
      page: z.enum(helpPages),
    }),
    run: ({ desktop }, { page }) => desktop.openHelp(page),
  }),
};
