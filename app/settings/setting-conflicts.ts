// Settings that are right by themselves and don't fit together. A file that was edited by hand may have them: DocTray starts all
// the same, and what doesn't work says so.

import { isLoopbackHost, portOf } from '../network/addresses.ts';
import type { SettingKey, Settings } from './settings.ts';

export interface SettingConflict {
  /** All that don't fit together. */
  keys: readonly SettingKey[];
  /** The port or the address that is used twice. */
  shared: string;
  sentence: string;
}

/** What doesn't fit together after a change, and didn't before: an old conflict keeps nothing else from being changed. */
export function findNewConflict(before: Settings, after: Settings): SettingConflict | undefined {
  const old = conflictsOf(before);
  return conflictsOf(after).find(
    ({ shared, sentence }) => !old.some((one) => one.shared === shared && one.sentence === sentence),
  );
}

function conflictsOf(settings: Settings): SettingConflict[] {
  const { textEditorPort, textEditorUrl, port, publicUrl, host } = settings;
  const conflicts: SettingConflict[] = [];
  if (textEditorPort !== null && textEditorPort !== 0 && textEditorPort === port) {
    conflicts.push({
      keys: ['textEditorPort', 'port'],
      shared: String(port),
      sentence: 'DocTray and the text editor can’t use the same port.',
    });
  }
  if (textEditorUrl === null) return conflicts;
  const url = new URL(textEditorUrl);
  const isHere = isLoopbackHost(url.hostname) || url.hostname.toLowerCase() === host.toLowerCase();
  const isPublic = publicUrl !== null && new URL(publicUrl).origin === url.origin;
  if (isPublic || (isHere && portOf(url) === String(port))) {
    conflicts.push({
      keys: ['textEditorUrl', 'publicUrl', 'port', 'host'],
      shared: url.origin,
      sentence: 'DocTray and the text editor can’t use the same address.',
    });
  }
  return conflicts;
}
