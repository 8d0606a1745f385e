// What an editor's call shows about the connection: where it came from, its signature, and its clock.

import type { ConnectionStep, ConnectionStepName } from '../contract/editors.ts';
import { addressList } from '../network/addresses.ts';
import type { Editor } from '../store/editors.ts';
import { clockOff, finding, good, noKeys, proofWrong, type Finding, type FindingPlace } from './findings.ts';
import type { ProbeCall } from './probes.ts';

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
    note('callback', 'failed', finding('address-not-allowed', place, { values: { address } }));
  else if (url === place.baseUrl) note('callback', 'passed', good('host.called-from-at', { address, url }));
  else {
    const values = { address, url, wanted: place.baseUrl };
    note('callback', 'passed', good('host.called-from-at-instead-of', values));
  }
  note('proof', ...proofStep(place, call));
  note('clock', ...clockStep(place, call));
}

function proofStep(
  place: FindingPlace,
  { verdict, isForReceivedBase, receivedBase: url }: ProbeCall,
): [State, Finding] {
  const { editor } = place;
  const isRequired = editor.proofMode === 'required';
  // Where signatures aren't checked, it doesn't fail the test.
  const fault = editor.proofMode === 'off' ? 'warned' : 'failed';
  switch (verdict) {
    case 'valid':
      return [
        'passed',
        isForReceivedBase
          ? good('host.signature-valid-for-called-address', { url })
          : good('host.signature-valid'),
      ];
    case 'missing':
      return isRequired
        ? ['failed', finding('proof-missing', place, { remedy: 'host.make-it-sign' })]
        : ['warned', finding('proof-missing', place)];
    case 'no-keys':
      return isRequired
        ? ['failed', noKeys(place)]
        : ['skipped', good('host.editor-doesnt-sign', { editor: editor.name })];
    case 'malformed':
      return [fault, finding('proof-malformed', place)];
    case 'stale':
      return ['skipped', good('host.signature-unchecked-clock')];
    case 'wrong':
      return [fault, proofWrong(place, url)];
  }
}

function clockStep(place: FindingPlace, { clockSkewMs }: ProbeCall): [State, Finding] {
  if (clockSkewMs === null) return ['skipped', good('host.call-has-no-timestamp')];
  const offMs = Math.abs(clockSkewMs);
  if (offMs <= clockWarnMs) return ['passed', good('host.clock-matches')];
  const isTooFar = offMs > clockLimitMs;
  const isHarmless = !isTooFar || place.editor.proofMode === 'off';
  return [isHarmless ? 'warned' : 'failed', clockOff(place, clockSkewMs, isTooFar)];
}
