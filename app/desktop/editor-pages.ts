// The windows that show an editor's pages, each kind in its own session under its own row of page-rules.ts. This is the one place
// where a session gets other rules than the window's.

import type { App, BrowserWindow, Dialog, NativeTheme, Screen, Session } from 'electron';
import type { Clock } from '../contract/clock.ts';
import type { Logger } from '../log/logger.ts';
import { createAsk } from './desktop-ask.ts';
import { createEditorWindows, nameDownload, type EditorWindows } from './editor-window.ts';
import type { Guards, Ruling } from './guards.ts';
import { createShowProbe, type ShowPage } from './probe-window.ts';

export interface EditorPagesDeps {
  electron: {
    BrowserWindow: typeof BrowserWindow;
    nativeTheme: Pick<NativeTheme, 'shouldUseDarkColors'>;
    screen: Pick<Screen, 'getAllDisplays'>;
    session: { fromPartition(partition: string): Session };
    dialog: Pick<Dialog, 'showMessageBox'>;
    app: Pick<App, 'getPath'>;
  };
  guards: Pick<Guards, 'rule'>;
  platform: NodeJS.Platform;
  icon: string | undefined;
  /** Where place and size of the windows are remembered. */
  placeFile: string;
  hasDevTools: boolean;
  isEnding(): boolean;
  /** Addresses of the host's pages, and of the connected editors. */
  pageUrls(): readonly string[];
  editorUrls(): readonly string[];
  openExternal(url: string): Promise<void>;
  clock: Clock;
  log: Logger;
}

export interface EditorPages {
  windows: EditorWindows;
  showProbe: ShowPage;
}

/** Not `persist:`: what an editor stores is gone when the app ends. */
const partitions = { editor: 'editor', probe: 'probe' } as const satisfies Record<Ruling['kind'], string>;

export function createEditorPages(deps: EditorPagesDeps): EditorPages {
  const { electron, platform, pageUrls, editorUrls } = deps;
  const { BrowserWindow, dialog, app } = electron;

  const sessionOf = (kind: Ruling['kind']): (() => Session) => {
    let made: Session | undefined;
    return () => {
      if (made === undefined) {
        made = electron.session.fromPartition(partitions[kind]);
        deps.guards.rule(made, {
          kind,
          pageUrls,
          editorUrls,
          openOutside: (url, contents) => windows.openOutside(url, contents),
          nameDownload: (item) => nameDownload(item, app.getPath('downloads')),
        });
      }
      return made;
    };
  };
  const windows = createEditorWindows({
    ...deps,
    ...electron,
    session: sessionOf('editor'),
    askOver: (window) => createAsk<BrowserWindow>({ dialog, window: () => window, platform }),
  });
  return { windows, showProbe: createShowProbe({ BrowserWindow, session: sessionOf('probe') }) };
}
