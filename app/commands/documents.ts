// Documents: what the folder contains, and what can be done with it. Every path and name may come from a compromised window: each
// goes through the folder's jail.

import { basename } from 'node:path/posix';
import { z } from 'zod';
import { shownEditorName } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type {
  ColleagueLink,
  DocumentItem,
  DocumentPage,
  OpenedDocument,
  OpeningDocument,
  SearchResult,
  TemplateItem,
  TrashResult,
} from '../contract/results.ts';
import type { UserActionName } from '../contract/user-actions.ts';
import type { User } from '../store/users.ts';
import { failure, type Moved } from '../documents/document-changes.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import type { Jail } from '../files/jail.ts';
import { listedItems } from '../files/list-folder.ts';
import type { ListedPath } from '../files/read-folder.ts';
import { findFolder, findVisible, isHiddenPath } from '../files/visible.ts';
import type { HostedFolder } from '../host/hosted-folder.ts';
import type { Services } from '../host/services.ts';
import {
  command,
  cwd,
  folderPath,
  id,
  mode,
  name,
  path,
  text,
  type Contexts,
  journalAction,
} from './command.ts';
import { findPath, possiblePaths, targetFolder } from '../documents/file-argument.ts';

const count = z.int().min(1).max(1000);
const maxPaths = 1000;
const paths = z
  .array(path)
  .min(1)
  .max(maxPaths, { error: () => t('host.argument-has-too-many-entries', { max: maxPaths }) });

export interface FoundPath {
  path: string;
  isFolder: boolean;
  /** A lock keeps it, or a document in it, from being moved to the trash. */
  isLocked: boolean;
}

