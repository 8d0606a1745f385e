// Detects whether a display is available for the window.

import { connect, type NetConnectOpts } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { t } from '../contract/messages.ts';

export function hasDisplay(
  { DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): boolean {
  if (platform === 'darwin' || platform === 'win32') return true;
  return [DISPLAY, WAYLAND_DISPLAY].some((name) => name !== undefined && name !== '');
}

const answerLimitMs = 1000;

/** @returns a sentence that says what is missing; undefined if a display server accepts connections */
export async function findDisplayProblem(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  if (!hasDisplay(env, platform)) return t('terminal.no-display-is-available');
  if (platform === 'darwin' || platform === 'win32') return undefined;
  const { DISPLAY = '', WAYLAND_DISPLAY = '' } = env;
  const servers = [
    { name: `WAYLAND_DISPLAY=${WAYLAND_DISPLAY}`, isSet: WAYLAND_DISPLAY !== '', places: waylandPlaces(env) },
    { name: `DISPLAY=${DISPLAY}`, isSet: DISPLAY !== '', places: x11Places(DISPLAY) },
  ].filter(({ isSet }) => isSet);
  const answers = await Promise.all(servers.flatMap(({ places }) => places.map(takesConnections)));
  if (answers.includes(true)) return undefined;
  const [one = '', other] = servers.map(({ name }) => name);
  return t('terminal.no-display-server-responds', {
    servers: other === undefined ? one : t('terminal.one-or-other', { one, other }),
  });
}

function waylandPlaces({ WAYLAND_DISPLAY = '', XDG_RUNTIME_DIR = '' }: NodeJS.ProcessEnv): NetConnectOpts[] {
  if (isAbsolute(WAYLAND_DISPLAY)) return [{ path: WAYLAND_DISPLAY }];
  return XDG_RUNTIME_DIR === '' ? [] : [{ path: join(XDG_RUNTIME_DIR, WAYLAND_DISPLAY) }];
}

/** `:0`, `unix:0`, `localhost:10.0`, `[::1]:10`; see X(7), "DISPLAY NAMES". */
function x11Places(display: string): NetConnectOpts[] {
  const { host = '', number } =
    /^(?:\w+\/)?(?<host>[^/]*):(?<number>\d{1,5})(?:\.\d+)?$/.exec(display)?.groups ?? {};
  if (number === undefined) return [];
  if (host !== '' && host !== 'unix') {
    return [{ host: host.replaceAll(/[[\]]/g, ''), port: Math.min(6000 + Number(number), 65_535) }];
  }
  const path = `/tmp/.X11-unix/X${number}`;
  // X11 also listens on an abstract socket, which a container may reach even if the socket file isn't mounted.
  return [{ path }, { path: `\0${path}` }];
}

function takesConnections(place: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...place, timeout: answerLimitMs });
    const end = (isAnswered: boolean) => (): void => {
      socket.destroy();
      resolve(isAnswered);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
