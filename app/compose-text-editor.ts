// The built-in text editor next to the host: its own listener, which follows the host's, and its entry among the editors. If no
// port can be opened, the host serves without it and the entry says why.

import type { Services } from './compose-services.ts';
import type { GuardLists } from './compose-guard.ts';
import { createListening, type Listening } from './compose-listening.ts';
import { AppError } from './contract/errors.ts';
import { EditorFault, unreachable } from './editors/editor-fault.ts';
import type { Editor } from './editors/editor.ts';
import { createKeyedMutex } from './files/keyed-mutex.ts';
import { addressList, isLoopbackHost } from './network/addresses.ts';
import type { ListenerTls } from './server/listen.ts';
import { hostName } from './server/middleware/host-guard.ts';
import { pageOriginFor, textEditorOrigin, textEditorUrlHere } from './text-editor/addresses.ts';
import { createTextEditorApp } from './text-editor/app.ts';
import { createTextEditorAssets, type TextEditorBuild } from './text-editor/assets.ts';
import { textEditorDiscovery } from './text-editor/discovery.ts';
import { createProofSigner } from './text-editor/proof-signer.ts';
import { createRelay } from './text-editor/relay.ts';

export interface TextEditorHosting {
  /** Opens its port and registers it, if it's switched on. Never rejects: its entry's `problem` says what went wrong. */
  start(): Promise<void>;
  /** Follows the host to its current address. Never rejects. */
  reopen(): Promise<void>;
  /** Retries when no port was free, and closes the port some time after the editor was switched off. Never rejects. */
  look(): Promise<void>;
  /** Where the browser that shows the host's page at `pageUrl` finds what that editor's discovery has at `url`. */
  browserUrlOf(editor: Pick<Editor, 'kind' | 'url'>, url: string, pageUrl: string): string;
  close(limitMs: number): Promise<void>;
  /** Running requests get only that long from now on. */
  cutWithin(limitMs: number): void;
}

export interface TextEditorHostingDeps {
  services: Pick<Services, 'editors' | 'settings' | 'clock' | 'journal' | 'log' | 'emit'>;
  /** The host's own listener. */
  hostListening: Pick<Listening, 'baseUrl' | 'host'>;
  /** As it was asked for; 0: any free port. */
  hostPort: () => number;
  /** The host's public address; null where none was configured. */
  publicUrl: () => string | null;
  /** Every address under which the host may be reached, as configured. */
  baseUrls: () => readonly string[];
  guard: GuardLists;
  tls: ListenerTls;
  build: TextEditorBuild;
}

interface Problem {
  code: 'port-taken' | 'same-origin' | 'loopback-refused';
  sentence: string;
  /** What to do. */
  remedy: string;
}

/** How many ports after the host's own are tried when none is set. */
const portTries = 10;
/** After it's switched off, open documents can still be saved. Locks are refreshed every 10 minutes, so after this no document is open. */
const quietMs = 16 * 60_000;
/** A browser may resolve `localhost` to either. A program of another user that listened at one of them would receive tokens. */
const loopbacks = ['127.0.0.1', '::1'] as const;
const settingKeys = new Set([
  'textEditor',
  'textEditorPort',
  'textEditorUrl',
  'allowedAddresses',
  'publicUrl',
]);

