// Document servers on this computer: finding them, and running one in a container.

import { z } from 'zod';
import {
  containerEngineNames,
  documentServerNames,
  documentServerProducts,
  engineHelpUrls,
  type DocumentServerStart,
} from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import type { StartInput } from '../containers/start-document-server.ts';
import { t } from '../contract/messages.ts';
import { addressesToTry } from '../editors/address-search.ts';
import { hostsOpenedBy } from '../editors/address-trials.ts';
import type { Services } from '../host/services.ts';
import { command, id, text, longPoll } from './command.ts';
import { listeningQuestion } from './settings.ts';

const product = z.enum(documentServerProducts, {
  error: () => t('host.argument-must-be-one-of', { values: documentServerProducts.join(', ') }),
});
const engine = z.enum(containerEngineNames, {
  error: () => t('host.argument-must-be-one-of', { values: containerEngineNames.join(', ') }),
});
/** `engine`: null for the one that is ready. `image`: replaces the official image. */
const start = z.strictObject({ product, engine: engine.nullable(), image: text.optional() });
const enginePages = Object.keys(engineHelpUrls) as (keyof typeof engineHelpUrls)[];

export const documentServerCommands = {
  /** Looks for document servers on the usual ports of this computer, and on those that containers publish; takes at most 2 s. */
  'editors.detect': command({
    needs: 'services',
    from: 'both',
    run: ({ services }) => services.detectEditors(),
  }),

  /** Checks Docker, Podman and DocTray's containers. The window finds the result in its state. */
  'documentServers.refresh': command({
    needs: 'services',
    from: 'both',
    async run({ services }) {
      await services.documentServers.refresh();
      return services.documentServers.state();
    },
  }),

  /**
   * Starts the product in a container and connects it. Returns immediately; the state shows the progress and the result. If a start
   * of the same product is running, returns that one.
   */
  'documentServers.start': command({
    needs: 'host',
    from: 'both',
    args: start,
    confirm({ product, image }, { services, host }) {
      // `run` rejects this, so don't ask.
      if (image !== undefined) return undefined;
      const trials = addressesToTry({
        isInContainer: true,
        addresses: host.addresses(),
        engines: services.documentServers.state().engines ?? [],
      });
      const question = listeningQuestion(hostsOpenedBy(trials));
      const name = documentServerNames[product];
      return (
        question && {
          ...question,
          message: t('host.start-name-in-a-container', { name }),
          button: t('common.start'),
        }
      );
    },
    run({ services, host, by }, args) {
      // A compromised window must not be able to run any image.
      if (by === 'window' && args.image !== undefined) throw new AppError('permission-denied');
      return services.documentServers.start(inputOf(args), host);
    },
  }),

  /** The command that runs the product in a container. It contains no secrets. */
  'documentServers.command': command({
    needs: 'host',
    from: 'both',
    args: start,
    run: ({ services, host }, args) => services.documentServers.command(inputOf(args), host),
  }),

  /** Returns when there is a revision after that one, or after 10 seconds. */
  'documentServers.progress': command({
    needs: 'host',
    from: 'terminal',
    isPolled: true,
    args: z.strictObject({ id, after: z.int().min(0) }),
    run: ({ services }, { id, after }) => waitForProgress(services, id, after),
  }),

  /** Cancels a start and removes what it created; does nothing if it has ended. */
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

  /** Opens Docker's or Podman's own help page in the default browser. */
  'documentServers.openHelp': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ page: z.enum(enginePages) }),
    run: ({ desktop }, { page }) => desktop.openEngineHelp(page),
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
  await longPoll(
    (listener) => events.on('row-changed', ({ table }) => void (table === 'documentServers' && listener())),
    () => documentServers.startOf(id).revision > after,
  );
  return documentServers.startOf(id);
}
