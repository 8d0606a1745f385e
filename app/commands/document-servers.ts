// Document servers on this computer: finding them, and running one in a container.

import { z } from 'zod';
import {
  containerEngineNames,
  documentServerProducts,
  engineHelpUrls,
  type DocumentServerStart,
} from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import type { StartInput } from '../containers/start-document-server.ts';
import type { Services } from '../host/services.ts';
import { command, id, nothing, text } from './command.ts';
import { waitForNews } from './wait-for-news.ts';

const product = z.enum(documentServerProducts, {
  error: `give one of these: ${documentServerProducts.join(', ')}`,
});
const engine = z.enum(containerEngineNames, {
  error: `give one of these: ${containerEngineNames.join(', ')}`,
});
/** `engine` null: the one that is ready; `image`: instead of the official one. */
const start = z.strictObject({ product, engine: engine.nullable(), image: text.optional() });
const enginePages = Object.keys(engineHelpUrls) as (keyof typeof engineHelpUrls)[];

export const documentServerCommands = {
  /** Asks the usual ports of this computer, and those that containers publish, for a document server; takes 2 s at most. */
  'editors.detect': command({
    needs: 'services',
    from: 'both',
    args: nothing,
    run: ({ services }) => services.detectEditors(),
  }),

  /** Checks Docker, Podman and DocTray's containers. The window finds the result in its state. */
  'documentServers.refresh': command({
    needs: 'services',
    from: 'both',
    args: nothing,
    async run({ services }) {
      await services.documentServers.refresh();
      return services.documentServers.state();
    },
  }),

  /**
   * Runs the product in a container and connects it. Answers at once; its progress and how it ended are in the state. If a start
   * of the same product is running, answers that one.
   */
  'documentServers.start': command({
    needs: 'host',
    from: 'both',
    args: start,
    run({ services, host, by }, args) {
      // A window that was broken into must not run what it likes.
      if (by === 'window' && args.image !== undefined) throw new AppError('permission-denied');
      return services.documentServers.start(inputOf(args), host);
    },
  }),

  'documentServers.command': command({
    needs: 'host',
    from: 'terminal',
    args: start,
    run: ({ services, host }, args) => services.documentServers.command(inputOf(args), host),
  }),

  /** The command that runs the product in a container, to the clipboard, for a terminal. */
  'documentServers.copyCommand': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ product }),
    async run({ requireHost, desktop }, { product }) {
      const host = requireHost();
      const { command } = await host.services.documentServers.command({ product, engine: null }, host);
      desktop.copyText(command);
      return null;
    },
  }),

  /** Answers if there is something new since that revision, and every few seconds anyway. */
  'documentServers.progress': command({
    needs: 'host',
    from: 'terminal',
    args: z.strictObject({ id, after: z.int().min(0) }),
    run: ({ services }, { id, after }) => waitForProgress(services, id, after),
  }),

  /** Ends a start and removes what it created; does nothing to one that has ended. */
  'documentServers.cancel': command({
    needs: 'host',
    from: 'both',
    args: z.strictObject({ id }),
    run: ({ services }, { id }) => services.documentServers.cancel(id),
  }),

  /** Stops and removes the container and disconnects its editor. Its data is kept for the next start unless `deleteData`. */
  'documentServers.stop': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ product, deleteData: z.boolean() }),
    run: ({ services, host }, args) => services.documentServers.stop(args, host?.closeContainerAddress),
  }),

  /** The page of the engine's maker, in the default browser. */
  'documentServers.openHelp': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ page: z.enum(enginePages) }),
    async run({ desktop }, { page }) {
      await desktop.openEngineHelp(page);
      return null;
    },
  }),
};

function inputOf({ image, ...input }: z.infer<typeof start>): StartInput {
  return { ...input, ...(image !== undefined && { image }) };
}

/** @throws AppError start-unknown */
async function waitForProgress(
  { documentServers, events }: Pick<Services, 'documentServers' | 'events'>,
  id: string,
  after: number,
): Promise<DocumentServerStart> {
  await waitForNews(
    (listener) => events.on('row-changed', ({ table }) => void (table === 'documentServers' && listener())),
    () => documentServers.startOf(id).revision > after,
  );
  return documentServers.startOf(id);
}
