// `session.cookies` of an app that keeps none: reading answers empty, setting is refused in words.

import type { Cookies } from 'electron';

import { StrictEmitter, missing } from './strict.ts';

export function createCookies(): Cookies {
  class StandInCookies
    extends StrictEmitter
    implements Pick<Cookies, 'get' | 'set' | 'remove' | 'flushStore'>
  {
    constructor() {
      super('session.cookies', ['changed']);
    }
    get(): Promise<Electron.Cookie[]> {
      return Promise.resolve([]);
    }
    set(): Promise<void> {
      return Promise.reject(missing('session.cookies', 'set'));
    }
    remove(): Promise<void> {
      return Promise.resolve();
    }
    flushStore(): Promise<void> {
      return Promise.resolve();
    }
  }
  return new StandInCookies();
}
