import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userLanguages } from '../../../app/terminal/user-languages.ts';

test('follows LC_ALL, LC_MESSAGES and LANG in this order', () => {
  for (const [env, expected] of [
    [{ LANG: 'de_AT.UTF-8' }, ['de-AT']],
    [{ LANG: 'de' }, ['de']],
    [{ LANG: 'de_DE@euro', LC_MESSAGES: 'en_GB.UTF-8', LC_ALL: '' }, ['en-GB']],
    [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C.UTF-8' }, []],
    [{ LANG: 'POSIX' }, []],
    [{ LANG: '../../../etc/de_DE' }, []],
    [{}, []],
  ] as const)
    assert.deepEqual(userLanguages(env, 'linux'), expected, JSON.stringify(env));
  const system = new Intl.DateTimeFormat().resolvedOptions().locale;
  for (const platform of ['darwin', 'win32'] as const) {
    assert.deepEqual(userLanguages({}, platform), [system]);
    assert.deepEqual(userLanguages({ LANG: 'C' }, platform), []);
  }
});
