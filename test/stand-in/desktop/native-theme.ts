// `nativeTheme`: the app's choice, with a light system theme; pages see the result in media features.

import type { NativeTheme } from 'electron';

import { StrictEmitter } from '../strict.ts';

export interface ThemeModule {
  nativeTheme: NativeTheme;
  isDark(): boolean;
  isChosen(): boolean;
}

export function createNativeTheme(onChange: () => void): ThemeModule {
  let source: NativeTheme['themeSource'] = 'system';
  const isDark = (): boolean => source === 'dark';

  class StandInTheme
    extends StrictEmitter
    implements Pick<NativeTheme, 'themeSource' | 'shouldUseDarkColors'>
  {
    constructor() {
      super('nativeTheme', ['updated']);
    }
    get themeSource(): NativeTheme['themeSource'] {
      return source;
    }
    set themeSource(value: NativeTheme['themeSource']) {
      if (!['system', 'light', 'dark'].includes(value))
        throw new TypeError(`Error processing argument at index 0: ${value}`);
      if (value === source) return;
      source = value;
      onChange();
      this.emit('updated');
    }
    get shouldUseDarkColors(): boolean {
      return isDark();
    }
  }
  return {
    nativeTheme: new StandInTheme() as unknown as NativeTheme,
    isDark,
    isChosen: () => source !== 'system',
  };
}
