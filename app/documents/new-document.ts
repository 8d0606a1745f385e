// Creates documents: a blank one from a template, the sample, a copy of another, or one that a browser sends.

import { closeSync, createReadStream, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '../contract/errors.ts';
import { nameTimestamp } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import { joinPath, parentOf, extensionOf, withoutExtension } from '../contract/names.ts';
import type { TemplateItem } from '../contract/results.ts';
import { receiveBody } from '../files/received-body.ts';
import { findFolder } from '../files/visible.ts';
import type { HostedFolder } from '../host/hosted-folder.ts';
import type { SharedServices } from '../host/shared.ts';
import { writtenAtMs } from '../store/versions.ts';
import type { Sample } from '../templates/templates.ts';
import { legalName, nameWithSuffix } from '../wopi/names.ts';
import { candidateNames } from '../wopi/target-names.ts';

/** Only when it's needed: it isn't when DocTray starts. */
const loadTemplates = () => import('../templates/templates.ts');

export interface NewDocuments {
  templates(): Promise<readonly TemplateItem[]>;
  /**
   * @param input.template the template's id; undefined for the one that fits the name's extension
   * @returns the path
   * @throws AppError path-invalid, folder-unknown, invalid-argument, name-invalid, name-taken, disk-low, disk-refused
   */
  create(
    hosted: Hosting,
    input: { folderPath: string; template: string | undefined; name: string },
  ): Promise<string>;
  /**
   * Receives a document from a browser. Its name is made legal, and gets a number if it is taken.
   * @returns the path
   * @throws AppError path-invalid, folder-unknown, name-invalid, no-free-name, upload-too-large, body-incomplete, disk-low, disk-refused
   */
  receive(hosted: Hosting, input: { folderPath: string; name: string } & Body): Promise<string>;
  /**
   * Copies a document as it is on disk now: `Letter copy.docx` next to it, or with a number if that name is taken.
   * @returns the path of the copy
   * @throws AppError path-invalid, file-missing, file-changed, no-free-name, disk-low, disk-refused
   */
  duplicate(hosted: Hosting, path: string): Promise<string>;
  /**
   * Saves an earlier version as a new document next to its own: under that name, or one with the version's time.
   * @returns the path of the copy
   * @throws AppError file-missing, version-unknown, version-damaged, name-invalid, name-taken, no-free-name, disk-low, disk-refused
   */
  copyVersion(
    hosted: Hosting & Pick<HostedFolder, 'versions'>,
    input: { path: string; versionId: string; name: string | undefined },
  ): Promise<string>;
  /** Creates the sample unless it exists. @throws AppError folder-missing, no-free-name, disk-refused */
  createSample(hosted: Hosting): Promise<{ path: string; isNew: boolean }>;
}

interface Body {
  source: AsyncIterable<Uint8Array>;
  /** 0 if unknown. */
  declaredBytes: number;
  maxBytes: number;
  /** Fails with `version-damaged` if the received bytes have another hash. */
  sha256?: Buffer | null;
}

type Hosting = Pick<HostedFolder, 'folder' | 'documents'>;

type NewDocumentsDeps = Pick<
  SharedServices,
  'dataDir' | 'diskSpace' | 'tempNames' | 'clock' | 'users' | 'editors'
>;

export function createNewDocuments(deps: NewDocumentsDeps): NewDocuments {
  const { dataDir, diskSpace, tempNames, clock, users, editors } = deps;

  /**
   * @param names.typed what is reported as taken if no candidate is free; without it, the error is no-free-name
   * @returns the path
   */
  const write = async (
    { folder, documents }: Hosting,
    folderPath: string,
    { candidates, typed }: { candidates: Iterable<string>; typed?: string | undefined },
    body: Body,
  ): Promise<string> => {
    await diskSpace.requireRoom(folder.root, body.declaredBytes);
    const opened = await folder.jail.openFolder(folderPath);
    if (opened === undefined) throw new AppError('folder-missing');
    const incoming = await receiveBody({
      source: body.source,
      folder: opened,
      fallbackDirectory: join(dataDir, 'rescued'),
      name: tempNames.next(),
      maxBytes: body.maxBytes,
    });
    try {
      if (body.sha256 != null && incoming.refusal === undefined && !body.sha256.equals(incoming.sha256)) {
        throw new AppError('version-damaged');
      }
      const origin = { savedAtMs: clock(), savedBy: users.ownerId(), savedHow: 'created' };
      const created = await documents.create({ folderPath, names: candidates, incoming, origin });
      if (created !== undefined) return created.row.path;
      if (typed === undefined) throw new AppError('no-free-name');
      throw await nameTaken({ documents }, folderPath, typed);
    } finally {
      await incoming.discard();
    }
  };

  return {
    templates: async () => (await loadTemplates()).templates,

    async create(hosted, { folderPath, template, name: typed }) {
      const { templates, blankDocument } = await loadTemplates();
      const chosen = findTemplate(templates, template, typed);
      const { name, candidates } = chosenName(typed, `.${chosen.extension}`);
      const place = await findFolder(hosted.folder.jail, folderPath);
      return write(hosted, place.path, { candidates, typed: name }, bodyOf(blankDocument(chosen.id)));
    },

    async receive(hosted, { folderPath, name, ...body }) {
      const legal = legalName(name.normalize('NFC'));
      if (legal === undefined) throw new AppError('name-invalid');
      const place = await findFolder(hosted.folder.jail, folderPath);
      return write(hosted, place.path, { candidates: candidateNames(legal) }, body);
    },

    async duplicate(hosted, path) {
      const known = await hosted.folder.openPath(path);
      const file = await hosted.folder.jail.openFile(known.path);
      if (file === undefined) throw new AppError('file-missing');
      try {
        const size = Number(file.stats.size);
        const candidates = candidateNames(nameWithSuffix(known.name, ' copy'));
        // A program that changes the document in place during the copy makes the copy longer, shorter or mixed.
        const source = createReadStream('', { fd: file.fd, start: 0, autoClose: false });
        const isUnchanged = (): boolean => {
          const now = fstatSync(file.fd, { bigint: true });
          return now.size === file.stats.size && now.mtimeNs === file.stats.mtimeNs;
        };
        const body = { source: whileSame(source, isUnchanged), declaredBytes: size, maxBytes: size };
        return await write(hosted, parentOf(known.path), { candidates }, body).catch((error: unknown) => {
          // What receives the copy reports only that it is incomplete.
          throw isUnchanged() ? error : new AppError('file-changed', { cause: error });
        });
      } finally {
        closeSync(file.fd);
      }
    },

    async copyVersion(hosted, { path, versionId, name: typed }) {
      const known = await hosted.folder.openPath(path);
      const { version, file } = await hosted.versions.read(known.id, versionId);
      try {
        const { size, sha256 } = version;
        const suffix = ` (${nameTimestamp(writtenAtMs(version))})`;
        const candidates =
          typed === undefined
            ? candidateNames(nameWithSuffix(known.name, suffix))
            : chosenName(typed, extensionOf(known.name)).candidates;
        const source = file.createReadStream({ start: 0, autoClose: false });
        const body = { source, declaredBytes: size, maxBytes: size, sha256 };
        return await write(hosted, parentOf(known.path), { candidates, typed }, body);
      } finally {
        await file.close();
      }
    },

    async createSample(hosted) {
      const { name, bytes } = chooseSample((await loadTemplates()).samples(), editors);
      const { jail } = hosted.folder;
      await jail.requireRoot();
      const known = await hosted.documents.named('', name);
      const place = known === undefined ? undefined : await jail.stat(joinPath('', known));
      if (place?.stats.isFile() === true) return { path: place.path, isNew: false };
      return {
        path: await write(hosted, '', { candidates: candidateNames(name) }, bodyOf(bytes)),
        isNew: true,
      };
    },
  };
}

function bodyOf(bytes: Uint8Array): Body {
  return { source: Readable.from([bytes]), declaredBytes: bytes.length, maxBytes: bytes.length };
}

/** @throws AppError file-changed after the last byte */
async function* whileSame(source: Readable, isSame: () => boolean): AsyncGenerator<Uint8Array> {
  yield* source as AsyncIterable<Uint8Array>;
  if (!isSame()) throw new AppError('file-changed');
}

function findTemplate(
  templates: readonly TemplateItem[],
  id: string | undefined,
  name: string,
): TemplateItem {
  const extension = extensionOf(name).slice(1).toLowerCase();
  const chosen = templates.find((template) =>
    id === undefined ? template.extension === extension : template.id === id,
  );
  if (chosen !== undefined) return chosen;
  const known = templates.map((template) => `.${template.extension}`).join(', ');
  throw new AppError('invalid-argument', {
    detail:
      id === undefined
        ? t('host.choose-one-of-these-types', { extensions: known })
        : t('host.template-unknown'),
  });
}

/** The Word document if a connected editor can edit it, otherwise the first sample, which is text. */
function chooseSample(
  samples: readonly Sample[],
  editors: Pick<SharedServices['editors'], 'choose'>,
): Sample {
  const canEdit = ({ name, bytes }: Sample): boolean => {
    const extension = extensionOf(name).slice(1);
    try {
      return editors.choose({ extension, size: bytes.length, mode: 'edit' }).canEdit;
    } catch (error) {
      if (error instanceof AppError && error.code === 'no-editor') return false;
      throw error;
    }
  };
  const document = samples.find((sample) => sample.name.endsWith('.docx') && canEdit(sample));
  const sample = document ?? samples[0];
  if (sample === undefined) throw new AppError('internal', { detail: () => t('host.there-is-no-sample') });
  return sample;
}

export interface ChosenName {
  /** Legal, with the extension. */
  name: string;
  /**
   * To try in this order. A name that is legal as typed is the only candidate: if it is taken, that is an error. A name that had to
   * be changed may get a number, too.
   */
  candidates: Iterable<string>;
}

/**
 * Makes a typed name legal, and appends the document's extension unless it was typed.
 * @param extension with its dot, or ''
 * @throws AppError name-invalid if nothing legal is left
 */
export function chosenName(typed: string, extension: string): ChosenName {
  const wanted = withoutExtension(typed.normalize('NFC').trim(), extension);
  const full = wanted + extension;
  const stem = legalName(wanted);
  const name = stem === undefined ? undefined : legalName(stem + extension);
  if (name === undefined)
    throw new AppError('name-invalid', { detail: () => t('host.type-a-letter-or-digit') });
  const isAsTyped = name === full;
  return { name, candidates: isAsTyped ? [name] : candidateNames(name) };
}

/** With the name as it is spelled there. */
export async function nameTaken(
  { documents }: Pick<Hosting, 'documents'>,
  folderPath: string,
  typed: string,
): Promise<AppError> {
  const name = (await documents.named(folderPath, typed)) ?? typed;
  return new AppError('name-taken', { detail: () => t('host.name-already-exists', { name }) });
}
