// What a test reads and does where real Electron has the desktop: the stand-in's hooks, reached in the main process.

import type { ElectronApplication } from 'playwright';
import type { StandInHooks } from '../stand-in/hooks.ts';

interface InMain {
  __standin: StandInHooks;
}

export interface Notice {
  title: string;
  body: string;
}

export async function notices(app: ElectronApplication): Promise<Notice[]> {
  return app.evaluate(() =>
    (globalThis as unknown as InMain)['__standin'].notifications.map(({ title, body }) => ({ title, body })),
  );
}

export async function clickNotice(app: ElectronApplication, title: string): Promise<void> {
  await app.evaluate((_, wanted) => {
    const shown = (globalThis as unknown as InMain)['__standin'].notifications;
    const found = shown.find((notice) => notice.title === wanted);
    if (found === undefined) throw new Error(`No notification ${wanted}`);
    found.notification.emit('click');
  }, title);
}

/** Whether the app keeps the machine awake. */
export async function isKeptAwake(app: ElectronApplication): Promise<boolean> {
  return app.evaluate(() => (globalThis as unknown as InMain)['__standin'].power.blockers().length > 0);
}

export async function emitPower(app: ElectronApplication, event: 'suspend' | 'resume'): Promise<void> {
  await app.evaluate(
    (_, name) => void (globalThis as unknown as InMain)['__standin'].power.emit(name),
    event,
  );
}

/** Where a file of that name is that is dropped onto the window. */
export async function setPathOfDropped(app: ElectronApplication, name: string, path: string): Promise<void> {
  await app.evaluate(
    (_, given) => (globalThis as unknown as InMain)['__standin'].setPathForFile(given.name, given.path),
    { name, path },
  );
}

/** What the app did to the desktop, in order. */
export async function deeds(app: ElectronApplication): Promise<Record<string, unknown>[]> {
  return app.evaluate(
    () => (globalThis as unknown as InMain)['__standin'].deeds as unknown as Record<string, unknown>[],
  );
}
