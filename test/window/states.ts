// Pictures of every view in every state and look, to be opened and looked at: `npm run screenshots -- states`. They go to
// out/states, which isn't committed. Fails if a text is clipped.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { clippedTexts } from './clipped.ts';
import { startWindowLab } from './open-window.ts';
import { looks, reachState, windowStates } from './window-states.ts';

/** @param only names of states or looks; empty: all */
export async function pictureStates(target: string, only: readonly string[] = []): Promise<boolean> {
  await mkdir(target, { recursive: true });
  const lab = await startWindowLab();
  let isClean = true;
  try {
    for (const look of looks) {
      for (const state of windowStates) {
        const isWanted =
          only.length === 0 || only.some((name) => state.name.startsWith(name) || look.name === name);
        if (!isWanted) continue;
        const opened = await reachState(lab, state, look);
        await opened.page.waitForTimeout(400);
        const name = `${state.name}-${look.name}.png`;
        await opened.page.screenshot({ path: join(target, name) });
        const clipped = await clippedTexts(opened.page);
        console.log([name, ...clipped.map((line) => `  clipped: ${line}`)].join('\n'));
        isClean &&= clipped.length === 0;
        await opened.close();
      }
    }
  } finally {
    await lab.close();
  }
  return isClean;
}
