import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHost } from '../../../app/terminal/start-host.ts';
import { until, windowPlace } from './window-fixture.ts';

test('a setting changed while the host starts isn’t lost to the host, which has read the settings', async (t) => {
  const { promise: mayReturn, resolve: returnNow } = Promise.withResolvers<void>();
  const { promise: hasRead, resolve: reportRead } = Promise.withResolvers<void>();
  const slow = await windowPlace({
    isStarted: false,
    options: {
      async startHost(options) {
        const running = await startHost(options);
        reportRead();
        await mayReturn;
        return running;
      },
    },
  });
  t.after(() => {
    returnNow();
    return slow.close();
  });
  const started = slow.keeper.start();
  await hasRead;
  await slow.run('app.finishFirstRun', {});
  returnNow();
  await started;
  await until(() => !slow.window.state().app.isFirstRun);
  await until(() => slow.keeper.host()?.services.settings.current().windowFirstRunDone === true);
});

test('sums up what happened, and lists it also after the host has stopped', async (t) => {
  const stopped = await windowPlace();
  t.after(() => stopped.close());
  const summary = () => stopped.run('activity.summary', {});
  const { startedAtMs } = stopped.host().state();
  await stopped.save('b.docx', 'one', 'two');
  const saver = await stopped.access('a.docx');
  assert.equal(await stopped.wopi(saver, 'PUT', { 'X-WOPI-Lock': 'none' }), 409);
  await stopped.run('locks.forceClear', { ids: [saver.fileId] });
  const action = { operation: 'ForceClear', path: 'c.docx', fileId: 'c', user: 'window' } as const;
  stopped.host().services.journal.addAction({ ...action, atMs: stopped.clock() });
  assert.deepEqual(await summary(), { sinceMs: startedAtMs, saves: 2, documents: 2, errors: 1 });
  const day = 24 * 60 * 60 * 1000;
  stopped.advance(day);
  const { sinceMs, ...counts } = await summary();
  assert.ok(Math.abs(sinceMs - (stopped.clock() - day)) < 60_000);
  assert.deepEqual(counts, { saves: 0, documents: 0, errors: 0 });
  await stopped.run('activity.clear', {});
  const cleared = await summary();
  assert.ok(cleared.sinceMs > startedAtMs + day, 'there is nothing older');
  stopped.advance(1000);
  assert.deepEqual(await summary(), cleared);
  await stopped.lock('a.docx');
  assert.equal((await summary()).sinceMs, cleared.sinceMs);
  const { journal } = stopped.host().services;
  // Its path isn't in memory.
  journal.add({ ...journal.newest(1)[0]!, fileId: 'unknown' });
  await stopped.keeper.stop();
  const { items } = await stopped.run('activity.list', {});
  assert.deepEqual(
    items.map(({ operation }) => operation),
    ['Lock', 'Lock'],
  );
});