export function createTextEditorHosting(deps: TextEditorHostingDeps): TextEditorHosting {
  const { services, hostListening, guard } = deps;
  const { editors, settings, log } = services;
  const isOn = (): boolean => settings.current().textEditor;

  let wantedPort = 0;
  /** The settings that the current port was chosen by. */
  let openedFor = '';
  let listening: Listening | undefined;
  let isClosed = false;
  let portProblem: Problem | undefined;
  const turns = createKeyedMutex();

  const port = (): number | undefined =>
    listening === undefined || listening.baseUrl() === ''
      ? undefined
      : Number(new URL(listening.baseUrl()).port);
  const url = (): string => textEditorUrlHere(port() ?? wantedPort);
  const hostUrl = (): string => hostListening.baseUrl();
  const places = () => {
    const { textEditorUrl } = settings.current();
    return { hostUrl: hostUrl(), port: port() ?? wantedPort, publicUrl: deps.publicUrl(), textEditorUrl };
  };

  const signer = createProofSigner({ clock: services.clock, onGenerated: () => register() });
  const relay = createRelay({ signer, hostUrl });
  const publicUrls = (): string[] => {
    const { textEditorUrl } = settings.current();
    return textEditorUrl === null ? [] : [textEditorUrl];
  };
  const publicNames = (): (string | undefined)[] => publicUrls().map((one) => hostName(new URL(one).host));
  const assets = createTextEditorAssets({ ...deps.build, log });
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
    assets,
  });

  const problemNow = (): Problem | undefined => {
    if (portProblem !== undefined) return portProblem;
    const { textEditorUrl, allowedAddresses } = settings.current();
    const own = textEditorUrl === null ? undefined : new URL(textEditorUrl).origin;
    if (deps.baseUrls().some((base) => new URL(base).origin === own)) {
      return {
        code: 'same-origin',
        sentence: 'The text editor has the same address as DocTray itself.',
        remedy: 'Set textEditorUrl to an address of its own.',
      };
    }
    if (allowedAddresses.length > 0 && !addressList(allowedAddresses).has(relayAddress(hostUrl()))) {
      return {
        code: 'loopback-refused',
        sentence: 'allowedAddresses blocks the text editor, which runs on this computer.',
        remedy: `Add ${relayAddress(hostUrl())} to allowedAddresses.`,
      };
    }
    return undefined;
  };

  function register(): void {
    if (!isOn() || isClosed) return;
    const problem = problemNow();
    editors.registerBuiltIn({
      url: url(),
      discovery: textEditorDiscovery(url(), signer.current()),
      problem: problem === undefined ? null : { code: problem.code, sentence: inWords(problem) },
      async readDiscovery(signal) {
        const now = problemNow();
        if (now !== undefined) throw unreachable(new EditorFault(now.code, inWords(now), now.remedy));
        const { createDiscoveryFetch } = await import('./editors/discovery-fetch.ts');
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

  const openOn = async (ports: readonly number[], open: () => Promise<void>): Promise<void> => {
    portProblem = undefined;
    let failure: unknown;
    for (const candidate of ports) {
      wantedPort = candidate;
      try {
        // oxlint-disable-next-line no-await-in-loop
        await open();
        return;
      } catch (error) {
        failure = error;
        if (!(error instanceof AppError) || error.code !== 'port-taken') break;
      }
    }
    [wantedPort = 0] = ports;
    portProblem = problemOf(failure, ports);
    log.warn({ err: failure }, `The text editor has no port: ${inWords(portProblem)}`);
  };

  const create = (): Listening =>
    createListening({
      address: () => ({ host: hostListening.host(), port: wantedPort }),
      tls: deps.tls,
      peers: { trustedProxies: guard.trustedProxies, allowedAddresses: guard.allowedAddresses },
      loopbacks,
      onChange: () => undefined,
    });

  /** Opens, moves or leaves the port, then updates the entry. `isForced`: the host's own listener was opened again. */
  const follow = async (isForced: boolean): Promise<void> => {
    if (isClosed) return;
    if (isOn()) {
      assets.prepare();
      const wantedFor = `${settings.current().textEditorPort} ${new URL(hostUrl()).port}`;
      const current = listening;
      if (current === undefined || port() === undefined) {
        const opened = current ?? create();
        listening = opened;
        await openOn(candidates(), () => opened.open(app.callback()));
        openedFor = wantedFor;
      } else if (isForced || wantedFor !== openedFor || portProblem !== undefined) {
        await openOn(wantedFor === openedFor ? [port() ?? 0] : candidates(), current.reopen);
        openedFor = wantedFor;
      }
      register();
    } else editors.unregisterBuiltIn();
  };
  const inTurn = (work: () => Promise<void>): Promise<void> =>
    turns.run('', () =>
      work().catch((error: unknown) => log.error({ err: error }, 'The text editor could not be opened.')),
    );

  const stopListening = settings.onChange((_, keys) => {
    if (!keys.some((key) => settingKeys.has(key))) return;
    void inTurn(async () => {
      await follow(false);
      services.emit({ event: 'editors-changed' });
    });
  });

  return {
    start: () => inTurn(() => follow(false)),
    reopen: () => inTurn(() => follow(true)),

    look: () =>
      inTurn(async () => {
        if (isClosed) return;
        if (!isOn()) {
          const isQuiet = performance.now() - relay.lastCallAtMs() > quietMs;
          if (!isQuiet || listening === undefined) return;
          await listening.close(0);
          listening = undefined;
          return;
        }
        await listening?.look();
        if (portProblem === undefined) return;
        await follow(true);
        if (portProblem === undefined) services.emit({ event: 'editors-changed' });
      }),

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

/** What the host sees as the client address of the relay's calls. */
function relayAddress(hostUrl: string): string {
  return new URL(hostUrl).hostname.replaceAll(/[[\]]/gu, '');
}

function problemOf(failure: unknown, ports: readonly number[]): Problem {
  const shown = ports.length > 1 ? `ports ${ports[0]} to ${ports.at(-1)} are` : `port ${ports[0]} is`;
  const isTaken = failure instanceof AppError && failure.code === 'port-taken';
  return {
    code: 'port-taken',
    sentence: isTaken
      ? `The text editor can’t start: ${shown} taken.`
      : `The text editor can’t start: ${failure instanceof AppError ? failure.message : 'its port could not be opened.'}`,
    remedy: 'Set textEditorPort to a free port.',
  };
}

function inWords({ sentence, remedy }: Problem): string {
  return `${sentence} ${remedy}`;
}
