// Documents: what the folder holds, and what can be done with it. Every path and name may come from a window that was broken
// into: each goes through the folder's jail.

import { basename } from 'node:path/posix';
import { z } from 'zod';
import { AppError } from '../contract/errors.ts';
import { formatSize } from '../contract/format-size.ts';
import type {
  DocumentPage,
  OpenedDocument,
  OpeningDocument,
  SearchResult,
  TemplateItem,
} from '../contract/results.ts';
import { findFolder, findVisible, isHiddenPath } from '../files/visible.ts';
import type { Services } from '../host/services.ts';
import { documentItems } from '../window/document-items.ts';
import { chosenName, nameTaken } from '../window/document-names.ts';
import { ownerOf } from '../window/document-services.ts';
import { chooseSample, makeSample } from '../window/sample.ts';
import {
  command,
  folderPath,
  id,
  mode,
  name,
  nothing,
  path,
  text,
  typedFile,
  type WindowParts,
} from './command.ts';
import { findDocument } from './file-argument.ts';

const count = z.int().min(1).max(1000);

export const documentCommands = {
  /** A document as a person types it. */
  'documents.find': command({
    needs: 'services',
    from: 'terminal',
    args: z.strictObject(typedFile),
    run: ({ services }, args) => findDocument(services, args),
  }),

  'documents.list': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({
      path: folderPath,
      startIndex: z.int().min(0).max(10_000_000),
      count,
      sort: z.enum(['name', 'modified', 'size']),
      isDescending: z.boolean(),
    }),
    async run(context, args): Promise<DocumentPage> {
      const { services, hosting } = open(context);
      const { path, shown, total } = await context.documents.view.page(hosting.folder, args);
      const items = await documentItems(hosting.folder, services.versionUsage, shown);
      return { path, startIndex: args.startIndex, items, total };
    },
  }),

  /** By name, in the whole folder. A newer search ends an older one. */
  'documents.search': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ text: text.max(256), count }),
    async run(context, { text, count }): Promise<SearchResult> {
      const { services, hosting } = open(context);
      const { shown, isComplete, searched } = await context.documents.search.run(hosting.folder, text, count);
      const items = await documentItems(hosting.folder, services.versionUsage, shown);
      return { items, isComplete, searched };
    },
  }),

  /** Pushes `folder-changed`; null ends it. */
  'documents.watch': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ path: folderPath.nullable() }),
    async run(context, { path }) {
      const { watch } = context.documents;
      if (path === null) {
        await watch.show(null);
        return null;
      }
      const parsed = open(context).hosting.folder.jail.parse(path);
      if (isHiddenPath(parsed)) throw new AppError('folder-unknown');
      await watch.show(parsed);
      return null;
    },
  }),

  /** In the browser or a window of the app, by the settings; in the default editor for its type unless one is named. */
  'documents.openInEditor': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ path, mode, editorId: id.nullable() }),
    async run(context, { path: wanted, mode, editorId }): Promise<OpeningDocument> {
      const host = context.requireHost();
      const page = await host.openInEditor({ user: ownerOf(host.services), path: wanted, mode, editorId });
      const { fileId, path, editorName } = page;
      const openedIn = await context.desktop.openDocumentPage(page.url, basename(path));
      context.documents.recent.note(fileId);
      return { fileId, path, mode, editorId: page.editorId, editorName, openedIn };
    },
  }),

  /** For an editor that is pointed here by hand. */
  'documents.open': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ path, mode }),
    async run(context, { path, mode }): Promise<OpenedDocument> {
      const host = context.requireHost();
      const { services } = host;
      const { fileId, wopiSrc, accessToken, accessTokenTtl } = await host.openDocument({
        user: ownerOf(services),
        path,
        mode,
      });
      context.documents.recent.note(fileId);
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
    needs: 'window',
    from: 'window',
    args: nothing,
    run: async ({ documents }): Promise<TemplateItem[]> => [...(await documents.loadTemplates()).templates],
  }),

  'documents.create': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ folderPath, template: id, name }),
    async run(context, { folderPath, template, name: typed }) {
      const { services, hosting } = open(context);
      const { templates, blankDocument } = await context.documents.loadTemplates();
      const chosen = templates.find(({ id }) => id === template);
      if (chosen === undefined) {
        throw new AppError('invalid-argument', { detail: 'There is no such template.' });
      }
      const { name, candidates } = chosenName(typed, `.${chosen.extension.replace(/^\./u, '')}`);
      const place = await findFolder(hosting.folder.jail, folderPath);
      const bytes = await blankDocument(template);
      const make = context.documents.make(services, hosting);
      const path = await make({ folderPath: place.path, names: candidates, bytes });
      if (path === undefined) {
        throw nameTaken((await hosting.documents.named(place.path, name)) ?? name);
      }
      return { path };
    },
  }),

  'host.makeSample': command({
    needs: 'window',
    from: 'window',
    args: nothing,
    async run(context) {
      const { services, hosting } = open(context);
      const { samples } = await context.documents.loadTemplates();
      const sample = chooseSample(samples(), services.editors);
      return { path: await makeSample(hosting, context.documents.make(services, hosting), sample) };
    },
  }),

  /** Copies files from elsewhere on this computer (dropped onto the window) into the folder; runs as a job. */
  'documents.import': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ folderPath, sources: z.array(path).min(1).max(1000) }),
    async run(context, { folderPath, sources }) {
      const { services, hosting } = open(context);
      const place = await findFolder(hosting.folder.jail, folderPath);
      const { imports } = context.documents;
      return { jobId: imports.start({ services, hosting, folderPath: place.path, sources }) };
    },
  }),

  'documents.rename': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ path, name }),
    async run(context, { path, name }) {
      const renamed = await context.documents.changes.rename(open(context), path, name);
      context.documents.view.forget();
      return { path: renamed };
    },
  }),

  'documents.trash': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ paths: z.array(path).min(1).max(1000) }),
    async run(context, { paths }) {
      const outcome = await context.documents.changes.trash(open(context), paths);
      context.documents.view.forget();
      void context.conflicts.check();
      context.live.mark('recent');
      return outcome;
    },
  }),

  'documents.reveal': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ path }),
    async run(context, { path }) {
      const { jail } = open(context).hosting.folder;
      const parsed = jail.parse(path);
      await jail.requireRoot();
      const place = await findVisible(jail, parsed);
      if (place === undefined) throw new AppError('file-missing');
      context.desktop.reveal(jail.absolute(place.path));
      return null;
    },
  }),

  'documents.versions': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ path }),
    async run({ services }, args) {
      const { id: fileId, path } = await services.folders.require().folder.openPath(args.path);
      const versions = services.versions.list(fileId).map((version) => ({
        ...version,
        savedBy: version.savedBy === null ? null : namesOf(services, version.savedBy),
      }));
      return { path, fileId, versions };
    },
  }),

  'documents.restoreVersion': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ path, versionId: id }),
    async run({ services }, args) {
      const { id } = await services.folders.require().folder.openPath(args.path);
      const { path, itemVersion, size } = await services.versions.restore(id, args.versionId);
      return { path, itemVersion, size };
    },
  }),

  /** Removes versions past the limits of the settings; runs as a job. */
  'versions.cleanUp': command({
    needs: 'window',
    from: 'window',
    args: nothing,
    run({ requireHost, jobs }) {
      const { services } = requireHost();
      const usage = services.versionUsage;
      const jobId = jobs.run('Clearing away old versions', 'files', async (signal, progress) => {
        const before = usage.total();
        const removed = await services.versions.prune({ signal, onProgress: progress });
        if (removed === 0) return 'There was nothing to remove.';
        const versions = `${removed.toLocaleString('en')} ${removed === 1 ? 'version' : 'versions'}`;
        // If the host has stopped, the rest is removed after its next start.
        if (!services.store.db.open) return `${versions} removed.`;
        return `${versions} (${formatSize(before.bytes - usage.total().bytes)}) removed.`;
      });
      return { jobId };
    },
  }),

  'versions.usage': command({
    needs: 'services',
    from: 'both',
    args: nothing,
    run: ({ services }) => services.versionUsage.total(),
  }),

  'rescued.list': command({
    needs: 'services',
    from: 'terminal',
    args: nothing,
    run: ({ services }) => services.recoveredSaves.list(),
  }),

  'rescued.restore': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id }),
    run: async ({ services }, args) => ({ path: await services.recoveredSaves.restore(args.id) }),
  }),

  'rescued.discard': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id }),
    async run({ services }, args) {
      await services.recoveredSaves.discard(args.id);
      return { id: args.id };
    },
  }),

  'conflicts.dismiss': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ id: path }),
    run({ requireHost, conflicts }, { id }) {
      requireHost();
      conflicts.dismiss(id);
      return null;
    },
  }),
};

function open({ requireHost }: Pick<WindowParts, 'requireHost'>) {
  const { services } = requireHost();
  return { services, hosting: services.folders.require() };
}

/** Editors name the users of a save by their ids, divided by commas. */
function namesOf({ users }: Services, savedBy: string): string {
  return savedBy
    .split(',')
    .map((id) => users.byId(id)?.displayName ?? id)
    .join(', ');
}
