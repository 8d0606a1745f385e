import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorName } from '../../../app/live-state/state-rows.ts';

test('shows an editor by its product, without a version, and an unknown one by its user agent', () => {
  for (const [userAgent, shown] of [
    ['COOLWSD WOPI Agent 24.04.13.2', 'Collabora Online'],
    ['LOOLWSD WOPI Agent 6.4', 'Collabora Online'],
    ['COOLWSD WOPI Agent', 'Collabora Online'],
    ['OnlyOffice/8.2.1', 'ONLYOFFICE Docs'],
    ['Node.js/6.13', 'ONLYOFFICE Docs'],
    ['MSWAC', 'Office Online'],
    ['DocTray text editor', 'Text editor'],
    ['curl/8.1', 'curl/8.1'],
    ['  ', null],
    [null, null],
  ] as const) {
    assert.equal(editorName(userAgent), shown);
  }
});
