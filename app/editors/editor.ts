// A connected document server as the host keeps it.

import type { EditorKind, EditorProblem, ProofMode } from '../contract/editors.ts';
import type { Discovery } from '../wopi/discovery.ts';

export interface Editor {
  /** Eight hexadecimal digits. */
  id: string;
  name: string;
  /** Where this machine reaches it, without a slash at its end. */
  url: string;
  kind: EditorKind;
  product: string | null;
  version: string | null;
  /** The address under which it reaches this host; null: the one the host has anyway. */
  publicUrl: string | null;
  proofMode: ProofMode;
  /** Addresses and networks its calls may come from; an empty list allows all. */
  allowedAddresses: readonly string[];
  /** Its pages may lie on another host than `url`: the user agreed. */
  acceptsOtherHosts: boolean;
  discovery: Discovery;
  /** For the built-in one, since it last changed its address or its problem: earlier tests don't count any more. */
  addedAtMs: number;
  discoveredAtMs: number;
  /** It could not be read since then; the discovery of before counts on. */
  problem: EditorProblem | null;
}
