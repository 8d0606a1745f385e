// The terminal's commands about document servers on this computer: finding them, and running one in a container.

import { z } from 'zod';
import {
  containerEngineNames,
  documentServerProducts,
  type DocumentServerStart,
} from '../contract/document-servers.ts';
import type { Events } from '../contract/events.ts';
import type { DocumentServers } from '../containers/document-servers.ts';
import type { StartInput } from '../containers/start-document-server.ts';
import { command, nothing, runningHost, text } from './command.ts';

const product = z.enum(documentServerProducts, {
  error: `Give one of these: ${documentServerProducts.join(', ')}.`,
});
const engine = z.enum(containerEngineNames, {
  error: `Give one of these: ${containerEngineNames.join(', ')}.`,
});

const startArguments = z.strictObject({ product, engine: engine.optional(), image: text.optional() });

function inputOf({ product, engine, image }: z.infer<typeof startArguments>): StartInput {
  return { product, engine: engine ?? null, ...(image !== undefined && { image }) };
}

const needsHost = 'It must be running to start a document server.';
/** How long an answer about a start waits for something new to tell. */
const newsLimitMs = 10_000;

export const documentServerCommands = {
  'detect-editors': command(nothing, ({ services }) => services.detectEditors()),

  /** Checks them first. */
  'document-servers': command(nothing, async ({ services }) => {
    await services.documentServers.refresh();
    return services.documentServers.state();
  }),

  /** Answers at once: `document-server-start` tells how far it is. */
  'start-document-server': command(startArguments, (context, args) =>
    context.services.documentServers.start(inputOf(args), runningHost(context, needsHost)),
  ),

  'document-server-command': command(startArguments, (context, args) =>
    context.services.documentServers.command(inputOf(args), runningHost(context, needsHost)),
  ),

  /** Answers when there is something new since that revision, and every few seconds anyway. */
  'document-server-start': command(
    z.strictObject({ id: text, after: z.int().min(0) }),
    ({ services: { documentServers, events } }, { id, after }) => news(documentServers, events, id, after),
  ),

  'cancel-document-server': command(z.strictObject({ id: text }), ({ services }, { id }) =>
    services.documentServers.cancel(id),
  ),

  'stop-document-server': command(
    z.strictObject({ product, deleteData: z.boolean() }),
    ({ services, host }, args) => services.documentServers.stop(args, host?.closeContainerAddress),
  ),
};

/** @throws AppError start-unknown */
async function news(
  documentServers: Pick<DocumentServers, 'startOf'>,
  events: Pick<Events, 'on'>,
  id: string,
  after: number,
): Promise<DocumentServerStart> {
  const { promise: isNews, resolve } = Promise.withResolvers<void>();
  const stopListening = events.on('row-changed', ({ table }) => {
    if (table === 'documentServers' && documentServers.startOf(id).revision > after) resolve();
  });
  const timer = setTimeout(resolve, newsLimitMs);
  try {
    if (documentServers.startOf(id).revision <= after) await isNews;
    return documentServers.startOf(id);
  } finally {
    stopListening();
    clearTimeout(timer);
  }
}
