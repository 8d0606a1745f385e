// The host: its folder, its pause, its port, its owner, and what it reports about itself.

import { z } from 'zod';
import { startLinkLifeMs } from '../accounts/tickets.ts';
import { ownerPasswordSecret } from '../accounts/users.ts';
import { AppError } from '../contract/errors.ts';
import { command } from './command.ts';
import { describeServing } from '../host/serving.ts';
import { describeStatus } from '../live-state/status.ts';
import { useFolder } from './settings.ts';

const minuteMs = 60_000;

export const hostCommands = {
  /** Shows the system's dialog to choose a folder, and serves it; null if the user cancels. */
  'host.chooseFolder': command({
    needs: 'window',
    from: 'window',
    async run(context) {
      const chosen = await context.desktop.chooseFolder(context.live.state().host.folder);
      return { folder: chosen === undefined ? null : await useFolder(context, chosen) };
    },
  }),

  /** The folder that is served if no other was chosen; null if there is none. */
  'host.defaultFolder': command({
    needs: 'window',
    from: 'window',
    run: async ({ defaultFolder }) => (await defaultFolder?.find()) ?? null,
  }),

  /** Creates it with samples if it isn't there, and serves it. */
  'host.useDefaultFolder': command({
    needs: 'window',
    from: 'window',
    async run(context) {
      if (context.defaultFolder === undefined) throw new AppError('folder-not-chosen');
      return { folder: await useFolder(context, await context.defaultFolder.prepare()) };
    },
  }),

  /** Refuses to open documents; saves still work. `minutes`: null for no time limit. */
  'host.pause': command({
    needs: 'host',
    from: 'both',
    args: z.strictObject({ minutes: z.int().min(1).max(1440).nullable() }),
    run({ host, services }, { minutes }) {
      const pausedUntilMs = minutes === null ? null : services.clock() + minutes * minuteMs;
      host.pause(pausedUntilMs);
      return { pausedUntilMs };
    },
  }),

  'host.resume': command({
    needs: 'host',
    from: 'both',
    run: ({ host }) => host.resume(),
  }),

  /** Listens again with the current settings, or starts the host if it couldn't start. */
  'host.restart': command({
    needs: 'window',
    from: 'window',
    async run({ keeper, requireHost }) {
      const host = keeper.host();
      if (host !== undefined) return host.reopen();
      await keeper.restart();
      requireHost();
      return undefined;
    },
  }),

  'host.openFolder': command({
    needs: 'window',
    from: 'window',
    async run({ requireHost, desktop }) {
      const host = requireHost();
      const folder = host.services.folder();
      if (folder === undefined) throw host.state().problem ?? new AppError('folder-not-chosen');
      await desktop.openFolder(folder.root);
    },
  }),

  /** Copies the owner's password from the keychain to the clipboard; the window never receives it. */
  'host.copyOwnerPassword': command({
    needs: 'window',
    from: 'window',
    async run({ requireHost, desktop }) {
      const password = await requireHost().services.secrets.get(ownerPasswordSecret);
      if (password === undefined) throw new AppError('owner-password-unknown');
      desktop.copySecret(password);
    },
  }),

  /** A link to the dashboard: the window in a browser. Valid once, for 10 minutes. */
  'host.dashboardLink': command({
    needs: 'host',
    from: 'terminal',
    run: async ({ host }) => ({ url: await host.createDashboardLink() }),
  }),

  'host.status': command({
    needs: 'host',
    from: 'terminal',
    run: ({ host }) => describeStatus(host),
  }),

  /** Quits DocTray like a signal does. @returns the process that exits, so that a caller can wait for it */
  'host.quit': command({
    needs: 'host',
    from: 'terminal',
    run({ host }) {
      host.quit();
      return { pid: process.pid };
    },
  }),

  /** What `serve` and `start` print if a host is already running. */
  'host.serving': command({
    needs: 'host',
    from: 'terminal',
    args: z.strictObject({ ticketLifeMs: z.int().min(1).max(startLinkLifeMs) }),
    run: ({ host }, args) => describeServing(host, args),
  }),

  doctor: command({
    needs: 'diagnosis',
    from: 'both',
    run: ({ findings }) => findings(),
  }),
};
