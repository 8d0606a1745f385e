// The window's commands about documents: what the folder holds, and what can be done with it. Every path and name comes from the
// window, and whoever broke into it may send anything: each goes through the folder's wall.

import { basename } from 'node:path/posix';
import type {
  CommandArgs,
  CommandName,
  CommandResult,
  TemplateItem,
  VersionItem,
} from '../contract/commands.ts';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { HostEvent } from '../contract/events.ts';
import { formatSize } from '../contract/format-size.ts';
import { findFolder, findVisible, isHiddenPath } from '../files/visible.ts';
import type { Logger } from '../log/logger.ts';
import type { Sample } from '../templates/samples.ts';
import type { Conflicts } from './conflicts.ts';
import type { Desktop } from './desktop.ts';
import { createDocumentChanges, type DocumentChangesDeps } from './document-changes.ts';
import { documentItems } from './document-items.ts';
import { createMakeDocument } from './document-making.ts';
import { chosenName, nameTaken } from './document-names.ts';
import {
  ownerOf,
  type DocumentHost,
  type DocumentHosting,
  type DocumentKeeper,
  type DocumentServices,
} from './document-services.ts';
import { createFolderView } from './folder-view.ts';
import { createFolderWatch } from './folder-watch.ts';
import { clearImportLeftovers, createImports } from './import.ts';
import type { Jobs } from './jobs.ts';
import type { Recent } from './recent.ts';
import { chooseSample, makeSample } from './sample.ts';
import { createSearch } from './search.ts';

export interface DocumentTemplates {
  templates: readonly TemplateItem[];
  blankDocument(id: string): Uint8Array | Promise<Uint8Array>;
  samples(): readonly Sample[];
}

export interface DocumentHandlerDeps extends Omit<DocumentChangesDeps, 'clock'> {
  keeper: DocumentKeeper;
  /** The host that runs. @throws AppError host-away, or what kept it from starting */
  requireHost: () => DocumentHost;
  desktop: Pick<Desktop, 'reveal' | 'openDocumentPage'>;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  jobs: Jobs;
  recent: Recent;
  conflicts: Conflicts;
  /** Loaded with the first new document. */
  loadTemplates: () => Promise<DocumentTemplates>;
  /** At most ten times a second. */
  pushFolderChanged: (push: { path: string }) => void;
  /** These are others now and no event says so. */
  mark: (what: 'recent' | 'conflicts') => void;
}

export type DocumentCommand = Extract<
  CommandName,
  | `documents.${string}`
  | `versions.${string}`
  | `rescued.${string}`
  | `conflicts.${string}`
  | `jobs.${string}`
  | 'host.makeSample'
>;

export interface DocumentHandlers {
  /** A part of `Handlers`. */
  handlers: {
    [Name in DocumentCommand]: (
      args: CommandArgs<Name>,
    ) => CommandResult<Name> | Promise<CommandResult<Name>>;
  };
  /** Ends watching, searching and listening. Jobs end with `jobs.close()`. */
  close(): void;
}

