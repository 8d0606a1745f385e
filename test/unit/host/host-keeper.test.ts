// Starts, stops and restarts of the host, in any order.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../../app/contract/errors.ts';
import type { Host, HostOptions } from '../../../app/host/running-host.ts';
import type { Logger } from '../../../app/log/logger.ts';
import { hostState } from '../../../app/live-state/host-state.ts';
import { createHostKeeper } from '../../../app/host/host-keeper.ts';

type Deps = Parameters<typeof createHostKeeper>[0];

/** A keeper of fake hosts, which stop once they are released. A host doesn't start if `starting` throws. */
function createKeeper(starting: (options: HostOptions) => void = () => undefined, deps: Partial<Deps> = {}) {
  const logged: string[] = [];
  const note = (_fields: object, text: string): void => void logged.push(text);
  const log = { info: note, warn: note, error: note, flush: () => undefined } as unknown as Logger;
  const hosts: (Pick<HostOptions, 'emit'> & {
    stops: number;
    release: () => void;
    fail: (error: Error) => void;
  })[] = [];
  const startHost = async (options: HostOptions): Promise<Host> => {
    starting(options);
    const ended = Promise.withResolvers<void>();
    const host = { ...options, stops: 0, release: ended.resolve, fail: ended.reject };
    hosts.push(host);
    await Promise.resolve();
    const stop = () => {
      host.stops += 1;
      return ended.promise;
    };
    return { stop } as unknown as Host;
  };
  const keeper = createHostKeeper({ dataDir: '/nowhere', log, startHost, ...deps });
  return { keeper, hosts, logged };
}

/** The same with a locked keychain; `advance` lets time pass. */
function createLocked(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const seen = { starts: 0, isUnlocked: false, answered: (): void => undefined };
  /** What it shows while it waits for the keychain, at each start. */
  const problems: (string | undefined)[] = [];
  const { keeper } = createKeeper(
    ({ onKeychainWaiting }) => {
      seen.starts += 1;
      onKeychainWaiting?.(true);
      problems.push(keeper.problem()?.code);
      onKeychainWaiting?.(false);
      if (!seen.isUnlocked) throw new AppError('secret-store-unreachable');
    },
    { onKeychainAnswer: (listener) => void (seen.answered = listener) },
  );
  const advance = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { keeper, seen, problems, advance };
}

test('doesn’t start a host again that is stopped during a restart', async () => {
  const { keeper, hosts } = createKeeper();
  await keeper.start();
  const restarting = keeper.restart();
  const stopping = keeper.stop();
  hosts[0]?.release();
  await Promise.all([restarting, stopping]);
  assert.equal(hosts.length, 1);
  assert.equal(keeper.host(), undefined);
});

test('retries the keychain until the host starts, and reports that it is waiting', async (t) => {
  const { keeper, seen, problems, advance } = createLocked(t);
  await keeper.start();
  assert.deepEqual(problems, ['keychain-waiting']);
  assert.equal(keeper.problem()?.code, 'secret-store-unreachable');
  await advance(4999);
  assert.equal(seen.starts, 1);
  await advance(1);
  await advance(20_000);
  assert.equal(seen.starts, 3);
  seen.isUnlocked = true;
  await advance(60_000);
  assert.notEqual(keeper.host(), undefined);
  await advance(600_000);
  assert.equal(seen.starts, 4);
});

test('keeps trying a locked keychain every five minutes, and at once when it may have been unlocked', async (t) => {
  const { keeper, seen, advance } = createLocked(t);
  keeper.retryKeychain();
  assert.equal(seen.starts, 0, 'it isn’t waiting yet');
  await keeper.start();
  for (const ms of [5000, 20_000, 60_000]) await advance(ms);
  assert.equal(seen.starts, 4);
  await advance(299_999);
  assert.equal(seen.starts, 4);
  await advance(1);
  await advance(300_000);
  assert.equal(seen.starts, 6);
  keeper.retryKeychain();
  keeper.retryKeychain();
  await advance(0);
  assert.equal(seen.starts, 7);
  seen.isUnlocked = true;
  seen.answered();
  await advance(0);
  assert.notEqual(keeper.host(), undefined);
  seen.answered();
  keeper.retryKeychain();
  await advance(600_000);
  assert.equal(seen.starts, 8);
});

test('doesn’t retry after the host was stopped', async (t) => {
  const { keeper, seen, advance } = createLocked(t);
  await keeper.start();
  await keeper.stop();
  keeper.retryKeychain();
  await advance(600_000);
  assert.equal(seen.starts, 1);
});

test('two concurrent restarts start one host', async () => {
  const { keeper, hosts } = createKeeper();
  await keeper.start();
  const both = Promise.all([keeper.restart(), keeper.restart()]);
  hosts[0]?.release();
  await both;
  assert.equal(hosts.length, 2);
  assert.notEqual(keeper.host(), undefined);
});

test('a restart during the start waits for it, and stops the first host', async () => {
  const { keeper, hosts } = createKeeper();
  const starting = keeper.start();
  const restarting = keeper.restart();
  await starting;
  hosts[0]?.release();
  await restarting;
  assert.equal(hosts.length, 2);
  assert.equal(hosts[0]?.stops, 1);
});

test('forgets a host that failed to stop, and can start another', async () => {
  const { keeper, hosts } = createKeeper();
  await keeper.start();
  hosts[0]?.fail(new Error('the disk is full'));
  await assert.rejects(keeper.stop());
  assert.equal(keeper.host(), undefined);
  await keeper.start();
  assert.equal(hosts.length, 2);
});

test('logs a listener that throws, and notifies the others', async () => {
  const { keeper, hosts, logged } = createKeeper();
  await keeper.start();
  const heard: string[] = [];
  keeper.onEvent(() => {
    throw new Error('the window is broken');
  });
  keeper.onEvent(({ event }) => void heard.push(event));
  hosts[0]?.emit?.({ event: 'stopping' });
  assert.deepEqual(heard, ['stopping']);
  assert.equal(logged.length, 1);
});

test('starts once another program has freed the port, not before, and shows the problem until then', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const shown: string[] = [];
  const { keeper, hosts, logged } = createKeeper(
    () => {
      const { status, problem } = hostState(keeper);
      shown.push(`${status} ${problem?.code}`);
      if (other.listening) throw new AppError('port-taken', { detail: String(port) });
    },
    { port },
  );
  const wait = async (): Promise<void> => {
    t.mock.timers.tick(30_000);
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  };
  await keeper.start();
  for (let time = 0; time < 10; time += 1) await wait();
  assert.equal(keeper.problem()?.code, 'port-taken');
  other.close();
  await once(other, 'close');
  for (let tries = 0; keeper.host() === undefined && tries < 100; tries += 1) await wait();
  assert.deepEqual(shown.slice(1), ['error port-taken']);
  assert.equal(keeper.problem(), undefined);
  assert.deepEqual(logged, ['DocTray didn’t start.']);
  hosts[0]?.release();
  await keeper.stop();
  await wait();
  assert.equal(shown.length, 2);
});
