// A client that sends its complete body before it reads must still get the error answer, not a connection reset.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startTestHost } from './test-host.ts';

const bodyBytes = 30_000_000;

/** Sends the head and a body of 30 MB, and reads only after both were written to the socket. */
function sendAll(baseUrl: string, head: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('error', reject);
    socket.on('data', (bytes) => (received += bytes.toString('latin1')));
    socket.on('end', () => resolve(received));
    socket.pause();
    socket.write(
      `${head}\r\nHost: ${hostname}:${port}\r\nContent-Length: ${bodyBytes}\r\nConnection: close\r\n\r\n`,
    );
    socket.write(Buffer.alloc(bodyBytes, 'x'), () => socket.resume());
  });
}

test('a client that sends a large unread body receives the answer, even on a connection that closes after it', async (t) => {
  const host = await startTestHost({ files: { 'a.txt': 'as it was' } }, t);
  const { fileId, token } = await host.document('a.txt');
  const document = `/wopi/files/${fileId}`;
  const query = `?access_token=${token}`;
  const calls: [head: string, status: string][] = [
    [`POST ${document}${query} HTTP/1.1\r\nX-WOPI-Override: RENAME_FILE\r\nX-WOPI-RequestedName: b`, '200'],
    [`POST ${document}?access_token=nobody HTTP/1.1\r\nX-WOPI-Override: LOCK`, '401'],
    [`POST ${document}/contents?access_token=nobody HTTP/1.1\r\nX-WOPI-Override: PUT`, '401'],
    [`POST /wopi/files/nothing HTTP/1.1\r\nX-WOPI-Override: LOCK`, '404'],
    [`POST /api/2.0/nothing HTTP/1.1`, '404'],
    [`PUT ${document}${query} HTTP/1.1`, '501'],
  ];
  for (let round = 0; round < 3; round += 1) {
    for (const [head, status] of calls) {
      const received = await sendAll(host.baseUrl, head);
      assert.equal(received.slice(9, 12), status, `round ${round}: ${head}`);
    }
  }
});