export function createDocumentHandlers(deps: DocumentHandlerDeps): DocumentHandlers {
  const { keeper, jobs, conflicts, recent, clock } = deps;
  const view = createFolderView();
  const search = createSearch();
  const imports = createImports({ jobs });
  const changes = createDocumentChanges(deps);
  const watch = createFolderWatch({
    jail: () => keeper.host()?.services.folders.active()?.folder.jail,
    onDirty: view.forget,
    onChange: (path) => deps.pushFolderChanged({ path }),
    // A long folder that changes all the time must not be read all the time.
    pauseMs: () => 4 * view.lastCostMs(),
  });

  const open = (): { services: DocumentServices; hosting: DocumentHosting } => {
    const { services } = deps.requireHost();
    return { services, hosting: services.folders.require() };
  };

  const make = ({ services, hosting }: ReturnType<typeof open>) =>
    createMakeDocument(services, hosting, clock);

  const namesOf = ({ users }: DocumentServices, savedBy: string): string =>
    savedBy
      .split(',')
      .map((id) => users.byId(id)?.displayName ?? id)
      .join(', ');

  let cleared: DocumentServices | undefined;
  /** Once for each host and folder. */
  const clearUp = (): void => {
    const services = keeper.host()?.services;
    const folder = services?.folders.active()?.folder;
    if (services === undefined || folder === undefined) return;
    if (services !== cleared) void clearImportLeftovers(services, folder);
    cleared = services;
    void conflicts.check();
  };

  const note = (event: HostEvent): void => {
    switch (event.event) {
      case 'conflict-copy-made':
        deps.mark('conflicts');
        return;
      case 'file-renamed':
      case 'file-trashed':
        deps.mark('recent');
        void conflicts.check();
        return;
      case 'listening':
      case 'host-changed':
      case 'folder-switched':
        if (event.event === 'folder-switched') cleared = undefined;
        clearUp();
        watch.check();
        return;
      case 'stopping':
        imports.stop();
        search.stop();
        view.forget();
        return;
      default:
        return;
    }
  };
  const endEvents = keeper.onEvent((event) => {
    try {
      note(event);
    } catch (error) {
      deps.log.warn({ err: error }, 'What the window remembers could not be written.');
    }
  });
  clearUp();

  const handlers: DocumentHandlers['handlers'] = {
    async 'documents.list'(args) {
      const { services, hosting } = open();
      const { path, shown, total } = await view.page(hosting.folder, args);
      const items = await documentItems(hosting.folder, services.versionUsage, shown);
      return { path, startIndex: args.startIndex, items, total };
    },

    async 'documents.search'({ text, count }) {
      const { services, hosting } = open();
      const { shown, isComplete, searched } = await search.run(hosting.folder, text, count);
      const items = await documentItems(hosting.folder, services.versionUsage, shown);
      return { items, isComplete, searched };
    },

    async 'documents.watch'({ path }) {
      if (path === null) {
        await watch.show(null);
        return null;
      }
      const parsed = open().hosting.folder.jail.parse(path);
      if (isHiddenPath(parsed)) throw new AppError('folder-unknown');
      await watch.show(parsed);
      return null;
    },

    async 'documents.openInEditor'({ path: wanted, mode, editorId }) {
      const host = deps.requireHost();
      const page = await host.openInEditor({ user: ownerOf(host.services), path: wanted, mode, editorId });
      const { fileId, path, editorName } = page;
      const openedIn = await deps.desktop.openDocumentPage(page.url, basename(path));
      recent.note(fileId);
      return { fileId, path, mode, editorId: page.editorId, editorName, openedIn };
    },

    async 'documents.open'({ path, mode }) {
      const host = deps.requireHost();
      const { services } = host;
      const access = await host.openDocument({ user: ownerOf(services), path, mode });
      const { folder } = services.folders.require();
      recent.note(access.fileId);
      return {
        fileId: access.fileId,
        path: folder.rowOf(access.fileId)?.path ?? path,
        mode,
        wopiSrc: access.wopiSrc,
        accessToken: access.accessToken,
        expiresAtMs: access.accessTokenTtl,
      };
    },

    async 'documents.templates'() {
      return [...(await deps.loadTemplates()).templates];
    },

    async 'documents.create'({ folderPath, template, name: typed }) {
      const context = open();
      const { templates, blankDocument } = await deps.loadTemplates();
      const chosen = templates.find(({ id }) => id === template);
      if (chosen === undefined)
        throw new AppError('invalid-argument', { detail: 'There is no such template.' });
      const { name, candidates } = chosenName(typed, `.${chosen.extension.replace(/^\./u, '')}`);
      const place = await findFolder(context.hosting.folder.jail, folderPath);
      const bytes = await blankDocument(template);
      const path = await make(context)({ folderPath: place.path, names: candidates, bytes });
      if (path === undefined) {
        throw nameTaken((await context.hosting.documents.named(place.path, name)) ?? name);
      }
      return { path };
    },

    async 'documents.import'({ folderPath, sources }) {
      const { services, hosting } = open();
      const place = await findFolder(hosting.folder.jail, folderPath);
      return { jobId: imports.start({ services, hosting, folderPath: place.path, sources }) };
    },

    async 'documents.rename'({ path, name }) {
      const renamed = await changes.rename(open(), path, name);
      view.forget();
      return { path: renamed };
    },

    async 'documents.trash'({ paths }) {
      const outcome = await changes.trash(open(), paths);
      view.forget();
      void conflicts.check();
      deps.mark('recent');
      return outcome;
    },

    async 'documents.reveal'({ path }) {
      const { jail } = open().hosting.folder;
      const parsed = jail.parse(path);
      await jail.requireRoot();
      const place = await findVisible(jail, parsed);
      if (place === undefined) throw new AppError('file-missing');
      deps.desktop.reveal(jail.absolute(place.path));
      return null;
    },

    async 'documents.versions'({ path }) {
      const { services, hosting } = open();
      const { id: fileId } = await hosting.folder.openPath(path);
      const versions = services.versions.list(fileId).map((version): VersionItem => ({
        id: version.id,
        itemVersion: version.itemVersion,
        size: version.size,
        keptAtMs: version.keptAtMs,
        savedAtMs: version.savedAtMs,
        savedBy: version.savedBy === null ? null : namesOf(services, version.savedBy),
        savedHow: version.savedHow,
      }));
      return { fileId, versions };
    },

    async 'documents.restoreVersion'({ path, versionId }) {
      const { services, hosting } = open();
      const { id } = await hosting.folder.openPath(path);
      const restored = await services.versions.restore(id, versionId);
      return { path: restored.path, itemVersion: restored.itemVersion };
    },

    'versions.cleanUp'() {
      const { services } = deps.requireHost();
      const usage = services.versionUsage;
      const jobId = jobs.run('Clearing away old versions', 'files', async (signal, progress) => {
        const before = usage.total();
        const removed = await services.versions.prune({ signal, onProgress: progress });
        if (removed === 0) return 'There was nothing to remove.';
        const versions = `${removed.toLocaleString('en')} ${removed === 1 ? 'version' : 'versions'}`;
        // The host may have stopped meanwhile; the rest is removed after its next start.
        if (!services.store.db.open) return `${versions} removed.`;
        return `${versions} (${formatSize(before.bytes - usage.total().bytes)}) removed.`;
      });
      return { jobId };
    },

    'versions.usage': () => deps.requireHost().services.versionUsage.total(),

    'rescued.restore': async ({ id }) => ({
      path: await deps.requireHost().services.recoveredSaves.restore(id),
    }),

    async 'rescued.discard'({ id }) {
      await deps.requireHost().services.recoveredSaves.discard(id);
      return null;
    },

    'conflicts.dismiss'({ id }) {
      deps.requireHost();
      conflicts.dismiss(id);
      return null;
    },

    async 'host.makeSample'() {
      const context = open();
      const { samples } = await deps.loadTemplates();
      const sample = chooseSample(samples(), context.services.editors);
      return { path: await makeSample(context.hosting, make(context), sample) };
    },

    'jobs.cancel'({ id }) {
      jobs.cancel(id);
      return null;
    },

    'jobs.dismiss'({ id }) {
      jobs.dismiss(id);
      return null;
    },
  };

  return {
    handlers,
    close() {
      endEvents();
      watch.close();
      search.stop();
      imports.stop();
    },
  };
}
