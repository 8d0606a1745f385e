// Does this desktop show tray icons? Windows and macOS do. On Linux a panel must have registered itself with the
// StatusNotifierWatcher of KDE's name, the one that Chromium asks for; Electron does not tell, so the session bus is asked with
// whichever tool is installed. Where none is, the desktop's name has to do. DOCTRAY_TRAY=on or =off overrules all of it.

import { execFile } from 'node:child_process';

/** What the tool printed; undefined when it is not installed. @throws when it failed or took too long */
export type RunTool = (
  file: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; timeout: number },
) => Promise<string | undefined>;

export interface TraySupportDeps {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  run?: RunTool;
}

export interface TraySupport {
  /** Never rejects. Takes at most 3 s, usually a few milliseconds. */
  look(): Promise<boolean>;
}

const timeout = 1500;
const watcher = 'org.kde.StatusNotifierWatcher';
const watcherPath = '/StatusNotifierWatcher';
const property = 'IsStatusNotifierHostRegistered';
const bus = 'org.freedesktop.DBus';
/** Desktops whose panel shows tray icons as it is delivered; GNOME's does not. */
const withTray = [
  'kde',
  'xfce',
  'cinnamon',
  'x-cinnamon',
  'mate',
  'lxqt',
  'budgie',
  'unity',
  'deepin',
  'ukui',
];

/** The same two questions for each tool: has anybody the name, and is there a panel? The name first, so that nobody is started. */
const tools = [
  {
    file: 'gdbus',
    hasOwner: `call --session --timeout 1 --dest ${bus} --object-path /org/freedesktop/DBus --method ${bus}.NameHasOwner ${watcher}`,
    hasPanel: `call --session --timeout 1 --dest ${watcher} --object-path ${watcherPath} --method ${bus}.Properties.Get ${watcher} ${property}`,
  },
  {
    file: 'dbus-send',
    hasOwner: `--session --print-reply --reply-timeout=1000 --dest=${bus} /org/freedesktop/DBus ${bus}.NameHasOwner string:${watcher}`,
    hasPanel: `--session --print-reply --reply-timeout=1000 --dest=${watcher} ${watcherPath} ${bus}.Properties.Get string:${watcher} string:${property}`,
  },
] as const;

export function createTraySupport({ platform, env, run = runTool }: TraySupportDeps): TraySupport {
  async function askBus(address: string): Promise<boolean> {
    // Given by name: without an address these tools start a bus of their own.
    const options = { env: { ...env, DBUS_SESSION_BUS_ADDRESS: address }, timeout };
    for (const { file, hasOwner, hasPanel } of tools) {
      const owner = await run(file, hasOwner.split(' '), options);
      if (owner === undefined) continue;
      return saysTrue(owner) && saysTrue((await run(file, hasPanel.split(' '), options)) ?? '');
    }
    const desktops = (env['XDG_CURRENT_DESKTOP'] ?? '').toLowerCase().split(':');
    return desktops.some((desktop) => withTray.includes(desktop));
  }

  return {
    async look() {
      const { DOCTRAY_TRAY: chosen } = env;
      if (chosen === 'on' || chosen === 'off') return chosen === 'on';
      if (platform !== 'linux') return platform === 'win32' || platform === 'darwin';
      const address = busAddress(env);
      if (address === undefined) return false;
      try {
        return await askBus(address);
      } catch {
        return false;
      }
    },
  };
}

function busAddress({ DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR }: NodeJS.ProcessEnv): string | undefined {
  if (DBUS_SESSION_BUS_ADDRESS !== undefined && DBUS_SESSION_BUS_ADDRESS !== '')
    return DBUS_SESSION_BUS_ADDRESS;
  return XDG_RUNTIME_DIR === undefined || XDG_RUNTIME_DIR === ''
    ? undefined
    : `unix:path=${XDG_RUNTIME_DIR}/bus`;
}

/** `(true,)`, `(<true>,)` or `boolean true`. */
function saysTrue(answer: string): boolean {
  return /\btrue\b/u.test(answer);
}

const runTool: RunTool = (file, args, options) =>
  new Promise((resolve, reject) => {
    execFile(file, [...args], { ...options, maxBuffer: 64 * 1024 }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else if (error.code === 'ENOENT') resolve(undefined);
      else reject(new Error(`${file} did not answer.`, { cause: error }));
    });
  });
