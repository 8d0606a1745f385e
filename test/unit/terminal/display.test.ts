import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findDisplayProblem } from '../../../app/terminal/display.ts';

let root: string;
let wayland: Server;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'dt-display-'));
  wayland = createServer();
  await new Promise<void>((resolve) => void wayland.listen(join(root, 'wayland-7'), resolve));
});
after(async () => {
  await new Promise<void>((resolve) => void wayland.close(() => resolve()));
  await rm(root, { recursive: true, force: true });
});

test('requires a display variable on Linux, but not on macOS and Windows', async () => {
  assert.equal(await findDisplayProblem({}, 'linux'), 'No display is available.');
  assert.equal(await findDisplayProblem({ DISPLAY: '' }, 'linux'), 'No display is available.');
  assert.equal(await findDisplayProblem({}, 'darwin'), undefined);
  assert.equal(await findDisplayProblem({}, 'win32'), undefined);
});

test('finds a Wayland display by its name in the runtime folder or by its path', async () => {
  assert.equal(
    await findDisplayProblem({ WAYLAND_DISPLAY: 'wayland-7', XDG_RUNTIME_DIR: root }, 'linux'),
    undefined,
  );
  assert.equal(await findDisplayProblem({ WAYLAND_DISPLAY: join(root, 'wayland-7') }, 'linux'), undefined);
  assert.equal(
    await findDisplayProblem({ WAYLAND_DISPLAY: 'wayland-8', XDG_RUNTIME_DIR: root }, 'linux'),
    'No display server responds at WAYLAND_DISPLAY=wayland-8.',
  );
});

test('checks an X display by its socket, or over TCP if it names a host', async () => {
  assert.equal(
    await findDisplayProblem({ DISPLAY: ':6543' }, 'linux'),
    'No display server responds at DISPLAY=:6543.',
  );
  const forwarded = createServer();
  let number = -1;
  // X forwarding over SSH listens on port 6000 and above.
  for (let port = 6900; number < 0 && port < 6950; port += 1) {
    const isFree = await new Promise<boolean>((resolve) => {
      forwarded.once('error', () => resolve(false)).once('listening', () => resolve(true));
      forwarded.listen(port, '127.0.0.1');
    });
    if (isFree) number = (forwarded.address() as AddressInfo).port - 6000;
  }
  assert.equal(await findDisplayProblem({ DISPLAY: `127.0.0.1:${number}.0` }, 'linux'), undefined);
  await new Promise<void>((resolve) => void forwarded.close(() => resolve()));
  assert.equal(
    await findDisplayProblem({ DISPLAY: `127.0.0.1:${number}.0`, WAYLAND_DISPLAY: '/nowhere' }, 'linux'),
    `No display server responds at WAYLAND_DISPLAY=/nowhere or DISPLAY=127.0.0.1:${number}.0.`,
  );
});

test('finds an X server that has only an abstract socket, on Linux', async () => {
  if (process.platform !== 'linux') return;
  const server = createServer();
  const number = 40_000 + (process.pid % 20_000);
  await new Promise<void>((resolve) => void server.listen(`\0/tmp/.X11-unix/X${number}`, resolve));
  assert.equal(await findDisplayProblem({ DISPLAY: `:${number}.0` }, 'linux'), undefined);
  assert.equal(await findDisplayProblem({ DISPLAY: `unix:${number}` }, 'linux'), undefined);
  await new Promise<void>((resolve) => void server.close(() => resolve()));
});

test('reports values that can’t be a display', async () => {
  for (const DISPLAY of ['nonsense', ':', ':x', '/no/such/place']) {
    assert.equal(
      await findDisplayProblem({ DISPLAY }, 'linux'),
      `No display server responds at DISPLAY=${DISPLAY}.`,
    );
  }
});
