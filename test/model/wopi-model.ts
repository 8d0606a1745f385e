// A small model of docs/protocol.md, “WOPI”: which answers a host may give, and which bytes it must keep. Pure: no
// clock, no disk, no HTTP; contents are short names ('' is the empty document), and the files of a sequence have keys. If the page
// allows several outcomes, `allowed` returns all of them, and the caller keeps every state that explains what it has seen so far.
// If no state is left, the host broke a rule.

import {
  expiredTokenCarryMs,
  isLockIdValid,
  lockLifetimeMs,
  lockViews,
  replaced,
  soften,
  unreadBy,
  unreadTo,
  withFile,
  without,
} from './model-state.ts';
import type { Answer, Lock, ModelState, Request, View } from './model-state.ts';

export interface Outcome {
  /** The rule that applied. */
  clause: string;
  status: number;
  /** X-WOPI-Lock; undefined: the header must be absent, '*': present with any value. */
  lock: string | undefined;
  version: 'needed' | 'optional';
  facts: Readonly<Record<string, unknown>>;
  next: ModelState;
}

/** Every answer that the page allows to `request`, for each way in which the host may see the lock. */
export function allowed(state: ModelState, request: Request): Outcome[] {
  return lockViews(state.files[request.file]!).flatMap((view) => allowedFor(state, request, view));
}

