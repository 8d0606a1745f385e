// Links and files that reach the app from outside, in whichever way the system has for it. Any web page and any program may send
// these, so only what is listed here is understood, and all it can do is open documents of the hosted folder, a few at once, as
// the user could. A document opens in its editor, or is shown in the window if no connected editor opens it. A file from
// elsewhere is asked about.

import * as fileSystem from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { extname } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import type { App } from 'electron';
import { describeError, type AppError } from '../contract/errors.ts';
import { viewNames, type Pushes, type ViewName } from '../contract/pushes.ts';
import type { WindowState } from '../contract/state.ts';
import { pathInside } from '../files/disjoint-folders.ts';
import type { WindowHost } from '../live-state/window-host.ts';
import type { Logger } from '../log/logger.ts';
import { notice, type Ask, type Question } from './desktop.ts';
import { namesText, nameText } from './labels.ts';
import { handedOver, type Launch } from './launch.ts';
import { t } from '../contract/messages.ts';

export type LinkRequest =
  | { to: 'view'; view: ViewName }
  /** A document, by its path inside the hosted folder. */
  | { to: 'document'; path: string; mode: 'edit' | 'view' }
  /** A file of this computer, by its absolute path. It may be outside the folder, or not exist. */
  | { to: 'file'; absolute: string };

/** Targets of a launch, of the first process or of a second one. */
export type LaunchTargets = Pick<Launch, 'targets' | 'cwd'>;

export interface LinksDeps {
  state(): WindowState;
  run: WindowHost['run'];
  /** The window, at that place. */
  show(to?: Pushes['navigate']): void;
  ask: Ask;
  showError(error: AppError): void;
  log: Pick<Logger, 'info' | 'warn'>;
  platform?: NodeJS.Platform;
  /** Tests observe which files are accessed. */
  files?: Pick<typeof fileSystem, 'realpath' | 'stat'>;
}

export type Links = ReturnType<typeof createLinks>;

const pollMs = 200;
const maxPolls = 300;
/** Any more are shown in the window. */
const maxOpened = 10;

const maxLinkLength = 8192;
const maxPathLength = 4096;
const maxTargets = 1000;

