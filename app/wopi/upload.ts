// What PutFile and PutRelativeFile share: receiving a body within the tenant's size limit, translating failures into protocol
// answers, and keeping a complete body that couldn't be used.

import type { Clock } from '../contract/clock.ts';
import { AppError, describeError, type ErrorCode } from '../contract/errors.ts';
import type { RecoveredReason } from '../contract/recovered-reasons.ts';
import { diskReason } from '../files/disk-error.ts';
import { receiveBody, type ReceivedBody } from '../files/received-body.ts';
import type { OpenFolder } from '../files/jail.ts';
import type { RecoveredSaveOrigin, RecoveredSaves } from '../files/recovered-saves.ts';
import type { TempNames } from '../files/temp-names.ts';
import type { SaveOrigin } from '../store/files.ts';
import { badRequest, type WopiAnswer, type WopiCall } from './wopi-call.ts';
import { headerText, readEditors, readOverride, readSaveFlags, readSize } from './wopi-headers.ts';

export interface UploadDeps {
  tempName: TempNames['next'];
  /** In the data folder, for bodies that can't be written to the hosted folder. */
  incomingDirectory: string;
  recoveredSaves: RecoveredSaves;
  /** Whether that id is a user of this host. */
  isUser: (userId: string) => boolean;
  onError: (error: unknown, text: string) => void;
  clock: Clock;
}

/** The folder of the document, undefined if it is gone; and the document's permission bits. */
export interface UploadPlace {
  folder: OpenFolder | undefined;
  mode?: number;
}

export interface Uploads {
  /** Returns an answer if the body is too large, incomplete, or there is no place for it. */
  receive(call: WopiCall, openPlace: () => Promise<UploadPlace>): Promise<ReceivedBody | WopiAnswer>;
  /**
   * Runs the decision about a complete body. Unless it succeeds or the bytes are in place anyway, the body becomes a recovered
   * save, whatever the editor's headers say, so that no refused save is lost. An empty body is kept only if it was refused because
   * it is empty.
   */
  decide(
    call: WopiCall,
    incoming: ReceivedBody,
    input: { path: () => string; decide: () => Promise<Outcome> },
  ): Promise<WopiAnswer>;
  /** The document was saved with these bytes, so they needn't be recovered. Never rejects. */
  noteSaved(call: WopiCall, incoming: ReceivedBody): Promise<void>;
  origin(call: WopiCall): SaveOrigin;
}

/** At most this many editors of one save are recorded. */
const maxEditors = 100;

export interface Outcome {
  answer: WopiAnswer;
  /** Why the body was refused, shown with the recovered save. */
  reason?: RecoveredReason;
  /** It was refused because it isn't a document. */
  isUnreadable?: boolean;
  /** The document already has these bytes: nothing to keep. */
  isOnDisk?: boolean;
}

