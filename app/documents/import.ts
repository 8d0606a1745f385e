// Copies files and folders from elsewhere on this computer into the hosted folder, as a job. Nothing there is overwritten: if a name
// is taken, the copy gets a number. An incomplete copy has a temporary name, and is removed with the job or at the next start.

import { mkdir, rm } from 'node:fs/promises';
import { AppError, errorCode } from '../contract/errors.ts';
import { countOf, formatSize } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import { joinPath, nameOf } from '../contract/names.ts';
import { copyIn } from '../files/import-file.ts';
import { diskRefused } from '../files/disk-error.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import { assertSource, planImport, type ImportPlan, type PlannedFile } from '../files/import-plan.ts';
import type { Documents } from '../files/documents.ts';
import { type OpenFolder } from '../files/jail.ts';
import { moveWithoutOverwrite, type NameInFolder } from '../files/move-file.ts';
import type { SharedServices } from '../host/shared.ts';
import { candidateNames } from '../wopi/target-names.ts';
import type { JobProgress, Jobs, PartialResult } from './jobs.ts';

export interface ImportRequest {
  hosted: { folder: DocumentIndex; documents: Pick<Documents, 'keyOf' | 'takenKeys'> };
  /** The target folder: a real path inside the hosted folder. */
  folderPath: string;
  sources: readonly string[];
  /** Called when the job ends, unless nothing was copied; `what`, such as `12 files → Letters`, is for the journal. */
  onCopied?: (what: string) => void;
}

export interface Imports {
  /** Starts the job and returns its id. @throws AppError invalid-argument */
  start(request: ImportRequest): string;
}

export interface ImportDeps extends Pick<
  SharedServices,
  'dataDir' | 'mutex' | 'tempNames' | 'diskSpace' | 'filesTable' | 'importFolders'
> {
  jobs: Pick<Jobs, 'run'>;
}

/** How many failures the job's result names; the rest are counted. */
const maxNamed = 3;

export function createImports(deps: ImportDeps): Imports {
  return {
    start(request) {
      const { sources, folderPath } = request;
      for (const source of sources) assertSource(source);
      return deps.jobs.run(
        titleOfImport({ count: sources.length, first: lastPart(sources[0] ?? '') }, folderPath),
        'bytes',
        (signal, progress) => inTurn(deps.mutex, signal, () => runImport(deps, request, signal, progress)),
      );
    },
  };
}

/** Of a job that copies items into the folder at `folderPath`. */
export function titleOfImport(
  { count, first: name }: { count: number; first: string },
  folderPath: string,
): string {
  return folderPath === ''
    ? t('host.copying-items-into-the-folder', { count, name })
    : t('host.copying-items-into-folder', { count, name, folder: nameOf(folderPath) });
}

/** Runs imports one after the other: in parallel they would only slow down the disk. */
function inTurn(
  mutex: SharedServices['mutex'],
  signal: AbortSignal,
  work: () => Promise<PartialResult>,
): Promise<PartialResult> {
  return new Promise((resolve, reject) => {
    let isRunning = false;
    // If the import is still waiting for its turn, it ends immediately.
    signal.addEventListener('abort', () => isRunning || reject(signal.reason as Error), { once: true });
    const turn = mutex.run('import', async () => {
      signal.throwIfAborted();
      isRunning = true;
      return work();
    });
    turn.then(resolve, reject);
  });
}

/** Removes incomplete copies of an import whose host was killed. Never rejects: the next start tries again. */
export function clearImportLeftovers(
  services: Pick<SharedServices, 'importFolders' | 'tempNames' | 'mutex'>,
  { jail, tenantId }: DocumentIndex,
): Promise<void> {
  // Not while an import is running, since its folders are recorded too.
  return services.mutex.run('import', async () => {
    try {
      const folders = services.importFolders;
      for (const path of folders.list(tenantId)) {
        await jail.requireRoot();
        const opened = await jail.openFolder(path);
        if (opened !== undefined) await clearCopies(services.tempNames, opened).finally(opened.close);
        folders.removeAll(tenantId, [path]);
      }
    } catch {
      // The drive was unplugged, or the host is stopping.
    }
  });
}

