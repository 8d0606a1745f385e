// The parts of the stand-in that don't need Chromium: structured clone, context bridge, strictness, URLs.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createBridgeEnd } from './page/bridge-end.ts';
import type { BridgeEnd, BridgeMessage } from './page/bridge-end.ts';
import { createCodec } from './page/structured-clone.ts';
import { createSchemeAlias } from './scheme-alias.ts';
import { StrictEmitter, checkOptions, strict } from './strict.ts';
import { matchesPattern } from './web-request.ts';

describe('the structured clone', () => {
  const { encode, decode } = createCodec();
  const copy = (value: unknown): unknown => decode(encode(value));

  it('keeps holes, shared references, boxed values and the class of an error', () => {
    const sparse: unknown[] = [1];
    sparse[2] = 3;
    assert.deepEqual(copy(sparse), sparse);
    assert.equal(1 in (copy(sparse) as unknown[]), false);
    const shared = { a: 1 };
    const pair = copy([shared, shared]) as object[];
    assert.equal(pair[0], pair[1]);
    assert.deepEqual(copy(Object('text')), Object('text'));
    const error = copy(new RangeError('far', { cause: 7 })) as Error;
    assert.deepEqual([error instanceof RangeError, error.message, error.cause], [true, 'far', 7]);
  });

  it('copies only the visible part of a view on a larger buffer', () => {
    const bytes = copy(Buffer.from('abc')) as Uint8Array;
    assert.deepEqual([...bytes], [97, 98, 99]);
    assert.equal(bytes.buffer.byteLength, 3);
  });

  it('keeps a key named __proto__ as data', () => {
    const back = copy(JSON.parse('{"__proto__": {"admin": true}}')) as { admin?: boolean };
    assert.equal(back.admin, undefined);
    assert.deepEqual(Object.keys(back), ['__proto__']);
  });

  it('rejects what can’t be cloned', () => {
    for (const value of [
      () => 1,
      Symbol('x'),
      new WeakMap(),
      Promise.resolve(),
      { deep: [() => 1] },
      new Blob(['x']),
    ]) {
      assert.throws(() => encode(value), { message: 'An object could not be cloned.' });
    }
  });
});

describe('the context bridge', () => {
  it('passes functions, promises and cycles, and rejects symbols', async () => {
    let page: BridgeEnd | undefined = undefined;
    const other = (): BridgeEnd => page as unknown as BridgeEnd;
    const preload = createBridgeEnd((message: BridgeMessage) => other().receive(structuredClone(message)));
    page = createBridgeEnd((message: BridgeMessage) => preload.receive(structuredClone(message)));
    const cycle: Record<string, unknown> = { when: new Date(1) };
    cycle['self'] = cycle;
    const api = page.decode(
      preload.encode({
        cycle,
        later: (text: string) => Promise.resolve(`${text}!`),
        fails: () => Promise.reject(new Error('no')),
      }),
    ) as {
      cycle: { self: unknown; when: Date };
      later(text: string): Promise<string>;
      fails(): Promise<never>;
    };
    assert.equal(api.cycle.self, api.cycle);
    assert.equal(api.cycle.when.getTime(), 1);
    assert.equal(await api.later('so'), 'so!');
    await assert.rejects(api.fails(), { message: 'no' });
    assert.throws(() => preload.encode(Symbol('x')), /could not be cloned/);
  });
});

describe('strictness', () => {
  class Example extends StrictEmitter {
    #secret = 7;
    constructor() {
      super('example', ['known']);
    }
    secret(): number {
      return this.#secret;
    }
  }

  it('throws for an unknown member, event or option', () => {
    const example = new Example();
    assert.equal(example.secret(), 7);
    assert.throws(
      () => (example as unknown as Record<string, unknown>)['nothing'],
      /stand-in has no example\.nothing/,
    );
    assert.throws(() => example.on('unknown', () => undefined), /never emits example 'unknown'/);
    assert.throws(() => example.once('unknown', () => undefined), /never emits example 'unknown'/);
    assert.throws(() => checkOptions('example', { colour: 1 }, ['color']), /no option colour for example/);
  });

  it('emits to listeners, lets a test override members, and isn’t a thenable', async () => {
    const example = new Example();
    const heard: unknown[] = [];
    example.once('known', (value: unknown) => void heard.push(value));
    example.emit('known', 1);
    example.emit('known', 2);
    assert.deepEqual(heard, [1]);
    const object = strict<Record<string, unknown>>({ a: 1 }, 'object');
    object['b'] = 2;
    assert.equal(object['b'], 2);
    assert.equal(await Promise.resolve(object), object);
  });
});

describe('URLs', () => {
  it('maps a URL of the app to one for Chromium, and back', () => {
    const alias = createSchemeAlias();
    alias.register('app');
    const there = alias.toChromium('app://doctray/a?b#c');
    assert.equal(there, 'https://doctray.app.standin.test/a?b#c');
    assert.equal(alias.fromChromium(there), 'app://doctray/a?b#c');
    assert.equal(alias.toChromium('myapp://doctray/a'), 'myapp://doctray/a');
    assert.equal(
      alias.policyToChromium("default-src 'none'; img-src app: data:; connect-src app://doctray"),
      "default-src 'none'; img-src https://*.app.standin.test data:; connect-src https://doctray.app.standin.test",
    );
  });

  it('matches URL patterns like Chromium', () => {
    assert.ok(matchesPattern('<all_urls>', 'app://x/y'));
    assert.ok(matchesPattern('*://*/*', 'https://a.b/c'));
    assert.ok(!matchesPattern('*://*/*', 'app://a/c'));
    assert.ok(matchesPattern('https://*.example.org/a*', 'https://x.example.org/abc'));
    assert.ok(!matchesPattern('https://*.example.org/a*', 'https://example.com/abc'));
    assert.throws(() => matchesPattern('nonsense', 'https://a/'), /Invalid url pattern/);
  });
});
