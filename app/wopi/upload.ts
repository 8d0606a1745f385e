// What PutFile and PutRelativeFile share: receiving a body of at most the tenant's size, telling failures in the protocol's
// words, and keeping a whole body that could not be used.

import type { Clock } from '../contract/clock.ts';
import { AppError, describeError, type ErrorCode } from '../contract/errors.ts';
import { receiveBody, type ReceivedBody } from '../files/received-body.ts';
import type { OpenFolder } from '../files/jail.ts';
import type { RecoveredSaves } from '../files/recovered-saves.ts';
import type { TempNames } from '../files/temp-names.ts';
import type { SaveOrigin } from '../store/files.ts';
import { badRequest, type WopiAnswer, type WopiCall } from './wopi-call.ts';
import { headerText, readEditors, readOverride, readSaveFlags, readSize } from './wopi-headers.ts';

export interface UploadDeps {
  tempName: TempNames['next'];
  /** The data folder's place for bodies that the hosted folder refuses. */
  incomingDirectory: string;
  recoveredSaves: RecoveredSaves;
  /** Whether that id is a user of this host. */
  isUser: (userId: string) => boolean;
  onError: (error: unknown, text: string) => void;
  clock: Clock;
}

/** The folder beside the document, undefined when it is gone; and the permission bits of the document. */
export interface UploadPlace {
  folder: OpenFolder | undefined;
  mode?: number;
}

export interface Uploads {
  /** Answers instead of a body where it is too large, cut short, or can be put nowhere. */
  receive(call: WopiCall, openPlace: () => Promise<UploadPlace>): Promise<ReceivedBody | WopiAnswer>;
  /**
   * Runs the decision about a complete body. If it isn't a success, and the bytes aren't in place anyway, the body becomes a
   * recovered save, so that no refusal can forget it. An empty body isn't kept.
   */
  decide(
    call: WopiCall,
    incoming: ReceivedBody,
    input: { path: () => string; decide: () => Promise<Outcome> },
  ): Promise<WopiAnswer>;
  /** The document was saved with these bytes: they need no recovering. Never rejects. */
  noteSaved(call: WopiCall, incoming: ReceivedBody): Promise<void>;
  origin(call: WopiCall): SaveOrigin;
}

/** At most this many editors of one save are recorded. */
const maxEditors = 100;

export interface Outcome {
  answer: WopiAnswer;
  /** Why the body was refused, shown with the recovered save. */
  reason?: string;
  /** The document holds these very bytes already: nothing to keep. */
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
    // What an editor claims. It is kept and shown as a fact, so only users of this host count.
    const editors = readEditors(call.header).slice(0, maxEditors).filter(deps.isUser);
    const hasSaveFlags = Object.values(flags).some((flag) => flag !== undefined);
    return {
      savedAtMs: deps.clock(),
      savedBy: editors.length === 0 ? call.grant.userId : editors.join(','),
      savedHow: how.length > 0 ? how.join(',') : hasSaveFlags ? 'explicit' : null,
    };
  };

  const keep = async (
    call: WopiCall,
    incoming: ReceivedBody,
    path: string,
    reason: string,
  ): Promise<void> => {
    if (incoming.size === 0) return;
    await deps.recoveredSaves.keep(incoming, {
      fileId: call.fileId,
      path,
      userId: call.grant.userId,
      tokenId: call.grant.id,
      isCopy: readOverride(call.header) === 'PUT_RELATIVE',
      savedBy: origin(call).savedBy,
      reason,
    });
  };

  /** A body that can't be kept changes nothing about why it was refused. */
  const keepOrLog = (...given: Parameters<typeof keep>): Promise<void> =>
    keep(...given).catch((error: unknown) => deps.onError(error, 'A refused save could not be kept.'));

  return {
    origin,

    async receive(call, openPlace) {
      const encoding = call.header('Content-Encoding')?.trim().toLowerCase() ?? '';
      if (encoding !== '' && encoding !== 'identity') {
        return { status: 415, json: { error: 'Send the document as it is, without a Content-Encoding.' } };
      }
      const size = readSize(call.header, 'X-WOPI-Size');
      if (size === 'invalid') return badRequest('X-WOPI-Size is not a number of bytes.');
      if (call.declaredBytes !== undefined && call.declaredBytes > call.maxUploadBytes)
        return { status: 413 };
      try {
        const incoming = await receiveBody({
          source: call.body,
          ...(await openPlace()),
          fallbackDirectory: deps.incomingDirectory,
          name: deps.tempName({ fileId: call.fileId, declaredBytes: call.declaredBytes }),
          maxBytes: call.maxUploadBytes,
        });
        if (size === undefined || size === BigInt(incoming.size)) return incoming;
        await incoming.discard();
        return badRequest('X-WOPI-Size is not the number of bytes received.');
      } catch (error) {
        return failedUpload(error);
      }
    },

    async noteSaved({ fileId }, { sha256 }) {
      // The save is done; a recovered save too many is shown, and can be discarded.
      await deps.recoveredSaves.noteSaved(fileId, sha256).catch(() => undefined);
    },

    async decide(call, incoming, { path, decide }) {
      try {
        const { answer, reason, isOnDisk } = await decide();
        if (answer.status !== 200 && isOnDisk !== true) {
          const why = reason ?? `the host answered ${answer.status}`;
          await keepOrLog(call, incoming, path(), `Not saved: ${why}.`);
        }
        return answer;
      } catch (error) {
        const { code, message } = describeError(error);
        // What is on the disk already needs no recovering.
        if (!unconfirmedCodes.has(code)) await keepOrLog(call, incoming, path(), message);
        // A surprise is thrown on to where it is logged.
        if (error instanceof AppError) return serverError(error);
        throw error;
      } finally {
        await incoming.discard();
      }
    },
  };
}

export function isAnswer(result: ReceivedBody | WopiAnswer): result is WopiAnswer {
  return 'status' in result;
}

const unconfirmedCodes = new Set<ErrorCode>(['save-unconfirmed', 'change-unconfirmed']);

/** A refusal in the protocol's words; anything unexpected is thrown on. */
export function failedUpload(error: unknown): WopiAnswer {
  if (error instanceof AppError) {
    if (error.code === 'upload-too-large') return { status: 413 };
    if (error.code === 'body-incomplete') return badRequest(error.message);
    if (error.code === 'disk-refused' || error.code === 'folder-missing') return serverError(error);
  }
  throw error;
}

export function serverError(error: AppError): WopiAnswer {
  return { status: 500, headers: { 'X-WOPI-ServerError': headerText(error.message) } };
}
