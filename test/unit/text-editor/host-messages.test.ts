import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHostMessage } from '../../../renderer/text-editor/host-messages.ts';

const message = (MessageId: string, Values = {}): string =>
  JSON.stringify({ MessageId, SendTime: 1, Values });

test('reads the messages of the host page', () => {
  assert.deepEqual(readHostMessage(message('Action_Save', { DontSaveIfUnmodified: false, Notify: true })), {
    kind: 'save',
    wantsAnswer: true,
  });
  const saveAs = readHostMessage(message('Action_SaveAs', { Filename: ' a.txt ' }));
  assert.deepEqual(saveAs, { kind: 'save-as', name: 'a.txt' });
  assert.deepEqual(readHostMessage(message('Reset_Access_Token', { token: 'abc', ttl: 1 })), {
    kind: 'token',
    token: 'abc',
    expiresAtMs: 1,
  });
  assert.deepEqual(readHostMessage(message('Action_Close')), { kind: 'close' });
  assert.deepEqual(readHostMessage(message('Action_Edit')), { kind: 'edit' });
  assert.deepEqual(readHostMessage(message('Grab_Focus')), { kind: 'focus' });
});

test('ignores everything else', () => {
  const values = [undefined, null, 7, {}, { MessageId: 'Action_Save' }];
  const texts = ['', 'null', '"text"', '{', '{"MessageId":7}'];
  const names = ['Host_PostmessageReady', 'constructor', '__proto__'];
  for (const data of [
    ...values,
    ...texts,
    ...names.map((name) => message(name)),
    message('Reset_Access_Token', { token: '' }),
    message('Reset_Access_Token', { token: { a: 1 } }),
    message('Action_SaveAs', { Filename: ' ' }),
    message('Action_Save', { text: 'x'.repeat(200_000) }),
  ]) {
    assert.equal(readHostMessage(data), undefined, JSON.stringify(data)?.slice(0, 50));
  }
});
