// The commands about document servers that run in a container, and the search for those on this computer.

import type { Detection } from '../contract/document-servers.ts';
import type { DocumentServers } from '../containers/document-servers.ts';
import type { RemovedContainer } from '../containers/server-list.ts';
import type { WayBackHost } from '../containers/way-back.ts';
import type { Desktop } from './desktop.ts';
import type { Handlers } from './handlers.ts';

export type DocumentServerHandlers = Pick<
  Handlers,
  'editors.detect' | Extract<keyof Handlers, `documentServers.${string}`>
>;

export interface DocumentServerHandlersHost extends WayBackHost {
  closeContainerAddress(container: RemovedContainer): Promise<void>;
  services: {
    detectEditors(): Promise<Detection>;
    documentServers: Pick<DocumentServers, 'refresh' | 'start' | 'command' | 'cancel' | 'stop'>;
  };
}

export interface DocumentServerHandlerDeps {
  /** @throws AppError host-away, or what kept it from starting */
  requireHost: () => DocumentServerHandlersHost;
  desktop: Pick<Desktop, 'openEngineHelp' | 'copyText'>;
}

export function createDocumentServerHandlers({
  requireHost,
  desktop,
}: DocumentServerHandlerDeps): DocumentServerHandlers {
  return {
    'editors.detect': () => requireHost().services.detectEditors(),

    async 'documentServers.refresh'() {
      await requireHost().services.documentServers.refresh();
      return null;
    },

    'documentServers.start'({ product, engine }) {
      const host = requireHost();
      const { id } = host.services.documentServers.start({ product, engine }, host);
      return { id };
    },

    async 'documentServers.copyCommand'({ product }) {
      const host = requireHost();
      const { command } = await host.services.documentServers.command({ product, engine: null }, host);
      desktop.copyText(command);
      return null;
    },

    async 'documentServers.cancel'({ id }) {
      await requireHost().services.documentServers.cancel(id);
      return null;
    },

    'documentServers.stop'(input) {
      const host = requireHost();
      return host.services.documentServers.stop(input, host.closeContainerAddress);
    },

    async 'documentServers.openHelp'({ page }) {
      await desktop.openEngineHelp(page);
      return null;
    },
  };
}
