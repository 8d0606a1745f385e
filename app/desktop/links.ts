// Links and files that reach the running app, whichever way the system has for it. A document in the hosted folder opens in its
// editor, or is shown in the window where no editor is connected that opens it. Any page may hold a link: it opens nothing but
// documents that are there, a few at once, as the user could. A file from elsewhere is asked about.

import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { describeError, type AppError } from '../contract/errors.ts';
import type { Pushes } from '../contract/pushes.ts';
import type { WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import type { Ask, Question } from './desktop-ask.ts';
import { linkRequests, parseLink, type LaunchTargets, type LinkRequest } from './links-parse.ts';
import { namesText, nameText } from './menu-text.ts';
import { canOpenInEditor } from './openable.ts';

export interface LinksDeps {
  state(): WindowState;
  /** `WindowHost.run`. */
  run(name: string, args: unknown): Promise<unknown>;
  navigate(to: Pushes['navigate']): void;
  showWindow(): void;
  ask: Ask;
  tell(problem: AppError): void;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** The events by which macOS hands over files and links. */
export interface LinksApp {
  on(
    event: 'open-file' | 'open-url',
    listener: (event: { preventDefault(): void }, what: string) => void,
  ): unknown;
}

export interface Links {
  /** At once, before Electron is ready: the event that started the app comes early. */
  attach(app: LinksApp): void;
  /** From now on requests are acted on; what came earlier is, too. */
  start(): void;
  /** By the first start and by each second one: shows what was asked for; once started, the window in any case. */
  launched(launch: LaunchTargets): void;
  /** True when something was asked for, so that the window is shown although the app starts hidden. */
  hasRequests(): boolean;
}

const lookMs = 200;
const mostLooks = 300;
/** More at once are shown in the window. */
const mostOpened = 10;

export function createLinks(deps: LinksDeps): Links {
  const { log } = deps;
  let isStarted = false;
  let waiting: LinkRequest[] = [];
  /** One after another, so that no two questions are on the screen. */
  let work: Promise<void> = Promise.resolve();

  function take(requests: readonly LinkRequest[]): void {
    if (!isStarted) {
      waiting.push(...requests);
      return;
    }
    // Where an editor comes to the front, the window would only be in its way.
    const isShown = !requests.some((request) => mayOpen(request));
    if (isShown) deps.showWindow();
    if (requests.length === 0) return;
    work = work
      .then(() => follow(requests, isShown ? () => undefined : deps.showWindow))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'What was asked for from outside could not be shown.');
        if (!isShown) deps.showWindow();
        deps.tell(describeError(error));
      });
  }

  /** @param bringUp shows the window, unless it is shown already. */
  async function follow(requests: readonly LinkRequest[], bringUp: () => void): Promise<void> {
    await hostIsKnown();
    const { folder } = deps.state().host;
    // Without a folder the window asks for one.
    if (folder === null) return bringUp();
    const outside: string[] = [];
    const documents = new Map<string, 'edit' | 'view'>();
    let place: Pushes['navigate'] | undefined;
    for (const request of requests) {
      if (request.to === 'view') place = { view: request.view };
      else if (request.to === 'document') documents.set(request.path, request.mode);
      else {
        const inside = await pathInside(folder, request.absolute);
        if (inside === undefined) outside.push(request.absolute);
        else if (inside === '') place = { view: 'documents' };
        else documents.set(inside, 'edit');
      }
    }
    let opened = 0;
    for (const [path, mode] of documents) {
      const isOpened = opened < mostOpened && (await open(path, mode));
      if (isOpened) opened += 1;
      else place = { view: 'documents', path };
    }
    if (place !== undefined || outside.length > 0) bringUp();
    if (place !== undefined) deps.navigate(place);
    if (outside.length > 0) await offerToCopyIn(outside);
  }

  function mayOpen(request: LinkRequest): boolean {
    if (request.to === 'view') return false;
    return canOpenInEditor(deps.state(), request.to === 'document' ? request.path : request.absolute);
  }

  /** False: no editor opens it. One that could not is told, and the document is shown all the same. */
  async function open(path: string, mode: 'edit' | 'view'): Promise<boolean> {
    if (!canOpenInEditor(deps.state(), path)) return false;
    try {
      await deps.run('documents.openInEditor', { path, mode, editorId: null });
      return true;
    } catch (error) {
      log.warn({ err: error }, 'A document could not be opened in an editor.');
      deps.tell(describeError(error));
      return false;
    }
  }

  /** Right after the start nothing is known of a folder yet; a host that waits for a keychain may take its time. */
  async function hostIsKnown(): Promise<void> {
    for (let round = 0; deps.state().host.status === 'starting' && round < mostLooks; round += 1) {
      await new Promise((resolve) => void setTimeout(resolve, lookMs));
    }
  }

  async function offerToCopyIn(sources: string[]): Promise<void> {
    const files: string[] = [];
    for (const source of sources) if (await isFile(source)) files.push(source);
    const folderName = nameText(deps.state().host.folderName ?? 'the folder');
    if (files.length === 0) {
      await deps.ask(cannotOpenQuestion(sources));
      return;
    }
    const answer = await deps.ask(copyInQuestion(files, folderName));
    if (answer !== 0) return;
    await deps.run('documents.import', { folderPath: '', sources: files });
    deps.navigate({ view: 'documents' });
  }

  return {
    attach(app) {
      app.on('open-file', (event, path) => {
        event.preventDefault();
        take([{ to: 'file', absolute: resolve(path) }]);
      });
      app.on('open-url', (event, url) => {
        event.preventDefault();
        const request = parseLink(url);
        if (request === undefined) log.info({}, 'A link that DocTray does not understand was not followed.');
        else take([request]);
      });
    },
    start() {
      isStarted = true;
      const early = waiting;
      waiting = [];
      if (early.length > 0) take(early);
    },
    launched: (launch) => take(linkRequests(launch)),
    hasRequests: () => waiting.length > 0,
  };
}

