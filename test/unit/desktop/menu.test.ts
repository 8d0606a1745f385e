import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MenuItemConstructorOptions } from 'electron';
import { applicationMenu } from '../../../app/desktop/menu.ts';

function menuOf(
  platform: NodeJS.Platform,
  isDevelopment = false,
): { items: MenuItemConstructorOptions[]; press(accelerator: string): void; done: unknown[] } {
  const done: unknown[] = [];
  const menu = applicationMenu({
    platform,
    isDevelopment,
    show(to) {
      done.push('show');
      if (to !== undefined) done.push(to.view);
    },
    closeWindow: () => void done.push('close'),
    quit: () => void done.push('quit'),
  });
  const items = menu.flatMap(({ submenu, ...item }) => [item, ...(Array.isArray(submenu) ? submenu : [])]);
  return {
    items,
    done,
    press(accelerator) {
      const found = items.filter((item) => item.accelerator === accelerator);
      assert.equal(found.length, 1, accelerator);
      (found[0]!.click as () => void)();
    },
  };
}

test('on Linux, has shortcuts for closing and quitting', () => {
  const { press, done } = menuOf('linux');
  press('Control+W');
  press('Control+Q');
  assert.deepEqual(done, ['close', 'quit']);
});

test('on macOS, has the standard menu and a shortcut for every view', () => {
  const { items, press, done } = menuOf('darwin');
  press('Command+Q');
  press('Command+W');
  press('Command+,');
  press('Command+3');
  assert.deepEqual(done, ['quit', 'close', 'show', 'settings', 'show', 'locks']);
  const roles = items.map(({ role }) => role);
  for (const role of [
    'about',
    'hide',
    'hideOthers',
    'unhide',
    'services',
    'editMenu',
    'windowMenu',
  ] as const) {
    assert.ok(roles.includes(role), role);
  }
  for (const key of [1, 2, 3, 4, 5, 6, 7]) press(`Command+${key}`);
});

test('uses no quit or close role, which would skip the confirmation', () => {
  for (const platform of ['darwin', 'linux', 'win32'] as const) {
    const roles = menuOf(platform, true).items.map(({ role }) => role);
    assert.ok(!roles.includes('quit') && !roles.includes('close'));
  }
});

test('uses no shortcut twice', () => {
  for (const platform of ['darwin', 'linux'] as const) {
    const keys = menuOf(platform, true).items.flatMap(({ accelerator }) => accelerator ?? []);
    assert.equal(new Set(keys).size, keys.length);
  }
});

test('has zoom commands everywhere, and developer tools only in development', () => {
  for (const platform of ['darwin', 'linux', 'win32'] as const) {
    const roles = menuOf(platform).items.map(({ role }) => role);
    for (const role of ['zoomIn', 'zoomOut', 'resetZoom'] as const) assert.ok(roles.includes(role));
    assert.ok(!roles.includes('toggleDevTools') && !roles.includes('reload'));
    assert.ok(
      menuOf(platform, true)
        .items.map(({ role }) => role)
        .includes('toggleDevTools'),
    );
  }
});
