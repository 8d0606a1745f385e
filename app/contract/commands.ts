// Every call the window can make, in one table: name → rules for its arguments and the shape of its result. The main process
// checks the arguments by it, since whoever broke into the window may send anything; the window takes its types from it.

import { z } from 'zod';
import {
  containerEngineNames,
  documentServerProducts,
  engineHelpUrls,
  type Detection,
  type StoppedServer,
} from './document-servers.ts';
import type { ConnectionTest, FoundAddress, ReachableAddress } from './editors.ts';
import type { ActivityItem } from './pushes.ts';
import type { SettingsState, WindowState } from './state.ts';

interface Rule<Args extends z.ZodType, Result> {
  args: Args;
  /** Only a type: nothing is there at run time. */
  result?: () => Result;
}

function takes<Args extends z.ZodType>(args: Args): { gives<Result>(): Rule<Args, Result> } {
  return { gives: <Result>(): Rule<Args, Result> => ({ args }) };
}

const nothing = z.strictObject({});
const id = z.string().min(1).max(128);
const ids = z.array(id).min(1).max(10_000);
/** Inside the hosted folder; '' is the folder itself. */
const folderPath = z.string().max(4096);
const path = z.string().min(1).max(4096);
const name = z.string().min(1).max(512);
const mode = z.enum(['edit', 'view']);
const count = z.int().min(0).max(10_000_000);
const login = z.string().min(1).max(64);
const password = z.string().max(4096);
const editorUrl = z.string().min(1).max(2048);
const product = z.enum(documentServerProducts);
const longText = z.string().max(64 * 1024 * 1024);

/** What could not be done, and what was; one bad item does not stop the others. */
export interface Outcome {
  done: { id: string; path: string }[];
  failed: { id: string; path: string; message: string }[];
}

export type DocumentItem =
  | { kind: 'folder'; path: string; name: string; lastModifiedMs: number }
  | {
      kind: 'document';
      fileId: string;
      path: string;
      name: string;
      /** Bytes. */
      size: number;
      lastModifiedMs: number;
      /** How many earlier contents are kept, and the bytes they use. */
      versionCount: number;
      versionBytes: number;
    };

export interface DocumentPage {
  path: string;
  startIndex: number;
  items: DocumentItem[];
  /** On all pages. */
  total: number;
}

export interface SearchResult {
  items: DocumentItem[];
  /** False when there are more than `items` shows or the search ran out of time; `searched` says how far it came. */
  isComplete: boolean;
  searched: number;
}

export interface VersionItem {
  id: string;
  itemVersion: string;
  size: number;
  keptAtMs: number;
  savedAtMs: number | null;
  /** Names of the users, divided by commas. */
  savedBy: string | null;
  savedHow: string | null;
}

export interface TemplateItem {
  id: string;
  /** `Word document`, `Spreadsheet (OpenDocument)`, … */
  title: string;
  extension: string;
}

/** Access minted for an editor. The token is part of this one answer and never shown again. */
export interface OpenedDocument {
  fileId: string;
  path: string;
  mode: 'edit' | 'view';
  wopiSrc: string;
  accessToken: string;
  expiresAtMs: number;
}

/** A document that opens in an editor just now. The address holds a ticket and is not part of the answer. */
export interface OpeningDocument {
  fileId: string;
  path: string;
  mode: 'edit' | 'view';
  editorId: string;
  editorName: string;
  openedIn: 'browser' | 'window';
}

export interface ForceClearResult extends Outcome {
  /** For `locks.undoForceClear`, until `undoUntilMs`; null when nothing was cleared. */
  undoId: string | null;
  undoUntilMs: number | null;
}