export function createLinks(deps: LinksDeps) {
  const { log, platform = process.platform, files = fileSystem } = deps;
  let isStarted = false;
  let waiting: LinkRequest[] = [];
  /** One batch after another, so that two questions are never open at once. */
  let work: Promise<void> = Promise.resolve();

  function handle(requests: readonly LinkRequest[]): void {
    if (!isStarted) {
      waiting.push(...requests);
      return;
    }
    if (requests.length === 0) return deps.show();
    work = work
      .then(() => openAll(requests))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'A link or file from outside couldn’t be opened.');
        deps.show();
        deps.showError(describeError(error));
      });
  }

  /** Shows the window only if there is something to see in it: it would be in the way of an editor that comes to the front. */
  async function openAll(requests: readonly LinkRequest[]): Promise<void> {
    await untilHostStarted();
    const { folder } = deps.state().host;
    // Without a folder, the window asks for one.
    if (folder === null) return deps.show();
    const outside: string[] = [];
    const documents = new Map<string, 'edit' | 'view'>();
    let place: Pushes['navigate'] | undefined;
    for (const request of requests) {
      if (request.to === 'view') place = { view: request.view };
      else if (request.to === 'document') documents.set(request.path, request.mode);
      else {
        const inside = await pathInFolder(folder, request.absolute);
        if (inside === undefined) outside.push(request.absolute);
        else if (inside === '') place = { view: 'documents' };
        else documents.set(inside, 'edit');
      }
    }
    let opened = 0;
    for (const [path, mode] of documents) {
      const isOpened = opened < maxOpened && (await open(path, mode));
      if (isOpened) opened += 1;
      else place = { view: 'documents', path };
    }
    if (place !== undefined || outside.length > 0) deps.show(place);
    if (outside.length > 0) await offerImport(outside);
  }

  /** @returns false when no editor opened it; the window shows the document then */
  async function open(path: string, mode: 'edit' | 'view'): Promise<boolean> {
    if (!canOpenInEditor(deps.state(), path)) return false;
    try {
      await deps.run('documents.openInEditor', { path, mode, editorId: null });
      return true;
    } catch (error) {
      log.warn({ err: error }, 'A document couldn’t be opened in an editor.');
      deps.showError(describeError(error));
      return false;
    }
  }

  /** Right after the start the folder isn't known yet, and a host that waits for a keychain may take its time. */
  async function untilHostStarted(): Promise<void> {
    for (let poll = 0; deps.state().host.status === 'starting' && poll < maxPolls; poll += 1) {
      await new Promise((resolve) => void setTimeout(resolve, pollMs));
    }
  }

  /** '' is the folder itself; undefined for a path outside it, and for a symbolic link that leads outside. */
  async function pathInFolder(folder: string, absolute: string): Promise<string | undefined> {
    if (isOnUnknownComputer(absolute, folder)) return undefined;
    const [root, path] = await Promise.all(
      [folder, absolute].map((each) => files.realpath(each).catch(() => each)),
    );
    return pathInside(root ?? folder, path ?? absolute);
  }

  /**
   * A network path of Windows such as `\\server\share\a.docx` outside the folder. Even checking whether it exists would sign the user
   * in at that server, which may be a stranger's.
   */
  function isOnUnknownComputer(absolute: string, folder = deps.state().host.folder ?? ''): boolean {
    if (platform !== 'win32' || !/^[\\/]{2}/u.test(absolute)) return false;
    const inside = win32.relative(folder, absolute);
    return inside.split('\\', 1)[0] === '..' || win32.isAbsolute(inside);
  }

  async function offerImport(outside: readonly string[]): Promise<void> {
    const sources: string[] = [];
    for (const path of outside) {
      const isFile = !isOnUnknownComputer(path) && (await files.stat(path).catch(() => undefined))?.isFile();
      if (isFile === true) sources.push(path);
    }
    if (sources.length === 0) {
      const message = t('desktop.doctray-cant-open-names', { names: namesText(outside) });
      await deps.ask(notice('info', message, t('desktop.it-isnt-a-document-or')));
      return;
    }
    const folderName = nameText(deps.state().host.folderName ?? 'the folder');
    if ((await deps.ask(importQuestion(sources, folderName))) !== 0) return;
    await deps.run('documents.import', { folderPath: '', sources }, 'app');
    deps.show({ view: 'documents' });
  }

  return {
    /** Before Electron is ready: on macOS the event that started the app comes early. */
    attach(app: Pick<App, 'on'>) {
      app.on('second-instance', (_event, _argv, _cwd, data) => {
        // Chromium reorders and adds arguments; this data arrives unchanged.
        const launch = handedOver(data);
        if (!launch.isHidden) handle(linkRequests(launch, platform));
      });
      app.on('open-file', (event, path) => {
        event.preventDefault();
        handle([{ to: 'file', absolute: posix.resolve(path) }]);
      });
      app.on('open-url', (event, url) => {
        event.preventDefault();
        const request = parseLink(url);
        if (request === undefined) log.info({}, 'An unknown doctray: link was ignored.');
        else handle([request]);
      });
    },
    /** Requests are acted on from now on, earlier ones included. */
    start() {
      isStarted = true;
      if (waiting.length > 0) handle(waiting);
      waiting = [];
    },
    /** For the first launch. */
    launched: (launch: LaunchTargets) => handle(linkRequests(launch, platform)),
    openDocument: (path: string) => handle([{ to: 'document', path, mode: 'edit' }]),
    /** If there are any, the window is shown even though the app starts hidden. */
    hasRequests: () => waiting.length > 0,
  };
}

/** An estimate from the state; the host decides, and if it refuses, the window shows the document. */
function canOpenInEditor({ host, editors }: WindowState, path: string): boolean {
  const extension = extname(path).slice(1).toLowerCase();
  return (
    host.status === 'serving' &&
    extension !== '' &&
    editors.some(({ types }) => types.some((type) => type.extension === extension))
  );
}

