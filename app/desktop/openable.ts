// Whether a press outside the window can open a document in an editor at once, by what the state says of the connected ones.

import { extname } from 'node:path/posix';
import type { WindowState } from '../contract/state.ts';

/** The host decides for good; where it says no, the document is shown in the window. */
export function canOpenInEditor(state: Pick<WindowState, 'host' | 'editors'>, path: string): boolean {
  if (state.host.status !== 'serving') return false;
  const extension = extname(path).slice(1).toLowerCase();
  return (
    extension !== '' && state.editors.some(({ types }) => types.some((type) => type.extension === extension))
  );
}
