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
import { products } from './products.ts';
import { editorAt, ownLabel } from './start-document-server.ts';

/** Undefined: there is none, or the engine doesn't report it. */
export async function serverAt(
  engine: ContainerEngine,
  product: DocumentServerProduct,
): Promise<Omit<DocumentServerItem, 'editorId'> | undefined> {
  const { container, port } = products[product];
  const facts = await engine.inspect(container).catch(() => undefined);
  if (facts === undefined) return undefined;
  const hostPort = facts.publishedPort(port);
  return {
    product,
    state: facts.state === 'running' ? 'running' : 'stopped',
    engine: engine.name,
    container,
    image: facts.image,
    url: hostPort === null ? null : `http://localhost:${hostPort}`,
    isOwn: facts.labels[ownLabel] === product,
  };
}

export async function downloadedBy(engine: ContainerEngine | undefined): Promise<DocumentServerProduct[]> {
  if (engine === undefined) return [];
  const has = async (product: DocumentServerProduct): Promise<boolean> =>
    engine.hasImage(products[product].image).catch(() => false);
  const found = await Promise.all(documentServerProducts.map(has));
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
  const disconnected: string[] = [];
  const removed: RemovedContainer = { gateways: [], given: [] };
  let isRemoved = false;
  let isDataDeleted = false;
  for (const engine of ready) {
    // oxlint-disable-next-line no-await-in-loop
    const facts = await engine.inspect(container);
    if (facts !== undefined) {
      if (facts.labels[ownLabel] !== product) {
        const title = containerEngineTitles[engine.name];
        const detail = (): string => t('host.remove-container-yourself', { container, engine: title });
        throw new AppError('container-not-ours', { detail });
      }
      // oxlint-disable-next-line no-await-in-loop
      if (facts.state !== 'stopped') await engine.stop(container);
      // oxlint-disable-next-line no-await-in-loop
      await engine.remove(container);
      isRemoved = true;
      removed.gateways.push(...facts.gateways);
      const hostPort = facts.publishedPort(port);
      const editor = hostPort === null ? undefined : editorAt(editors.list(), `http://localhost:${hostPort}`);
      if (editor !== undefined) {
        await editors.remove(editor.id);
        if (editor.publicUrl !== null) removed.given.push(editor.publicUrl);
        disconnected.push(editor.name);
      }
    }
    // oxlint-disable-next-line no-await-in-loop
    if (deleteData && volume !== null && (await engine.hasVolume(volume.name))) {
      // oxlint-disable-next-line no-await-in-loop
      await engine.removeVolume(volume.name);
      isDataDeleted = true;
    }
  }
  if (!isRemoved && !isDataDeleted) {
    throw new AppError('document-server-unknown', {
      detail: () => t('host.no-container-called', { container }),
    });
  }
  return { stopped: { product, container, isRemoved, isDataDeleted, disconnected }, removed };
}
