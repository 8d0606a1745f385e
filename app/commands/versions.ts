// The versions that DocTray keeps of a document, and the space they use.

import { z } from 'zod';
import type { CallerName } from '../contract/errors.ts';
import { countOf, formatSize } from '../contract/format.ts';
import type { VersionItem } from '../contract/results.ts';
import type { HostedFile } from '../files/document-index.ts';
import type { VersionSummary } from '../files/version-history.ts';
import type { Services } from '../host/services.ts';
import { command, cwd, id, noArgs, path } from './command.ts';
import { findDocument } from './file-argument.ts';
import { journalAction } from './journal-action.ts';

const document = { path, cwd };

interface DocumentVersions {
  path: string;
  fileId: string;
  versions: (VersionItem & VersionSummary)[];
}

export const versionCommands = {
  'documents.versions': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject(document),
    async run({ services, by }, args): Promise<DocumentVersions> {
      const { id: fileId, path } = await openDocument(services, args);
      const versions = services.versions.list(fileId).map((version) => ({
        ...version,
        savedBy: version.savedBy === null ? null : namesOf(services, version.savedBy, by),
      }));
      return { path, fileId, versions };
    },
  }),

  'documents.restoreVersion': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ ...document, versionId: id }),
    async run(context, args) {
      const { services } = context;
      const { id } = await openDocument(services, args);
      const { path, itemVersion, size } = await services.versions.restore(id, args.versionId);
      journalAction(context, 'RestoreVersion', path, id);
      return { path, itemVersion, size };
    },
  }),

  /** Starts a job that removes versions beyond the limits in the settings. */
  'versions.cleanUp': command({
    needs: 'host',
    from: 'window',
    args: noArgs,
    run({ services }) {
      const usage = services.versionUsage;
      const jobId = services.jobs.run('Cleaning up old versions', 'files', async (signal, progress) => {
        const before = usage.total();
        const removed = await services.versions.prune({ signal, onProgress: progress });
        if (removed === 0) return 'There was nothing to remove.';
        const freed = formatSize(before.bytes - usage.total().bytes);
        return `${countOf(removed, 'version')} (${freed}) removed.`;
      });
      return { jobId };
    },
  }),

  'versions.usage': command({
    needs: 'services',
    from: 'window',
    args: noArgs,
    run: ({ services }) => services.versionUsage.total(),
  }),
};

/** @throws AppError folder-not-chosen, folder-missing, path-invalid, file-missing */
function openDocument(
  services: Services,
  given: { path: string; cwd?: string | undefined },
): Promise<HostedFile> {
  if (given.cwd !== undefined) return findDocument(services, { file: given.path, cwd: given.cwd });
  return services.folders.require().folder.openPath(given.path);
}

/** `savedBy` has user ids, separated by commas. The terminal shows logins, for scripts; the window shows display names. */
function namesOf({ users }: Services, savedBy: string, by: CallerName): string {
  return savedBy
    .split(',')
    .map((id) => users.byId(id)?.[by === 'terminal' ? 'login' : 'displayName'] ?? id)
    .join(', ');
}
