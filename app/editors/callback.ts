// The editor's own call: what it shows about the connection (where it came from, its signature, its clock), and why it didn't come.

import type { ConnectionStep, ConnectionStepName } from '../contract/editors.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { addressList, hostOf, isPrivateHost } from '../network/addresses.ts';
import type { Editor } from '../store/editors.ts';
import type { EditorRequest } from './editor-request.ts';
import { faultOf } from './editor-fault.ts';
import { clockOff, finding, good, type Finding, type FindingPlace } from './findings.ts';
import type { Probe, ProbeCall } from './probes.ts';

type State = ConnectionStep['state'];
export type NoteStep = (name: ConnectionStepName, state: State, found: Finding) => void;

/** From here on signatures are refused. */
const clockLimitMs = 20 * 60_000;
const clockWarnMs = 2 * 60_000;

/** Reports the steps callback, proof and clock. */
export function recordCall(place: FindingPlace, editor: Editor, call: ProbeCall, note: NoteStep): void {
  const { clientAddress: address, receivedBase: url } = call;
  const { allowedAddresses } = editor;
  if (allowedAddresses.length > 0 && !addressList(allowedAddresses).has(address))
    note('callback', 'failed', finding('address-not-allowed', place, { address }));
  else note('callback', 'passed', good('host.called-from-at', { address, url }));
  note('proof', ...proofStep(place, editor, call));
  note('clock', ...clockStep(place, editor, call));
}

function proofStep(place: FindingPlace, { name, proofMode }: Editor, call: ProbeCall): [State, Finding] {
  const isRequired = proofMode === 'required';
  // Where signatures aren't checked, it doesn't fail the test.
  const fault = proofMode === 'off' ? 'warned' : 'failed';
  switch (call.verdict) {
    case 'valid':
      return ['passed', good('host.signature-valid')];
    case 'missing':
      return [isRequired ? 'failed' : 'warned', finding('proof-missing', place)];
    case 'no-keys':
      return isRequired
        ? ['failed', finding('proof-no-keys', place)]
        : ['skipped', good('host.editor-doesnt-sign', { editor: name })];
    case 'malformed':
      return [fault, finding('proof-malformed', place)];
    case 'stale':
      return ['skipped', good('host.signature-unchecked-clock')];
    case 'wrong': {
      const { receivedBase: received } = call;
      const code = received === place.baseUrl ? 'proof-wrong-key' : 'proof-wrong-address';
      return [fault, finding(code, place, { received })];
    }
  }
}

function clockStep(place: FindingPlace, { proofMode }: Editor, { clockSkewMs }: ProbeCall): [State, Finding] {
  if (clockSkewMs === null) return ['skipped', good('host.call-has-no-timestamp')];
  const offMs = Math.abs(clockSkewMs);
  if (offMs <= clockWarnMs) return ['passed', good('host.clock-matches')];
  const isHarmless = offMs <= clockLimitMs || proofMode === 'off';
  return [isHarmless ? 'warned' : 'failed', clockOff(place, clockSkewMs)];
}

/** What Collabora Online reported when asked to call this host; undefined if it has no such check. */
export async function askCollabora(
  request: EditorRequest,
  place: FindingPlace,
  probe: Pick<Probe, 'fileId'>,
): Promise<string | undefined> {
  try {
    const { status, body } = await request({
      url: `${place.editor.url}/hosting/wopiAccessCheck`,
      method: 'POST',
      contentType: 'application/json',
      // Without the token: that is for the editor's real call. The host answers, and notes the caller.
      body: JSON.stringify({ callbackUrl: `${place.baseUrl}/wopi/files/${probe.fileId}` }),
    });
    const answer = JSON.parse(body) as { status?: unknown } | null;
    return status === 200 && typeof answer?.status === 'string' ? answer.status : undefined;
  } catch {
    return undefined;
  }
}

/** Why no call came, if Collabora's own check found nothing wrong. @param isReached that check got a response */
export async function explainSilence(
  request: EditorRequest,
  place: FindingPlace,
  probe: Pick<Probe, 'fileId' | 'tokenlessCallers'>,
  isReached: boolean,
): Promise<Finding> {
  const { editor, baseUrl } = place;
  if (isReached && probe.tokenlessCallers.length === 0) return finding('wrong-public-address', place);
  const isLoopback = isLoopbackHost(hostOf(baseUrl));
  if (!isLoopback || isLoopbackHost(hostOf(editor.url))) {
    const seen = await requestFromHere(request, place, probe);
    if (seen !== undefined) return finding(seen, place);
  }
  if (isReached) return finding('page-does-not-run', place);
  if (isLoopback) return finding('address-is-loopback', place);
  const isRefused = editor.kind === 'onlyoffice' && isPrivateHost(hostOf(baseUrl));
  return finding(isRefused ? 'private-address-refused' : 'no-call', place);
}

/** The same request from this computer. Says nothing about names that only the editor can resolve. */
async function requestFromHere(
  request: EditorRequest,
  { baseUrl }: FindingPlace,
  { fileId, tokenlessCallers }: Pick<Probe, 'fileId' | 'tokenlessCallers'>,
): Promise<'wrong-public-address' | 'not-listening' | undefined> {
  const before = tokenlessCallers.length;
  try {
    const how = { method: 'GET', limitMs: 3000, acceptsAnyCertificate: true } as const;
    await request({ url: `${baseUrl}/wopi/files/${fileId}`, ...how });
    return tokenlessCallers.length > before ? undefined : 'wrong-public-address';
  } catch (error) {
    return faultOf(error)?.code === 'refused' ? 'not-listening' : undefined;
  }
}
