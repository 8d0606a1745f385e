// The names of keys.

import { t } from '../../app/contract/messages.ts';

const names: Readonly<Record<string, string>> = {
  Ctrl: t('kit.ctrl'),
  Shift: t('kit.shift'),
  Enter: t('kit.enter'),
  Space: t('kit.space'),
  Home: t('kit.home'),
  End: t('kit.end'),
  Del: t('kit.del'),
  Delete: t('kit.del'),
  Menu: t('kit.menu'),
};

/** `Ctrl+K`: `Cmd+K` on a Mac, `Strg+K` in German. */
export function keyWords(keys: string, isMac: boolean): string {
  return keys
    .split('+')
    .map((key) => (isMac && key === 'Ctrl' ? 'Cmd' : (names[key] ?? key)))
    .join('+');
}
