import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageText, readMessage, speaksCollabora } from '../../renderer/host-page/messages.ts';

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

  it('report a failed save only with an error, not for an unmodified or empty response', () => {
    const answer = {
      kind: 'save-answered',
      hasFailed: false,
      isUnmodified: false,
      fileName: null,
      isExport: false,
      text: null,
    };
    for (const [values, expected] of [
      [{ success: true }, {}],
      [{}, {}],
      [{ success: true, result: 'unmodified' }, { isUnmodified: true }],
      [{ success: false, result: 'unmodified' }, { isUnmodified: true }],
      [
        { success: false, errorMsg: ' disk full ' },
        { hasFailed: true, text: 'disk full' },
      ],
      [
        { success: true, fileName: 'a.pdf', result: 'exportas' },
        { fileName: 'a.pdf', isExport: true },
      ],
    ] as const)
      assert.deepEqual(said('Action_Save_Resp', values), { ...answer, ...expected });
  });

  it('report only failed loads, since success is sent before anything is loaded', () => {
    assert.equal(said('Action_Load_Resp', { success: true }), undefined);
    assert.equal(said('Action_Load_Resp', {}), undefined);
    const long = 'x'.repeat(5000);
    for (const errorMsg of ['no', long])
      assert.deepEqual(said('Action_Load_Resp', { success: false, errorMsg }), {
        kind: 'load-failed',
        text: errorMsg.slice(0, 300),
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
});

describe('messages to the editor’s frame', () => {
  it('are strings, because ONLYOFFICE ignores anything else', () => {
    assert.deepEqual(JSON.parse(messageText('Host_PostmessageReady', {}, 5)), {
      MessageId: 'Host_PostmessageReady',
      SendTime: 5,
      Values: {},
    });
  });
});
