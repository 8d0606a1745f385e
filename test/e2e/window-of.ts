// The app's window from the main process's side, for what no page can tell: whether it is shown, and what it shows after its
// process died, when Playwright has given the page up.

import type { ElectronApplication } from 'playwright';

const lookMs = 50;
const patienceMs = 60_000;

export interface Look {
  count: number;
  isVisible: boolean;
  title: string;
}

export async function lookAtWindow(app: ElectronApplication): Promise<Look> {
  return app.evaluate(({ BrowserWindow }) => {
    const all = BrowserWindow.getAllWindows();
    const [first] = all;
    return {
      count: all.length,
      isVisible: first?.isVisible() ?? false,
      title: first?.getTitle() ?? '',
    };
  });
}

export async function windowWhere(
  app: ElectronApplication,
  isSo: (look: Look) => boolean,
  what: string,
): Promise<void> {
  await until(async () => isSo(await lookAtWindow(app)), what);
}

/** As its close button does; returns before the app has decided. */
export async function closeWindow(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
}

export async function crashWindow(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
}

/** The text of the page, '' while there is none. */
export async function textOfWindow(app: ElectronApplication): Promise<string> {
  return app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents === undefined || contents.isCrashed() || contents.isLoading()) return '';
    // may die under the question
    const text: unknown = await contents.executeJavaScript('document.body.innerText').catch(() => '');
    return typeof text === 'string' ? text : '';
  });
}

export async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const endsAtMs = performance.now() + patienceMs;
  while (performance.now() < endsAtMs) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  throw new Error(`Not so: ${what}`);
}
