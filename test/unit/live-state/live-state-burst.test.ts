import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { DomainEvent } from '../../../app/contract/events.ts';
import { AppError } from '../../../app/contract/errors.ts';
import type { WindowState } from '../../../app/contract/state.ts';
import { createLogger } from '../../../app/log/logger.ts';
import { createWindowSettings } from '../../../app/live-state/window-settings.ts';
import { createLiveState } from '../../../app/live-state/live-state.ts';
import { fakeKeeper } from './fake-keeper.ts';
import { fakeDesktop, until, windowPlace } from './window-fixture.ts';

const log = createLogger([]);
const noSettings = { current: () => undefined };

test('a thousand events in a second cause at most ten pushes, including the last event', () => {
  mock.timers.enable({ apis: ['setTimeout', 'setImmediate', 'Date'] });
  try {
    const keeper = fakeKeeper('/data');
    let changes: Partial<WindowState>[] = [];
    const live = createLiveState({
      keeper,
      desktop: fakeDesktop(),
      settings: noSettings,
      clock: Date.now,
      log,
      onChange: (change) => changes.push(change),
    });
    changes = [];
    for (let count = 1; count <= 1000; count += 1) {
      keeper.problemNow = new AppError('port-taken', { detail: `${count}` });
      keeper.emit({ event: 'host-changed' });
      mock.timers.tick(1);
    }
    assert.ok(changes.length <= 10, `${changes.length} pushes`);
    assert.ok(changes.length >= 9, `${changes.length} pushes`);
    mock.timers.tick(200);
    assert.match(changes.at(-1)?.host?.problem?.message ?? '', /^Port 1000 is already in use/);
    live.close();
  } finally {
    mock.timers.reset();
  }
});

test('events that change nothing push nothing', () => {
  mock.timers.enable({ apis: ['setTimeout', 'setImmediate', 'Date'] });
  try {
    const keeper = fakeKeeper('/data');
    let pushes = 0;
    const live = createLiveState({
      keeper,
      desktop: fakeDesktop(),
      settings: noSettings,
      clock: Date.now,
      log,
      onChange: () => (pushes += 1),
    });
    pushes = 0;
    for (let count = 1; count <= 100; count += 1) {
      keeper.emit({ event: 'host-changed' });
      mock.timers.tick(10);
    }
    assert.equal(pushes, 0);
    live.close();
  } finally {
    mock.timers.reset();
  }
});

test('batches a burst of calls and events of a real host, and pushes only the parts that changed', async () => {
  const place = await windowPlace();
  try {
    const settings = createWindowSettings({ keeper: place.keeper, onChange: () => undefined });
    const { services } = place.host();
    const access = await place.access('a.docx');
    const other = await place.access('b.docx');
    const grant = services.accessTokens.find(access.token)!;
    let changes: Partial<WindowState>[] = [];
    const live = createLiveState({ ...place, settings, onChange: (change) => changes.push(change) });
    await until(() => live.state().tokens.some(({ id }) => id === other.tokenId));
    changes = [];
    const startedAt = performance.now();
    const taken: DomainEvent = { event: 'lock-taken', fileId: access.fileId, path: 'a.docx', user: 'owner' };
    for (let count = 0; count < 1000; count += 1) {
      services.sessions.note(grant, { client: `Editor/${count}` });
      services.emit(taken);
      if (count % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await until(() => live.state().sessions.some(({ id, calls }) => id === access.tokenId && calls === 1000));
    const mostPushes = 1 + Math.floor((performance.now() - startedAt) / 100);
    assert.ok(changes.length <= mostPushes, `${changes.length} pushes, ${mostPushes} allowed`);
    assert.deepEqual([...new Set(changes.flatMap(Object.keys))].toSorted(), ['sessions', 'tokens']);
    live.close();
  } finally {
    await place.close();
  }
});

test('shows a job of the host while it runs, and its result', async () => {
  const { promise, resolve: finish } = Promise.withResolvers<string>();
  const place = await windowPlace();
  try {
    const id = place.host().services.jobs.run('Import', 'files', () => promise);
    const shown = () => place.window.state().jobs.find((job) => job.id === id);
    await until(() => shown()?.state === 'running');
    finish('2 files copied.');
    await until(() => shown()?.sentence === '2 files copied.');
    assert.equal(shown()?.state, 'done');
  } finally {
    // The host waits for its jobs when it stops.
    finish('');
    await place.close();
  }
});
