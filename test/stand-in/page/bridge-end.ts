// One end of the context bridge between the page's world and the preload's. Data is copied, functions and promises are
// proxied, calls return at once (a DOM event crosses the worlds synchronously). Runs in pages as its own source text.

export type BridgeWire =
  | { kind: 'value'; value: unknown }
  | { kind: 'function' | 'promise'; id: number }
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
  type Callee = (...args: unknown[]) => unknown;
  let lastId = 100;
  let lastCall = 0;
  const functions = new Map<number, Callee>();
  const promises = new Map<number, { resolve: Callee; reject: Callee }>();
  const results = new Map<number, BridgeMessage>();

  function encode(value: unknown, depth = 0): BridgeWire {
    if (depth > 1000) throw new TypeError('Electron contextBridge recursion depth exceeded.');
    if (typeof value === 'function') {
      lastId += 1;
      functions.set(lastId, value as Callee);
      return { kind: 'function', id: lastId };
    }
    if (typeof value === 'symbol') throw new Error('An object could not be cloned.');
    if (typeof value !== 'object' || value === null) return { kind: 'value', value };
    if (value instanceof Promise) {
      lastId += 1;
      const id = lastId;
      value.then(
        (kept: unknown) => send({ type: 'settle', id, isKept: true, value: encode(kept) }),
        (reason: unknown) => send({ type: 'settle', id, isKept: false, value: encode(reason) }),
      );
      return { kind: 'promise', id };
    }
    if (value instanceof Error) return { kind: 'error', message: value.message };
    if (Array.isArray(value))
      return { kind: 'array', items: Array.from(value, (item) => encode(item, depth + 1)) };
    if (Object.prototype.toString.call(value) === '[object Object]') {
      const entries = Object.entries(value);
      return { kind: 'object', entries: entries.map(([key, item]) => [key, encode(item, depth + 1)]) };
    }
    try {
      return { kind: 'value', value: structuredClone(value) };
    } catch {
      throw new Error('An object could not be cloned.');
    }
  }

  function decode(wire: BridgeWire): unknown {
    switch (wire.kind) {
      case 'value':
        return wire.value;
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
      case 'array':
        return wire.items.map(decode);
      case 'object':
      default: {
        const object: Record<string, unknown> = {};
        for (const [key, item] of wire.entries) object[key] = decode(item);
        return object;
      }
    }
  }

  function call(id: number, args: unknown[]): unknown {
    lastCall += 1;
    const number = lastCall;
    send({ type: 'call', call: number, id, args: args.map((arg) => encode(arg)) });
    const result = results.get(number);
    results.delete(number);
    if (result?.type === 'thrown') throw new Error(result.message);
    return result?.type === 'result' ? decode(result.value) : undefined;
  }

  function answer(number: number, id: number, args: BridgeWire[]): void {
    try {
      send({ type: 'result', call: number, value: encode(functions.get(id)?.(...args.map(decode))) });
    } catch (error) {
      send({ type: 'thrown', call: number, message: error instanceof Error ? error.message : String(error) });
    }
  }

  return {
    encode: (value) => encode(value),
    decode,
    call,
    offer: (id, callee) => void functions.set(id, callee as Callee),
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
