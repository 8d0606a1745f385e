// Document servers that DocTray runs in a container: what there is, one start at a time with its progress, and the end of one.

import type {
  ContainerEngineName,
  DocumentServerProduct,
  DocumentServersState,
  DocumentServerStart,
  StoppedServer,
} from '../contract/document-servers.ts';
import type { ConnectionTest, ReachableAddress } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';

/** What of the running host a start needs, to give the container an address of DocTray that works. */
export interface StartHost {
  addresses(): ReachableAddress[];
  useAddress(editorId: string, url: string | null): Promise<void>;
  testEditor(editorId: string): Promise<ConnectionTest>;
}

export interface StartInput {
  product: DocumentServerProduct;
  /** Null: the one that is ready; Docker where both are. */
  engine: ContainerEngineName | null;
  /** Instead of the maker's. */
  image?: string;
}

export interface DocumentServers {
  /** As it was last seen; `refresh` looks. */
  state(): DocumentServersState;
  /** Checks Docker, Podman and the containers; never rejects. */
  refresh(): Promise<void>;
  /**
   * Starts in the background. A start of the same product that runs already is joined.
   * @throws AppError document-server-busy while another product is being started
   */
  start(input: StartInput, host: StartHost): DocumentServerStart;
  /** Resolves when it has ended and what it created is removed. @throws AppError start-unknown */
  cancel(id: string): Promise<DocumentServerStart>;
  /** @throws AppError document-server-busy, container-failed, container-not-ours, engine-unavailable */
  stop(input: { product: DocumentServerProduct; deleteData: boolean }): Promise<StoppedServer>;
  onChange(listener: () => void): () => void;
  /** Cancels what runs. */
  close(): Promise<void>;
}

export function createDocumentServers(): DocumentServers {
  const notYet = (): never => {
    throw new AppError('internal');
  };
  return {
    state: () => ({ engines: null, servers: [], start: null }),
    refresh: () => Promise.resolve(),
    start: notYet,
    cancel: notYet,
    stop: notYet,
    onChange: () => () => undefined,
    close: () => Promise.resolve(),
  };
}
