// The built-in text editor next to the host: its own listener, which follows the host's, and its entry among the editors. If no
// port can be opened, the host serves without it and the entry says why.

import type { Clock } from '../contract/clock.ts';
import type { Events } from '../contract/events.ts';
import type { Editors } from '../editors/editors.ts';
import type { Journal } from '../log/journal.ts';
import type { Logger } from '../log/logger.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import { textEditorKeys } from '../settings/settings.ts';
import type { GuardLists } from '../server/guard-lists.ts';
import { createListening, type Listening } from '../server/listener.ts';
import { AppError } from '../contract/errors.ts';
import { type MessageKey } from '../contract/messages.ts';
import { EditorFault, unreachable } from '../editors/editor-fault.ts';
import type { Editor } from '../store/editors.ts';
import { createKeyedMutex } from '../files/keyed-mutex.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { addressList, portOf } from '../network/addresses.ts';
import type { ListenerTls } from '../server/http-server.ts';
import { hostName } from '../server/middleware/host-guard.ts';
import { pageOriginFor, textEditorOrigin, textEditorUrlHere } from './addresses.ts';
import { createTextEditorApp } from './app.ts';
import type { Locks } from '../wopi/locks.ts';
import type { VersionViews } from '../wopi/version-views.ts';
import type { BuiltPage } from '../server/pages/built-pages.ts';
import { textEditorDiscovery } from './discovery.ts';
import { createProofSigner } from './proof-signer.ts';
import { createRelay } from './relay.ts';

export interface TextEditorHosting {
  /** Opens its port and registers it, if it's switched on. Never rejects: its entry's `problem` says what went wrong. */
  start(): Promise<void>;
  /** Follows the host to its current address. Never rejects. */
  reopen(): Promise<void>;
  /** Retries when its port was taken, and closes the port some time after the editor was switched off. Never rejects. */
  check(): Promise<void>;
  /** Why it can't open documents, after it has followed the last change of the settings. */
  problem(): Promise<EditorFault | undefined>;
  /** Where the browser that shows the host's page at `pageUrl` finds what that editor's discovery has at `url`. */
  browserUrlOf(editor: Pick<Editor, 'kind' | 'url'>, url: string, pageUrl: string): string;
  close(limitMs: number): Promise<void>;
  /** Running requests have only `limitMs` left. */
  cutWithin(limitMs: number): void;
}

export interface TextEditorHostingDeps {
  services: {
    editors: Editors;
    locks: Pick<Locks, 'find'>;
    settings: SettingsStore;
    clock: Clock;
    journal: Journal;
    log: Logger;
    events: Pick<Events, 'emit' | 'on'>;
  };
  /** The host's own listener. */
  hostListening: Pick<Listening, 'baseUrl' | 'host'>;
  /** The configured port; 0: any free port. */
  hostPort: () => number;
  /** The host's public address; null if not configured. */
  publicUrl: () => string | null;
  /** All configured addresses of the host. */
  baseUrls: () => readonly string[];
  guard: GuardLists;
  tls: ListenerTls;
  versionViews: Pick<VersionViews, 'find'>;
  page: BuiltPage;
}

/** How many ports after the host's own are tried when none is set. */
const portTries = 10;
/**
 * After it's switched off, open documents can still be saved. Locks are refreshed every 10 minutes, so after this time no
 * document is open.
 */
const quietMs = 16 * 60_000;
/** A browser may resolve `localhost` to either. A program of another user that listened on one of them would receive tokens. */
const loopbacks = ['127.0.0.1', '::1'] as const;