/**
 * `doctray://open?path=Reports/Letter.docx&mode=view`, `doctray://locks` and the other views; `mode` defaults to `edit`.
 * @returns undefined for everything else
 */
export function parseLink(text: string): LinkRequest | undefined {
  if (text.length > maxLinkLength) return undefined;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'doctray:') return undefined;
  const isPlain = url.username === '' && url.password === '' && url.port === '' && url.hash === '';
  if (!isPlain || (url.pathname !== '' && url.pathname !== '/')) return undefined;

  const { searchParams } = url;
  const names = [...searchParams.keys()];
  if (url.hostname === 'open') {
    const isKnown = names.every((name) => name === 'path' || name === 'mode');
    const path = searchParams.get('path') ?? '';
    const mode = searchParams.get('mode') ?? 'edit';
    if (!isKnown || new Set(names).size !== names.length) return undefined;
    if (!isInnerPath(path) || (mode !== 'edit' && mode !== 'view')) return undefined;
    return { to: 'document', path, mode };
  }
  const view = viewNames.find((name) => name === url.hostname);
  return view === undefined || names.length > 0 ? undefined : { to: 'view', view };
}

/** It can't lead out of a folder, on any system. Whether it exists is for the folder to say. */
function isInnerPath(path: string): boolean {
  if (path === '' || path.length > maxPathLength || !path.isWellFormed()) return false;
  if (/[\p{Cc}\\]/u.test(path) || /^[a-z]:/iu.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Links and files; unknown targets are left out. */
export function linkRequests(
  { targets, cwd }: LaunchTargets,
  platform: NodeJS.Platform = process.platform,
): LinkRequest[] {
  const { resolve } = platform === 'win32' ? win32 : posix;
  const absoluteOf = (target: string): string => resolve(cwd, target);
  return targets.slice(0, maxTargets).flatMap((target) => requestOf(target, absoluteOf) ?? []);
}

function requestOf(target: string, absoluteOf: (target: string) => string): LinkRequest | undefined {
  if (target === '' || target.includes('\0') || target.length > maxLinkLength) return undefined;
  if (/^doctray:/iu.test(target)) return parseLink(target);
  if (/^file:/iu.test(target)) return parseFileUrl(target);
  // Another program's link: no file has such a name by accident.
  if (/^[a-z][a-z0-9+.-]+:\/\//iu.test(target)) return undefined;
  return { to: 'file', absolute: absoluteOf(target) };
}

/** As file managers pass them. A file of another computer is ignored: checking whether it exists would contact that computer. */
function parseFileUrl(text: string): LinkRequest | undefined {
  const url = URL.parse(text);
  if (url === null || (url.hostname !== '' && url.hostname !== 'localhost')) return undefined;
  if (url.pathname.startsWith('//')) return undefined;
  url.hostname = '';
  try {
    const absolute = fileURLToPath(url);
    return absolute.includes('\0') ? undefined : { to: 'file', absolute };
  } catch {
    return undefined;
  }
}

function importQuestion(files: readonly string[], folderName: string): Question {
  const count = files.length;
  const names = namesText(files);
  return {
    type: 'question',
    message: t('desktop.names-arent-in-the-folder', { count, names, folder: folderName }),
    detail: t('desktop.editors-can-open-only-documents', { count }),
    buttons: [t('desktop.copy-files-into-the-folder', { count }), t('common.cancel')],
    defaultId: 1,
    cancelId: 1,
  };
}

/** On Linux, the desktop entry of the installed package registers the scheme. */
export function registerLinks(deps: {
  platform: NodeJS.Platform;
  execPath: string;
  app: Pick<App, 'isPackaged' | 'getAppPath' | 'setAsDefaultProtocolClient'>;
}): void {
  const { platform, app, execPath } = deps;
  if (platform !== 'win32' && platform !== 'darwin') return;
  if (app.isPackaged) app.setAsDefaultProtocolClient('doctray');
  else if (platform === 'win32') app.setAsDefaultProtocolClient('doctray', execPath, [app.getAppPath()]);
}
