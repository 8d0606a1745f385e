// Starts, stops and restarts of the host, in any order.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../../app/contract/errors.ts';
import type { Host, HostOptions } from '../../../app/host/running-host.ts';
import type { DomainEvent } from '../../../app/contract/events.ts';
import type { Logger } from '../../../app/log/logger.ts';
import { hostState } from '../../../app/live-state/host-state.ts';
import { createHostKeeper } from '../../../app/host/host-keeper.ts';

function createKeeper() {
  const logged: string[] = [];
  const note = (_fields: object, text: string): void => void logged.push(text);
  const log = { info: note, warn: note, error: note, flush: () => undefined } as Logger;
  const hosts: {
    stops: number;
    release: () => void;
    fail: (error: Error) => void;
    emit: (event: DomainEvent) => void;
  }[] = [];
  const startHost = async ({ emit = () => undefined }: HostOptions): Promise<Host> => {
    const ended = Promise.withResolvers<void>();
    const host = { stops: 0, release: ended.resolve, fail: ended.reject, emit };
    hosts.push(host);
    await Promise.resolve();
    return {
      stop() {
        host.stops += 1;
        return ended.promise;
      },
    } as unknown as Host;
  };
  const keeper = createHostKeeper({ dataDir: '/nowhere', log, startHost });
  return { keeper, hosts, logged };
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
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const quiet = (): void => undefined;
  const log = { info: quiet, warn: quiet, error: quiet, flush: quiet } as unknown as Logger;
  let starts = 0;
  let isUnlocked = false;
  const problems: (string | undefined)[] = [];
  const keeper = createHostKeeper({
    dataDir: '/nowhere',
    log,
    async startHost({ onKeychainWaiting }) {
      starts += 1;
      onKeychainWaiting?.(true);
      problems.push(keeper.problem()?.code);
      onKeychainWaiting?.(false);
      await Promise.resolve();
      if (!isUnlocked) throw new AppError('secret-store-unreachable');
      return { stop: () => Promise.resolve() } as unknown as Host;
    },
  });
  const advance = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  await keeper.start();
  assert.deepEqual(problems, ['keychain-waiting']);
  assert.equal(keeper.problem()?.code, 'secret-store-unreachable');
  await advance(4999);
  assert.equal(starts, 1);
  await advance(1);
  await advance(20_000);
  assert.equal(starts, 3);
  isUnlocked = true;
  await advance(60_000);
  assert.notEqual(keeper.host(), undefined);
  await advance(600_000);
  assert.equal(starts, 4);
});

test('keeps trying a locked keychain every five minutes, and at once when it may have been unlocked', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const quiet = (): void => undefined;
  const log = { info: quiet, warn: quiet, error: quiet, flush: quiet } as unknown as Logger;
  let starts = 0;
  let isUnlocked = false;
  let answered = (): void => undefined;
  const keeper = createHostKeeper({
    dataDir: '/nowhere',
    log,
    async startHost() {
      starts += 1;
      await Promise.resolve();
      if (!isUnlocked) throw new AppError('secret-store-unreachable');
      return { stop: () => Promise.resolve() } as unknown as Host;
    },
    onKeychainAnswer: (listener) => void (answered = listener),
  });
  const advance = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  keeper.retryKeychain();
  assert.equal(starts, 0, 'it isn’t waiting yet');
  await keeper.start();
  for (const ms of [5000, 20_000, 60_000]) await advance(ms);
  assert.equal(starts, 4);
  await advance(299_999);
  assert.equal(starts, 4);
  await advance(1);
  await advance(300_000);
  assert.equal(starts, 6);
  keeper.retryKeychain();
  keeper.retryKeychain();
  await advance(0);
  assert.equal(starts, 7);
  isUnlocked = true;
  answered();
  await advance(0);
  assert.notEqual(keeper.host(), undefined);
  answered();
  keeper.retryKeychain();
  await advance(600_000);
  assert.equal(starts, 8);
});

test('doesn’t retry after the host was stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const quiet = (): void => undefined;
  const log = { info: quiet, warn: quiet, error: quiet, flush: quiet } as unknown as Logger;
  let starts = 0;
  const failing = createHostKeeper({
    dataDir: '/nowhere',
    log,
    startHost() {
      starts += 1;
      return Promise.reject(new AppError('secret-store-unreachable'));
    },
  });
  await failing.start();
  await failing.stop();
  failing.retryKeychain();
  t.mock.timers.tick(600_000);
  await Promise.resolve();
  assert.equal(starts, 1);
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
  hosts[0]?.emit({ event: 'stopping' });
  assert.deepEqual(heard, ['stopping']);
  assert.equal(logged.length, 1);
});

test('the status is starting before the first start, and stopping after a stop', async () => {
  const { keeper, hosts } = createKeeper();
  assert.equal(hostState(keeper).status, 'starting');
  await keeper.start();
  hosts[0]?.release();
  await keeper.stop();
  assert.equal(hostState(keeper).status, 'stopping');
});

test('starts once another program has freed the port, not before, and shows the problem until then', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const logged: string[] = [];
  const note = (_fields: object, text: string): void => void logged.push(text);
  const log = { info: note, warn: note, error: note, flush: note } as unknown as Logger;
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const shown: string[] = [];
  const keeper = createHostKeeper({
    dataDir: '/nowhere',
    log,
    port,
    async startHost() {
      const { status, problem } = hostState(keeper);
      shown.push(`${status} ${problem?.code}`);
      await Promise.resolve();
      if (other.listening) throw new AppError('port-taken', { detail: String(port) });
      return { stop: () => Promise.resolve() } as unknown as Host;
    },
  });
  const wait = async (): Promise<void> => {
    t.mock.timers.tick(30_000);
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  };
  await keeper.start();
  for (let time = 0; time < 10; time += 1) await wait();
  assert.equal(keeper.problem()?.code, 'port-taken');
  other.close();
  await once(other, 'close');
  while (keeper.host() === undefined) await wait();
  assert.deepEqual(shown.slice(1), ['error port-taken']);
  assert.equal(keeper.problem(), undefined);
  assert.deepEqual(logged, ['DocTray didn’t start.']);
  await keeper.stop();
  await wait();
  assert.equal(shown.length, 2);
});
