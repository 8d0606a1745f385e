// Requests from this host and from others. A request "from another host" connects from the address of a network interface to
// the loopback address, so its source is neither loopback nor its destination.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buffer } from 'node:stream/consumers';

/** An IPv4 address of this host that isn't loopback. */
export function networkAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const found = all.find(({ address, internal }) => !internal && isIPv4(address));
  if (found === undefined) throw new Error('These tests need a network interface with an IPv4 address.');
  return found.address;
}

export interface AskOptions {
  port: number;
  path?: string;
  method?: string;
  /** Destination address. Defaults to 127.0.0.1. */
  to?: string;
  /** Source address. */
  from?: string;
  /** Host header. Defaults to `to` and the port. */
  host?: string;
  headers?: Record<string, string>;
  body?: Buffer | string | undefined;
  /** Trusted certificate as PEM. If given, the request uses HTTPS. */
  ca?: string;
  /** The name that the certificate must be valid for. */
  servername?: string;
}

export interface Answer<Body = string> {
  status: number;
  headers: IncomingMessage['headers'];
  body: Body;
}

export async function ask(options: AskOptions): Promise<Answer> {
  const answer = await askForBytes(options);
  return { ...answer, body: answer.body.toString() };
}

export function askForBytes(options: AskOptions): Promise<Answer<Buffer>> {
  const { port, path = '/closed', method = 'GET', to = '127.0.0.1', from, host, ca, servername } = options;
  const request = ca === undefined ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: to,
        port,
        path,
        method,
        agent: false,
        headers: { ...(host !== undefined && { Host: host }), ...options.headers },
        ...(from !== undefined && { localAddress: from }),
        ...(ca !== undefined && { ca, servername: servername ?? '' }),
      },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        buffer(response).then((body) => resolve({ status, headers, body }), reject);
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });
}
