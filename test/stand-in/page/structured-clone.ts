// The structured clone of Electron's IPC, as text, for the kinds of values that the app and attacks on it send. This function runs in the
// main process and, as source text, in every page, so it must not use anything outside of it.

export interface Codec {
  /** @throws Error 'An object could not be cloned.', like Electron's serializer. */
  encode(value: unknown): string;
  decode(text: string): unknown;
}

/** A word for the kind, and what it takes to make the value again. */
export type Wire =
  | string
  | number
  | boolean
  | null
  | ['undefined']
  | ['number', string]
  | ['date', number]
  | ['bytes', number[]]
  | ['array', Wire[]]
  | ['map', [Wire, Wire][]]
  | ['object', [string, Wire][]];

export function createCodec(): Codec {
  const fail = (): never => {
    throw new Error('An object could not be cloned.');
  };

  function put(item: unknown, depth: number): Wire {
    if (depth > 100) fail();
    switch (typeof item) {
      case 'string':
      case 'boolean':
        return item;
      case 'undefined':
        return ['undefined'];
      case 'number':
        return Number.isFinite(item) ? item : ['number', String(item)];
      case 'object':
        return item === null ? null : putObject(item, depth + 1);
      default:
        return fail();
    }
  }

  function putObject(item: object, depth: number): Wire {
    if (Array.isArray(item)) return ['array', item.map((each) => put(each, depth))];
    if (item instanceof Date) return ['date', item.getTime()];
    if (ArrayBuffer.isView(item))
      return ['bytes', [...new Uint8Array(item.buffer, item.byteOffset, item.byteLength)]];
    if (item instanceof Map)
      return ['map', [...item].map(([key, value]) => [put(key, depth), put(value, depth)])];
    if (Object.prototype.toString.call(item) !== '[object Object]') fail();
    return ['object', Object.entries(item).map(([key, value]) => [key, put(value, depth)])];
  }

  function take(item: Wire): unknown {
    if (!Array.isArray(item)) return item;
    switch (item[0]) {
      case 'undefined':
        return undefined;
      case 'number':
        return Number(item[1]);
      case 'date':
        return new Date(item[1]);
      case 'bytes':
        return new Uint8Array(item[1]);
      case 'array':
        return item[1].map(take);
      case 'map':
        return new Map(item[1].map(([key, value]) => [take(key), take(value)]));
      case 'object':
      default: {
        const object: Record<string, unknown> = {};
        for (const [key, value] of item[1]) {
          const descriptor = { value: take(value), configurable: true, enumerable: true, writable: true };
          Object.defineProperty(object, key, descriptor);
        }
        return object;
      }
    }
  }

  return {
    encode(value) {
      let copy: unknown;
      try {
        copy = structuredClone(value);
      } catch {
        fail();
      }
      return JSON.stringify(put(copy, 0));
    },
    decode: (text) => take(JSON.parse(text) as Wire),
  };
}
