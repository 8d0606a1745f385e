import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageText, readMessage, sessionInfo, speaksCollabora } from '../../renderer/host-page/messages.ts';

const said = (MessageId: string, Values?: unknown) => readMessage(JSON.stringify({ MessageId, Values }));

describe('messages from the editor’s frame', () => {
  it('can be strings or objects', () => {
    assert.deepEqual(said('UI_Close', { EverModified: true }), { kind: 'close' });
    assert.deepEqual(readMessage({ MessageId: 'UI_Close', Values: {} }), { kind: 'close' });
    assert.deepEqual(readMessage({ MessageId: 'UI_Close' }), { kind: 'close' });
  });

  it('report loading stages as Collabora and as Microsoft do', () => {
    const stages = ['Initialized', 'Frame_Ready', 'Document_Loaded', 'Failed'].map((Status) =>
      said('App_LoadingStatus', { Status }),
    );
    assert.deepEqual(
      stages,
      ['started', 'frame-ready', 'loaded', 'failed'].map((stage) => ({ kind: 'loading', stage })),
    );
    assert.deepEqual(said('App_LoadingStatus', { DocumentLoadedTime: 12 }), {
      kind: 'loading',
      stage: 'loaded',
    });
  });

  it('follow Collabora’s protocol in the text editor, too', () => {
    const kinds = ['collabora', 'text-editor', 'onlyoffice', 'office-online', 'other', undefined] as const;
    assert.deepEqual(kinds.map(speaksCollabora), [true, true, false, false, false, false]);
  });

  it('ask for sharing with UI_Sharing or UI_Share', () => {
    assert.deepEqual([said('UI_Sharing'), said('UI_Share')], [{ kind: 'share' }, { kind: 'share' }]);
  });

  it('report a failed save only with an error, not for an unmodified or empty response', () => {
    const answer = {
      kind: 'save-answered',
      hasFailed: false,
      isUnmodified: false,
      fileName: null,
      isExport: false,
      text: null,
    };
    assert.deepEqual(said('Action_Save_Resp', { success: true }), answer);
    assert.deepEqual(said('Action_Save_Resp', {}), answer);
    for (const success of [true, false])
      assert.deepEqual(said('Action_Save_Resp', { success, result: 'unmodified' }), {
        ...answer,
        isUnmodified: true,
      });
    assert.deepEqual(said('Action_Save_Resp', { success: false, errorMsg: ' disk full ' }), {
      ...answer,
      hasFailed: true,
      text: 'disk full',
    });
    assert.deepEqual(said('Action_Save_Resp', { success: true, fileName: 'a.pdf', result: 'exportas' }), {
      ...answer,
      fileName: 'a.pdf',
      isExport: true,
    });
  });

  it('report only failed loads, since success is sent before anything is loaded', () => {
    assert.equal(said('Action_Load_Resp', { success: true }), undefined);
    assert.equal(said('Action_Load_Resp', {}), undefined);
    assert.deepEqual(said('Action_Load_Resp', { success: false, errorMsg: 'no' }), {
      kind: 'load-failed',
      text: 'no',
      isTriedAgain: false,
    });
  });

  it('count as a change when Doc_ModifiedStatus is unclear', () => {
    assert.deepEqual(said('Doc_ModifiedStatus', { Modified: false }), {
      kind: 'modified',
      isModified: false,
    });
    for (const values of [{ Modified: true }, {}, { Modified: 'no' }])
      assert.deepEqual(said('Doc_ModifiedStatus', values), { kind: 'modified', isModified: true });
  });

  it('accept only an extension as a format', () => {
    assert.deepEqual(said('UI_SaveAs', { format: 'ODT' }), { kind: 'save-as', format: 'odt' });
    for (const format of [undefined, '', '../x', 'a.b', 7, 'x'.repeat(11)])
      assert.deepEqual(said('UI_SaveAs', { format }), { kind: 'save-as', format: null });
  });

  it('are ignored when they are invalid or unknown', () => {
    for (const data of [
      undefined,
      null,
      7,
      '',
      'hello',
      '[]',
      '{}',
      '{"MessageId":7}',
      '{"MessageId":"constructor"}',
      '{"MessageId":"toString"}',
      [],
      `{"MessageId":"UI_Close","Values":"${'x'.repeat(100_001)}"}`,
    ])
      assert.equal(readMessage(data), undefined);
    // Collabora’s older name for UI_Close, which it also sends
    assert.equal(said('close', { Deprecated: true }), undefined);
  });

  it('don’t take a property name of every object for a loading stage', () => {
    for (const Status of ['constructor', 'toString', '__proto__'])
      assert.deepEqual(said('App_LoadingStatus', { Status }), { kind: 'loading', stage: 'started' });
  });

  it('have long texts truncated', () => {
    const message = said('Action_Load_Resp', { success: false, errorMsg: 'x'.repeat(5000) });
    assert.deepEqual(message, { kind: 'load-failed', text: 'x'.repeat(300), isTriedAgain: false });
  });
});

describe('messages to the editor’s frame', () => {
  it('are strings, because ONLYOFFICE ignores anything else', () => {
    assert.deepEqual(JSON.parse(messageText('Host_PostmessageReady', {}, 5)), {
      MessageId: 'Host_PostmessageReady',
      SendTime: 5,
      Values: {},
    });
  });

  it('give Microsoft’s editors the token they ask for, and an error for unknown ones', () => {
    assert.deepEqual(sessionInfo(['AccessToken', 'FileGetUrl'], 'token', 1_800_000_000_000), {
      Tokens: [
        { Name: 'AccessToken', Expiry: '1800000000000', Value: 'token' },
        {
          Name: 'FileGetUrl',
          Errors: [{ Id: 'UnknownToken', Details: 'DocTray has no such token.' }],
        },
      ],
    });
  });
});
