// Copies files and folders from elsewhere on this machine into the hosted folder, as a job. Nothing there is ever written over: a
// name that is taken gets a number. What was cut off half-way has a temporary name, and is gone with the job or the next start.

import { mkdir, rm, statfs } from 'node:fs/promises';
import { AppError, errorCode } from '../contract/errors.ts';
import { formatSize } from '../contract/format-size.ts';
import { copyIn } from '../files/import-file.ts';
import { diskRefused } from '../files/disk-error.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import { assertSource, planImport, type ImportPlan, type PlannedFile } from '../files/import-plan.ts';
import { joinPath, nameOf, type OpenFolder } from '../files/jail.ts';
import { moveWithoutOverwrite, type NamedIn } from '../files/move-file.ts';
import type { TempNames } from '../files/temp-names.ts';
import type { FilesTable } from '../store/files.ts';
import type { ImportFoldersTable } from '../store/import-folders.ts';
import { candidateNames } from '../wopi/target-names.ts';
import type { DocumentHosting, DocumentServices } from './document-services.ts';
import type { JobProgress, Jobs } from './jobs.ts';

export interface ImportRequest {
  services: DocumentServices;
  hosting: DocumentHosting;
  /** Real, inside the hosted folder. */
  folderPath: string;
  sources: readonly string[];
}

export interface Imports {
  /** Starts the job and answers its id. @throws AppError invalid-argument */
  start(request: ImportRequest): string;
  /** Ends what runs, since its host does. */
  stop(): void;
}

/** Told by name at the end of a job; of more only how many. */
const maxNamed = 3;

export function createImports(deps: { jobs: Jobs }): Imports {
  let ending = new AbortController();

  return {
    start(request) {
      const { services, sources, folderPath } = request;
      for (const source of sources) assertSource(source);
      const what = sources.length === 1 ? `“${lastPart(sources[0] ?? '')}”` : `${sources.length} items`;
      const where = folderPath === '' ? 'the folder' : `“${nameOf(folderPath)}”`;
      const hostEnds = ending.signal;
      return deps.jobs.run(`Copying ${what} into ${where}`, 'bytes', (signal, progress) =>
        inTurn(services.mutex, AbortSignal.any([signal, hostEnds]), (either) =>
          runImport(request, either, progress),
        ),
      );
    },

    stop() {
      ending.abort(new AppError('import-failed', { detail: 'DocTray stopped meanwhile.' }));
      ending = new AbortController();
    },
  };
}

/** One after the other: two at once would only make the disk slower. The host waits for it before it closes. */
function inTurn(
  mutex: DocumentServices['mutex'],
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let isRunning = false;
    // One that still waits does not have to wait for its end.
    signal.addEventListener('abort', () => isRunning || reject(signal.reason as Error), { once: true });
    const turn = mutex.run('import', async () => {
      signal.throwIfAborted();
      isRunning = true;
      return work(signal);
    });
    turn.then(resolve, reject);
  });
}

/** Clears away what an import left that was killed with its host. Never rejects: the next start tries again. */
export function clearImportLeftovers(
  services: Pick<DocumentServices, 'importFolders' | 'tempNames' | 'mutex'>,
  { jail, tenantId }: DocumentIndex,
): Promise<void> {
  // Not while one runs, which has folders of its own on record.
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
      // The drive is out, or the host stops.
    }
  });
}

async function clearCopies(tempNames: TempNames, opened: OpenFolder): Promise<void> {
  for (const { name } of await opened.list()) {
    // What an editor sent is not a copy, and is recovered elsewhere.
    if (tempNames.isLeftover(name) && tempNames.uploadOf(name) === undefined) await rm(opened.at(name));
  }
}

interface Run {
  services: DocumentServices;
  folder: DocumentIndex;
  /** On record while they are written into. */
  folders: ImportFoldersTable;
  files: FilesTable;
  signal: AbortSignal;
  /** Folders that were written into. */
  touched: Set<string>;
  taken: Map<string, Set<string>>;
  copied: number;
  copiedBytes: number;
  failed: { name: string; sentence: string }[];
  onBytes: (bytes: number) => void;
}

async function runImport(
  { services, hosting, folderPath, sources }: ImportRequest,
  signal: AbortSignal,
  progress: JobProgress,
): Promise<string> {
  const { folder } = hosting;
  signal.throwIfAborted();
  const { dataDir } = services;
  const plan = await planImport(sources, { hostedFolder: folder.root, dataDir, signal });
  await assertRoom(services, folder.root, plan.bytes);
  let bytes = 0;
  progress(bytes, plan.bytes);
  const run: Run = {
    services,
    folder,
    folders: services.importFolders,
    files: services.filesTable,
    signal,
    touched: new Set(),
    taken: new Map(),
    copied: 0,
    copiedBytes: 0,
    failed: [...plan.refused],
    onBytes: (more) => progress((bytes += more), plan.bytes),
  };
  try {
    await copyAll(run, hosting, folderPath, plan);
  } catch (error) {
    const copied = `${run.copied.toLocaleString('en')} of ${countInWords(plan.fileCount, 'file')} copied.`;
    const reason: unknown = signal.aborted ? signal.reason : error;
    // What the user ended is only told of.
    if (signal.aborted && !(reason instanceof AppError)) return `Stopped. ${copied}`;
    if (!(reason instanceof AppError)) throw reason;
    const detail = `${reason.detail ?? reason.message} ${copied}`;
    throw new AppError('import-failed', { cause: reason, detail });
  } finally {
    for (const path of run.touched) {
      await folder.jail.inFolder(path, (opened) => opened.sync()).catch(() => undefined);
    }
    run.folders.removeAll(folder.tenantId, [...run.touched]);
  }
  return outcome(run, plan);
}

