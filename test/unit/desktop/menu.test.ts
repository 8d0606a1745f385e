// Shortcuts and roles of the application menu, which differ between systems.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applicationMenu } from '../../../app/desktop/menu.ts';

function menuOf(platform: NodeJS.Platform, isDevelopment = false) {
  const done: unknown[] = [];
  const menu = applicationMenu({
    platform,
    isDevelopment,
    show: (to) => void done.push(to?.view ?? 'show'),
    closeWindow: () => void done.push('close'),
    quit: () => void done.push('quit'),
  });
  const items = menu.flatMap(({ submenu, ...item }) => [item, ...(Array.isArray(submenu) ? submenu : [])]);
  const press = (...accelerators: string[]): unknown[] => {
    for (const accelerator of accelerators) {
      const found = items.filter((item) => item.accelerator === accelerator);
      assert.equal(found.length, 1, accelerator);
      (found[0]!.click as () => void)();
    }
    return done.splice(0);
  };
  return { roles: new Set(items.map(({ role }) => role)), press };
}

test('has shortcuts for closing and quitting, and on macOS for every view', () => {
  assert.deepEqual(menuOf('linux').press('Control+W', 'Control+Q'), ['close', 'quit']);
  const { press, roles } = menuOf('darwin');
  const pressed = press('Command+N', 'Command+W', 'Command+Q', 'Command+,');
  assert.deepEqual(pressed, ['show', 'close', 'quit', 'settings']);
  assert.deepEqual(press(...[1, 3, 7].map((key) => `Command+${key}`)), ['overview', 'locks', 'settings']);
  for (const role of ['about', 'hide', 'hideOthers', 'unhide', 'services', 'editMenu', 'windowMenu'] as const)
    assert.ok(roles.has(role), role);
});

test('can zoom, skips no confirmation by a role, and has developer tools only in development', () => {
  for (const platform of ['darwin', 'linux', 'win32'] as const) {
    const { roles } = menuOf(platform);
    for (const role of ['zoomIn', 'zoomOut', 'resetZoom'] as const) assert.ok(roles.has(role), role);
    for (const role of ['quit', 'close', 'reload', 'toggleDevTools'] as const)
      assert.ok(!roles.has(role), role);
    assert.ok(menuOf(platform, true).roles.has('toggleDevTools'));
  }
});
