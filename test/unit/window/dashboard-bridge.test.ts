import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openDashboardBridge } from '../../../renderer/window/state/dashboard-bridge.ts';

it('asks before the page is left as long as any of several drops is being copied', async (context) => {
  const page = new EventTarget();
  const uploads = new Map<string, PromiseWithResolvers<Response>>();
  const globals = {
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    location: { hash: '', pathname: '/' },
    sessionStorage: { getItem: () => null },
    fetch: async (url: string) => {
      const upload = Promise.withResolvers<Response>();
      uploads.set(new URL(url, 'http://localhost').searchParams.get('name') ?? '', upload);
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
  const names = ['one.txt', 'two.txt'];
  const drops = names.map(async (name) => bridge.importFiles('', [new File(['x'], name)]));
  while (uploads.size < names.length) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(asks(), true);
  for (const [index, drop] of drops.entries()) {
    uploads.get(names[index] ?? '')?.resolve(Response.json({ jobId: 'job' }));
    await drop;
    assert.equal(asks(), index === 0);
  }
});
