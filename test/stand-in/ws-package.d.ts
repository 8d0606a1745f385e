// The package `ws` has no declarations, so this declares what the stand-in uses.

declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage } from 'node:http';

  export class WebSocket extends EventEmitter {
    send(data: string): void;
    close(): void;
    on(event: 'message', listener: (data: Buffer) => void): this;
    on(event: 'close', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
  }

  export class WebSocketServer extends EventEmitter {
    constructor(options: {
      host: string;
      port: number;
      path: string;
      maxPayload: number;
      perMessageDeflate: boolean;
      verifyClient: (info: { origin: string | undefined; req: IncomingMessage }) => boolean;
    });
    address(): { port: number };
    close(): void;
    on(event: 'listening', listener: () => void): this;
    on(event: 'connection', listener: (socket: WebSocket) => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
  }
}