async function clearCopies(tempNames: SharedServices['tempNames'], opened: OpenFolder): Promise<void> {
  for (const { name } of await opened.list()) {
    // What an editor sent isn't a copy; files/crash-recovery.ts handles it.
    if (tempNames.isLeftover(name) && tempNames.uploadOf(name) === undefined) await rm(opened.at(name));
  }
}

interface Run extends ImportDeps {
  hosted: ImportRequest['hosted'];
  signal: AbortSignal;
  /** Folders that were written into. */
  touched: Set<string>;
  taken: Map<string, Set<string>>;
  copied: number;
  copiedBytes: number;
  failed: { name: string; sentence: string }[];
  /** A folder couldn't be synced. */
  isUnconfirmed: boolean;
  onBytes: (bytes: number) => void;
}

async function runImport(
  deps: ImportDeps,
  { hosted, folderPath, sources, onCopied }: ImportRequest,
  signal: AbortSignal,
  progress: JobProgress,
): Promise<PartialResult> {
  const { folder } = hosted;
  signal.throwIfAborted();
  const { dataDir, importFolders } = deps;
  const plan = await planImport(sources, { hostedFolder: folder.root, dataDir, signal });
  await deps.diskSpace.requireRoom(folder.root, plan.bytes);
  let bytes = 0;
  progress(bytes, plan.bytes);
  const run: Run = {
    ...deps,
    hosted,
    signal,
    touched: new Set(),
    taken: new Map(),
    copied: 0,
    copiedBytes: 0,
    failed: [...plan.refused],
    isUnconfirmed: false,
    onBytes: (more) => progress((bytes += more), plan.bytes),
  };
  try {
    await copyAll(run, folderPath, plan).finally(() => syncFolders(run));
    return outcome(run, plan);
  } catch (error) {
    const copied = t('host.copied-of-files-copied', { copied: run.copied, count: plan.fileCount });
    const said = [copied, ...unconfirmed(run)].join(' ');
    // A canceled job isn't a failure.
    if (signal.aborted) return { sentence: `${t('host.stopped')} ${said}`, isPartial: true };
    if (!(error instanceof AppError) || error.code === 'import-failed') throw error;
    throw new AppError('import-failed', { cause: error, detail: `${error.detail ?? error.message} ${said}` });
  } finally {
    importFolders.removeAll(folder.tenantId, [...run.touched]);
    const [source = ''] = sources;
    const what = sources.length === 1 ? lastPart(source) : countOf(run.copied, 'file');
    if (run.copied > 0) onCopied?.(folderPath === '' ? what : `${what} → ${folderPath}`);
  }
}

async function syncFolders(run: Run): Promise<void> {
  const { jail } = run.hosted.folder;
  for (const path of run.touched)
    await jail
      .inFolder(path, (opened) => opened.sync())
      .catch(() => {
        run.isUnconfirmed = true;
      });
}

/** The user may delete the originals next. */
const unconfirmed = ({ isUnconfirmed, copied }: Run): string[] =>
  isUnconfirmed && copied > 0 ? [t('host.copies-unconfirmed')] : [];

async function copyAll(run: Run, path: string, what: Pick<ImportPlan, 'files' | 'folders'>): Promise<void> {
  const { folder, documents } = run.hosted;
  await folder.jail.requireRoot();
  await folder.jail.requireFolder(path);
  run.importFolders.add(folder.tenantId, path);
  run.touched.add(path);
  run.taken.set(path, new Set((await documents.takenKeys(path)).keys()));
  for (const file of what.files) {
    run.signal.throwIfAborted();
    try {
      await copyFile(run, path, file);
      run.copied += 1;
      run.copiedBytes += file.size;
    } catch (error) {
      if (!(error instanceof AppError) || run.signal.aborted) throw error;
      run.failed.push({ name: file.name, sentence: error.detail ?? error.message });
      // With a full disk or without the folder, all others would fail too.
      if (errorCode(error.cause) === 'ENOSPC' || error.code === 'folder-missing') throw error;
    }
  }
  for (const below of what.folders) {
    run.signal.throwIfAborted();
    await copyAll(run, await createFolder(run, path, below.name), below);
  }
}

