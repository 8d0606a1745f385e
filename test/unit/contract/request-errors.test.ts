import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isError } from '../../../app/contract/request-errors.ts';

test('counts no refusal that an editor or page expects as an error, except of a save', () => {
  for (const [operation, status, code, isCounted] of [
    ['Lock', 409, '', false],
    ['RefreshLock', 409, '', false],
    ['Unlock', 409, '', false],
    ['UnlockAndRelock', 409, '', false],
    ['HostPageRestoreVersion', 409, 'file-locked', false],
    ['CheckFileInfo', 401, 'session-over', false],
    ['HostPage', 401, '', false],
    ['PutFile', 200, '', false],
    ['PutFile', 409, '', true],
    ['PutFile', 401, 'session-over', true],
    ['PutRelativeFile', 409, '', true],
    ['HostPageRestoreVersion', 409, 'version-damaged', true],
    ['HostPageRename', 409, 'file-locked', true],
    ['RenameFile', 409, 'file-locked', true],
    ['DeleteFile', 409, 'file-locked', true],
    ['CheckFileInfo', 401, '', true],
    ['RefreshLock', 500, '', true],
    ['SignIn', 401, '', true],
  ] as const)
    assert.equal(isError({ operation, status, code }), isCounted, `${operation} ${status} ${code}`);
});
