// Strictness: what the stand-in doesn't have throws instead of returning undefined, so that no test passes because nothing happened. This
// covers members, options of calls and constructors, and events that are never emitted.

import { EventEmitter } from 'node:events';

/** Names that Node, V8's inspector, promises and Playwright probe on any object. */
const probed = new Set([
  'then',
  'toJSON',
  'inspect',
  'nodeType',
  'tagName',
  '$$typeof',
  'domain',
  'asymmetricMatch',
  'prototype',
  'window',
  'self',
  '_reactFragment',
]);

export function missing(owner: string, member: string): Error {
  return new Error(`stand-in has no ${owner}.${member}; write it in test/stand-in or do without`);
}

/** The same object, but reading a member that it doesn't have throws. A test can still set members. */
export function strict<Target extends object>(target: Target, owner: string): Target {
  return new Proxy(target, {
    get(object, member, receiver): unknown {
      if (typeof member === 'symbol' || member in object || probed.has(member)) {
        return Reflect.get(object, member, receiver);
      }
      throw missing(owner, member);
    },
  });
}

/** Throws for a key of `given` that isn't in `known`. */
export function checkOptions(
  owner: string,
  given: object | undefined | null,
  known: readonly string[],
): void {
  for (const key of Object.keys(given ?? {})) {
    if (!known.includes(key)) {
      throw new Error(`stand-in has no option ${key} for ${owner}; write it in test/stand-in or do without`);
    }
  }
}

const slot = Symbol('stand-in emitter');

interface Slot {
  owner: string;
  events: readonly string[];
}

/**
 * An EventEmitter whose instances are strict. The constructor returns the proxy to the subclass, so its `#private` fields are on the
 * proxy, where its methods find them.
 */
export class StrictEmitter extends EventEmitter {
  declare [slot]: Slot;

  constructor(owner: string, events: readonly string[]) {
    super();
    this.setMaxListeners(0);
    Object.defineProperty(this, slot, { value: { owner, events } });
    return strict(this, owner);
  }

  override on(event: string | symbol, listener: (...args: never[]) => void): this {
    this.checkEvent(event);
    return super.on(event, listener as (...args: unknown[]) => void);
  }

  override addListener(event: string | symbol, listener: (...args: never[]) => void): this {
    return this.on(event, listener);
  }

  override prependListener(event: string | symbol, listener: (...args: never[]) => void): this {
    this.checkEvent(event);
    return super.prependListener(event, listener as (...args: unknown[]) => void);
  }

  private checkEvent(event: string | symbol): void {
    const { owner, events } = this[slot];
    if (
      typeof event === 'string' &&
      event !== 'newListener' &&
      event !== 'removeListener' &&
      !events.includes(event)
    ) {
      throw new Error(`stand-in never emits ${owner} '${event}'; write it in test/stand-in or do without`);
    }
  }
}
