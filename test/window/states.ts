// Pictures of every view in every state and look, to be opened and looked at: `npm run screenshots -- states`. They go to
// out/states, which isn't committed. Fails if a state has a fault: axe finds something, a text is clipped, a part scrolls sideways, or
// the page reports an error. Every night runs it; `npm test` checks fewer looks (states.test.ts).

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openLab } from './open-window.ts';
import { faultsOf, looks, reachState, windowStates } from './window-states.ts';

/** @param only names of states or looks; empty: all */
export async function pictureStates(target: string, only: readonly string[] = []): Promise<boolean> {
  await mkdir(target, { recursive: true });
  // Scrollbars take room.
  const lab = await openLab({ isLikeApp: true });
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
        const faults = await faultsOf(opened, look);
        console.log([name, ...faults.map((line) => `  ${line}`)].join('\n'));
        isClean &&= faults.length === 0;
        await opened.close();
      }
    }
  } finally {
    await lab.close();
  }
  return isClean;
}
