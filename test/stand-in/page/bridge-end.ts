// One end of the context bridge between the page's world and the preload's. Data is copied, functions and promises are
// proxied, calls return at once (a DOM event crosses the worlds synchronously). Runs in pages as its own source text.

export type BridgeWire = { kind: 'value'; value: unknown } | { kind: 'function' | 'promise'; id: number };

export type BridgeMessage =
  | { type: 'call'; call: number; id: number; args: BridgeWire[] }
  | { type: 'result'; call: number; value: BridgeWire }
  | { type: 'thrown'; call: number; message: string }
  | { type: 'settle'; id: number; isKept: boolean; value: BridgeWire }
  | { type: 'expose'; key: string; members: [name: string, wire: BridgeWire][] }
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

  function encode(value: unknown): BridgeWire {
    lastId += 1;
    const id = lastId;
    if (typeof value === 'function') {
      functions.set(id, value as Callee);
      return { kind: 'function', id };
    }
    if (value instanceof Promise) {
      value.then(
        (kept: unknown) => send({ type: 'settle', id, isKept: true, value: encode(kept) }),
        (reason: unknown) => send({ type: 'settle', id, isKept: false, value: encode(reason) }),
      );
      return { kind: 'promise', id };
    }
    try {
      return { kind: 'value', value: structuredClone(value) };
    } catch {
      throw new Error('An object could not be cloned.');
    }
  }

  function decode(wire: BridgeWire): unknown {
    if (wire.kind === 'value') return wire.value;
    const { id } = wire;
    if (wire.kind === 'function') return (...args: unknown[]) => call(id, args);
    return new Promise((resolve, reject) => promises.set(id, { resolve, reject }));
  }

  function call(id: number, args: unknown[]): unknown {
    lastCall += 1;
    const number = lastCall;
    send({ type: 'call', call: number, id, args: args.map(encode) });
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
    encode,
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