async function assertRoom({ diskSpace }: DocumentServices, root: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(root).catch((error: unknown) => {
    throw diskRefused(error);
  });
  const free = bavail * bsize;
  if (bytes <= free) {
    await diskSpace.requireRoom(root, bytes);
    return;
  }
  const detail = `The disk has room for ${formatSize(free)}, and these are ${formatSize(bytes)}.`;
  throw new AppError('import-failed', { detail });
}

async function copyAll(
  run: Run,
  hosting: DocumentHosting,
  path: string,
  what: Pick<ImportPlan, 'files' | 'folders'>,
): Promise<void> {
  const { jail } = run.folder;
  await jail.requireRoot();
  await jail.requireFolder(path);
  if (!run.touched.has(path)) {
    run.folders.add(run.folder.tenantId, path);
    run.touched.add(path);
    run.taken.set(path, new Set((await hosting.documents.takenKeys(path)).keys()));
  }
  for (const file of what.files) {
    run.signal.throwIfAborted();
    try {
      await copyFile(run, hosting, path, file);
      run.copied += 1;
      run.copiedBytes += file.size;
    } catch (error) {
      if (!(error instanceof AppError) || run.signal.aborted) throw error;
      run.failed.push({ name: file.name, sentence: error.detail ?? error.message });
      // A full disk takes none of the others either.
      if (errorCode(error.cause) === 'ENOSPC' || error.code === 'folder-missing') throw error;
    }
  }
  for (const folder of what.folders) {
    run.signal.throwIfAborted();
    const made = await makeFolder(run, hosting, path, folder.name);
    await copyAll(run, hosting, made, folder);
  }
}

function copyFile(run: Run, hosting: DocumentHosting, folderPath: string, file: PlannedFile): Promise<void> {
  const { services, folder, signal, onBytes } = run;
  return folder.jail.inFolder(folderPath, async (opened) => {
    const temporary = { folder: opened, name: services.tempNames.next() };
    const mode = 0o666 & ~process.umask();
    await copyIn({ from: file.absolute, to: opened.at(temporary.name), mode, signal, onBytes });
    try {
      await services.mutex.run(`folder ${folderPath}`, () =>
        takeFree(run, hosting, folderPath, file.name, (name) => moveInto(run, temporary, opened, name)),
      );
    } catch (error) {
      await rm(opened.at(temporary.name), { force: true });
      throw error;
    }
  });
}

function makeFolder(run: Run, hosting: DocumentHosting, parent: string, wanted: string): Promise<string> {
  const { jail } = run.folder;
  return run.services.mutex.run(`folder ${parent}`, () =>
    jail.inFolder(parent, async (opened) => {
      const name = await takeFree(run, hosting, parent, wanted, (candidate) => mkdir(opened.at(candidate)));
      return joinPath(parent, name);
    }),
  );
}

/** Tries the forms of a name one after the other until one could be taken. */
async function takeFree(
  run: Run,
  { documents }: DocumentHosting,
  folderPath: string,
  wanted: string,
  take: (name: string) => Promise<void>,
): Promise<string> {
  const taken = run.taken.get(folderPath);
  for (const name of candidateNames(wanted)) {
    const key = documents.keyOf(name);
    if (taken?.has(key) === true) continue;
    taken?.add(key);
    try {
      await take(name);
      return name;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw diskRefused(error);
    }
  }
  throw new AppError('disk-refused', { detail: 'No name is free for it.' });
}

/** What was imported is another document than one of that name that was there before. */
async function moveInto(
  { files, folder }: Run,
  temporary: NamedIn,
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

/** @throws AppError import-failed when nothing could be copied */
function outcome({ failed, copied, copiedBytes }: Run, plan: ImportPlan): string {
  const named = failed.slice(0, maxNamed).map(({ name, sentence }) => `“${name}”: ${sentence}`);
  if (failed.length > maxNamed) named.push(`And ${failed.length - maxNamed} more.`);
  if (copied === 0 && failed.length > 0) throw new AppError('import-failed', { detail: named.join(' ') });
  const parts = [`${countInWords(copied, 'file')} (${formatSize(copiedBytes)}) copied.`];
  if (failed.length > 0) parts.push(`${countInWords(failed.length, 'item')} could not be:`, ...named);
  if (plan.leftOut > 0) {
    parts.push(`${countInWords(plan.leftOut, 'link or hidden file', 'links or hidden files')} left out.`);
  }
  return parts.join(' ');
}

function countInWords(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Of a path of this machine, whichever way its slashes lean. */
function lastPart(path: string): string {
  return path.split(/[/\\]/u).findLast((part) => part !== '') ?? path;
}
