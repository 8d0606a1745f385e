// PutRelativeFile: a new document beside the current one (Save Copy As, conversion). It replaces a document only if the editor
// named it exactly, asked to overwrite it, it isn't locked, and this very access token created it: the answer contains a token
// for the document, and a token for one document must never become a token for another.
// @see docs/protocol.md, “WOPI”

import type { AccessGrant, AccessTokens } from '../../accounts/access-tokens.ts';
import type { Users } from '../../accounts/users.ts';
import { AppError } from '../../contract/errors.ts';
import { joinPath, parentOf, nameOf } from '../../contract/names.ts';
import { unconfirmed } from '../../files/disk-error.ts';
import type { DiskSpace } from '../../files/disk-space.ts';
import type { Documents } from '../../files/documents.ts';
import type { DocumentIndex, FoundFile } from '../../files/document-index.ts';
import type { ReceivedBody } from '../../files/received-body.ts';
import type { FileRow } from '../../store/files.ts';
import type { KeyedMutex } from '../../files/keyed-mutex.ts';
import type { ContentReplacer } from '../../files/replace-content.ts';
import type { DesktopLockCheck } from '../desktop-lock-check.ts';
import type { CopyLimit } from '../copy-limit.ts';
import type { Locks } from '../locks.ts';
import { hasLockId, heldLockId } from '../lock-rules.ts';
import { candidateNames, relativeTargetName, suggestedTargetName, uniqueName } from '../target-names.ts';
import {
  isAnswer,
  refusedByHeaders,
  serverError,
  unreadable,
  type Outcome,
  type Uploads,
} from '../upload.ts';
import { decodeUtf7, encodeUtf7 } from '../utf7.ts';
import {
  badRequest,
  lockConflict,
  notFound,
  unauthorized,
  type WopiAnswer,
  type WopiCall,
  type WopiOperation,
} from '../wopi-call.ts';
import { readFileConversion, readLockId, readOverwriteRelativeTarget } from '../wopi-headers.ts';

export interface PutRelativeFileDeps {
  folder: DocumentIndex;
  locks: Locks;
  documents: Documents;
  content: ContentReplacer;
  uploads: Uploads;
  mutex: KeyedMutex;
  accessTokens: AccessTokens;
  users: Users;
  copyLimit: CopyLimit;
  diskSpace: Pick<DiskSpace, 'requireRoom'>;
  desktopLockCheck: DesktopLockCheck;
  /** A single-use ticket for a document's host page, for the user of the grant. */
  ticketFor: (grant: AccessGrant, fileId: string) => string;
  /** A copy was created; the page it was created from can offer it. */
  onCopied: (grant: AccessGrant, fileId: string) => void;
}

/** Where the copy goes: the first free name of several, or exactly this one. */
type Target = { names: Iterable<string> } | ExactTarget;

interface ExactTarget {
  exactName: string;
  /** Before normalization: a document may have exactly this name on disk. */
  sentName: string;
  mayOverwrite: boolean;
}

