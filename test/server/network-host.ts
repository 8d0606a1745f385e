// Requests as they come from this machine and from others. On one machine "another" is a connection from the address of an
// interface to the loopback address: it comes neither from loopback nor from the address it goes to.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** An IPv4 address of this machine that is not loopback. */
export function networkAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const found = all.find(({ address, internal }) => !internal && isIPv4(address));
  if (found === undefined) throw new Error('These tests need a network interface with an IPv4 address.');
  return found.address;
}

export interface Asked {
  port: number;
  path?: string;
  method?: string;
  /** Where it connects to; 127.0.0.1 unless told. */
  to?: string;
  /** Where it comes from. */
  from?: string;
  /** The Host header; `to` and port unless told. */
  host?: string;
  headers?: Record<string, string>;
  body?: string;
  /** PEM of what is trusted: then it asks by HTTPS. */
  ca?: string;
  /** The name that the certificate must be for. */
  servername?: string;
}

export interface Answered {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

export function ask(asked: Asked): Promise<Answered> {
  const { port, path = '/closed', method = 'GET', to = '127.0.0.1', from, host, ca, servername } = asked;
  const request = ca === undefined ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: to,
        port,
        path,
        method,
        agent: false,
        headers: { ...(host !== undefined && { Host: host }), ...asked.headers },
        ...(from !== undefined && { localAddress: from }),
        ...(ca !== undefined && { ca, servername: servername ?? '' }),
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(asked.body);
  });
}
