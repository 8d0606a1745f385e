// The app's window as the main process sees it, for what a page can't say: whether it is shown, and what it shows after its renderer
// crashed, which Playwright doesn't follow.

import type { ElectronApplication } from 'playwright';

const lookMs = 50;
export const patienceMs = 60_000;

type Look = Awaited<ReturnType<typeof lookAtWindow>>;

export async function lookAtWindow(app: ElectronApplication) {
  return app.evaluate(({ BrowserWindow }) => {
    const all = BrowserWindow.getAllWindows();
    const [first] = all;
    return { count: all.length, isVisible: first?.isVisible() ?? false, title: first?.getTitle() ?? '' };
  });
}

export async function windowWhere(
  app: ElectronApplication,
  isSo: (look: Look) => boolean,
  what: string,
): Promise<void> {
  await until(async () => isSo(await lookAtWindow(app)), what);
}

/** Closes it as its close button does; returns before the app has decided. */
export async function closeWindow(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
}

export async function crashWindow(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
}

/** The text of the page; empty while there is none. */
export async function textOfWindow(app: ElectronApplication): Promise<string> {
  return app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined || contents.isCrashed() || contents.isLoading()) return '';
    // the page may crash before it answers
    const text: unknown = await contents.executeJavaScript('document.body.innerText').catch(() => '');
    return typeof text === 'string' ? text : '';
  });
}

export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endsAtMs = performance.now() + patienceMs;
  while (performance.now() < endsAtMs) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  throw new Error(`Not so: ${what}`);
}