export const documentCommands = {
  /** Folders first, then documents, by name. */
  'documents.list': command({
    needs: 'host',
    from: 'window',
    args: z.strictObject({
      path: folderPath,
      startIndex: z.int().min(0).max(10_000_000),
      count,
    }),
    async run({ services }, args): Promise<DocumentPage> {
      const { folder } = services.folders.require();
      const { path, shown, total } = await services.folderView.page(folder, args);
      const items = await documentItems(services, folder, shown);
      return { path, startIndex: args.startIndex, items, total };
    },
  }),

  /** Searches the whole folder by name. A new search cancels the previous one. */
  'documents.search': command({
    needs: 'host',
    from: 'window',
    args: z.strictObject({ text: text.max(256), count }),
    async run({ services }, { text, count }): Promise<SearchResult> {
      const { folder } = services.folders.require();
      const { shown, isComplete, searched } = await services.search.run(folder, text, count);
      return { items: await documentItems(services, folder, shown), isComplete, searched };
    },
  }),

  /** Starts pushing `folder-changed` for this folder; null stops it. */
  'documents.watch': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ path: folderPath.nullable() }),
    async run({ requireHost, folderWatch }, { path }) {
      const jail = (): Jail => requireHost().services.folders.require().folder.jail;
      const parsed = path === null ? null : jail().parse(path);
      if (parsed !== null && isHiddenPath(parsed)) throw new AppError('folder-unknown');
      await folderWatch.show(parsed);
    },
  }),

  'documents.find': command({
    needs: 'services',
    from: 'terminal',
    args: z.strictObject({ paths, cwd: text }),
    async run({ services }, { paths, cwd }): Promise<FoundPath[]> {
      const { jail } = services.folders.require().folder;
      const locks = services.locks.list();
      return Promise.all(
        paths.map(async (typed) => {
          const path = await findPath(services, { path: typed, cwd }).catch((error: unknown) => {
            const isMissing = error instanceof AppError && error.code === 'file-missing';
            throw isMissing ? new AppError('file-missing', { detail: typed }) : error;
          });
          const place = await findVisible(jail, path);
          return {
            path,
            isFolder: place?.stats.isDirectory() === true,
            isLocked: locks.some((lock) => `${lock.path}/`.startsWith(`${path}/`)),
          };
        }),
      );
    },
  }),

  /** In the browser or a window of the app, depending on the settings. `editorId`: null for the default editor of its type. */
  'documents.openInEditor': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ path, mode, editorId: id.nullable() }),
    async run(context, { path: wanted, mode, editorId }): Promise<OpeningDocument> {
      const host = context.requireHost();
      const user = ownerOf(host.services);
      const page = await host.openInEditor({ user, path: wanted, mode, editorId });
      const { fileId, path, editorName } = page;
      const openedIn = await context.desktop.openDocumentPage(page.url, basename(path));
      host.services.recent.note(fileId);
      return {
        fileId,
        path,
        mode,
        editorId: page.editorId,
        editorName: shownEditorName(editorName),
        openedIn,
      };
    },
  }),

  /** Issues an access token for an editor that isn't connected. */
  'documents.open': command({
    needs: 'host',
    from: 'window',
    args: z.strictObject({ path, mode }),
    async run({ services, host }, { path, mode }): Promise<OpenedDocument> {
      const user = ownerOf(services);
      const { fileId, wopiSrc, accessToken, accessTokenTtl } = await host.openDocument({ user, path, mode });
      services.recent.note(fileId);
      return {
        fileId,
        path: services.folders.require().folder.rowOf(fileId)?.path ?? path,
        mode,
        wopiSrc,
        accessToken,
        expiresAtMs: accessTokenTtl,
      };
    },
  }),

  'documents.templates': command({
    needs: 'host',
    from: 'window',
    run: async ({ services }): Promise<TemplateItem[]> => [...(await services.newDocuments.templates())],
  }),

  /** Without a template, the extension of the name determines it. */
  'documents.create': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ folderPath, template: id.optional(), name, cwd }),
    run: (context, { template, name, ...target }) =>
      created(context, 'CreateDocument', target, (hosted, folderPath) =>
        context.services.newDocuments.create(hosted, { folderPath, template, name }),
      ),
  }),

  /**
   * The address of a document for other users, who sign in there, and what is missing before they can.
   */
  'documents.colleagueLink': command({
    needs: 'host',
    from: 'both',
    args: z.strictObject({ path, cwd }),
    async run({ services, host }, typed): Promise<ColleagueLink> {
      const { id } = await services.folders.require().folder.openPath(await findPath(services, typed));
      const { url, settings } = host.colleagueUrl();
      const needsUser = services.users.list().length === 1;
      return { url: url === null ? null : `${url}/edit/${id}`, settings, needsUser };
    },
  }),

  'documents.createFolder': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ folderPath, name, cwd }),
    run: (context, { name, ...target }) =>
      created(context, 'CreateFolder', target, (hosted, folderPath) =>
        context.services.documentChanges.createFolder(hosted, { folderPath, name }),
      ),
  }),

  /** The content on disk; an editor's unsaved changes aren't in it. */
  'documents.duplicate': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ path, cwd }),
    async run(context, typed) {
      const { services } = context;
      const from = await findPath(services, typed);
      const copy = await services.newDocuments.duplicate(services.folders.require(), from);
      journalAction(context, 'Duplicate', `${from} → ${copy}`);
      return { path: copy };
    },
  }),

  /** The sample that a connected editor can open; created unless it exists. */
  'documents.createSample': command({
    needs: 'host',
    from: 'window',
    async run(context) {
      const { services } = context;
      const { path, isNew } = await services.newDocuments.createSample(services.folders.require());
      if (isNew) journalAction(context, 'CreateDocument', path);
      return { path };
    },
  }),

  /**
   * Copies files into the folder, as a job. The preload script refuses this command from the page and sends it for dropped files;
   * nothing here can tell that they were dropped.
   */
  'documents.import': command({
    needs: 'host',
    from: 'both',
    isOnlyForApp: true,
    args: z.strictObject({ folderPath, sources: paths, cwd }),
    async run(context, { sources, ...target }) {
      const { services } = context;
      const hosted = services.folders.require();
      const { path } = await findFolder(hosted.folder.jail, await targetFolder(services, target));
      const onCopied = (what: string): void => journalAction(context, 'Import', what);
      return { jobId: services.imports.start({ hosted, folderPath: path, sources, onCopied }) };
    },
  }),

  'documents.rename': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ path, name, cwd }),
    async run(context, { name, ...typed }) {
      const { services } = context;
      const from = await findPath(services, typed);
      const renamed = await services.documentChanges.rename(services.folders.require(), from, name);
      services.folderView.forget();
      if (renamed !== from) journalAction(context, 'Rename', `${from} → ${renamed}`);
      return { path: renamed };
    },
  }),

  /** To another folder of the hosted one. A taken name fails with `target-taken`, unless both are to be kept. */
  'documents.move': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ paths, folderPath, keepsBoth: z.boolean().optional(), cwd }),
    async run(context, { paths, keepsBoth, ...target }): Promise<Moved> {
      const { services, by } = context;
      const { cwd } = target;
      const hosted = services.folders.require();
      const folderPath = await targetFolder(services, target);
      const found: string[] = [];
      const missing: Moved['failed'] = [];
      for (const typed of paths) {
        try {
          found.push(await findPath(services, { path: typed, cwd }));
        } catch (error) {
          missing.push(failure(typed, typed, error, by));
        }
      }
      const request = { paths: found, folderPath, keepsBoth };
      const moved = await services.documentChanges.move(hosted, request, by);
      moved.failed.unshift(...missing);
      for (const { path, from } of moved.done)
        if (path !== from) journalAction(context, 'Move', `${from} → ${path}`);
      folderChanged(services);
      return moved;
    },
  }),

  'documents.trash': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ paths }),
    async run(context, { paths }): Promise<TrashResult> {
      const { services, by } = context;
      const outcome = await services.documentChanges.trash(services.folders.require(), paths, by);
      for (const { path } of outcome.done) journalAction(context, 'MoveToTrash', path);
      folderChanged(services);
      await services.conflictCopies.check();
      return outcome;
    },
  }),

  /** `id` is from `documents.trash`, which was at most 10 seconds ago. */
  'documents.undoTrash': command({
    needs: 'services',
    from: 'window',
    args: z.strictObject({ id }),
    async run(context, { id }): Promise<Moved> {
      const { services, by } = context;
      const outcome = await services.documentChanges.undoTrash(services.folders.require(), id, by);
      for (const { path } of outcome.done) journalAction(context, 'UndoTrash', path);
      folderChanged(services);
      return outcome;
    },
  }),

  'documents.reveal': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ path }),
    async run({ requireHost, desktop }, { path }) {
      const { jail } = requireHost().services.folders.require().folder;
      const parsed = jail.parse(path);
      await jail.requireRoot();
      const place = await findVisible(jail, parsed);
      if (place === undefined) throw new AppError('file-missing');
      desktop.reveal(jail.absolute(place.path));
    },
  }),

  /** Newest first. */
  'conflicts.list': command({
    needs: 'services',
    from: 'terminal',
    async run({ services }) {
      await services.conflictCopies.check();
      return services.conflictCopies.list();
    },
  }),

  /** Takes it off the list; both documents stay. */
  'conflicts.dismiss': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id: path, cwd }),
    async run({ services, by }, { id, cwd }) {
      const { root } = services.folders.require().folder;
      const typed = cwd === undefined ? [] : await possiblePaths(root, { file: id, cwd });
      const dismissed = [id, ...typed].find((copy) => services.conflictCopies.dismiss(copy));
      // The window may still show a copy that is gone.
      if (dismissed === undefined && by === 'terminal') throw new AppError('conflict-unknown');
      return { id: dismissed ?? id };
    },
  }),
};

