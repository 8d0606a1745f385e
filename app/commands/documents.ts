// Documents: what the folder holds, and what can be done with it. Every path and name may come from a window that was broken
// into: each goes through the folder's jail.

import { basename } from 'node:path/posix';
import { z } from 'zod';
import { AppError } from '../contract/errors.ts';
import type {
  DocumentPage,
  OpenedDocument,
  OpeningDocument,
  SearchResult,
  TemplateItem,
} from '../contract/results.ts';
import { findFolder, findVisible, isHiddenPath } from '../files/visible.ts';
import { documentItems } from '../window/document-items.ts';
import { chosenName, nameTaken } from '../window/document-names.ts';
import { ownerOf } from '../window/document-services.ts';
import { chooseSample, makeSample } from '../window/sample.ts';
import { command, folderPath, id, mode, name, nothing, path, text, type WindowParts } from './command.ts';

const count = z.int().min(1).max(1000);

export const documentCommands = {
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
      const { services, hosting } = requireFolder(context);
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
      const { services, hosting } = requireFolder(context);
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
      const parsed = requireFolder(context).hosting.folder.jail.parse(path);
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
      const { services, hosting } = requireFolder(context);
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
      const { services, hosting } = requireFolder(context);
      const { samples } = await context.documents.loadTemplates();
      const sample = chooseSample(samples(), services.editors);
      return { path: await makeSample(hosting, context.documents.make(services, hosting), sample) };
    },
  }),

  /**
   * Copies files into the folder, as a job. The preload script refuses this command from the page and sends it for dropped files;
   * nothing here can tell that they were dropped.
   */
  'documents.import': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ folderPath, sources: z.array(path).min(1).max(1000) }),
    async run(context, { folderPath, sources }) {
      const { services, hosting } = requireFolder(context);
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
      const renamed = await context.documents.changes.rename(requireFolder(context), path, name);
      context.documents.view.forget();
      return { path: renamed };
    },
  }),

  'documents.trash': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ paths: z.array(path).min(1).max(1000) }),
    async run(context, { paths }) {
      const outcome = await context.documents.changes.trash(requireFolder(context), paths);
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
      const { jail } = requireFolder(context).hosting.folder;
      const parsed = jail.parse(path);
      await jail.requireRoot();
      const place = await findVisible(jail, parsed);
      if (place === undefined) throw new AppError('file-missing');
      context.desktop.reveal(jail.absolute(place.path));
      return null;
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

function requireFolder({ requireHost }: Pick<WindowParts, 'requireHost'>) {
  const { services } = requireHost();
  return { services, hosting: services.folders.require() };
}