export function createPutRelativeFile(deps: PutRelativeFileDeps): WopiOperation {
  const { locks, documents, uploads } = deps;

  const readTarget = async (call: WopiCall, found: FoundFile): Promise<Target | WopiAnswer> => {
    const currentName = nameOf(found.row.path);
    const suggested = call.header('X-WOPI-SuggestedTarget') ?? '';
    const relative = call.header('X-WOPI-RelativeTarget') ?? '';
    if (suggested !== '' && relative !== '') return { status: 501 };
    if (suggested !== '') {
      return {
        names: candidateNames(suggestedTargetName({ suggested: decodeUtf7(suggested), currentName })),
      };
    }
    if (relative === '') return badRequest('Send either X-WOPI-SuggestedTarget or X-WOPI-RelativeTarget.');
    const sentName = decodeUtf7(relative);
    const { isLegal, name } = relativeTargetName({ relative: sentName, currentName });
    if (isLegal) {
      return { exactName: name, sentName, mayOverwrite: readOverwriteRelativeTarget(call.header) };
    }
    return {
      ...badRequest('X-WOPI-RelativeTarget is not a legal name.'),
      headers: { 'X-WOPI-ValidRelativeTarget': encodeUtf7(await freeName(parentOf(found.row.path), name)) },
    };
  };

  const freeName = async (folderPath: string, name: string): Promise<string> => {
    const keys = await documents.takenKeys(folderPath);
    return uniqueName(name, (candidate) => keys.has(documents.keyOf(candidate))) ?? name;
  };

  const createdAnswer = (call: WopiCall, { row }: FoundFile, bytes: number): WopiAnswer => {
    const { grant, baseUrl, pageUrl } = call;
    const user = deps.users.byId(grant.userId);
    // The copy exists even if the user lost the right to it in this moment. Then the answer contains the current token, which no
    // longer opens anything.
    const copy =
      user === undefined || deps.accessTokens.find(call.token) === undefined
        ? undefined
        : deps.accessTokens.mint({
            user,
            fileId: row.id,
            mode: grant.mode,
            expiresAtMs: grant.expiresAtMs,
            place: grant,
          });
    if (copy !== undefined) {
      deps.copyLimit.share(grant.id, copy.id);
      locks.recordRead(row, copy);
    }
    deps.onCopied(grant, row.id);
    // After a conversion the editor sends the browser there, and that browser has no page session yet.
    const ticketQuery = readFileConversion(call.header) ? `?ticket=${deps.ticketFor(grant, row.id)}` : '';
    return {
      status: 200,
      json: {
        Name: nameOf(row.path),
        Url: `${baseUrl}/wopi/files/${row.id}?access_token=${copy?.token ?? call.token}`,
        HostViewUrl: `${pageUrl}/view/${row.id}`,
        HostEditUrl: `${pageUrl}/edit/${row.id}${ticketQuery}`,
      },
      savedBytes: bytes,
    };
  };

  /** The copy exists, so errors from here on don't mean that the copy failed. */
  const handOver = (
    call: WopiCall,
    copy: FoundFile,
    bytes: number,
    note: () => void = () => undefined,
  ): WopiAnswer => {
    try {
      note();
      return createdAnswer(call, copy, bytes);
    } catch (error) {
      throw unconfirmed(error);
    }
  };

  /** The name is taken: answers the conflict, or overwrites the document. */
  const overwriteTaken = async (
    call: WopiCall,
    target: ExactTarget,
    folderPath: string,
    incoming: ReceivedBody,
  ): Promise<Outcome> => {
    const taken = (await documents.named(folderPath, target.sentName)) ?? target.exactName;
    const conflict = async (lockId: string, reason: string): Promise<Outcome> => {
      const answer = lockConflict(lockId, reason);
      const proposal = encodeUtf7(await freeName(folderPath, target.exactName));
      return {
        answer: { ...answer, headers: { ...answer.headers, 'X-WOPI-ValidRelativeTarget': proposal } },
        reason: 'recovered.name-taken',
      };
    };
    let existing;
    try {
      existing = await deps.folder.openPath(joinPath(folderPath, taken));
    } catch (error) {
      // A folder, a link out of the hosted folder, or gone: not a document that can be overwritten.
      if (error instanceof AppError) return conflict('', 'The name is taken');
      throw error;
    }
    return deps.mutex.run(existing.id, async () => {
      const held = heldLockId(locks.state(existing.id));
      if (held !== '') return conflict(held, 'The document with that name is locked');
      const found = await deps.folder.findHeld(existing.id);
      const isOwnCopy = deps.accessTokens.hasCreated(call.grant.id, existing.id);
      if (!target.mayOverwrite || found === undefined || !isOwnCopy) {
        return conflict('', 'A document with that name already exists');
      }
      const desktop = await deps.desktopLockCheck(found);
      if (desktop !== undefined) return { answer: desktop, reason: 'recovered.name-taken' };
      if (await deps.content.wouldDamage(found, incoming)) return unreadable(incoming);
      const origin = uploads.origin(call);
      const saved = await deps.content.replace({ found, incoming, origin, record: () => undefined });
      if (saved === undefined) throw new AppError('file-changed');
      return { answer: handOver(call, saved, incoming.size) };
    });
  };

  const refuseLow = async (bytes: number): Promise<WopiAnswer | undefined> => {
    try {
      await deps.diskSpace.requireRoom(deps.folder.root, bytes);
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return serverError(error);
      throw error;
    }
  };

  /** Before the body is received, so that a refused one costs no disk space. */
  const refuseNew = async ({ grant, declaredBytes = 0 }: WopiCall): Promise<WopiAnswer | undefined> => {
    const retryAfterSeconds = deps.copyLimit.take(grant);
    if (retryAfterSeconds > 0) {
      const answer = serverError(new AppError('too-many-copies'));
      return { ...answer, headers: { ...answer.headers, 'Retry-After': String(retryAfterSeconds) } };
    }
    return refuseLow(declaredBytes);
  };

  const createCopy = async (
    call: WopiCall,
    row: FileRow,
    target: Target,
    incoming: ReceivedBody,
  ): Promise<Outcome> => {
    const folderPath = parentOf(row.path);
    const names = 'names' in target ? target.names : [target.exactName];
    const created = await documents.create({ folderPath, names, incoming, origin: uploads.origin(call) });
    if (created !== undefined) {
      const note = (): void => deps.accessTokens.noteCopy(call.grant.id, created.row.id);
      return { answer: handOver(call, created, incoming.size, note) };
    }
    if ('exactName' in target) return overwriteTaken(call, target, folderPath, incoming);
    throw new AppError('no-free-name');
  };

  /** What the headers ask for, or why it is refused. */
  const readRequest = async (call: WopiCall, found: FoundFile): Promise<Target | Outcome> => {
    const lock = readLockId(call.header, 'X-WOPI-Lock');
    if (lock.kind === 'invalid')
      return { answer: badRequest(lock.reason), reason: 'recovered.lock-id-invalid' };
    const target = await readTarget(call, found);
    if ('status' in target) return { answer: target, reason: 'recovered.name-invalid' };
    // No client sends the lock here; only an existing lock that differs is a mismatch.
    const state = locks.state(call.fileId);
    if (lock.kind === 'none' || state.kind !== 'locked' || hasLockId(state.lock, lock.id)) return target;
    const reason = 'recovered.locked';
    return { answer: locks.conflict(state.lock, call.grant), reason };
  };

  const decide = async (
    call: WopiCall,
    row: FileRow,
    request: Target | Outcome,
    incoming: ReceivedBody,
  ): Promise<Outcome> => {
    const grant = deps.accessTokens.find(call.token);
    if (grant === undefined) {
      return { answer: unauthorized, reason: 'recovered.token-revoked' };
    }
    if (!grant.canWrite) {
      // For a user who could never write, this operation isn't supported.
      const answer = call.grant.canWrite ? unauthorized : { status: 501 };
      return { answer, reason: 'recovered.permission-ended' };
    }
    if ('answer' in request) return request;
    const refusal = refusedByHeaders(call, incoming);
    if (refusal !== undefined) return refusal;
    // Its size may not have been declared, and many may have arrived at once.
    const low = await refuseLow(0);
    if (low !== undefined) return { answer: low, reason: 'recovered.disk-low' };
    return createCopy(call, row, request, incoming);
  };

  return {
    name: 'PutRelativeFile',
    async run(call) {
      const { folder } = deps;
      /** The folder may be away, which the decision reports once the body is received. */
      const finding = folder.find(call.fileId);
      let isAway = false;
      const found = await finding.catch(() => {
        isAway = true;
        return undefined;
      });
      // The document was deleted, but the body is still the user's work.
      const row = found?.row ?? folder.lastRowOf(call.fileId);
      if (row === undefined) return notFound;
      if (call.grant.issuedMode === 'view') return found === undefined ? notFound : { status: 501 };
      const request: Target | Outcome =
        found === undefined
          ? { answer: notFound, reason: 'recovered.document-deleted' }
          : await readRequest(call, found);
      const refused = isAway ? undefined : await refuseNew(call);
      if (refused !== undefined) return 'answer' in request ? request.answer : refused;
      const incoming = await uploads.receive(call, async () => ({
        // The error comes up again below; until then the bytes need a place.
        folder: await folder.jail.openFolder(parentOf(row.path)).catch(() => undefined),
      }));
      if (isAnswer(incoming)) return 'answer' in request ? request.answer : incoming;
      return uploads.decide(call, incoming, {
        path: () => (folder.rowOf(row.id) ?? row).path,
        async decide() {
          await finding;
          return decide(call, row, request, incoming);
        },
      });
    },
  };
}
