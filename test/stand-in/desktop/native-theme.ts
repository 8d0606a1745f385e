// `nativeTheme`: the app's wish over the system's theme, which a test sets; pages see the outcome as media features.

import type { NativeTheme } from 'electron';

import { StrictEmitter } from '../strict.ts';

export interface ThemeModule {
  nativeTheme: NativeTheme;
  isDark(): boolean;
  isHighContrast(): boolean;
  isChosen(): boolean;
  setSystem(theme: { isDark?: boolean; isHighContrast?: boolean }): void;
}

export function createNativeTheme(onChange: () => void): ThemeModule {
  let source: NativeTheme['themeSource'] = 'system';
  let system = { isDark: false, isHighContrast: false };
  let isSystemSet = false;
  const isDark = (): boolean => (source === 'system' ? system.isDark : source === 'dark');

  class StandInTheme
    extends StrictEmitter
    implements
      Pick<
        NativeTheme,
        | 'themeSource'
        | 'shouldUseDarkColors'
        | 'shouldUseHighContrastColors'
        | 'shouldUseInvertedColorScheme'
        | 'shouldUseDarkColorsForSystemIntegratedUI'
        | 'inForcedColorsMode'
        | 'prefersReducedTransparency'
      >
  {
    readonly shouldUseInvertedColorScheme = false;
    readonly prefersReducedTransparency = false;

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
    get shouldUseHighContrastColors(): boolean {
      return system.isHighContrast;
    }
    get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
      return system.isDark;
    }
    get inForcedColorsMode(): boolean {
      return system.isHighContrast;
    }
  }
  const nativeTheme = new StandInTheme();
  return {
    nativeTheme: nativeTheme as unknown as NativeTheme,
    isDark,
    isHighContrast: () => system.isHighContrast,
    isChosen: () => source !== 'system' || isSystemSet,
    setSystem(theme) {
      system = { ...system, ...theme };
      isSystemSet = true;
      onChange();
      nativeTheme.emit('updated');
    },
  };
}
