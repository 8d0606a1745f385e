import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMessage, speaksCollabora } from '../../renderer/host-page/messages.ts';

const said = (MessageId: string, Values?: unknown) => readMessage(JSON.stringify({ MessageId, Values }));

const loading = (stage: string) => ({ kind: 'loading', stage });
const saved = (values: object) => ({
  kind: 'save-answered',
  hasFailed: false,
  isUnmodified: false,
  fileName: null,
  isExport: false,
  text: null,
  ...values,
});
const long = 'x'.repeat(5000);

/** What a message means; undefined: nothing. */
const meanings: Record<string, [name: string, values: unknown, meaning: unknown][]> = {
  'report loading stages as Collabora and as Microsoft do, whatever properties every object has': [
    ['App_LoadingStatus', { Status: 'Initialized' }, loading('started')],
    ['App_LoadingStatus', { Status: 'Frame_Ready' }, loading('frame-ready')],
    ['App_LoadingStatus', { Status: 'Document_Loaded' }, loading('loaded')],
    ['App_LoadingStatus', { Status: 'Failed' }, { kind: 'load-failed', text: null }],
    ['App_LoadingStatus', { DocumentLoadedTime: 12 }, loading('loaded')],
    ['App_LoadingStatus', { Status: 'constructor' }, loading('started')],
    ['App_LoadingStatus', { Status: '__proto__' }, loading('started')],
  ],
  'report a failed save only with an error, not for an unmodified or empty response': [
    ['Action_Save_Resp', { success: true }, saved({})],
    ['Action_Save_Resp', {}, saved({})],
    ['Action_Save_Resp', { success: true, result: 'unmodified' }, saved({ isUnmodified: true })],
    ['Action_Save_Resp', { success: false, result: 'unmodified' }, saved({ isUnmodified: true })],
    [
      'Action_Save_Resp',
      { success: false, errorMsg: ' disk full ' },
      saved({ hasFailed: true, text: 'disk full' }),
    ],
    [
      'Action_Save_Resp',
      { success: true, fileName: 'a.pdf', result: 'exportas' },
      saved({ fileName: 'a.pdf', isExport: true }),
    ],
  ],
  'report only failed loads, since success is sent before anything is loaded': [
    ['Action_Load_Resp', { success: true }, undefined],
    ['Action_Load_Resp', {}, undefined],
    ['Action_Load_Resp', { success: false, errorMsg: 'no' }, { kind: 'load-failed', text: 'no' }],
    [
      'Action_Load_Resp',
      { success: false, errorMsg: long },
      { kind: 'load-failed', text: long.slice(0, 300) },
    ],
  ],
  'count as a change when Doc_ModifiedStatus is unclear': [
    ['Doc_ModifiedStatus', { Modified: false }, { kind: 'modified', isModified: false }],
    ['Doc_ModifiedStatus', { Modified: true }, { kind: 'modified', isModified: true }],
    ['Doc_ModifiedStatus', {}, { kind: 'modified', isModified: true }],
    ['Doc_ModifiedStatus', { Modified: 'no' }, { kind: 'modified', isModified: true }],
  ],
  'accept only an extension as a format': [
    ['UI_SaveAs', { format: 'ODT' }, { kind: 'save-as', format: 'odt' }],
    ...[undefined, '', '../x', 'a.b', 7, 'x'.repeat(11)].map((format): [string, object, object] => [
      'UI_SaveAs',
      { format },
      { kind: 'save-as', format: null },
    ]),
  ],
  'are ignored under Collabora’s older name for UI_Close, which it also sends': [
    ['UI_Close', { EverModified: true }, { kind: 'close' }],
    ['close', { Deprecated: true }, undefined],
  ],
};

describe('messages from the editor’s frame', () => {
  for (const [title, table] of Object.entries(meanings))
    it(title, () => {
      for (const [name, values, meaning] of table)
        assert.deepEqual(said(name, values), meaning, `${name} ${JSON.stringify(values)}`);
    });

  it('can be strings or objects, and are ignored when they are invalid or unknown', () => {
    assert.deepEqual(readMessage({ MessageId: 'UI_Close', Values: {} }), { kind: 'close' });
    assert.deepEqual(readMessage({ MessageId: 'UI_Close' }), { kind: 'close' });
    const texts = ['', 'hello', '[]', '{}', '{"MessageId":7}', '{"MessageId":"constructor"}'];
    const tooLong = `{"MessageId":"UI_Close","Values":"${'x'.repeat(100_001)}"}`;
    for (const data of [undefined, null, 7, [], ...texts, tooLong])
      assert.equal(readMessage(data), undefined, String(data).slice(0, 50));
  });

  it('follow Collabora’s protocol in the text editor, too', () => {
    const kinds = ['collabora', 'text-editor', 'onlyoffice', 'office-online', 'other', undefined] as const;
    assert.deepEqual(kinds.map(speaksCollabora), [true, true, false, false, false, false]);
  });
});
