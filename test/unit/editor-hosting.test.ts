import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEditorHosting, type TrialHost } from '../../app/editors/editor-addresses.ts';
import { AppError } from '../../app/contract/errors.ts';
import { defaultSettings, type Settings } from '../../app/settings/settings.ts';

/** Two connected editors that have the address everybody has; the listener is on this machine alone. */
function scene(options: { failsToOpen?: boolean } = {}) {
  const given = new Map<string, string | null>([
    ['one', null],
    ['other', null],
  ]);
  let settings: Settings = { ...defaultSettings };
  const trial: TrialHost = { host: null };
  let listenedOn = settings.host;
  const { commands: hosting } = createEditorHosting({
    services: {
      editors: {
        list: () => [...given].map(([id, publicUrl]) => ({ id, publicUrl })),
        byId: (id: string) =>
          given.has(id) ? { id, url: 'http://127.0.0.1:9980', publicUrl: given.get(id) ?? null } : undefined,
        tryPublicUrl(id: string, url: string) {
          const before = given.get(id) ?? null;
          given.set(id, url);
          return { keep: () => undefined, undo: () => void given.set(id, before) };
        },
        change: (id: string, change: { publicUrl: string | null }) => given.set(id, change.publicUrl),
      },
      settings: {
        current: () => settings,
        update: async (change: Partial<Settings>) => (settings = { ...settings, ...change }),
      },
      clock: () => 0,
      log: { warn: () => undefined },
      emit: () => undefined,
    } as unknown as Parameters<typeof createEditorHosting>[0]['services'],
    listening: {
      baseUrl: () => 'http://127.0.0.1:8790',
      networkUrl: () => null,
      host: () => listenedOn,
    },
    trial,
    // The address everybody has moves with the listener.
    publicUrl: () => (listenedOn === '127.0.0.1' ? 'http://127.0.0.1:8790' : 'http://moved:8790'),
    showPage: undefined,
    reopen: async () => {
      if (options.failsToOpen === true) throw new AppError('port-taken');
      listenedOn = trial.host ?? settings.host;
    },
  });
  const outer = hosting.addresses().find(({ neededHost }) => neededHost !== null);
  assert.ok(outer !== undefined, 'this machine has a name');
  return { hosting, outer, given, settings: () => settings, listenedOn: () => listenedOn };
}

test('an address that the listener has to move for is given to one editor; the others keep the one they know', async () => {
  const { hosting, outer, settings } = scene();
  await hosting.useAddress('one', outer.url);
  assert.equal(settings().host, outer.neededHost);
  assert.equal(hosting.baseUrlOf('one'), outer.url);
  assert.equal(hosting.baseUrlOf('other'), 'http://127.0.0.1:8790');
});

test('where the listener cannot move, setting and editor stay as they were', async () => {
  const { hosting, outer, given, settings } = scene({ failsToOpen: true });
  await assert.rejects(hosting.useAddress('one', outer.url), { code: 'port-taken' });
  assert.equal(settings().host, '127.0.0.1');
  assert.deepEqual([...given.values()], [null, null]);
  assert.equal(hosting.baseUrlOf('other'), 'http://127.0.0.1:8790');
});

test('saves the address that is listened on only when a trial is kept', async () => {
  const { hosting, given, settings, listenedOn } = scene();
  const failed = await hosting.tryAddress('one', 'http://desk:8790', '0.0.0.0');
  assert.deepEqual([listenedOn(), hosting.listensOn(), settings().host], ['0.0.0.0', '0.0.0.0', '127.0.0.1']);
  await failed.undo();
  assert.deepEqual([listenedOn(), hosting.listensOn()], ['127.0.0.1', '127.0.0.1']);
  assert.deepEqual([...given.values()], [null, null]);

  const kept = await hosting.tryAddress('one', 'http://desk:8790', '0.0.0.0');
  await kept.keep();
  assert.deepEqual([listenedOn(), settings().host], ['0.0.0.0', '0.0.0.0']);
  await kept.undo();
  assert.deepEqual([listenedOn(), settings().host], ['127.0.0.1', '127.0.0.1']);
});

test('an address that is none of this machine’s is refused, and so is an editor nobody connected', async () => {
  const { hosting, outer } = scene();
  await assert.rejects(hosting.useAddress('one', 'http://198.51.100.9:1'), { code: 'address-unknown' });
  await assert.rejects(hosting.useAddress('nobody', outer.url), { code: 'editor-unknown' });
});
