// `net`: requests of the main process. Electron sends them through Chromium; here they are Node.js's.

import { EventEmitter } from 'node:events';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { checkOptions, strict } from '../strict.ts';

interface NetRequestOptions extends RequestOptions {
  session?: unknown;
  redirect?: string;
}

/** The part of Electron's `ClientRequest` that electron-updater uses. */
class ClientRequest extends EventEmitter {
  readonly #request;

  constructor(options: NetRequestOptions) {
    super();
    checkOptions('net.request', options, 'protocol hostname port path method headers redirect session');
    const { session: _session, redirect: _redirect, ...rest } = options;
    this.#request = (options.protocol === 'https:' ? requestHttps : requestHttp)(rest);
    this.#request.on('response', (response: IncomingMessage) => this.emit('response', response));
    this.#request.on('error', (error) => this.emit('error', error));
  }
  end(data?: string): void {
    this.#request.end(data);
  }
}

export const net = strict(
  {
    fetch: (url: string, init?: RequestInit) => fetch(url, init),
    request: (options: NetRequestOptions) => new ClientRequest(options),
  },
  'net',
);
