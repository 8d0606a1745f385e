import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openDashboardBridge } from '../../../renderer/window/state/dashboard-bridge.ts';

it('asks before the page is left as long as any of several drops is being copied', async (context) => {
  const page = new EventTarget();
  const uploads: PromiseWithResolvers<Response>[] = [];
  const globals = {
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    location: { hash: '', pathname: '/' },
    sessionStorage: { getItem: () => null },
    fetch: async (url: string) => {
      const upload = Promise.withResolvers<Response>();
      if (url.startsWith('/upload')) uploads.push(upload);
      return upload.promise;
    },
  };
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    context.after(() => {
      if (before === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, before);
    });
  }
  const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  const bridge = openDashboardBridge();
  const drops = ['one.txt', 'two.txt'].map(async (name) => bridge.importFiles('', [new File(['x'], name)]));
  while (uploads.length < drops.length) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(asks(), true);
  for (const isOver of [false, true]) {
    uploads.shift()?.resolve(Response.json({ jobId: 'job' }));
    await Promise.any(drops);
    if (isOver) await Promise.all(drops);
    assert.equal(asks(), !isOver);
  }
});
