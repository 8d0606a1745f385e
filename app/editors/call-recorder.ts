// What an editor's call shows about the connection: where it came from, its signature, and its clock.

import type { ConnectionStep, ConnectionStepName } from '../contract/editors.ts';
import { t } from '../contract/messages.ts';
import { createAddressLists } from '../network/addresses.ts';
import type { Editor } from '../store/editors.ts';
import type { ProbeCall } from './probes.ts';
import * as remedies from './remedies.ts';

export type NoteStep = (
  name: ConnectionStepName,
  state: ConnectionStep['state'],
  finding: remedies.Words,
) => void;

export type CallRecorder = (
  place: remedies.FindingPlace,
  editor: Editor,
  call: ProbeCall,
  note: NoteStep,
) => void;

/** From here on signatures are refused. */
const clockLimitMs = 20 * 60_000;
const clockWarnMs = 2 * 60_000;

/** Reports the steps callback, proof and clock. */
export function createCallRecorder(): CallRecorder {
  const listOf = createAddressLists();
  return (place, editor, call, note) => {
    const { clientAddress, receivedBase } = call;
    const { allowedAddresses } = editor;
    if (allowedAddresses.length > 0 && !listOf(allowedAddresses).has(clientAddress)) {
      note('callback', 'failed', () => remedies.addressRefused(place, clientAddress));
    } else {
      const sentence = (): string =>
        receivedBase === place.baseUrl
          ? t('host.called-from-at', { address: clientAddress, url: receivedBase })
          : t('host.called-from-at-instead-of', {
              address: clientAddress,
              url: receivedBase,
              wanted: place.baseUrl,
            });
      note('callback', 'passed', () => remedies.good(sentence()));
    }
    noteProofStep(place, editor, call, note);
    noteClockStep(place, call, note);
  };
}

function noteProofStep(place: remedies.FindingPlace, editor: Editor, call: ProbeCall, note: NoteStep): void {
  const { proofMode } = editor;
  const isRequired = proofMode === 'required';
  const name = 'proof';
  // Not required, so it doesn't fail the test.
  const fault = proofMode === 'off' ? 'warned' : 'failed';
  switch (call.verdict) {
    case 'valid':
      note(name, 'passed', () =>
        remedies.good(
          call.isForReceivedBase
            ? t('host.signature-valid-for-called-address', { url: call.receivedBase })
            : t('host.signature-valid'),
        ),
      );
      break;
    case 'missing':
      note(name, isRequired ? 'failed' : 'warned', () => remedies.proofMissing(place, isRequired));
      break;
    case 'no-keys':
      note(name, isRequired ? 'failed' : 'skipped', () => remedies.noKeys(place, isRequired));
      break;
    case 'malformed':
      note(name, fault, () => remedies.proofMalformed(place));
      break;
    case 'stale':
      note(name, 'skipped', () => remedies.good(t('host.signature-unchecked-clock')));
      break;
    case 'wrong':
      note(name, fault, () => remedies.proofWrong(place, call.receivedBase));
      break;
  }
}

function noteClockStep(place: remedies.FindingPlace, { clockSkewMs }: ProbeCall, note: NoteStep): void {
  if (clockSkewMs === null) {
    note('clock', 'skipped', () => remedies.good(t('host.call-has-no-timestamp')));
    return;
  }
  const isTooFar = Math.abs(clockSkewMs) > clockLimitMs;
  if (isTooFar || Math.abs(clockSkewMs) > clockWarnMs) {
    const isHarmless = !isTooFar || place.editor.proofMode === 'off';
    note('clock', isHarmless ? 'warned' : 'failed', () => remedies.clockOff(place, clockSkewMs, isTooFar));
    return;
  }
  note('clock', 'passed', () => remedies.good(t('host.clock-matches')));
}
