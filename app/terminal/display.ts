// Whether a window can be shown here at all.

export function hasDisplay(
  { DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return [DISPLAY, WAYLAND_DISPLAY].some((name) => name !== undefined && name !== '');
}
