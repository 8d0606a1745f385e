// How each product runs in a container: its official image and the settings that make it a document server for DocTray.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { ContainerEngineName, DocumentServerProduct } from '../contract/document-servers.ts';
import { AppError, errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { isSamePlace } from '../editors/editor-url.ts';
import { portOf } from '../network/addresses.ts';
import type { Editor } from '../store/editors.ts';

/** An image name for an engine's command line: never begins like an option. */
export const imageRule = /^[a-z0-9][\w.\-/:@]{0,254}$/iu;

/** Marks a container that DocTray created, with its product. */
export const ownLabel = 'doctray.document-server';

export interface ContainerSpec {
  name: string;
  image: string;
  /** Inside the container. */
  port: number;
  /** On this computer's loopback address. */
  hostPort: number;
  env: Readonly<Record<string, string>>;
  /** Passed to the engine in its environment; the arguments contain only the names. */
  secretEnv: Readonly<Record<string, string>>;
  volume: { name: string; path: string } | null;
  labels: Readonly<Record<string, string>>;
}

export interface ProductContainer {
  container: string;
  /** With its registry, because Podman has no default one. */
  image: string;
  /** Inside the container. */
  port: number;
  /** Its port on this computer, or the next free one after it. */
  usualPort: number;
  /** Where the image stores data that must outlast the container; null if there is none. */
  volume: { name: string; path: string } | null;
  /** @param addresses base addresses the container may use, such as `http://192.168.1.20:8790` */
  env(addresses: readonly string[], engine: ContainerEngineName): Record<string, string>;
  /** New for each container: nothing else needs it. */
  secretEnv(): Record<string, string>;
}

export const products: Record<DocumentServerProduct, ProductContainer> = {
  collabora: {
    container: 'doctray-collabora',
    image: 'docker.io/collabora/code:latest',
    port: 9980,
    usualPort: 9980,
    // It stores only its proof keys, and those may change.
    volume: null,
    env: (addresses) => ({
      // One group each: the other addresses of a group are aliases for its first one, which the container may not reach.
      ...Object.fromEntries(addresses.map((address, at) => [`aliasgroup${at + 1}`, withPort(address)])),
      extra_params: '--o:ssl.enable=false',
    }),
    secretEnv: () => ({}),
  },
  onlyoffice: {
    container: 'doctray-onlyoffice',
    image: 'docker.io/onlyoffice/documentserver:latest',
    port: 80,
    usualPort: 8080,
    // Certificates and proof keys.
    volume: { name: 'doctray-onlyoffice', path: '/var/www/onlyoffice/Data' },
    env: (_addresses, engine) => ({
      WOPI_ENABLED: 'true',
      ALLOW_PRIVATE_IP_ADDRESS: 'true',
      // Podman's name for this computer may resolve to a link-local address, which ONLYOFFICE blocks as metadata.
      ...(engine === 'podman' && { ALLOW_META_IP_ADDRESS: 'true' }),
      JWT_ENABLED: 'true',
    }),
    // Without it, ONLYOFFICE would generate another one at each start.
    secretEnv: () => ({ JWT_SECRET: randomBytes(32).toString('base64url') }),
  },
};

/** What a container is created with, besides its labels and secrets. */
export function containerSpec(
  product: DocumentServerProduct,
  how: {
    engine: ContainerEngineName;
    /** By default, the official one. */
    image?: string | undefined;
    hostPort: number;
    addresses: readonly string[];
  },
): Omit<ContainerSpec, 'labels' | 'secretEnv'> {
  const { container, image, port, volume, env } = products[product];
  const { hostPort, addresses, engine } = how;
  return { name: container, image: how.image ?? image, port, hostPort, env: env(addresses, engine), volume };
}

const portsTried = 20;

/**
 * The first of these, or of the usual ones, that is free on both loopback addresses, since `localhost` may resolve to either.
 * @throws AppError container-failed if none is
 */
export async function freePort(product: DocumentServerProduct, ports: readonly number[]): Promise<number> {
  const { usualPort } = products[product];
  const usual = Array.from({ length: portsTried }, (_, more) => usualPort + more);
  for (const port of [...ports, ...usual]) {
    const areFree = await Promise.all([isFree('127.0.0.1', port), isFree('::1', port)]);
    if (areFree.every(Boolean)) return port;
  }
  throw new AppError('container-failed', {
    detail: () => t('host.no-free-port', { first: usualPort, last: usualPort + portsTried - 1 }),
  });
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      // Without IPv6, nothing listens there.
      resolve(host === '::1' && errorCode(error) !== 'EADDRINUSE');
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Where a container's port is for this computer. */
export const urlAt = (hostPort: number): string => `http://localhost:${hostPort}`;

/** The connected editor at an address of this computer, under any of its names. */
export function editorAt(editors: readonly Editor[], url: string): Editor | undefined {
  return editors.find((editor) => isSamePlace(editor.url, url));
}

/** Collabora Online compares ports too. */
function withPort(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.hostname}:${portOf(url)}`;
}
