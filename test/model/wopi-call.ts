// Sends a request of the model as an editor does, and returns the host's answer as the model reads it.

import assert from 'node:assert/strict';
import type { TestHost } from '../server/test-host.ts';
import { bodyOf, contentOf } from './contents.ts';
import type { Answer, Request } from './model-state.ts';

export interface Sending {
  test: TestHost;
  fileId: string;
  token: string;
  /** The name that a RenameFile or PutRelativeFile requests. */
  name: string;
  /** Whether to send an empty X-WOPI-Lock or none; both mean the same. */
  sendsEmptyLock: boolean;
}

export async function callHost(request: Request, sending: Sending): Promise<Answer> {
  const { test, fileId, token, name } = sending;
  const call = { fileId, token };
  const { kind, lock } = request;
  const lockHeader: Record<string, string> =
    lock === '' && !sending.sendsEmptyLock ? {} : { 'X-WOPI-Lock': lock };
  const post = (override: string, headers: Record<string, string> = {}, body?: Buffer) =>
    test.wopi({
      ...call,
      method: 'POST',
      override,
      contents: kind === 'put',
      headers: { ...lockHeader, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const send = () => {
    switch (kind) {
      case 'check-file-info':
        return test.wopi({ ...call, method: 'GET' });
      case 'get-file':
        return test.wopi({ ...call, method: 'GET', contents: true });
      case 'get-lock':
        return post('GET_LOCK');
      case 'lock':
        return post('LOCK');
      case 'refresh-lock':
        return post('REFRESH_LOCK');
      case 'relock':
        return post('LOCK', { 'X-WOPI-OldLock': request.oldLock });
      case 'unlock':
        return post('UNLOCK');
      case 'delete':
        return post('DELETE');
      case 'rename':
        return post('RENAME_FILE', { 'X-WOPI-RequestedName': name });
      case 'put': {
        const old = { 'X-COOL-WOPI-Timestamp': '2001-02-03T04:05:06.0000000Z' };
        return post('PUT', request.oldTimestamp ? old : {}, bodyOf(request.content));
      }
      case 'put-relative': {
        const body = bodyOf(request.content);
        const size = request.wrongSize ? body.length + 1 : body.length;
        const target =
          request.over === undefined
            ? { 'X-WOPI-SuggestedTarget': name }
            : {
                'X-WOPI-RelativeTarget': name,
                'X-WOPI-OverwriteRelativeTarget': request.over.overwrite ? 'True' : 'false',
              };
        return post('PUT_RELATIVE', { ...target, 'X-WOPI-Size': String(size) }, body);
      }
    }
  };
  const { status, headers, body } = await send();
  const answer: Answer = {
    status,
    lock: headers.get('x-wopi-lock') ?? undefined,
    version: headers.get('x-wopi-itemversion') ?? undefined,
    facts: {},
  };
  assert.equal(headers.get('content-length'), String(body.length), 'the exact Content-Length');
  if (status !== 200) {
    if (kind === 'put' && request.oldTimestamp && status === 409 && body.length > 0) {
      assert.deepEqual(JSON.parse(body.toString()), { COOLStatusCode: 1010, LOOLStatusCode: 1010 });
    }
    return answer;
  }
  if (kind === 'get-file') return { ...answer, facts: { content: contentOf(body) } };
  if (kind === 'check-file-info') {
    const info = JSON.parse(body.toString());
    assert.equal(info.ReadOnly, !info.UserCanWrite);
    const facts = { empty: info.Size === 0, name: info.BaseFileName, canWrite: info.UserCanWrite };
    return { ...answer, version: info.Version, facts };
  }
  if (kind === 'put')
    assert.match(JSON.parse(body.toString()).LastModifiedTime, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{7}Z$/);
  if (kind === 'rename') return { ...answer, name: `${JSON.parse(body.toString()).Name}.docx` };
  if (kind === 'put-relative') assert.match(JSON.parse(body.toString()).Name, /\.docx$/);
  return answer;
}
