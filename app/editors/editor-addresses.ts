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
import type { Editors, PublicUrlTrial } from './editors.ts';
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

export interface AddressAttempt {
  /** Saves the addresses, so that they survive a restart. */
  keep(): Promise<void>;
  /** Restores the editor's base address and the listening address; also after `keep`. */
  undo(): Promise<void>;
}

/** Addresses that were opened for a container, and may no longer be needed. */
export interface RemovedContainer {
  /** This computer's addresses in its networks. */
  gateways: string[];
  /** The base addresses of DocTray that it used. */
  given: string[];
}

/** The listening address during an attempt, in memory only: after a crash the settings apply. */
export interface TrialHost {
  host: string | null;
}

/** The addresses of this computer are read at most this often. */
const recollectMs = 2000;

export function createEditorHosting(deps: {
  services: { editors: Editors; settings: SettingsStore; clock: Clock; log: Logger; emit: EmitEvent };
  /** The host's listener: where this computer and its network reach it, and what it is bound to. */
  listening: { baseUrl(): string; networkUrl(): string | null; host(): string };
  trial: TrialHost;
  /** Listens on the trial's host; does nothing if it does already. @throws AppError port-taken, address-unavailable */
  moveForTrial: () => Promise<void>;
  publicUrl: () => string;
  showPage: ConnectionTestDeps['showPage'];
  /** Listens there, and saves it in the settings. @throws AppError port-taken, address-unavailable */
  listenAt: (address: { host: string }) => Promise<unknown>;
}) {
  const { services, listening, trial, publicUrl, listenAt } = deps;
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
  /** Editors without a base address of their own, with the one they know. */
  const othersThan = (editorId: string): { id: string; url: string }[] =>
    editors
      .list()
      .filter(({ id, kind, publicUrl: url }) => id !== editorId && kind !== 'text-editor' && url === null)
      .map(({ id }) => ({ id, url: baseUrlOf(id) }));
  /** Listens again where it listened before, or on what was saved during the trial. */
  const endTrial = async (listenedOn: string): Promise<void> => {
    trial.host = listenedOn;
    try {
      await deps.moveForTrial();
    } finally {
      trial.host = null;
    }
    const { host } = settings.current();
    if (host !== listening.host()) await listenAt({ host });
  };
  /** Listens on that host for the editor; the others continue under the address they know. @returns restores their addresses */
  const listenFor = async (editorId: string, host: string): Promise<(() => void)[]> => {
    const others = othersThan(editorId);
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
     * As `useAddress`, for any address, listening on `listenOn` for it (null: no change). Nothing is saved before `keep`.
     * @throws AppError editor-unknown, invalid-argument, port-taken, address-unavailable
     */
    async tryAddress(editorId: string, url: string, listenOn: string | null): Promise<AddressAttempt> {
      const before = settings.current().host;
      const listenedOn = listening.host();
      // The address in the settings may not have existed when the listener was opened, such as a bridge.
      const opens = listenOn === null || (listenOn === before && listenOn === listenedOn) ? null : listenOn;
      const others = opens === null ? [] : othersThan(editorId);
      const given: PublicUrlTrial[] = [];
      let isSaved = false;
      const undo = async (): Promise<void> => {
        try {
          for (const one of given) one.undo();
        } finally {
          if (opens !== null && isSaved) await listenAt({ host: before });
          else if (opens !== null) await endTrial(listenedOn);
        }
      };
      try {
        if (opens !== null) {
          trial.host = opens;
          await deps.moveForTrial();
          for (const one of others)
            if (editors.byId(one.id) !== undefined) given.push(editors.tryPublicUrl(one.id, one.url));
        }
        given.push(editors.tryPublicUrl(editorId, url));
      } catch (error) {
        await undo();
        throw error;
      }
      return {
        undo,
        async keep() {
          if (opens !== null) {
            await listenAt({ host: opens });
            isSaved = true;
            trial.host = null;
          }
          for (const one of given) one.keep();
        },
      };
    },

    /** A container was removed: closes what was opened only for containers, unless a connected editor uses such an address. */
    async closeContainerAddress({ gateways, given }: RemovedContainer): Promise<void> {
      const { host, networkPages, networkApi, publicUrl: proxied } = settings.current();
      const isFor = (url: string): boolean => hostOf(url) === host || isContainerName(hostOf(url));
      const isBridge =
        gateways.includes(host) ||
        addresses().some(({ url, kind }) => kind === 'docker' && hostOf(url) === host);
      const isOne = isIP(host) !== 0 && !isLoopbackHost(host) && !isWildcard(host);
      const isOpen = networkPages || networkApi || proxied !== null;
      const isNeeded = editors
        .list()
        .some(({ url, publicUrl: chosen }) =>
          chosen === null ? !isLoopbackHost(hostOf(url)) : isFor(chosen),
        );
      const isUnused = isBridge || (isOne && !isOpen && given.some(isFor));
      if (isUnused && !isNeeded) await listenAt({ host: '127.0.0.1' });
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
