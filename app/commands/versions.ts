// The versions that DocTray keeps of a document, and the space they use.

import { basename } from 'node:path/posix';
import { z } from 'zod';
import { saverNames } from '../accounts/users.ts';
import { shownEditorName } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import { formatSize } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import type { CurrentVersion, OpeningDocument, VersionItem } from '../contract/results.ts';
import { readVersionText } from '../documents/version-text.ts';
import { hostedFile, type HostedFile } from '../files/document-index.ts';
import type { VersionSummary } from '../files/version-history.ts';
import type { Services } from '../host/services.ts';
import { command, cwd, id, name, path, journalAction } from './command.ts';
import { ownerOf } from './documents.ts';
import { findDocument } from '../documents/file-argument.ts';

const document = { path, cwd };
/** Scripts need logins. */
const nameFor = { terminal: 'login', window: 'displayName' } as const;

interface DocumentVersions {
  path: string;
  fileId: string;
  current: CurrentVersion;
  versions: (VersionItem & Omit<VersionSummary, 'savedBy'>)[];
}

export const versionCommands = {
  'versions.list': command({
    needs: 'services',
    from: 'both',
    /** `fileId`: of the document, which may have another path by now. */
    args: z.strictObject({ ...document, fileId: id.optional() }),
    async run({ services, by }, { fileId: known, ...args }): Promise<DocumentVersions> {
      const file = known === undefined ? await openDocument(services, args) : await openId(services, known);
      const { id: fileId, path } = file;
      const row = services.folders.require().folder.rowOf(fileId);
      const versions = services.versions.list(fileId).map((version) => ({
        ...version,
        savedBy: saverNames(services.users, version.savedBy, nameFor[by]),
      }));
      const current = {
        itemVersion: file.itemVersion,
        size: file.size,
        lastModifiedMs: file.lastModifiedMs,
        savedAtMs: row?.savedAtMs ?? null,
        savedBy: saverNames(services.users, row?.savedBy ?? null, nameFor[by]),
        savedHow: row?.savedHow ?? null,
      };
      return { path, fileId, current, versions };
    },
  }),

  /** Opens a version in the editor for its type, to view. Nothing can be saved there. */
  'versions.open': command({
    needs: 'window',
    from: 'window',
    args: z.strictObject({ path, versionId: id }),
    async run(context, { path, versionId }): Promise<OpeningDocument> {
      const host = context.requireHost();
      const { services } = host;
      const page = await host.openVersion({ user: ownerOf(services), path, versionId });
      const openedIn = await context.desktop.openDocumentPage(page.url, basename(page.path));
      journalAction({ services, by: 'window' }, 'ViewVersion', page.path, page.fileId);
      const { fileId, editorId, editorName } = page;
      return {
        fileId,
        path: page.path,
        mode: 'view',
        editorId,
        editorName: shownEditorName(editorName),
        openedIn,
      };
    },
  }),

  /** Saves a version as a new document next to its own. */
  'versions.saveCopy': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ ...document, versionId: id, name: name.optional() }),
    async run(context, { versionId, name, ...args }) {
      const { services } = context;
      const { path } = await openDocument(services, args);
      const hosted = services.folders.require();
      const copy = await services.newDocuments.copyVersion(hosted, { path, versionId, name });
      services.folderView.forget();
      journalAction(context, 'CopyVersion', `${path} → ${copy}`);
      return { path: copy };
    },
  }),

  /** The text of a version, or of the current content, to compare them. @throws AppError not-text */
  'versions.text': command({
    needs: 'services',
    from: 'window',
    args: z.strictObject({ path, versionId: id.nullable() }),
    async run({ services }, args): Promise<{ text: string }> {
      const hosted = services.folders.require();
      const file = await hosted.folder.openPath(args.path);
      return { text: await readVersionText(hosted, file, args.versionId) };
    },
  }),

  'versions.restore': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ ...document, versionId: id }),
    async run(context, args) {
      const { services } = context;
      const { id } = await openDocument(services, args);
      const { path, itemVersion, size } = await services.versions.restore(
        id,
        args.versionId,
        services.users.ownerId(),
      );
      journalAction(context, 'RestoreVersion', path, id);
      return { path, itemVersion, size };
    },
  }),

  /** Starts a job that removes versions beyond the limits in the settings. */
  'versions.cleanUp': command({
    needs: 'host',
    from: 'both',
    run({ services }) {
      const usage = services.versionUsage;
      const jobId = services.jobs.run(
        t('host.cleaning-up-old-versions'),
        'files',
        async (signal, progress) => {
          const before = usage.total();
          const removed = await services.versions.prune({ signal, onProgress: progress });
          if (removed === 0) return t('host.there-was-nothing-to-remove');
          const freed = formatSize(before.bytes - usage.total().bytes);
          return t('host.versions-freed-removed', {
            count: removed,
            freed,
          });
        },
      );
      return { jobId };
    },
  }),

  /** Of all documents of all folders. */
  'versions.usage': command({
    needs: 'services',
    from: 'both',
    run: ({ services }) => services.versionUsage.total(),
  }),
};

/** @throws AppError folder-not-chosen, file-missing */
async function openId(services: Services, fileId: string): Promise<HostedFile> {
  const found = await services.folders.require().folder.find(fileId);
  if (found === undefined) throw new AppError('file-missing');
  return hostedFile(found);
}

/** @throws AppError folder-not-chosen, folder-missing, path-invalid, file-missing */
function openDocument(
  services: Services,
  given: { path: string; cwd?: string | undefined },
): Promise<HostedFile> {
  if (given.cwd !== undefined) return findDocument(services, { file: given.path, cwd: given.cwd });
  return services.folders.require().folder.openPath(given.path);
}
