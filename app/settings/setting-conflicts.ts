// Settings that are valid individually but conflict with each other. A file that was edited by hand may contain them: DocTray
// still starts, and reports what doesn't work.

import { isLoopbackHost } from '../contract/addresses.ts';
import { t } from '../contract/messages.ts';
import { portOf } from '../network/addresses.ts';
import type { SettingKey, Settings } from './settings.ts';

export interface SettingConflict {
  /** All keys in conflict. */
  keys: readonly SettingKey[];
  /** The port or the address that is used twice. */
  shared: string;
  sentence: string;
}

/** A conflict that a change introduces: an existing one doesn't prevent other changes. */
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
      sentence: t('host.ports-conflict'),
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
      sentence: t('host.addresses-conflict'),
    });
  }
  return conflicts;
}
