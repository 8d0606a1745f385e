// The messages between the text editor and the host page around it.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readMessage } from '../../renderer/host-page/messages.ts';
import {
  addUser,
  startTextEditorLab,
  until,
  type HeardMessage,
  type OpenTextEditor,
  type TextEditorLab,
} from './open-text-editor.ts';

let lab: TextEditorLab;
let count = 0;
before(async () => {
  lab = await startTextEditorLab();
});
after(async () => lab.close());

async function embed(content: string, options: Parameters<TextEditorLab['open']>[1] = {}) {
  count += 1;
  const name = `page-${count}.txt`;
  await lab.write(name, content);
  const editor = await lab.open(name, { isEmbedded: true, ...options });
  await heard(editor, 'App_LoadingStatus', ({ Status }) => Status === 'Document_Loaded');
  return { name, editor };
}

async function heard(
  editor: OpenTextEditor,
  name: string,
  is: (values: HeardMessage['Values']) => boolean = () => true,
): Promise<HeardMessage> {
  return until(`a message ${name}`, async () =>
    (await editor.heard()).findLast(({ MessageId, Values }) => MessageId === name && is(Values)),
  );
}

const names = async (editor: OpenTextEditor): Promise<string[]> =>
  (await editor.heard()).map(({ MessageId, Values }) =>
    MessageId === 'Doc_ModifiedStatus' ? `Modified ${String(Values['Modified'])}` : MessageId,
  );

