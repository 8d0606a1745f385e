// Why an editor didn't call: the result of its own check, if it has one, and what responds at the base address it was given.

import type { EditorRequest } from './editor-request.ts';
import { faultOf } from './editor-fault.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import type { Probe } from './probes.ts';
import { collaboraFinding, elsewhere, finding, noCall, type Finding, type FindingPlace } from './findings.ts';

/** What Collabora Online reported when asked to call this host; undefined if it has no such check. */
export async function askCollabora(
  request: EditorRequest,
  place: FindingPlace,
  probe: Pick<Probe, 'fileId'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { status, body } = await request({
      url: `${place.editor.url}/hosting/wopiAccessCheck`,
      method: 'POST',
      contentType: 'application/json',
      // Without the token: that is for the editor's real call. The host answers, and notes the caller.
      body: JSON.stringify({ callbackUrl: `${place.baseUrl}/wopi/files/${probe.fileId}` }),
      signal,
    });
    if (status !== 200) return undefined;
    const answer: unknown = JSON.parse(body);
    if (typeof answer !== 'object' || answer === null || !('status' in answer)) return undefined;
    return typeof answer.status === 'string' ? answer.status : undefined;
  } catch {
    return undefined;
  }
}

/** It got a response. */
export function isReached(status: string | undefined): boolean {
  return status === 'Ok' || status === 'NotHttpSuccess';
}

const ownRequestLimitMs = 3000;

export interface SilenceInput {
  request: EditorRequest;
  place: FindingPlace;
  probe: Pick<Probe, 'fileId' | 'tokenlessCallers'>;
  /** From Collabora Online's own check. */
  checkStatus: string | undefined;
  waitedMs: number;
  /** The setting allowedAddresses isn't empty. */
  hasAddressList: boolean;
  signal: AbortSignal;
}

export async function explainSilence(input: SilenceInput): Promise<Finding> {
  const { place, checkStatus, hasAddressList } = input;
  const own = collaboraFinding(place, checkStatus);
  if (own !== undefined) return own;
  const isReachable = isReached(checkStatus);
  if (isReachable && input.probe.tokenlessCallers().length === 0) return elsewhere(place, hasAddressList);
  const seen = await requestFromHere(input);
  if (seen === 'elsewhere') return elsewhere(place, hasAddressList);
  if (seen === 'refused') return finding('not-listening', place);
  const seconds = Math.max(1, Math.round(input.waitedMs / 1000));
  return noCall(place, { seconds, hasAddressList, isReachable });
}

/** The same request from this computer. Says nothing about names that only the editor can resolve. */
async function requestFromHere({
  request,
  place,
  probe,
  signal,
}: SilenceInput): Promise<'arrived' | 'elsewhere' | 'refused' | 'unknown'> {
  const before = probe.tokenlessCallers().length;
  const { hostname } = new URL(place.baseUrl);
  const isEditorsLoopback = isLoopbackHost(hostname) && !isLoopbackHost(new URL(place.editor.url).hostname);
  if (isEditorsLoopback) return 'unknown';
  try {
    await request({
      url: `${place.baseUrl}/wopi/files/${probe.fileId}`,
      method: 'GET',
      limitMs: ownRequestLimitMs,
      acceptsAnyCertificate: true,
      signal,
    });
    return probe.tokenlessCallers().length > before ? 'arrived' : 'elsewhere';
  } catch (error) {
    signal.throwIfAborted();
    return faultOf(error)?.code === 'refused' ? 'refused' : 'unknown';
  }
}