export const commands = {
  'state.get': takes(nothing).gives<WindowState>(),

  'app.quit': takes(nothing).gives<null>(),
  'app.setStartsAtLogin': takes(z.strictObject({ isOn: z.boolean() })).gives<null>(),
  'app.finishFirstRun': takes(nothing).gives<null>(),
  /** To the clipboard. */
  'app.copyText': takes(z.strictObject({ text: longText })).gives<null>(),
  /** Asks where; null when the user thought better of it. */
  'app.saveText': takes(
    z.strictObject({ suggestedName: name, text: longText, kind: z.enum(['csv', 'json']) }),
  ).gives<{ savedTo: string | null }>(),
  'app.revealDataFolder': takes(nothing).gives<null>(),
  /** A page of the project, in the default browser. */
  'app.openHelp': takes(
    z.strictObject({ page: z.enum(['start', 'onlyoffice', 'collabora', 'network', 'troubleshooting']) }),
  ).gives<null>(),

  /** Asks for a folder by the system's dialog and serves it; null when the user thought better of it. */
  'host.chooseFolder': takes(nothing).gives<{ folder: string | null }>(),
  /** The folder that is served when no other was chosen; null where there is none. */
  'host.defaultFolder': takes(nothing).gives<{ path: string; exists: boolean } | null>(),
  /** Creates it with samples where it isn't there, and serves it. */
  'host.useDefaultFolder': takes(nothing).gives<{ folder: string }>(),
  /** Null: until resumed. */
  'host.pause': takes(z.strictObject({ minutes: z.int().min(1).max(1440).nullable() })).gives<null>(),
  'host.resume': takes(nothing).gives<null>(),
  /** Opens the port again by the settings of now; also the way out of `error`. */
  'host.restart': takes(nothing).gives<null>(),
  'host.openFolder': takes(nothing).gives<null>(),
  'host.makeSample': takes(nothing).gives<{ path: string }>(),
  /** The owner's password as the keychain holds it, into the clipboard and nowhere else. */
  'host.copyOwnerPassword': takes(nothing).gives<null>(),

  'documents.list': takes(
    z.strictObject({
      path: folderPath,
      startIndex: count,
      count: z.int().min(1).max(1000),
      sort: z.enum(['name', 'modified', 'size']),
      isDescending: z.boolean(),
    }),
  ).gives<DocumentPage>(),
  /** By name, in the whole folder. A newer search ends an older one. */
  'documents.search': takes(
    z.strictObject({ text: z.string().min(1).max(256), count: z.int().min(1).max(1000) }),
  ).gives<SearchResult>(),
  /** Tells by `folder-changed`; null ends it. */
  'documents.watch': takes(z.strictObject({ path: folderPath.nullable() })).gives<null>(),
  /** In the browser or a window of the app, as set; by the default editor of its type unless one is named. */
  'documents.openInEditor': takes(
    z.strictObject({ path, mode, editorId: id.nullable() }),
  ).gives<OpeningDocument>(),
  /** For an editor that is to be pointed here by hand. */
  'documents.open': takes(z.strictObject({ path, mode })).gives<OpenedDocument>(),
  'documents.templates': takes(nothing).gives<TemplateItem[]>(),
  'documents.create': takes(z.strictObject({ folderPath, template: id, name })).gives<{ path: string }>(),
  /** Files from elsewhere on this machine (dropped onto the window) are copied in; runs as a job. */
  'documents.import': takes(z.strictObject({ folderPath, sources: z.array(path).min(1).max(1000) })).gives<{
    jobId: string;
  }>(),
  'documents.rename': takes(z.strictObject({ path, name })).gives<{ path: string }>(),
  'documents.trash': takes(z.strictObject({ paths: z.array(path).min(1).max(1000) })).gives<Outcome>(),
  'documents.reveal': takes(z.strictObject({ path })).gives<null>(),
  'documents.versions': takes(z.strictObject({ path })).gives<{ fileId: string; versions: VersionItem[] }>(),
  'documents.restoreVersion': takes(z.strictObject({ path, versionId: id })).gives<{
    path: string;
    itemVersion: string;
  }>(),
  /** Removes kept versions past the limits of the settings; runs as a job. */
  'versions.cleanUp': takes(nothing).gives<{ jobId: string }>(),
  'versions.usage': takes(nothing).gives<{ count: number; bytes: number }>(),

  'rescued.restore': takes(z.strictObject({ id })).gives<{ path: string }>(),
  'rescued.discard': takes(z.strictObject({ id })).gives<null>(),
  'conflicts.dismiss': takes(z.strictObject({ id: path })).gives<null>(),

  /** `ids` are file ids. */
  'locks.forceClear': takes(z.strictObject({ ids })).gives<ForceClearResult>(),
  'locks.undoForceClear': takes(z.strictObject({ undoId: id })).gives<Outcome>(),
  'sessions.end': takes(z.strictObject({ ids })).gives<Outcome>(),
  'tokens.revoke': takes(z.strictObject({ ids })).gives<Outcome>(),
  'tokens.revokeOfUser': takes(z.strictObject({ login })).gives<{ count: number }>(),

  /** Reads its discovery first; nothing is kept when that fails. */
  'editors.add': takes(
    z.strictObject({
      url: editorUrl,
      name: name.nullable(),
      publicUrl: editorUrl.nullable(),
      acceptsOtherHosts: z.boolean(),
    }),
  ).gives<{ id: string }>(),
  'editors.change': takes(
    z.strictObject({
      id,
      name: name.optional(),
      publicUrl: editorUrl.nullable().optional(),
      proofMode: z.enum(['off', 'if-present', 'required']).optional(),
      allowedAddresses: z.array(z.string().max(64)).max(1000).optional(),
      acceptsOtherHosts: z.boolean().optional(),
    }),
  ).gives<null>(),
  'editors.refresh': takes(z.strictObject({ id })).gives<null>(),
  /** Both directions, for real; takes up to half a minute. */
  'editors.test': takes(z.strictObject({ id })).gives<ConnectionTest>(),
  'editors.remove': takes(z.strictObject({ id })).gives<null>(),
  /** Null: whichever can do most with it, and answers. */
  'editors.setDefault': takes(
    z.strictObject({ extension: z.string().min(1).max(32), editorId: id.nullable() }),
  ).gives<null>(),
  'editors.addresses': takes(nothing).gives<ReachableAddress[]>(),
  /** One of `editors.addresses`, or null for the one DocTray has anyway. Opens the listener there when it has to. */
  'editors.useAddress': takes(z.strictObject({ id, url: editorUrl.nullable() })).gives<null>(),

  /**
   * Tries the addresses under which the editor may reach DocTray, one after the other, and keeps the first that works; listens
   * there when it has to. Where none works everything is as it was. Takes up to half a minute for each; the editor's
   * `effectiveUrl` in the state is the one that is tried. Null: it was cancelled.
   * `isInContainer`: on this computer, where its own loopback address isn't this computer's.
   */
  'editors.findAddress': takes(
    z.strictObject({ id, isInContainer: z.boolean() }),
  ).gives<FoundAddress | null>(),
  /** Ends that search, with everything as it was before; nothing happens where none runs. */
  'editors.cancelFindAddress': takes(z.strictObject({ id })).gives<null>(),

  /** Asks the usual ports of this computer, and those that containers publish, for a document server; takes 2 s at most. */
  'editors.detect': takes(nothing).gives<Detection>(),

  /** Checks Docker, Podman and DocTray's containers; what it finds is in the state. */
  'documentServers.refresh': takes(nothing).gives<null>(),
  /**
   * Runs the product in a container and connects it. Answers at once; how far it is and how it ended is in the state. A start
   * of the same product that runs already is that one. `engine` null: the one that is ready.
   */
  'documentServers.start': takes(
    z.strictObject({ product, engine: z.enum(containerEngineNames).nullable() }),
  ).gives<{ id: string }>(),
  /** The command that runs the product in a container, to the clipboard, for a terminal. */
  'documentServers.copyCommand': takes(z.strictObject({ product })).gives<null>(),
  /** Ends a start and removes what it created; nothing happens to one that has ended. */
  'documentServers.cancel': takes(z.strictObject({ id })).gives<null>(),
  /** Stops and removes the container and disconnects its editor. Its data is kept for the next start unless `deleteData`. */
  'documentServers.stop': takes(z.strictObject({ product, deleteData: z.boolean() })).gives<StoppedServer>(),
  /** The page of the engine's maker, in the default browser. */
  'documentServers.openHelp': takes(
    z.strictObject({ page: z.enum(Object.keys(engineHelpUrls) as (keyof typeof engineHelpUrls)[]) }),
  ).gives<null>(),

  /** Makes the local authority and a certificate by it, and serves by that on the network. */
  'tls.useLocalAuthority': takes(nothing).gives<null>(),
  /** The authority's certificate, to be trusted by editors and browsers; null when the user thought better of it. */
  'tls.saveAuthority': takes(nothing).gives<{ savedTo: string | null }>(),

  'users.add': takes(
    z.strictObject({ login, displayName: z.string().max(128), role: z.enum(['editor', 'viewer']), password }),
  ).gives<null>(),
  'users.remove': takes(z.strictObject({ login })).gives<null>(),
  'users.setPassword': takes(z.strictObject({ login, password })).gives<null>(),
  'users.setRole': takes(z.strictObject({ login, role: z.enum(['editor', 'viewer']) })).gives<null>(),

  /** What would be wrong with a value, in a sentence; null when it is right. */
  'settings.check': takes(z.strictObject({ key: name, value: z.json() })).gives<{
    sentence: string | null;
  }>(),
  'settings.set': takes(z.strictObject({ key: name, value: z.json() })).gives<{ settings: SettingsState }>(),

  /** The last 10,000, oldest first. */
  'activity.list': takes(nothing).gives<{ items: ActivityItem[] }>(),
  'activity.watch': takes(z.strictObject({ isWatching: z.boolean() })).gives<null>(),
  'activity.clear': takes(nothing).gives<null>(),

  'jobs.cancel': takes(z.strictObject({ id })).gives<null>(),
  'jobs.dismiss': takes(z.strictObject({ id })).gives<null>(),
};

export type Commands = typeof commands;
export type CommandName = keyof Commands;
export type CommandArgs<Name extends CommandName> = z.infer<Commands[Name]['args']>;
export type CommandResult<Name extends CommandName> = ReturnType<NonNullable<Commands[Name]['result']>>;

/** What travels back. Errors cross as data: code, sentence, nothing of the machine. */
export type CommandAnswer<Result> =
  { isDone: true; result: Result } | { isDone: false; error: { code: string; message: string } };