function copyFile(run: Run, folderPath: string, file: PlannedFile): Promise<void> {
  const { hosted, mutex, tempNames, signal, onBytes } = run;
  return hosted.folder.jail.inFolder(folderPath, async (opened) => {
    const temporary = { folder: opened, name: tempNames.next() };
    const mode = 0o666 & ~process.umask();
    await copyIn({ from: file.absolute, to: opened.at(temporary.name), mode, signal, onBytes });
    try {
      await mutex.run(`folder ${folderPath}`, () =>
        takeFree(run, folderPath, file.name, (name) => moveInto(run, temporary, opened, name)),
      );
    } catch (error) {
      await rm(opened.at(temporary.name), { force: true });
      throw error;
    }
  });
}

function createFolder(run: Run, parent: string, wanted: string): Promise<string> {
  const { jail } = run.hosted.folder;
  return run.mutex.run(`folder ${parent}`, () =>
    jail.inFolder(parent, async (opened) => {
      const name = await takeFree(run, parent, wanted, (candidate) => mkdir(opened.at(candidate)));
      return joinPath(parent, name);
    }),
  );
}

/** Tries variants of a name until one is free. @returns the name that was used */
async function takeFree(
  { taken: takenKeys, hosted }: Run,
  folderPath: string,
  wanted: string,
  take: (name: string) => Promise<void>,
): Promise<string> {
  const taken = takenKeys.get(folderPath);
  for (const name of candidateNames(wanted)) {
    const key = hosted.documents.keyOf(name);
    if (taken?.has(key) === true) continue;
    taken?.add(key);
    try {
      await take(name);
      return name;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw diskRefused(error);
    }
  }
  throw new AppError('no-free-name');
}

/** Moves the copy to its name. An imported document gets a new id, even if a deleted document had its name. */
async function moveInto(
  { filesTable: files, hosted: { folder } }: Run,
  temporary: NameInFolder,
  opened: OpenFolder,
  name: string,
): Promise<void> {
  const path = joinPath(opened.path, name);
  const former = files.byPath(folder.tenantId, path);
  if (former !== undefined) files.vacate(folder.tenantId, path);
  try {
    await moveWithoutOverwrite(temporary, { folder: opened, name });
  } catch (error) {
    const isFree = files.byPath(folder.tenantId, path) === undefined;
    if (former !== undefined && isFree) files.setPath(former.id, { path, renamingFrom: null });
    throw error;
  }
}

/** One sentence for each of the first few, and the number of the others. */
export function namedFailures(failed: readonly { name: string; sentence: string }[]): string[] {
  const named = failed
    .slice(0, maxNamed)
    .map(({ name, sentence }) => t('host.name-sentence', { name, sentence }));
  if (failed.length > maxNamed) named.push(t('host.and-count-more', { count: failed.length - maxNamed }));
  return named;
}

/** @throws AppError import-failed if nothing could be copied */
function outcome(run: Run, plan: ImportPlan): PartialResult {
  const { failed, copied, copiedBytes } = run;
  const named = namedFailures(failed);
  if (copied === 0 && failed.length > 0) throw new AppError('import-failed', { detail: named.join(' ') });
  const parts = [t('host.files-size-copied', { count: copied, size: formatSize(copiedBytes) })];
  if (failed.length > 0) parts.push(t('host.items-couldnt-be-copied', { count: failed.length }), ...named);
  if (plan.leftOut > 0) parts.push(t('host.links-or-hidden-files-left', { count: plan.leftOut }));
  parts.push(...unconfirmed(run));
  return { sentence: parts.join(' '), isPartial: failed.length > 0 || run.isUnconfirmed };
}

/** The last part of a path with slashes or backslashes. */
function lastPart(path: string): string {
  return path.split(/[/\\]/u).findLast((part) => part !== '') ?? path;
}
