// Whether a window or a browser can open here.

export function hasDisplay(
  { DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return [DISPLAY, WAYLAND_DISPLAY].some((name) => name !== undefined && name !== '');
}
