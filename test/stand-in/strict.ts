// Strictness: what the stand-in doesn't have throws instead of returning undefined, so that no test passes because nothing happened. This
// covers members, options of calls and constructors, and events that are never emitted.

import { EventEmitter } from 'node:events';

/** Some members of one of Electron's classes, with its types. */
export type Some<Original> = Partial<Omit<Original, keyof EventEmitter>>;

/** Names that Node, V8's inspector, promises and Playwright probe on any object. */
const probed =
  'then toJSON inspect nodeType tagName $$typeof domain asymmetricMatch prototype window self _reactFragment'.split(
    ' ',
  );

export function missing(what: string): Error {
  return new Error(`stand-in has no ${what}; write it in test/stand-in or do without`);
}

/** The same object, but reading a member that it doesn't have throws. A test can still set members. */
export function strict<Target extends object>(target: Target, owner: string): Target {
  return new Proxy(target, {
    get(object, member, receiver): unknown {
      if (typeof member === 'symbol' || member in object || probed.includes(member)) {
        return Reflect.get(object, member, receiver);
      }
      throw missing(`${owner}.${member}`);
    },
  });
}

/** Throws for a key of `given` that isn't in `known`, a list of words. */
export function checkOptions(owner: string, given: object | undefined | null, known: string): void {
  const names = known.split(' ');
  for (const key of Object.keys(given ?? {}))
    if (!names.includes(key)) throw missing(`option ${key} for ${owner}`);
}

const slot = Symbol('stand-in emitter');

interface Slot {
  owner: string;
  /** Undefined allows every event. */
  events: readonly string[] | undefined;
}

/**
 * An EventEmitter whose instances are strict. The constructor returns the proxy to the subclass, so its `#private` fields are on the
 * proxy, where its methods find them.
 */
export class StrictEmitter extends EventEmitter {
  declare [slot]: Slot;

  /** @param events a list of words; undefined allows every event */
  constructor(owner: string, events: string | undefined) {
    super();
    this.setMaxListeners(0);
    Object.defineProperty(this, slot, { value: { owner, events: events?.split(' ') } });
    return strict(this, owner);
  }

  override on(event: string | symbol, listener: (...args: never[]) => void): this {
    const { owner, events } = this[slot];
    const isInternal = typeof event === 'symbol' || event === 'newListener' || event === 'removeListener';
    if (!isInternal && events?.includes(event) === false)
      throw new Error(`stand-in never emits ${owner} '${event}'; write it in test/stand-in or do without`);
    return super.on(event, listener as (...args: unknown[]) => void);
  }
}

/** Electron's event: a listener may veto what follows with preventDefault(). */
export interface CancelableEvent {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

export function createEvent<Details extends object>(details?: Details): CancelableEvent & Details {
  let isPrevented = false;
  const event = {
    get defaultPrevented(): boolean {
      return isPrevented;
    },
    preventDefault(): void {
      isPrevented = true;
    },
  };
  return Object.defineProperties(event, Object.getOwnPropertyDescriptors(details ?? {})) as CancelableEvent &
    Details;
}
