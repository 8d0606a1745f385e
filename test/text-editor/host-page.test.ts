// The messages between the text editor and the page around it that whole-way.test.ts, with the real host page, can't show.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readMessage } from '../../renderer/host-page/messages.ts';
import {
  pace,
  startTextEditorLab,
  type HeardMessage,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';
import { until } from '../until.ts';

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab();
});
after(async () => lab.close());

async function heard(
  editor: OpenTextEditor,
  name: string,
  is: (values: HeardMessage['Values']) => boolean = () => true,
): Promise<HeardMessage['Values']> {
  const message = await until(`a message ${name}`, async () =>
    (await editor.heard()).findLast(({ MessageId, Values }) => MessageId === name && is(Values)),
  );
  return message.Values;
}

/** Waits until the latest message about changes says this. */
const untilModified = async (editor: OpenTextEditor, is: boolean) =>
  until(`modified ${is}`, async () => {
    const messages = await editor.heard();
    const latest = messages.findLast(({ MessageId }) => MessageId === 'Doc_ModifiedStatus');
    return latest?.Values['Modified'] === is;
  });

test('the host page gets the loading stages in messages that it can read, hears of a change well before its save, and of the save, and only it can give the editor a token', async () => {
  const { name, editor } = await lab.openNew('', { around: 'recorder' });
  await heard(editor, 'App_LoadingStatus', ({ Status }) => Status === 'Document_Loaded');
  const loaded = await editor.heard();
  assert.deepEqual(
    loaded.map((message) => readMessage(JSON.stringify(message))),
    [
      { kind: 'loading', stage: 'frame-ready' },
      { kind: 'editing-status', isEditing: true },
      { kind: 'loading', stage: 'loaded' },
    ],
  );
  // It shows the name, so the editor has it only for screen readers.
  const heading = editor.frame.getByRole('heading', { name });
  assert.equal(await heading.evaluate((element) => element.getBoundingClientRect().width), 1);

  // so that nothing is saved before
  await editor.setPace(0.01);
  await editor.typeAfter('', 'new');
  // At once, or the page would say that it is saved.
  const first = await until('a message', async () => (await editor.heard())[loaded.length]);
  assert.deepEqual([first.MessageId, first.Values], ['Doc_ModifiedStatus', { Modified: true }]);
  await editor.setPace(1);
  await editor.page.keyboard.press('Control+s');
  await untilModified(editor, false);
  assert.equal(await lab.textOnDisk(name), 'new');

  // a message that isn't the host's: from the editor's own window, as a frame inside it could post
  await editor.frame.evaluate(() => {
    const message = JSON.stringify({ MessageId: 'Reset_Access_Token', Values: { token: 'stolen' } });
    window.postMessage(message, '*');
  });
  const modified = async () =>
    (await editor.heard()).filter(({ MessageId }) => MessageId === 'Doc_ModifiedStatus');
  const release = await editor.holdUp('PUT');
  await editor.typeAfter('new', '!');
  await until('a save is on its way', () => editor.calls('PUT').at(-1)?.status === 0);
  await editor.setPace(0.01);
  await editor.page.keyboard.insertText('?');
  const { length } = await modified();
  release();
  const answered = await until('a message about the save', async () => (await modified())[length]);
  assert.equal(answered.Values['Modified'], true, 'what was typed during a save is unsaved');
  await editor.setPace(1);
  await editor.page.keyboard.press('Control+s');
  await editor.untilStatus('Saved');
  assert.equal(await lab.textOnDisk(name), 'new!?');

  await editor.setPace(pace);
  await editor.typeAfter('new!?', ' kept');
  lab.revokeTokens();
  await editor.untilShown('Your unsaved changes are kept on this page');
  await heard(editor, 'App_TokenExpired');
  const fresh = await lab.host.access(name);
  await editor.say('Reset_Access_Token', { token: fresh.accessToken, ttl: fresh.accessTokenTtl });
  await lab.untilOnDisk(name, 'new!? kept');

  // A refusal of the old token that arrives after the new token.
  const { promise: isRenewed, resolve: renewed } = Promise.withResolvers<void>();
  await editor.page.route(/\/wopi\/files\//u, async (route) => {
    if (route.request().headers()['x-wopi-override'] === 'REFRESH_LOCK') await isRenewed;
    await route.continue();
  });
  await editor.typeAfter('new!? kept', ' twice');
  lab.revokeTokens();
  await until('asked twice for a token', async () => {
    const asked = (await editor.heard()).filter(({ MessageId }) => MessageId === 'App_TokenExpired');
    return asked.length > 1;
  });
  const next = await lab.host.access(name);
  await editor.say('Reset_Access_Token', { token: next.accessToken, ttl: next.accessTokenTtl });
  renewed();
  await lab.untilOnDisk(name, 'new!? kept twice');
  await editor.untilStatus('Saved');
  assert.deepEqual([await editor.notices(), editor.problems], [[], []]);
  await editor.close();
});

test('the host page can ask for a save and a copy, gets the save it waits for when a change it heard of was undone, and hears of a rename, of a failed save and that nothing is unsaved any more', async () => {
  const { name, editor } = await lab.openNew('MARK', { around: 'recorder' });
  await editor.typeAfter('MARK', 'x');
  await untilModified(editor, true);
  await editor.page.keyboard.press('Backspace');
  await untilModified(editor, false);
  const save = await until('the save', () => editor.calls('PUT').find(({ status }) => status === 200));
  // marked as no change by the user
  assert.equal(save.headers['x-ext-wopi-ismodifiedbyuser'], 'false');
  assert.equal(await lab.textOnDisk(name), 'MARK');
  await editor.untilStatus('Saved');

  await editor.typeAfter('MARK', '!');
  await editor.say('Action_Save', { DontTerminateEdit: true, DontSaveIfUnmodified: false, Notify: true });
  assert.deepEqual(await heard(editor, 'Action_Save_Resp'), { success: true });
  assert.equal(await lab.textOnDisk(name), 'MARK!');
  await editor.say('Action_Save', { Notify: true });
  const again = await heard(editor, 'Action_Save_Resp', ({ result }) => result !== undefined);
  assert.deepEqual(again, { success: false, result: 'unmodified' });

  await editor.say('Action_SaveAs', { Filename: 'Über uns.txt', Notify: true });
  const copy = await heard(editor, 'Action_Save_Resp', ({ result }) => result === 'exportas');
  assert.deepEqual(copy, { success: true, fileName: 'Über uns.txt', result: 'exportas' });
  assert.equal(await lab.textOnDisk('Über uns.txt'), 'MARK!');
  // The host page shows that, and the frame still shows the document.
  assert.deepEqual(await editor.notices(), []);
  assert.equal(await editor.frame.getByRole('heading', { name }).count(), 1);

  await editor.choose('Rename…');
  await editor.page.keyboard.type('Other name');
  await editor.page.keyboard.press('Enter');
  assert.deepEqual(await heard(editor, 'File_Rename'), { NewName: 'Other name' });

  await editor.typeUnsaved('MARK', '?');
  await lab.forceClear(editor);
  await editor.say('Action_Save', { Notify: true });
  const cleared = 'The lock on this document was cleared.';
  const failed = await heard(editor, 'Action_Save_Resp', ({ errorMsg }) => errorMsg !== undefined);
  assert.deepEqual(failed, { success: false, errorMsg: cleared });
  await editor.untilShown(cleared);
  await untilModified(editor, true);
  await editor.press('Show what changed');
  await editor.press('Use the file’s');
  await editor.press('Lock again');
  await editor.untilStatus('Saved');
  await untilModified(editor, false);
  await editor.close();
});
