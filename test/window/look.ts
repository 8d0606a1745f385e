// Takes screenshots of views:
// node test/window/look.ts --scenario normal --view locks --theme dark --size 1100x720 --out /tmp/locks.png

import { parseArgs } from 'node:util';
import type { ViewName } from '../../app/contract/pushes.ts';
import { startWindowLab } from './open-window.ts';

const { values } = parseArgs({
  options: {
    /** Scenarios, views, themes and sizes can be comma-separated lists; `%` in --out is replaced by what is shown. */
    scenario: { type: 'string', default: 'normal' },
    view: { type: 'string', default: 'overview' },
    /** A place in the view, such as `editors` in the settings. */
    path: { type: 'string', default: '' },
    theme: { type: 'string', default: 'light,dark' },
    size: { type: 'string', default: '1100x720' },
    zoom: { type: 'string', default: '1' },
    forced: { type: 'boolean', default: false },
    /** Keys to press before the screenshot, separated by spaces. */
    keys: { type: 'string', default: '' },
    /** Names of buttons to press before the keys, separated by `;`. */
    click: { type: 'string', default: '' },
    out: { type: 'string', default: '/tmp/doctray-%.png' },
  },
});

const lab = await startWindowLab();
try {
  for (const scenario of values.scenario.split(',')) {
    for (const view of values.view.split(',')) {
      for (const theme of values.theme.split(',')) {
        for (const size of values.size.split(',')) await take(scenario, view as ViewName, theme, size);
      }
    }
  }
} finally {
  await lab.close();
}

async function take(scenario: string, view: ViewName, theme: string, size: string): Promise<void> {
  const [width = 1100, height = 720] = size.split('x').map(Number);
  const opened = await lab.open({
    scenario,
    view,
    theme: theme === 'dark' ? 'dark' : 'light',
    hasForcedColors: values.forced,
    size: { width, height },
    zoom: Number(values.zoom),
  });
  if (values.path !== '') await opened.push('navigate', { view, path: values.path });
  for (const name of values.click.split(';').filter(Boolean))
    await opened.page.getByRole('button', { name }).first().click();
  for (const key of values.keys.split(' ').filter(Boolean)) await opened.page.keyboard.press(key);
  await opened.page.waitForTimeout(500);
  const path = values.out.replace('%', `${scenario}-${view}-${theme}-${size}`);
  await opened.page.screenshot({ path });
  console.log(path, ...opened.problems);
  await opened.close();
}
