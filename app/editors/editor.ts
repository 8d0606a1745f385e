// A connected document server as the host stores it.

import type { EditorKind, EditorProblem, ProofMode } from '../contract/editors.ts';
import type { Discovery } from '../wopi/discovery.ts';

export interface Editor {
  /** Eight hexadecimal digits. */
  id: string;
  name: string;
  /** Its URL for this computer, without a trailing slash. */
  url: string;
  kind: EditorKind;
  product: string | null;
  version: string | null;
  /** Its base address; null: the host's default. */
  publicUrl: string | null;
  proofMode: ProofMode;
  /** Addresses and networks its calls may come from; an empty list allows all. */
  allowedAddresses: readonly string[];
  /** Its pages may be on another host than `url`: the user accepted that. */
  acceptsOtherHosts: boolean;
  discovery: Discovery;
  /** For the built-in one, when it last changed its address or its problem: earlier tests are void. */
  addedAtMs: number;
  discoveredAtMs: number;
  /** It hasn't responded since then; the previous discovery stays in use. */
  problem: EditorProblem | null;
}