async function created(
  context: Contexts['services'],
  action: UserActionName,
  target: { folderPath: string; cwd?: string | undefined },
  create: (hosted: HostedFolder, folderPath: string) => Promise<string>,
): Promise<{ path: string }> {
  const { services } = context;
  const path = await create(services.folders.require(), await targetFolder(services, target));
  services.folderView.forget();
  journalAction(context, action, path);
  return { path };
}

/** No event is emitted for a folder without open documents. */
function folderChanged(services: Pick<Services, 'folderView' | 'emit'>): void {
  services.folderView.forget();
  services.emit({ event: 'row-changed', table: 'recent' });
}

/** In the same order, without those that no longer exist. */
async function documentItems(
  { versionUsage }: Pick<Services, 'versionUsage'>,
  folder: DocumentIndex,
  listed: readonly ListedPath[],
): Promise<DocumentItem[]> {
  const items = await listedItems(folder, listed);
  const used = versionUsage.byFile(items.flatMap((item) => (item.kind === 'document' ? [item.id] : [])));
  return items.map((item): DocumentItem => {
    if (item.kind === 'folder') return item;
    const { kind, id: fileId, path, name, size, lastModifiedMs } = item;
    const { count: versionCount, bytes: versionBytes } = used.get(fileId) ?? { count: 0, bytes: 0 };
    return { kind, fileId, path, name, size, lastModifiedMs, versionCount, versionBytes };
  });
}

/** Users of this computer act as the owner. @throws AppError user-unknown */
export function ownerOf({ users }: Pick<Services, 'users'>): User {
  const owner = users.byId(users.ownerId());
  if (owner === undefined) throw new AppError('user-unknown');
  return owner;
}
