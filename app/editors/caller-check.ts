// Whether a call with an editor's token really comes from that editor: checks its address and its signature, because the token
// may have leaked. Runs on every WOPI call, so the usual case must be cheap.
// @see docs/protocol.md, “Access checks” and “Signatures”

import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { ProofMode } from '../contract/editors.ts';
import type { ProofKeys } from '../store/editors.ts';
import { proofTimeMs, verifyProof, type ProofVerdict } from '../wopi/proof.ts';
import type { ReadHeader } from '../wopi/wopi-headers.ts';
import { createAddressLists } from '../network/addresses.ts';
import type { Editors } from './editors.ts';

export interface EditorCall {
  /** The editor the token was issued for; null: none in particular. */
  editorId: string | null;
  token: string;
  /** Path and query as received. */
  target: string;
  /** `scheme://host` as the client sent it. */
  receivedBase: string;
  /** Its port is the one the call arrived on, or a trusted proxy set it. */
  isOwnPort: boolean;
  clientAddress: string;
  header: ReadHeader;
}

/** Undefined: the call is fine. AppError address-not-allowed, proof-invalid. */
export type CallerCheck = (call: EditorCall) => AppError | undefined | Promise<AppError | undefined>;

/** `no-keys`: the editor's discovery contains no keys. */
export type CallVerdict = ProofVerdict | 'no-keys';

export interface CallerCheckDeps {
  editors: Pick<Editors, 'byId' | 'keysAfterFailure'>;
  clock: Clock;
  baseUrlOf: (editorId: string | null) => string;
  /** Receives the reason, for the log. */
  onRefused?: (refusal: { editorId: string; clientAddress: string; reason: 'address' | CallVerdict }) => void;
}

export function createCallerCheck(deps: CallerCheckDeps): CallerCheck {
  const { editors, clock } = deps;
  const listOf = createAddressLists();
  const importKey = createKeyReader();

  const verdictOf = (call: EditorCall, keys: ProofKeys | null): CallVerdict => {
    const urls = calledUrls(call, deps.baseUrlOf(call.editorId));
    return checkProof({ keys, token: call.token, urls, header: call.header, nowMs: clock(), importKey })
      .verdict;
  };
  const refuse = (editorId: string, call: EditorCall, reason: 'address' | CallVerdict): AppError => {
    deps.onRefused?.({ editorId, clientAddress: call.clientAddress, reason });
    if (reason !== 'address') return new AppError('proof-invalid');
    return new AppError('address-not-allowed', {
      detail: 'The editor this token was issued for isn’t allowed to call from this address.',
    });
  };
  /** The editor may have rotated its keys since its discovery was read. */
  const recheckProof = async (
    editorId: string,
    call: EditorCall,
    before: { keys: ProofKeys | null; verdict: CallVerdict },
  ): Promise<AppError | undefined> => {
    const keys = await editors.keysAfterFailure(editorId);
    const verdict = isSame(keys, before.keys) ? before.verdict : verdictOf(call, keys);
    const mode = editors.byId(editorId)?.proofMode ?? 'off';
    return isAccepted(mode, verdict) ? undefined : refuse(editorId, call, verdict);
  };

  return (call) => {
    const { editorId } = call;
    const editor = editorId === null ? undefined : editors.byId(editorId);
    if (editorId === null || editor === undefined) return undefined;
    const { allowedAddresses, proofMode } = editor;
    if (allowedAddresses.length > 0 && !listOf(allowedAddresses).has(call.clientAddress)) {
      return refuse(editorId, call, 'address');
    }
    if (proofMode === 'off') return undefined;
    const keys = editor.discovery.proofKeys;
    const verdict = verdictOf(call, keys);
    if (isAccepted(proofMode, verdict)) return undefined;
    const mayBeNewKeys = verdict === 'wrong' || verdict === 'no-keys';
    return mayBeNewKeys ? recheckProof(editorId, call, { keys, verdict }) : refuse(editorId, call, verdict);
  };
}

export interface ProofResult {
  verdict: CallVerdict;
  /** How far the editor's clock is ahead; null if its call has no timestamp. */
  clockSkewMs: number | null;
}

/** The same check as for every call, whatever the mode. */
export function checkProof(input: {
  keys: ProofKeys | null;
  token: string;
  urls: readonly string[];
  header: ReadHeader;
  nowMs: number;
  importKey?: (pem: string) => KeyObject;
}): ProofResult {
  const { keys, header, ...rest } = input;
  const timestamp = header('X-WOPI-TimeStamp');
  const atMs = proofTimeMs(timestamp);
  const clockSkewMs = atMs === undefined ? null : atMs - input.nowMs;
  if (keys === null) return { verdict: 'no-keys', clockSkewMs };
  const proof = header('X-WOPI-Proof');
  const proofOld = header('X-WOPI-ProofOld');
  return { verdict: verifyProof({ ...rest, keys, proof, proofOld, timestamp }), clockSkewMs };
}

/**
 * The addresses the editor may have signed: its base address, and the one it called. The latter comes from the client: with
 * another port than this host's, a signature for another service on this computer would pass.
 */
export function calledUrls(
  { target, receivedBase, isOwnPort }: Pick<EditorCall, 'target' | 'receivedBase' | 'isOwnPort'>,
  baseUrl: string,
): string[] {
  // A proxy may send the full URL instead of the path.
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/iu, '');
  return baseUrl === receivedBase || !isOwnPort ? [baseUrl + path] : [baseUrl + path, receivedBase + path];
}

/** Without keys there is nothing to check a signature with, and an editor without keys may call unsigned in that mode anyway. */
function isAccepted(mode: ProofMode, verdict: CallVerdict): boolean {
  if (verdict === 'valid' || mode === 'off') return true;
  return mode === 'if-present' && (verdict === 'missing' || verdict === 'no-keys');
}

function isSame(left: ProofKeys | null, right: ProofKeys | null): boolean {
  return left?.current === right?.current && left?.old === right?.old;
}

/** Caches parsed keys: parsing takes as long as checking a signature. */
function createKeyReader(): (pem: string) => KeyObject {
  const known = new Map<string, KeyObject>();
  return (pem) => {
    let key = known.get(pem);
    if (key === undefined) {
      key = createPublicKey(pem);
      if (known.size >= 64) known.clear();
      known.set(pem, key);
    }
    return key;
  };
}