describe('the host page around the editor', () => {
  it('gets the loading stages in messages that it can read, hears of a change well before its save, and of the save', async () => {
    const { name, editor } = await embed('MARK');
    assert.deepEqual(
      (await editor.heard()).map((message) => readMessage(JSON.stringify(message))),
      [
        { kind: 'loading', stage: 'frame-ready' },
        { kind: 'editing-status', isEditing: true },
        { kind: 'loading', stage: 'loaded' },
      ],
    );
    // It shows the name, so the editor has it only for screen readers.
    const heading = editor.frame.getByRole('heading', { name });
    assert.equal(await heading.evaluate((element) => element.getBoundingClientRect().width), 1);

    await editor.setPace(1);
    await editor.typeAfter('MARK', ' new');
    // At once, or the page would say that it is saved.
    assert.deepEqual((await names(editor)).slice(3), ['Modified true']);
    const heardAtMs = Date.now();
    await heard(editor, 'Doc_ModifiedStatus', ({ Modified }) => Modified === false);
    assert.equal(await lab.textOnDisk(name), 'MARK new');
    const [save] = editor.calls('PUT');
    assert.ok((save?.atMs ?? 0) - heardAtMs > 100, 'there is time to ask the host in between');

    // a message that isn't the host's: from the editor's own window, as a frame inside it could post
    await editor.frame.evaluate(() => {
      const message = JSON.stringify({ MessageId: 'Reset_Access_Token', Values: { token: 'stolen' } });
      window.postMessage(message, '*');
    });
    await editor.typeAfter('MARK', '!');
    await editor.untilStatus('Unsaved');
    await editor.untilStatus('Saved');
    assert.equal(await lab.textOnDisk(name), 'MARK! new');
    assert.deepEqual(editor.problems, []);
    await editor.close();
  });

  it('can ask for a save and a copy, and gets the save it waits for when a change it heard of was undone', async () => {
    const { name, editor } = await embed('MARK');
    await editor.typeAfter('MARK', 'x');
    await heard(editor, 'Doc_ModifiedStatus', ({ Modified }) => Modified === true);
    await editor.page.keyboard.press('Backspace');
    await heard(editor, 'Doc_ModifiedStatus', ({ Modified }) => Modified === false);
    const [save] = editor.calls('PUT');
    assert.equal(save?.status, 200);
    // marked as no change by the user
    assert.equal(save?.headers['x-ext-wopi-ismodifiedbyuser'], 'false');
    assert.equal(await lab.textOnDisk(name), 'MARK');
    await editor.untilStatus('Saved');

    await editor.typeAfter('MARK', '!');
    await editor.say('Action_Save', { DontTerminateEdit: true, DontSaveIfUnmodified: false, Notify: true });
    const { Values } = await heard(editor, 'Action_Save_Resp');
    assert.deepEqual(Values, { success: true });
    assert.equal(await lab.textOnDisk(name), 'MARK!');
    await editor.say('Action_Save', { Notify: true });
    const again = await heard(editor, 'Action_Save_Resp', ({ result }) => result !== undefined);
    assert.deepEqual(again.Values, { success: false, result: 'unmodified' });

    await editor.say('Action_SaveAs', { Filename: 'Über uns.txt', Notify: true });
    const copy = await heard(editor, 'Action_Save_Resp', ({ result }) => result === 'exportas');
    assert.deepEqual(copy.Values, { success: true, fileName: 'Über uns.txt', result: 'exportas' });
    assert.equal(await lab.textOnDisk('Über uns.txt'), 'MARK!');
    // The host page shows that, and the frame still shows the document.
    assert.deepEqual(await editor.notices(), []);
    assert.equal(await editor.frame.getByRole('heading', { name }).count(), 1);
    await editor.close();
  });

  it('hears of a failed save, and that nothing is unsaved after the user chose the file’s text', async () => {
    const { editor } = await embed('MARK');
    await editor.typeAfter('MARK', '!');
    await lab.forceClear(editor);
    await editor.say('Action_Save', { Notify: true });
    const { Values } = await heard(editor, 'Action_Save_Resp');
    assert.deepEqual(Values, { success: false, errorMsg: 'The lock on this document was cleared.' });

    await editor.frame.getByText('The lock on this document was cleared.').waitFor();
    await heard(editor, 'Doc_ModifiedStatus', ({ Modified }) => Modified === true);
    await editor.press('Show what changed');
    await editor.press('Use the file’s');
    await editor.press('Lock again');
    await editor.untilStatus('Saved');
    await heard(editor, 'Doc_ModifiedStatus', ({ Modified }) => Modified === false);
    await editor.close();
  });

  it('hears that another user has the lock, then that this one got it', async () => {
    const { name, editor } = await embed('MARK');
    await addUser(lab.host, 'ben', 'Ben');
    const other = await lab.open(name, { isEmbedded: true, login: 'ben' });
    const isEditing = async (is: boolean) =>
      heard(other, 'App_EditingStatus', ({ Editing }) => Editing === is);
    await isEditing(false);
    // A free lock is taken without a question only while a page opens.
    await other.passTime(4000);
    await editor.close();
    await other.press('Edit now');
    await isEditing(true);
    await other.close();
  });

  it('hears of a rename, of closing only when everything is saved, and passes on a new token', async () => {
    const { name, editor } = await embed('MARK');
    await editor.choose('Rename…');
    await editor.page.keyboard.type('Other name');
    await editor.page.keyboard.press('Enter');
    assert.deepEqual((await heard(editor, 'File_Rename')).Values, { NewName: 'Other name' });
    await editor.typeAfter('MARK', ' last');
    await editor.say('Action_Close');
    await heard(editor, 'UI_Close');
    assert.equal(await lab.textOnDisk('Other name.txt'), 'MARK last');
    assert.notEqual(name, 'Other name.txt');

    await editor.typeAfter('last', ' kept');
    lab.revokeTokens();
    await editor.frame.getByText('Your unsaved changes are kept on this page').waitFor();
    await heard(editor, 'App_TokenExpired');
    const fresh = await lab.host.access('Other name.txt');
    await editor.say('Reset_Access_Token', { token: fresh.accessToken, ttl: fresh.accessTokenTtl });
    await lab.untilOnDisk('Other name.txt', 'MARK last kept');
    await editor.untilStatus('Saved');
    assert.deepEqual(await editor.notices(), []);
    await editor.close();
  });
});
