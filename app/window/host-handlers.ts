// The commands about the host: its folder, its pause, its port, its owner.

import { ownerPasswordSecret } from '../accounts/users.ts';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { Desktop } from './desktop.ts';
import { requireHost, type Handlers } from './handlers.ts';
import type { HostKeeper } from './host-keeper.ts';
import type { UseFolder } from './settings-handlers.ts';

export type HostHandlers = Omit<
  Pick<Handlers, Extract<keyof Handlers, `host.${string}`>>,
  'host.makeSample' // made of a template, as every new document is
>;

/** The folder that is served when no other was chosen. */
export interface DefaultFolderPlace {
  find(): Promise<{ path: string; exists: boolean }>;
  /** Creates it with samples where it isn't there. @returns its path @throws AppError */
  prepare(): Promise<string>;
}

export interface HostHandlerDeps {
  keeper: HostKeeper;
  desktop: Desktop;
  clock: Clock;
  useFolder: UseFolder;
  /** Of the settings; null when none was chosen. */
  folder: () => string | null;
  defaultFolder: DefaultFolderPlace | undefined;
}

const minuteMs = 60_000;

export function createHostHandlers(deps: HostHandlerDeps): HostHandlers {
  const { keeper, desktop, clock, useFolder, defaultFolder } = deps;
  return {
    async 'host.chooseFolder'() {
      const chosen = await desktop.chooseFolder(deps.folder());
      return { folder: chosen === undefined ? null : await useFolder(chosen) };
    },

    'host.defaultFolder': async () => (await defaultFolder?.find()) ?? null,

    async 'host.useDefaultFolder'() {
      if (defaultFolder === undefined) throw new AppError('folder-not-chosen');
      return { folder: await useFolder(await defaultFolder.prepare()) };
    },

    'host.pause'({ minutes }) {
      requireHost(keeper).pause(minutes === null ? null : clock() + minutes * minuteMs);
      return null;
    },

    'host.resume'() {
      requireHost(keeper).resume();
      return null;
    },

    async 'host.restart'() {
      const host = keeper.host();
      if (host !== undefined) {
        await host.reopen();
        return null;
      }
      await keeper.restart();
      requireHost(keeper);
      return null;
    },

    async 'host.openFolder'() {
      const folder = requireHost(keeper).services.folder();
      if (folder === undefined) throw keeper.host()?.state().problem ?? new AppError('folder-not-chosen');
      await desktop.openFolder(folder.root);
      return null;
    },

    async 'host.copyOwnerPassword'() {
      const password = await requireHost(keeper).services.secrets.get(ownerPasswordSecret);
      if (password === undefined) throw new AppError('owner-password-unknown');
      desktop.copyText(password);
      return null;
    },
  };
}
