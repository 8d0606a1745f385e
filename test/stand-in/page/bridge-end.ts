// One end of the context bridge between the page's world and the preload's. Data is copied, functions and promises are
// proxied, calls return at once (a DOM event crosses the worlds synchronously). Runs in pages as its own source text.

export type BridgeWire =
  | { kind: 'value'; value: unknown }
  | { kind: 'function' | 'promise' | 'known'; id: number }
  | { kind: 'error'; message: string }
  | { kind: 'array'; items: BridgeWire[] }
  | { kind: 'object'; entries: [string, BridgeWire][] };

export type BridgeMessage =
  | { type: 'call'; call: number; id: number; args: BridgeWire[] }
  | { type: 'result'; call: number; value: BridgeWire }
  | { type: 'thrown'; call: number; message: string }
  | { type: 'settle'; id: number; isKept: boolean; value: BridgeWire }
  | { type: 'expose'; key: string; value: BridgeWire }
  | { type: 'visibility'; isHidden: boolean };

export interface BridgeEnd {
  encode(value: unknown): BridgeWire;
  decode(wire: BridgeWire): unknown;
  receive(message: BridgeMessage): void;
  call(id: number, args: unknown[]): unknown;
  /** Gives a function the number that identifies it at both ends. */
  offer(id: number, callee: (...args: never[]) => unknown): void;
}

export function createBridgeEnd(send: (message: BridgeMessage) => void): BridgeEnd {
  let lastId = 100;
  const functions = new Map<number, (...args: unknown[]) => unknown>();
  const promises = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>();
  const results = new Map<number, BridgeMessage>();
  let lastCall = 0;

  function encode(root: unknown): BridgeWire {
    const seen = new Map<object, number>();
    function put(value: unknown, depth: number): BridgeWire {
      if (depth > 1000) {
        throw new TypeError(
          'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
        );
      }
      if (typeof value === 'function') {
        const id = ++lastId;
        functions.set(id, value as (...args: unknown[]) => unknown);
        return { kind: 'function', id };
      }
      if (typeof value === 'symbol') throw new Error('An object could not be cloned.');
      if (typeof value !== 'object' || value === null) return { kind: 'value', value };
      const known = seen.get(value);
      if (known !== undefined) return { kind: 'known', id: known };
      if (value instanceof Promise) {
        const id = ++lastId;
        value.then(
          (kept: unknown) => send({ type: 'settle', id, isKept: true, value: encode(kept) }),
          (reason: unknown) => send({ type: 'settle', id, isKept: false, value: encode(reason) }),
        );
        return { kind: 'promise', id };
      }
      if (value instanceof Error) return { kind: 'error', message: value.message };
      seen.set(value, seen.size);
      if (Array.isArray(value)) {
        return { kind: 'array', items: Array.from(value, (item) => put(item, depth + 1)) };
      }
      if (Object.prototype.toString.call(value) === '[object Object]') {
        return {
          kind: 'object',
          entries: Object.keys(value).map((key) => [
            key,
            put((value as Record<string, unknown>)[key], depth + 1),
          ]),
        };
      }
      try {
        return { kind: 'value', value: structuredClone(value) };
      } catch {
        throw new Error('An object could not be cloned.');
      }
    }
    return put(root, 0);
  }

  function decode(root: BridgeWire): unknown {
    const made: unknown[] = [];
    function take(wire: BridgeWire): unknown {
      switch (wire.kind) {
        case 'value':
          // objects are numbered in the order in which both ends encounter them
          if (typeof wire.value === 'object' && wire.value !== null) made.push(wire.value);
          return wire.value;
        case 'known':
          return made[wire.id];
        case 'error':
          return new Error(wire.message);
        case 'function': {
          const { id } = wire;
          return (...args: unknown[]) => call(id, args);
        }
        case 'promise': {
          const { id } = wire;
          return new Promise((resolve, reject) => promises.set(id, { resolve, reject }));
        }
        case 'array': {
          const list: unknown[] = [];
          made.push(list);
          for (const item of wire.items) list.push(take(item));
          return list;
        }
        case 'object':
        default: {
          const object: Record<string, unknown> = {};
          made.push(object);
          for (const [key, item] of wire.entries) object[key] = take(item);
          return object;
        }
      }
    }
    return take(root);
  }

  function call(id: number, args: unknown[]): unknown {
    const number = ++lastCall;
    send({ type: 'call', call: number, id, args: args.map((arg) => encode(arg)) });
    const result = results.get(number);
    results.delete(number);
    if (result?.type === 'thrown') throw new Error(result.message);
    return result?.type === 'result' ? decode(result.value) : undefined;
  }

  function answer(number: number, id: number, args: BridgeWire[]): void {
    try {
      const callee = functions.get(id);
      if (!callee) throw new Error('the function behind the bridge is gone');
      send({ type: 'result', call: number, value: encode(callee(...args.map((arg) => decode(arg)))) });
    } catch (error) {
      const message =
        error instanceof Error
          ? error.message
          : 'An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.';
      send({ type: 'thrown', call: number, message });
    }
  }

  return {
    encode,
    decode,
    call,
    offer: (id, callee) => void functions.set(id, callee as (...args: unknown[]) => unknown),
    receive(message) {
      if (message.type === 'call') answer(message.call, message.id, message.args);
      else if (message.type === 'result' || message.type === 'thrown') results.set(message.call, message);
      else if (message.type === 'settle') {
        const promise = promises.get(message.id);
        promises.delete(message.id);
        const value = decode(message.value);
        if (message.isKept) promise?.resolve(value);
        else promise?.reject(value);
      }
    },
  };
}