export function createUploads(deps: UploadDeps): Uploads {
  const origin = (call: WopiCall): SaveOrigin => {
    const flags = readSaveFlags(call.header);
    const how = [
      flags.isAutosave === true && 'autosave',
      flags.isExitSave === true && 'exit',
      flags.isModifiedByUser === false && 'unmodified',
    ].filter((word) => word !== false);
    // A claim by the editor. It is kept and shown as a fact, so only users of this host count.
    const editors = readEditors(call.header).slice(0, maxEditors).filter(deps.isUser);
    const hasSaveFlags = Object.values(flags).some((flag) => flag !== undefined);
    return {
      savedAtMs: deps.clock(),
      savedBy: editors.length === 0 ? call.grant.userId : editors.join(','),
      savedHow: how.length > 0 ? how.join(',') : hasSaveFlags ? 'explicit' : null,
    };
  };

  /** Where the body is now. Failing to keep it doesn't change why it was refused. */
  const keep = async (
    call: WopiCall,
    incoming: ReceivedBody,
    about: { path: string; reason: RecoveredSaveOrigin['reason']; isUnreadable: boolean },
  ): Promise<Pick<WopiAnswer, 'kept'>> => {
    if (incoming.size === 0 && !about.isUnreadable) return {};
    const isCopy = readOverride(call.header) === 'PUT_RELATIVE';
    // A copy can't be saved anyway: its recovered save belongs to the original document.
    const isUnreadable = about.isUnreadable && !isCopy;
    try {
      const keptId = await deps.recoveredSaves.keep(incoming, {
        ...about,
        isUnreadable,
        fileId: call.fileId,
        userId: call.grant.userId,
        tokenId: call.grant.id,
        isCopy,
        savedBy: origin(call).savedBy,
      });
      const kind = isUnreadable ? 'unreadable' : 'recovered';
      return keptId === undefined ? {} : { kept: { kind, keptId } };
    } catch (error) {
      deps.onError(error, 'A rejected save couldn’t be kept.');
      return {};
    }
  };

  return {
    origin,

    async receive(call, openPlace) {
      if (call.declaredBytes !== undefined && call.declaredBytes > call.maxUploadBytes)
        return { status: 413, code: 'upload-too-large' };
      try {
        return await receiveBody({
          source: call.body,
          ...(await openPlace()),
          fallbackDirectory: deps.incomingDirectory,
          name: deps.tempName({ fileId: call.fileId, declaredBytes: call.declaredBytes }),
          maxBytes: call.maxUploadBytes,
        });
      } catch (error) {
        return failedUpload(error);
      }
    },

    async noteSaved({ fileId }, { sha256 }) {
      // The save succeeded; an extra recovered save is shown and can be discarded.
      await deps.recoveredSaves.noteSaved(fileId, sha256).catch(() => undefined);
    },

    async decide(call, incoming, { path, decide }) {
      try {
        const { answer, reason, isOnDisk, isUnreadable = false } = await decide();
        if (answer.status === 200) return answer;
        if (isOnDisk === true) return { ...answer, kept: 'file' };
        const about = { path: path(), reason: reason ?? 'recovered.refused', isUnreadable } as const;
        return { ...answer, ...(await keep(call, incoming, about)) };
      } catch (error) {
        const { code, cause } = describeError(error);
        // What is already on disk needn't be recovered.
        const kept: Pick<WopiAnswer, 'kept'> = unconfirmedCodes.has(code)
          ? { kept: 'file' }
          : await keep(call, incoming, {
              path: path(),
              reason: diskReason(cause) ?? `error.${code}`,
              isUnreadable: false,
            });
        if (!(error instanceof AppError)) deps.onError(error, 'A save failed unexpectedly.');
        return { ...serverError(describeError(error)), ...kept };
      } finally {
        await incoming.discard();
      }
    },
  };
}

/** Headers that don't fit the body. It is complete, so it becomes a recovered save. */
export function refusedByHeaders(call: WopiCall, { size }: ReceivedBody): Outcome | undefined {
  const encodings = `${call.header('Content-Encoding') ?? ''},${call.header('Transfer-Encoding') ?? ''}`
    .split(',')
    .map((one) => one.trim().toLowerCase());
  if (!encodings.every((one) => ['', 'identity', 'chunked'].includes(one))) {
    return {
      answer: { status: 415, json: { error: 'Send the document without an encoding.' } },
      reason: 'recovered.encoding',
    };
  }
  const declared = readSize(call.header, 'X-WOPI-Size');
  if (declared === undefined || declared === BigInt(size)) return undefined;
  return {
    answer: badRequest(
      declared === 'invalid'
        ? 'X-WOPI-Size is not a number of bytes.'
        : 'X-WOPI-Size does not match the number of bytes received.',
    ),
    reason: 'recovered.wrong-size',
  };
}

export function isAnswer(result: ReceivedBody | WopiAnswer): result is WopiAnswer {
  return 'status' in result;
}

const unconfirmedCodes = new Set<ErrorCode>(['save-unconfirmed', 'change-unconfirmed']);

/** Translates a refusal into a protocol answer; unexpected errors are rethrown. */
function failedUpload(error: unknown): WopiAnswer {
  if (error instanceof AppError) {
    if (error.code === 'upload-too-large') return { status: 413, code: error.code };
    if (error.code === 'body-incomplete') return badRequest(error.message);
    if (error.code === 'disk-refused' || error.code === 'folder-missing') return serverError(error);
  }
  throw error;
}

/** Bytes that no program can open don't replace a readable document: the user decides. */
export function unreadable({ size }: ReceivedBody): Outcome {
  return {
    answer: serverError(new AppError('save-unreadable')),
    reason: size === 0 ? 'recovered.empty' : 'recovered.unreadable',
    isUnreadable: true,
  };
}

export function serverError(error: AppError): WopiAnswer {
  return { status: 500, headers: { 'X-WOPI-ServerError': headerText(error.message) }, code: error.code };
}
