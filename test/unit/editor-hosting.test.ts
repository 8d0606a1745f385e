import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEditorHosting, type TrialHost } from '../../app/editors/editor-addresses.ts';
import { AppError } from '../../app/contract/errors.ts';
import { defaultSettings, type Settings } from '../../app/settings/settings.ts';

/** Two connected editors without an address of their own; the host listens on loopback only. */
function createHosting(options: { failsToOpen?: boolean } = {}) {
  const publicUrls = new Map<string, string | null>([
    ['one', null],
    ['other', null],
  ]);
  let settings: Settings = { ...defaultSettings };
  const trial: TrialHost = { host: null };
  let boundHost = settings.host;
  const { commands: hosting } = createEditorHosting({
    services: {
      editors: {
        list: () => [...publicUrls].map(([id, publicUrl]) => ({ id, publicUrl })),
        byId: (id: string) =>
          publicUrls.has(id)
            ? { id, url: 'http://127.0.0.1:9980', publicUrl: publicUrls.get(id) ?? null }
            : undefined,
        tryPublicUrl(id: string, url: string) {
          const before = publicUrls.get(id) ?? null;
          publicUrls.set(id, url);
          return { keep: () => undefined, undo: () => void publicUrls.set(id, before) };
        },
        change: (id: string, change: { publicUrl: string | null }) => publicUrls.set(id, change.publicUrl),
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
      host: () => boundHost,
    },
    trial,
    // The default address follows the bind address.
    publicUrl: () => (boundHost === '127.0.0.1' ? 'http://127.0.0.1:8790' : 'http://moved:8790'),
    showPage: undefined,
    reopen: async () => {
      if (options.failsToOpen === true) throw new AppError('port-taken');
      boundHost = trial.host ?? settings.host;
    },
  });
  const networkAddress = hosting.addresses().find(({ neededHost }) => neededHost !== null);
  assert.ok(networkAddress !== undefined, 'an address that needs another bind address');
  return { hosting, networkAddress, publicUrls, settings: () => settings, boundHost: () => boundHost };
}

test('changes the bind address if an editor’s new address needs it, and keeps the base address of other editors', async () => {
  const { hosting, networkAddress, settings } = createHosting();
  await hosting.useAddress('one', networkAddress.url);
  assert.equal(settings().host, networkAddress.neededHost);
  assert.equal(hosting.baseUrlOf('one'), networkAddress.url);
  assert.equal(hosting.baseUrlOf('other'), 'http://127.0.0.1:8790');
});

test('changes neither the setting nor the editor if the listener can’t be reopened', async () => {
  const { hosting, networkAddress, publicUrls, settings } = createHosting({ failsToOpen: true });
  await assert.rejects(hosting.useAddress('one', networkAddress.url), { code: 'port-taken' });
  assert.equal(settings().host, '127.0.0.1');
  assert.deepEqual([...publicUrls.values()], [null, null]);
  assert.equal(hosting.baseUrlOf('other'), 'http://127.0.0.1:8790');
});

test('saves the bind address only when a trial is kept', async () => {
  const { hosting, publicUrls, settings, boundHost } = createHosting();
  const failed = await hosting.tryAddress('one', 'http://desk:8790', '0.0.0.0');
  assert.deepEqual([boundHost(), hosting.listensOn(), settings().host], ['0.0.0.0', '0.0.0.0', '127.0.0.1']);
  await failed.undo();
  assert.deepEqual([boundHost(), hosting.listensOn()], ['127.0.0.1', '127.0.0.1']);
  assert.deepEqual([...publicUrls.values()], [null, null]);

  const kept = await hosting.tryAddress('one', 'http://desk:8790', '0.0.0.0');
  await kept.keep();
  assert.deepEqual([boundHost(), settings().host], ['0.0.0.0', '0.0.0.0']);
  await kept.undo();
  assert.deepEqual([boundHost(), settings().host], ['127.0.0.1', '127.0.0.1']);
});

test('rejects an address that isn’t this computer’s, and an unknown editor', async () => {
  const { hosting, networkAddress } = createHosting();
  await assert.rejects(hosting.useAddress('one', 'http://198.51.100.9:1'), { code: 'address-unknown' });
  await assert.rejects(hosting.useAddress('nobody', networkAddress.url), { code: 'editor-unknown' });
});
