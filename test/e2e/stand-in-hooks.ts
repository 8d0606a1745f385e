// The stand-in's hooks in the main process, which a test uses in place of a desktop.

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

export async function pressNoticeButton(
  app: ElectronApplication,
  title: string,
  label: string,
): Promise<void> {
  await app.evaluate(
    (_, wanted) => {
      const shown = (globalThis as unknown as InMain)['__standin'].notifications;
      const found = shown.find((notice) => notice.title === wanted.title)?.notification;
      const index = found?.actions.findIndex(({ text }) => text === wanted.label) ?? -1;
      if (index === -1) throw new Error(`No notification ${wanted.title} with ${wanted.label}`);
      found?.emit('action', {}, index);
    },
    { title, label },
  );
}

/** Whether the app keeps the computer awake. */
export async function isKeptAwake(app: ElectronApplication): Promise<boolean> {
  return app.evaluate(() => (globalThis as unknown as InMain)['__standin'].power.blockers().length > 0);
}

export async function emitPower(app: ElectronApplication, event: 'suspend' | 'resume'): Promise<void> {
  await app.evaluate(
    (_, name) => void (globalThis as unknown as InMain)['__standin'].power.emit(name),
    event,
  );
}

/** Sets the path of a file with that name that a test drops onto the window. */
export async function setPathOfDropped(app: ElectronApplication, name: string, path: string): Promise<void> {
  await app.evaluate(
    (_, given) => (globalThis as unknown as InMain)['__standin'].setPathForFile(given.name, given.path),
    { name, path },
  );
}

/** What the app asked the desktop to do, in order. */
export async function deeds(app: ElectronApplication): Promise<Record<string, unknown>[]> {
  return app.evaluate(
    () => (globalThis as unknown as InMain)['__standin'].deeds as unknown as Record<string, unknown>[],
  );
}