export function createTextEditorHosting(deps: TextEditorHostingDeps): TextEditorHosting {
  const { services, hostListening, guard } = deps;
  const { editors, settings, log } = services;
  const isOn = (): boolean => settings.current().textEditor;

  let wantedPort = 0;
  /** The settings that the current port was chosen by; undefined if they require another one. */
  let openedFor: string | undefined;
  let listening: Listening | undefined;
  let isClosed = false;
  let portProblem: EditorFault | undefined;
  /** The problem that its entry shows, in English. */
  let listedProblem: string | undefined;
  const turns = createKeyedMutex();

  const port = (): number | undefined =>
    listening === undefined || listening.baseUrl() === ''
      ? undefined
      : Number(new URL(listening.baseUrl()).port);
  const url = (): string => textEditorUrlHere(port() ?? wantedPort);
  /** The port that it couldn't open, not its previous one: documents that are still open there can only be saved. */
  const listedUrl = (): string => (portProblem === undefined ? url() : textEditorUrlHere(wantedPort));
  const hostUrl = (): string => hostListening.baseUrl();
  const places = () => {
    const { textEditorUrl } = settings.current();
    return { hostUrl: hostUrl(), port: port() ?? wantedPort, publicUrl: deps.publicUrl(), textEditorUrl };
  };

  const signer = createProofSigner({ clock: services.clock, onGenerated: () => register() });
  const isRevoked = (fileId: string): boolean => services.locks.find(fileId)?.stale?.kind === 'revoked';
  const relay = createRelay({ signer, hostUrl, isRevoked });
  const publicUrls = (): string[] => {
    const { textEditorUrl } = settings.current();
    return textEditorUrl === null ? [] : [textEditorUrl];
  };
  const publicNames = (): (string | undefined)[] => publicUrls().map((one) => hostName(new URL(one).host));
  const app = createTextEditorApp({
    clock: services.clock,
    journal: services.journal,
    log,
    ...guard,
    isAllowedHost: (name) => guard.isAllowedHost(name) || publicNames().includes(name),
    isOn,
    url,
    hostUrl,
    publicUrls,
    framedBy: (origin) => [
      pageOriginFor(origin, places()),
      ...deps.baseUrls().map((base) => new URL(base).origin),
    ],
    signer,
    relay,
    versionViews: deps.versionViews,
    page: deps.page,
  });

  const isHostsAddress = (url: URL): boolean =>
    deps.baseUrls().some((base) => new URL(base).origin === url.origin) ||
    (portOf(url) === portOf(new URL(hostUrl())) && guard.isAllowedHost(hostName(url.host) ?? ''));

  const currentProblem = (): EditorFault | undefined => {
    if (portProblem !== undefined) return portProblem;
    const { textEditorUrl, allowedAddresses } = settings.current();
    if (textEditorUrl !== null && isHostsAddress(new URL(textEditorUrl))) {
      const words = ['host.text-editor-same-address', 'host.text-editor-set-url'] as const;
      return new EditorFault('same-origin', words, { url: textEditorUrl });
    }
    const address = relayAddress(hostUrl());
    if (allowedAddresses.length > 0 && !addressList(allowedAddresses).has(address)) {
      const addresses = [...allowedAddresses, address].join(',');
      const words = ['host.text-editor-not-allowed', 'host.text-editor-allow-addresses'] as const;
      return new EditorFault('loopback-refused', words, { address, addresses });
    }
    return undefined;
  };

  function register(): void {
    if (!isOn() || isClosed) return;
    const problem = currentProblem();
    if (problem?.message !== listedProblem) {
      if (problem === undefined) log.info({}, `The text editor is ready again at ${listedUrl()}.`);
      else log.warn({}, problem.message);
    }
    listedProblem = problem?.message;
    editors.registerBuiltIn({
      url: listedUrl(),
      discovery: textEditorDiscovery(url(), signer.current()),
      problem: problem ?? null,
      async readDiscovery(signal) {
        const now = currentProblem();
        if (now !== undefined) throw unreachable(now);
        const { createDiscoveryFetch } = await import('../editors/discovery-fetch.ts');
        return (await createDiscoveryFetch()(url(), signal)).discovery;
      },
    });
  }

  /** Without the ports of connected editors on this computer, also those that aren't running. */
  const candidates = (): number[] => {
    const { textEditorPort } = settings.current();
    if (textEditorPort !== null) return [textEditorPort];
    if (deps.hostPort() === 0) return [0];
    const others = new Set(
      editors
        .list()
        .filter((editor) => editor.kind !== 'text-editor')
        .map((editor) => new URL(editor.url))
        .filter(({ hostname }) => isLoopbackHost(hostname))
        .map((other) => Number(other.port)),
    );
    const first = Number(new URL(hostUrl()).port) + 1;
    return Array.from({ length: portTries }, (_, at) => first + at).filter(
      (one) => one <= 65_535 && !others.has(one),
    );
  };

  const openOn = async (
    ports: readonly number[],
    { choice, open }: { choice: string; open: () => Promise<void> },
  ): Promise<void> => {
    portProblem = undefined;
    openedFor = undefined;
    let failure: unknown;
    for (const candidate of ports) {
      wantedPort = candidate;
      try {
        await open();
        openedFor = choice;
        return;
      } catch (error) {
        failure = error;
        if (!(error instanceof AppError) || error.code !== 'port-taken') break;
      }
    }
    [wantedPort = 0] = ports;
    if (failure !== undefined && !(failure instanceof AppError)) {
      log.error({ err: failure }, 'The text editor’s port couldn’t be opened.');
    }
    const hostPort = Number(new URL(hostUrl()).port);
    portProblem = portFault(failure, ports, hostPort);
  };

  const create = (): Listening =>
    createListening({
      address: () => ({ host: hostListening.host(), port: wantedPort }),
      tls: deps.tls,
      peers: { trustedProxies: guard.trustedProxies, allowedAddresses: guard.allowedAddresses },
      loopbacks,
      onChange: () => undefined,
    });

  /** Opens, moves or closes the port, then updates the entry. `isForced`: the host's own listener was reopened. */
  const follow = async (isForced: boolean): Promise<void> => {
    if (isClosed) return;
    if (isOn()) {
      deps.page.prepare();
      const choice = `${settings.current().textEditorPort} ${new URL(hostUrl()).port}`;
      const current = listening;
      if (current === undefined || port() === undefined) {
        const opened = current ?? create();
        listening = opened;
        await openOn(candidates(), { choice, open: () => opened.open(app.callback()) });
      } else if (isForced || choice !== openedFor) {
        await openOn(choice === openedFor ? [port() ?? 0] : candidates(), { choice, open: current.reopen });
      }
      register();
    } else if (editors.unregisterBuiltIn()) {
      listedProblem = undefined;
      log.info({}, 'The text editor was switched off.');
    }
  };
  /** The cause of the problem may have changed without a call to the text editor, such as an address of DocTray. */
  const relist = (): EditorFault | undefined => {
    if (!isOn()) return undefined;
    const problem = currentProblem();
    if (problem?.message !== listedProblem) {
      register();
      services.events.emit({ event: 'editors-changed' });
    }
    return problem;
  };
  const inTurn = (work: () => Promise<void>): Promise<void> =>
    turns.run('', () =>
      work().catch((error: unknown) => log.error({ err: error }, 'The text editor couldn’t be opened.')),
    );

  const stopListening = services.events.on('settings-changed', ({ keys }) => {
    if (!keys.some((key) => textEditorKeys.has(key))) return;
    void inTurn(async () => {
      await follow(false);
      services.events.emit({ event: 'editors-changed' });
    });
  });

  return {
    start: () => inTurn(() => follow(false)),
    reopen: () => inTurn(() => follow(true)),

    check: () =>
      inTurn(async () => {
        if (isClosed) return;
        if (!isOn()) {
          const isQuiet = performance.now() - relay.lastCallAtMs() > quietMs;
          if (!isQuiet || listening === undefined) return;
          await listening.close(0);
          listening = undefined;
          return;
        }
        await listening?.check();
        if (portProblem !== undefined) {
          await follow(true);
          if (portProblem === undefined) services.events.emit({ event: 'editors-changed' });
        }
        relist();
      }),

    async problem() {
      await turns.idle();
      return relist();
    },

    browserUrlOf(editor, address, pageUrl) {
      if (editor.kind !== 'text-editor') return address;
      return address.replace(/^https?:\/\/[^/?#]*/u, textEditorOrigin(pageUrl, places()));
    },

    async close(limitMs) {
      isClosed = true;
      stopListening();
      await Promise.all([listening?.close(limitMs), turns.idle()]);
    },
    cutWithin: (limitMs) => listening?.cutWithin(limitMs),
  };
}

/** The client address that the host sees for the relay's calls. */
function relayAddress(hostUrl: string): string {
  return new URL(hostUrl).hostname.replaceAll(/[[\]]/gu, '');
}

function portFault(failure: unknown, ports: readonly number[], hostPort: number): EditorFault {
  const [port, ...more] = ports;
  if (failure instanceof AppError && failure.code === 'address-unavailable') {
    return new EditorFault(failure.code, [
      'host.text-editor-address-unavailable',
      'host.text-editor-choose-host',
    ]);
  }
  const isTaken = failure instanceof AppError && failure.code === 'port-taken';
  const sentence = (): MessageKey => {
    if (port === undefined) return 'host.text-editor-no-free-port';
    if (!isTaken) return 'host.text-editor-port-not-opened';
    if (more.length > 0) return 'host.text-editor-ports-taken';
    return port === hostPort ? 'host.text-editor-port-is-doctrays' : 'host.text-editor-port-taken';
  };
  const values = { port: port ?? 0, first: port ?? 0, last: more.at(-1) ?? 0 };
  return new EditorFault('port-taken', [sentence(), 'host.text-editor-choose-port'], values);
}