/** '' is the folder itself; undefined when it is not in the folder, and for a link that leads out of it. */
async function pathInside(folder: string, absolute: string): Promise<string | undefined> {
  const [root, path] = await Promise.all([realPath(folder), realPath(absolute)]);
  const inside = relative(root, path);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined;
  return inside.split(sep).join('/');
}

async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function copyInQuestion(files: readonly string[], folderName: string): Question {
  const one = files.length === 1;
  return {
    type: 'question',
    message: `${namesText(files)} ${one ? 'is' : 'are'} not in the folder ${folderName}.`,
    detail: `Editors can open only what lies in it. DocTray can put a copy there; the ${one ? 'file stays' : 'files stay'} where ${one ? 'it is' : 'they are'}.`,
    buttons: [one ? 'Copy into the folder' : `Copy ${files.length} files into the folder`, 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  };
}

function cannotOpenQuestion(sources: readonly string[]): Question {
  return {
    type: 'info',
    message: `DocTray cannot open ${namesText(sources)}.`,
    detail: 'It is not a document, or it is not there any more. A folder is chosen in the settings.',
    buttons: ['OK'],
    defaultId: 0,
    cancelId: 0,
  };
}

/** On Linux the installed package's own desktop entry says it, and Electron would only ask a tool for the same. */
export function registerLinks(deps: {
  platform: NodeJS.Platform;
  execPath: string;
  app: {
    readonly isPackaged: boolean;
    getAppPath(): string;
    setAsDefaultProtocolClient(scheme: string, path?: string, args?: string[]): boolean;
  };
}): void {
  const { platform, app, execPath } = deps;
  if (platform !== 'win32' && platform !== 'darwin') return;
  if (app.isPackaged) app.setAsDefaultProtocolClient('doctray');
  else if (platform === 'win32') app.setAsDefaultProtocolClient('doctray', execPath, [app.getAppPath()]);
}
