// The containers that DocTray has for its products: lists and stops them. Removes only what DocTray created.

import type {
  DocumentServerItem,
  DocumentServerProduct,
  StoppedServer,
} from '../contract/document-servers.ts';
import { containerEngineTitles, documentServerProducts } from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { RemovedContainer } from '../editors/editor-addresses.ts';
import type { Editors } from '../editors/editors.ts';
import type { ContainerEngine } from './engine.ts';
import { editorAt, ownLabel, products, urlAt } from './products.ts';

/** Undefined: there is none, or the engine doesn't report it. */
async function serverAt(
  engine: ContainerEngine,
  product: DocumentServerProduct,
): Promise<Omit<DocumentServerItem, 'editorId'> | undefined> {
  const { container, port } = products[product];
  const facts = await engine.inspect(container).catch(() => undefined);
  if (facts === undefined) return undefined;
  const hostPort = facts.publishedPort(port);
  return {
    product,
    state: facts.isRunning ? 'running' : 'stopped',
    engine: engine.name,
    container,
    image: facts.image,
    url: hostPort === null ? null : urlAt(hostPort),
    isOwn: facts.labels[ownLabel] === product,
  };
}

/** Those of every product. */
export async function serversOf(
  ready: readonly ContainerEngine[],
): Promise<Omit<DocumentServerItem, 'editorId'>[]> {
  const found = await Promise.all(
    ready.flatMap((engine) => documentServerProducts.map((product) => serverAt(engine, product))),
  );
  return found.filter((server) => server !== undefined);
}

export async function downloadedBy(engine: ContainerEngine | undefined): Promise<DocumentServerProduct[]> {
  if (engine === undefined) return [];
  const found = await Promise.all(
    documentServerProducts.map((product) => engine.hasImage(products[product].image).catch(() => false)),
  );
  return documentServerProducts.filter((_product, index) => found[index]);
}

/** @throws AppError document-server-unknown, container-not-ours, container-failed */
export async function stopServer(input: {
  ready: readonly ContainerEngine[];
  product: DocumentServerProduct;
  deleteData: boolean;
  editors: Pick<Editors, 'list' | 'remove'>;
}): Promise<{ stopped: StoppedServer; removed: RemovedContainer }> {
  const { ready, product, deleteData, editors } = input;
  const { container, port, volume } = products[product];
  const nothingYet = { isRemoved: false, isDataDeleted: false, disconnected: [] };
  const stopped: StoppedServer = { product, container, ...nothingYet };
  const removed: RemovedContainer = { gateways: [], given: [] };
  for (const engine of ready) {
    const facts = await engine.inspect(container);
    if (facts !== undefined) {
      if (facts.labels[ownLabel] !== product) {
        const title = containerEngineTitles[engine.name];
        const detail = (): string => t('host.remove-container-yourself', { container, engine: title });
        throw new AppError('container-not-ours', { detail });
      }
      await engine.remove(container, stopSeconds);
      stopped.isRemoved = true;
      removed.gateways.push(...facts.gateways);
      const hostPort = facts.publishedPort(port);
      const editor = hostPort === null ? undefined : editorAt(editors.list(), urlAt(hostPort));
      if (editor !== undefined) {
        await editors.remove(editor.id);
        if (editor.publicUrl !== null) removed.given.push(editor.publicUrl);
        stopped.disconnected.push(editor.name);
      }
    }
    if (deleteData && volume !== null && (await engine.hasVolume(volume.name))) {
      await engine.removeVolume(volume.name);
      stopped.isDataDeleted = true;
    }
  }
  if (!stopped.isRemoved && !stopped.isDataDeleted) {
    throw new AppError('document-server-unknown', {
      detail: () => t('host.no-container-called', { container }),
    });
  }
  return { stopped, removed };
}

/** For open documents to be saved. */
const stopSeconds = 10;
