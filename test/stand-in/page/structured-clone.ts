// The structured clone of Electron's IPC, as text. This function runs in the main process and, as source text, in every page, so it must
// not use anything outside of it.

export interface Codec {
  /** @throws Error 'An object could not be cloned.', like Electron's serializer. */
  encode(value: unknown): string;
  decode(text: string): unknown;
}

export function createCodec(): Codec {
  type Wire = string | number | boolean | null | Wire[];
  const fail = (): never => {
    throw new Error('An object could not be cloned.');
  };
  const typedArrays: Record<string, new (buffer: ArrayBuffer) => ArrayBufferView> = {
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
    DataView,
  };
  const errors: Record<string, new (message: string) => Error> = {
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  };

  function toBase64(bytes: Uint8Array): string {
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192) {
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    }
    return btoa(text);
  }

  function fromBase64(text: string): ArrayBuffer {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes.buffer;
  }

  function encode(value: unknown): string {
    let copy: unknown;
    try {
      copy = structuredClone(value);
    } catch {
      return fail();
    }
    const nodes: Wire[][] = [];
    const seen = new Map<object, number>();

    function put(item: unknown): Wire {
      switch (typeof item) {
        case 'string':
        case 'boolean':
          return item;
        case 'undefined':
          return ['u'];
        case 'bigint':
          return ['b', String(item)];
        case 'number':
          return Number.isFinite(item) && !Object.is(item, -0)
            ? item
            : ['n', Object.is(item, -0) ? '-0' : String(item)];
        case 'object':
          return item === null ? null : [putObject(item)];
        case 'symbol':
        case 'function':
        default:
          return fail();
      }
    }

    function putObject(item: object): number {
      const known = seen.get(item);
      if (known !== undefined) return known;
      const index = nodes.length;
      seen.set(item, index);
      const node: Wire[] = [];
      nodes.push(node);
      const tag = Object.prototype.toString.call(item).slice(8, -1);
      if (Array.isArray(item)) {
        node.push('a', item.length);
        for (let at = 0; at < item.length; at++) node.push(at in item ? put(item[at]) : ['h']);
      } else if (item instanceof Date) {
        node.push('d', Number.isNaN(item.getTime()) ? null : item.getTime());
      } else if (item instanceof RegExp) {
        node.push('r', item.source, item.flags);
      } else if (item instanceof Map) {
        node.push('m');
        for (const [key, entry] of item) node.push(put(key), put(entry));
      } else if (item instanceof Set) {
        node.push('s');
        for (const entry of item) node.push(put(entry));
      } else if (item instanceof Error) {
        node.push('e', item.name, item.message, item.stack ?? '', put(item.cause));
      } else if (item instanceof ArrayBuffer) {
        node.push('B', toBase64(new Uint8Array(item)));
      } else if (ArrayBuffer.isView(item)) {
        const isWhole = item.byteOffset === 0 && item.byteLength === item.buffer.byteLength;
        const bytes = new Uint8Array(item.buffer, item.byteOffset, item.byteLength);
        const name = item.constructor.name;
        if (!(name in typedArrays)) fail();
        node.push('v', name, putObject(isWhole ? item.buffer : bytes.slice().buffer));
      } else if (['Boolean', 'Number', 'String'].includes(tag)) {
        node.push('p', put(item.valueOf()));
      } else if (
        tag === 'Object' &&
        [Object.prototype, null].includes(Object.getPrototypeOf(item) as object | null)
      ) {
        node.push('o');
        for (const key of Object.keys(item)) node.push(key, put((item as Record<string, unknown>)[key]));
      } else fail();
      return index;
    }

    const root = put(copy);
    return JSON.stringify([root, nodes]);
  }

  function decode(text: string): unknown {
    const [root, nodes] = JSON.parse(text) as [Wire, Wire[][]];
    const made = new Map<number, unknown>();

    function take(item: Wire): unknown {
      if (!Array.isArray(item)) return item;
      const [kind, text] = item;
      if (typeof kind === 'number') return takeObject(kind);
      if (kind === 'u') return undefined;
      if (kind === 'b') return BigInt(text as string);
      return Number(text);
    }

    function takeObject(index: number): unknown {
      if (made.has(index)) return made.get(index);
      const [kind, ...rest] = nodes[index] as [string, ...Wire[]];
      const keep = <Made>(value: Made): Made => {
        made.set(index, value);
        return value;
      };
      switch (kind) {
        case 'a': {
          const list = keep(Array.from<unknown>({ length: 0 }));
          const [length, ...items] = rest;
          list.length = length as number;
          items.forEach((item, at) => {
            if (!(Array.isArray(item) && item[0] === 'h')) list[at] = take(item);
          });
          return list;
        }
        case 'd':
          return keep(new Date(rest[0] === null ? Number.NaN : (rest[0] as number)));
        case 'r':
          return keep(new RegExp(rest[0] as string, rest[1] as string));
        case 'm': {
          const map = keep(new Map<unknown, unknown>());
          for (let at = 0; at < rest.length; at += 2) map.set(take(rest[at]!), take(rest[at + 1]!));
          return map;
        }
        case 's': {
          const set = keep(new Set<unknown>());
          for (const item of rest) set.add(take(item));
          return set;
        }
        case 'e': {
          const [name, message, stack, cause] = rest as [string, string, string, Wire];
          const error = keep(new (errors[name] ?? Error)(message));
          Object.defineProperty(error, 'stack', { value: stack, configurable: true, writable: true });
          const reason = take(cause);
          if (reason !== undefined)
            Object.defineProperty(error, 'cause', { value: reason, configurable: true, writable: true });
          return error;
        }
        case 'B':
          return keep(fromBase64(rest[0] as string));
        case 'v':
          return keep(new typedArrays[rest[0] as string]!(takeObject(rest[1] as number) as ArrayBuffer));
        case 'p':
          return keep(Object(take(rest[0]!)));
        default: {
          const object = keep<Record<string, unknown>>({});
          for (let at = 0; at < rest.length; at += 2) {
            Object.defineProperty(object, rest[at] as string, {
              value: take(rest[at + 1]!),
              configurable: true,
              enumerable: true,
              writable: true,
            });
          }
          return object;
        }
      }
    }

    return take(root);
  }

  return { encode, decode };
}
