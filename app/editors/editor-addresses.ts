// What connected editors need from the listening host: their base addresses, checks of their calls, and the connection test.

import { isIP } from 'node:net';
import type { ConnectionTest, ReachableAddress } from '../contract/editors.ts';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { EmitEvent } from '../contract/events.ts';
import type { Logger } from '../log/logger.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import { createCallerCheck } from './caller-check.ts';
import type { Editors } from './editors.ts';
import { createConnectionTest, type ConnectionTestDeps } from './connection-test.ts';
import { ownAddresses } from './own-addresses.ts';
import { listenedAddress, pageAddress } from './page-address.ts';
import { createProbes } from './probes.ts';
import { isLoopbackHost, isWildcard } from '../contract/addresses.ts';
import { hostOf, isContainerName } from '../network/addresses.ts';
import { ownHosts } from '../network/own-hosts.ts';

export type EditorHosting = ReturnType<typeof createEditorHosting>;

/** What the window and the terminal need for editors and their addresses. */
export type EditorCommands = EditorHosting['commands'];

/** The addresses of this computer are read at most this often. */
const recollectMs = 2000;

export function createEditorHosting(deps: {
  services: { editors: Editors; settings: SettingsStore; clock: Clock; log: Logger; emit: EmitEvent };
  /** The host's listener: where this computer and its network reach it, and what it is bound to. */
  listening: { baseUrl(): string; networkUrl(): string | null; host(): string };
  publicUrl: () => string;
  showPage: ConnectionTestDeps['showPage'];
  /** Listens there, and saves it in the settings. @throws AppError port-taken, address-unavailable */
  listenAt: (address: { host: string }) => Promise<unknown>;
}) {
  const { services, listening, publicUrl, listenAt } = deps;
  const { editors, settings, clock } = services;

  let ownAt: { atMs: number; hosts: ReadonlySet<string> } = { atMs: -Infinity, hosts: new Set() };
  const hosts = (): ReadonlySet<string> => {
    const nowMs = performance.now();
    if (nowMs - ownAt.atMs > recollectMs) ownAt = { atMs: nowMs, hosts: new Set(ownHosts()) };
    return ownAt.hosts;
  };
  const listened = (chosen: string): string => {
    const { port } = new URL(listening.baseUrl());
    return listenedAddress(chosen, { port, isTls: settings.current().tls !== 'off', ownHosts: hosts() });
  };

  const baseUrlOf = (editorId: string | null): string => {
    const editor = editorId === null ? undefined : editors.byId(editorId);
    if (editor?.kind === 'text-editor') return listening.baseUrl();
    const chosen = editor?.publicUrl ?? null;
    return chosen === null ? publicUrl() : listened(chosen);
  };
  const pageUrlOf = (editorId: string | null): string => {
    const editor = editorId === null ? undefined : editors.byId(editorId);
    // It is at this computer's other name, whichever the host uses.
    if (editor?.kind === 'text-editor') return listening.baseUrl();
    return pageAddress({
      baseUrl: baseUrlOf(editorId),
      loopbackUrl: listening.baseUrl(),
      editorUrl: editor?.url ?? null,
      needsSameName: editor?.kind === 'collabora',
      ownHosts: hosts(),
      isOnNetwork: settings.current().networkPages,
    });
  };
  const probes = createProbes({ clock, editors, baseUrlOf });
  const tests = createConnectionTest({
    editors,
    probes,
    clock,
    baseUrlOf,
    pageUrlOf,
    ...(deps.showPage !== undefined && { showPage: deps.showPage }),
  });
  const addresses = (): ReachableAddress[] => {
    const network = new URL(listening.networkUrl() ?? listening.baseUrl());
    return ownAddresses({
      port: Number(new URL(listening.baseUrl()).port),
      scheme: network.protocol === 'https:' ? 'https' : 'http',
      host: listening.host(),
      publicUrl: settings.current().publicUrl,
    });
  };

  /** Sets an editor's base address. @returns restores the previous one, unless another was chosen since then */
  const setUrl = (id: string, url: string): (() => void) => {
    const before = editors.byId(id)?.publicUrl ?? null;
    const { publicUrl: set } = editors.change(id, { publicUrl: url });
    return () => {
      if (editors.byId(id)?.publicUrl === set) editors.change(id, { publicUrl: before });
    };
  };
  /** Listens on that host for the editor; the others continue under the address they know. @returns restores their addresses */
  const listenFor = async (editorId: string, host: string): Promise<(() => void)[]> => {
    const others = editors
      .list()
      .filter(({ id, kind, publicUrl: url }) => id !== editorId && kind !== 'text-editor' && url === null)
      .map(({ id }) => ({ id, url: baseUrlOf(id) }));
    await listenAt({ host });
    return others.flatMap(({ id, url }) => (editors.byId(id) === undefined ? [] : setUrl(id, url)));
  };

  const commands = {
    /** The base address of that editor; null: an editor that isn't connected. */
    baseUrlOf,

    async testEditor(editorId: string): Promise<ConnectionTest> {
      const result = await tests.run(editorId);
      services.emit({ event: 'editors-changed' });
      return result;
    },
    /** Since the host was started. */
    lastTest: tests.last,
    addresses,

    /**
     * Sets the editor's base address to one of `addresses`, or to null for the default, and listens there if necessary.
     * @throws AppError editor-unknown, address-unknown, port-taken, address-unavailable
     */
    async useAddress(editorId: string, url: string | null): Promise<void> {
      const address = addresses().find((one) => one.url === url);
      if (url !== null && address === undefined) throw new AppError('address-unknown');
      const editor = editors.byId(editorId);
      if (editor === undefined) throw new AppError('editor-unknown');
      if (editor.kind === 'text-editor') {
        throw new AppError('invalid-argument', { detail: () => t('host.text-editor-calls-this-computer') });
      }
      if (address !== undefined && address.neededHost !== null) await listenFor(editorId, address.neededHost);
      editors.change(editorId, { publicUrl: url });
    },

    /** The current listening address: an address, a name, or all addresses. */
    listensOn: listening.host,

    /**
     * As `useAddress`, for any address, listening on `host` for it (null: no change).
     * @returns restores the editor's base address and the listening address
     * @throws AppError editor-unknown, invalid-argument, port-taken
     */
    async tryAddress(editorId: string, url: string, host: string | null): Promise<() => Promise<void>> {
      const before = settings.current().host;
      const undos = [setUrl(editorId, url)];
      const restore = (): void => {
        for (const undo of undos) undo();
      };
      try {
        if (host !== null) undos.push(...(await listenFor(editorId, host)));
      } catch (error) {
        restore();
        throw error;
      }
      return async () => {
        restore();
        if (host !== null) await listenAt({ host: before });
      };
    },

    /**
     * A container's editor was removed: closes the address that was opened only for it, unless a connected editor uses it.
     * @param given the base address of DocTray that it had
     */
    async closeContainerAddress(given: string): Promise<void> {
      const { host, networkPages, networkApi, publicUrl: proxied } = settings.current();
      const isFor = (url: string): boolean => hostOf(url) === host || isContainerName(hostOf(url));
      const isOne = isIP(host) !== 0 && !isLoopbackHost(host) && !isWildcard(host);
      const isOpen = networkPages || networkApi || proxied !== null;
      const isNeeded = editors
        .list()
        .some(({ url, publicUrl: chosen }) =>
          chosen === null ? !isLoopbackHost(hostOf(url)) : isFor(chosen),
        );
      if (isOne && isFor(given) && !isOpen && !isNeeded) await listenAt({ host: '127.0.0.1' });
    },
  };
  return {
    commands,
    /** Where this computer's browser finds the pages that show that editor. */
    pageUrlOf,
    checkCaller: createCallerCheck({
      editors,
      clock,
      baseUrlOf,
      onRefused: (refusal) => services.log.warn(refusal, 'A call with a valid token was rejected.'),
    }),
    probes,
  };
}