function allowedFor(state: ModelState, request: Request, view: View): Outcome[] {
  const { kind, lock: id, file: key } = request;
  const file = state.files[key]!;
  const token = state.tokens[request.token]!;
  const held = view === 'held' ? file.lock!.id : undefined;
  const carries = view !== 'none' && id !== '' && id === file.lock!.id;
  const isLockKind = ['lock', 'relock', 'refresh-lock', 'unlock', 'get-lock'].includes(kind);
  const answer = (clause: string, status: number, rest: Partial<Outcome> = {}): Outcome => {
    return { clause, status, lock: undefined, version: 'optional', facts: {}, next: state, ...rest };
  };
  const lockedFor = (lockId: string): Lock => {
    return {
      id: lockId,
      byToken: request.token,
      isUnread: file.known[request.token] === undefined,
      expiresAtMs: state.nowMs + lockLifetimeMs,
      joined: [request.token],
      unnoticed: false,
    };
  };
  const renewed = (next: ModelState): ModelState => {
    const { byToken, isUnread, unnoticed, joined } = file.lock ?? lockedFor(id);
    const all = [...without(joined, request.token), request.token];
    return carries
      ? withFile(next, key, { lock: { ...lockedFor(id), byToken, isUnread, unnoticed, joined: all } })
      : next;
  };
  const mismatch = (clause: string, next = state): Outcome => answer(clause, 409, { lock: held ?? '', next });
  const released = {
    lock: undefined,
    unread: soften(file.unread),
    dispossessed: without(file.dispossessed, id),
  };

  const isCarried = carries && token.canWrite && ['lock', 'refresh-lock', 'put', 'unlock'].includes(kind);
  if (token.revoked || state.nowMs >= token.expiresAtMs + expiredTokenCarryMs)
    return [answer('token ended', 401)];
  if (state.nowMs >= token.expiresAtMs && !isCarried) return [answer('token expired', 401)];
  if (token.file !== key) {
    const elsewhere = [answer('token of another file', 404)];
    return state.nowMs < token.expiresAtMs ? elsewhere : [...elsewhere, answer('token expired', 401)];
  }
  // An empty save, or one of the bytes that are on disk already, has nothing to recover.
  const isRecovered =
    (kind === 'put' || (kind === 'put-relative' && !request.wrongSize)) &&
    token.canWrite &&
    request.content !== '' &&
    (kind === 'put-relative' || request.content !== file.content);
  const afterRecovery = isRecovered ? { ...state, kept: [...state.kept, request.content] } : state;
  const knows = (next: ModelState, content: string | undefined): ModelState =>
    withFile(next, key, {
      known: { ...next.files[key]!.known, [request.token]: { content, isSure: true } },
    });
  if (file.content === undefined && !(kind === 'put' && token.canWrite && carries && !file.trashed)) {
    return [answer('file gone', 404, { next: kind === 'put' ? afterRecovery : state })];
  }
  if (!token.canWrite && ['put', 'rename', 'delete'].includes(kind)) return [answer('read-only writes', 401)];
  if (!token.canWrite && kind === 'put-relative') return [answer('read-only copies', 501)];
  const illegal =
    isLockKind && kind !== 'get-lock' && !isLockIdValid(id) ? [answer(`${kind} id illegal`, 400)] : [];
  if (!token.canWrite && isLockKind) {
    return [...illegal, answer('read-only locks', 200, kind === 'get-lock' ? { lock: '*' } : {})];
  }
  if (illegal.length > 0) return illegal;

  const size = file.content?.length ?? 0;
  switch (kind) {
    case 'check-file-info': {
      const facts = { empty: size === 0, name: file.name, canWrite: token.canWrite };
      return [answer('info', 200, { version: 'needed', facts })];
    }
    case 'get-file': {
      const isReader = held !== undefined && file.lock!.byToken === request.token;
      const read = token.canWrite ? knows(state, file.content) : state;
      const lock = isReader ? { ...file.lock!, isUnread: false } : file.lock;
      const next = withFile(read, key, { lock, unread: isReader ? 'no' : soften(file.unread) });
      return [answer('read', 200, { version: 'needed', facts: { content: file.content }, next })];
    }
    case 'get-lock':
      return [answer(`get-lock ${view}`, 200, { lock: held ?? '' })];
    case 'lock': {
      if (held !== undefined && held !== id) return [mismatch('lock other')];
      if (held !== undefined) {
        // Its token has read nothing, so the lock passes to the token that takes it now.
        const passed = withFile(state, key, {
          lock: {
            ...lockedFor(id),
            unnoticed: file.lock!.unnoticed,
            joined: [...file.lock!.joined, request.token],
          },
          unread: unreadBy(file, request.token),
        });
        const next =
          file.lock!.isUnread && file.known[file.lock!.byToken] === undefined ? passed : renewed(state);
        return [answer('lock same', 200, { version: 'needed', next })];
      }
      const lost = file.lock === undefined ? file.dispossessed : [...file.dispossessed, file.lock.id];
      const isReturn = file.lock?.id === id;
      const taken = {
        lock: isReturn ? { ...lockedFor(id), isUnread: file.lock!.isUnread } : lockedFor(id),
        unread: isReturn ? soften(file.unread) : unreadBy(file, request.token),
        dispossessed: without(lost, id),
      };
      return [answer(`lock free (${view})`, 200, { version: 'needed', next: withFile(state, key, taken) })];
    }
    case 'relock': {
      if (held === undefined || held !== request.oldLock) return [mismatch(`relock ${view}`)];
      const { isUnread, unnoticed, joined } = file.lock!;
      const swapped = {
        ...released,
        lock: { ...lockedFor(id), isUnread, unnoticed, joined: [...joined, request.token] },
      };
      return [answer('relock', 200, { next: withFile(state, key, swapped) })];
    }
    case 'refresh-lock':
      return [
        carries ? answer(`refresh ${view}`, 200, { next: renewed(state) }) : mismatch(`refresh not ${view}`),
      ];
    case 'unlock':
      if (!carries) return [mismatch(`unlock not ${view}`)];
      return [answer(`unlock ${view}`, 200, { version: 'needed', next: withFile(state, key, released) })];
    case 'put': {
      const isFirst = held === undefined && size === 0;
      if (!carries && !isFirst)
        return [mismatch(`put not ${view}${isRecovered ? ', recovered' : ''}`, afterRecovery)];
      const unread = carries ? unreadTo(file, request.token) : 'no';
      const hasChanged = unread !== 'no' && request.content !== file.content;
      const stale = [afterRecovery, renewed(afterRecovery)].map((next) =>
        mismatch('put with an old timestamp', next),
      );
      const saved = replaced(withFile(state, key, { unread }), key, request.content).map((next) => {
        const known = knows(next, request.content);
        const lock = { ...renewed(known).files[key]!.lock!, isUnread: false };
        return answer(
          `put ${carries ? view : 'first'}${request.content === file.content ? ' equal' : ''}`,
          200,
          {
            version: 'needed',
            next: carries ? withFile(known, key, { lock, unread: 'no' }) : known,
          },
        );
      });
      if (!request.oldTimestamp || !hasChanged) return saved;
      return unread === 'must' && file.content !== undefined ? stale : [...saved, ...stale];
    }
    case 'put-relative': {
      if (held !== undefined && id !== '' && id !== held) return [mismatch('copy other', afterRecovery)];
      const { over } = request;
      const target = over && state.files[over.file]!;
      const targetLock = target?.lock && target.lock.lapse === undefined ? target.lock.id : undefined;
      const taken = answer('copy name taken', 409, { lock: targetLock ?? '', next: afterRecovery });
      // The session created neither document, so it may replace neither.
      if (over !== undefined) {
        return request.wrongSize ? [taken, answer('copy size', 400)] : [taken];
      }
      if (request.wrongSize) return [answer('copy size', 400)];
      const next = {
        ...state,
        extras: [...state.extras, request.content],
        kept: [...state.kept, request.content],
      };
      return [answer('copy new', 200, { next })];
    }
    case 'rename': {
      const isOwn = id === held || (id === '' && file.lock?.joined.includes(request.token) === true);
      return held !== undefined && !isOwn ? [mismatch('rename other')] : [answer(`rename ${view}`, 200)];
    }
    case 'delete': {
      if (held !== undefined) return [mismatch('delete locked')];
      const kept = [...state.kept, file.content ?? ''];
      const next = { ...withFile(state, key, { content: undefined, trashed: true }), kept };
      return [answer('delete', 200, { next })];
    }
  }
}

/** The states that explain `answer`; none if the page forbids it. */
export function explain(state: ModelState, request: Request, answer: Answer): ModelState[] {
  return allowed(state, request).flatMap((outcome) => {
    const { next, facts } = outcome;
    const file = next.files[request.file]!;
    const isVersionRight =
      answer.version === undefined
        ? outcome.version === 'optional'
        : file.version === undefined
          ? !file.seenVersions.includes(answer.version)
          : file.version === answer.version;
    const isRight =
      outcome.status === answer.status &&
      (outcome.lock === '*' ? answer.lock !== undefined : outcome.lock === answer.lock) &&
      Object.entries(facts).every(([fact, value]) => answer.facts[fact] === value) &&
      isVersionRight;
    if (!isRight) return [];
    const renamed = answer.name !== undefined && answer.status === 200 ? { name: answer.name } : {};
    if (answer.version === undefined) return [withFile(next, request.file, renamed)];
    const seenVersions = [...without(file.seenVersions, answer.version), answer.version];
    const lock = file.lock && file.lock.lapse === undefined ? { ...file.lock, unnoticed: false } : file.lock;
    const seen = { version: answer.version, seenVersions, seenContent: file.content, lock };
    return [withFile(next, request.file, { ...renamed, ...seen })];
  });
}
