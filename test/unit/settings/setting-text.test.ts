import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSetting, parseSettingText } from '../../../app/settings/setting-text.ts';

test('parses text into values of the setting’s type', () => {
  assert.equal(parseSettingText('port', '9000'), 9000);
  assert.equal(parseSettingText('port', '9e3'), '9e3');
  assert.equal(parseSettingText('host', '127.0.0.1'), '127.0.0.1');
  assert.equal(parseSettingText('publicUrl', 'none'), null);
  assert.equal(parseSettingText('textEditorPort', '9001'), 9001);
  assert.equal(parseSettingText('textEditorPort', 'none'), null);
  assert.equal(parseSettingText('textEditorPort', 'soon'), 'soon');
  assert.equal(parseSettingText('folder', ''), null);
  assert.deepEqual(parseSettingText('allowedHosts', 'a, b'), ['a', 'b']);
  assert.deepEqual(parseSettingText('allowedHosts', 'none'), []);
  assert.equal(parseSettingText('desktopLocks', 'warn'), 'warn');
  assert.equal(parseSettingText('notifyErrors', 'false'), false);
  assert.equal(parseSettingText('notifyErrors', 'true'), true);
  assert.equal(parseSettingText('notifyErrors', 'perhaps'), 'perhaps');
});

test('formats values as text that it can parse', () => {
  assert.equal(formatSetting(null), 'none');
  assert.equal(formatSetting([]), 'none');
  assert.equal(formatSetting(['a', 'b']), 'a, b');
  assert.equal(formatSetting(7), '7');
  assert.deepEqual(parseSettingText('allowedHosts', formatSetting(['a', 'b'])), ['a', 'b']);
});
