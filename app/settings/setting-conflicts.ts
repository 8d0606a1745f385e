// Settings that are right by themselves and don't fit together. A file that was edited by hand may have them: DocTray starts all
// the same, and what doesn't work says so.

import { isLoopbackHost } from '../network/addresses.ts';
import type { SettingKey, Settings } from './settings.ts';

/** @returns the keys of all that don't fit together, and why */
export function findSettingConflict(
  settings: Settings,
): { keys: readonly SettingKey[]; sentence: string } | undefined {
  const { textEditorPort, textEditorUrl, port, publicUrl, host } = settings;
  if (textEditorPort !== 0 && textEditorPort === port) {
    return {
      keys: ['textEditorPort', 'port'],
      sentence: 'DocTray and the text editor can’t use the same port.',
    };
  }
  if (textEditorUrl === null) return undefined;
  const url = new URL(textEditorUrl);
  const isHere = isLoopbackHost(url.hostname) || url.hostname.toLowerCase() === host.toLowerCase();
  const isPublic = publicUrl !== null && new URL(publicUrl).origin === url.origin;
  if (!isPublic && !(isHere && url.port === String(port))) return undefined;
  return {
    keys: ['textEditorUrl', 'publicUrl', 'port', 'host'],
    sentence: 'DocTray and the text editor can’t use the same address.',
  };
}
