// A local registry with the images of the tests: a document server in a shell script, on BusyBox. It can stall or abort the
// download of a layer.

import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ImageName = 'onlyoffice' | 'collabora' | 'slow-start' | 'crashing';

export type Registry = Awaited<ReturnType<typeof startRegistry>>;

const environments: Record<ImageName, string[]> = {
  onlyoffice: ['PORT=80'],
  collabora: ['PORT=9980'],
  'slow-start': ['PORT=9980', 'START_SECONDS=600'],
  crashing: ['PORT=9980', 'FAIL_CODE=7'],
};
const programs = 'sh nc sleep head printf tr grep cut sed awk wget timeout'.split(' ');

export async function startRegistry() {
  const blobs = new Map<string, { type: string; bytes: Buffer }>();
  const put = (type: string, bytes: Buffer): { mediaType: string; digest: string; size: number } => {
    const digest = `sha256:${sha256(bytes)}`;
    blobs.set(digest, { type, bytes });
    return { mediaType: type, digest, size: bytes.length };
  };
  const putJson = (type: string, value: object) => put(type, Buffer.from(JSON.stringify(value)));
  const manifests = new Map<string, string>();
  const paddings = new Set<string | undefined>();
  const server = serverLayer();
  for (const [name, env] of Object.entries(environments)) {
    // The download of the second layer can be slow, like the large layers of a real image.
    const tars = [server, paddingLayer()];
    const layers = tars.map((tar) => put('application/vnd.oci.image.layer.v1.tar', tar));
    paddings.add(layers[1]?.digest);
    const config = putJson('application/vnd.oci.image.config.v1+json', {
      architecture: { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64' | 'arm64'],
      os: 'linux',
      // The first process in a container ignores signals without a handler.
      config: { Env: ['PATH=/bin', ...env], Cmd: ['/bin/sh', '/serve.sh'], StopSignal: 'SIGKILL' },
      rootfs: { type: 'layers', diff_ids: tars.map((tar) => `sha256:${sha256(tar)}`) },
    });
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    manifests.set(name, putJson(mediaType, { schemaVersion: 2, mediaType, config, layers }).digest);
  }

  let how: 'whole' | 'stalled' | 'broken' = 'whole';
  let onStall = (): void => undefined;
  let stall = new Promise<void>((resolve) => (onStall = resolve));
  const listener = createServer((request, response) => {
    const [, name, kind, reference] =
      /^\/v2\/([\w-]+)\/(manifests|blobs)\/([\w:.-]+)$/u.exec(request.url ?? '') ?? [];
    const isByName = kind === 'manifests' && !reference?.startsWith('sha256:');
    const digest = isByName ? manifests.get(name ?? '') : reference;
    const blob = blobs.get(digest ?? '');
    if (blob === undefined) {
      response.writeHead(request.url === '/v2/' ? 200 : 404).end();
      return;
    }
    const about = { 'content-type': blob.type, 'content-length': blob.bytes.length };
    response.writeHead(200, { ...about, 'docker-content-digest': digest });
    if (request.method === 'HEAD') response.end();
    else if (how === 'whole' || !paddings.has(digest)) response.end(blob.bytes);
    else sendHalf(response, blob.bytes);
  });
  const sendHalf = (response: ServerResponse, bytes: Buffer): void => {
    response.write(bytes.subarray(0, bytes.length / 2), () => {
      if (how === 'broken') response.destroy();
      else onStall();
    });
  };
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    port,
    /** `127.0.0.1:5000/collabora:latest` */
    image: (name: ImageName) => `127.0.0.1:${port}/${name}:latest`,
    /** Sets how the second layer is sent: completely, or half of it before the download stalls or is aborted. */
    send(next: typeof how) {
      how = next;
      stall = new Promise<void>((resolve) => (onStall = resolve));
    },
    /** Resolves once a download has stalled. */
    stalled: () => stall,
    async close() {
      listener.closeAllConnections();
      await new Promise<void>((resolve) => void listener.close(() => resolve()));
    },
  };
}

function serverLayer(): Buffer {
  return tarOf((folder) => {
    for (const name of ['bin', 'tmp', 'etc', 'proc', 'sys', 'dev']) fs.mkdirSync(join(folder, name));
    const busybox = ['/bin/busybox', '/usr/bin/busybox'].find((path) => fs.existsSync(path));
    if (busybox === undefined) throw new Error('There is no busybox.');
    fs.copyFileSync(busybox, join(folder, 'bin/busybox'));
    for (const program of programs) fs.symlinkSync('busybox', join(folder, 'bin', program));
    for (const script of ['serve.sh', 'handler.sh'])
      fs.copyFileSync(join(import.meta.dirname, 'server', script), join(folder, script));
  });
}

function paddingLayer(): Buffer {
  return tarOf((folder) => fs.writeFileSync(join(folder, 'padding'), randomBytes(1 << 20)));
}

function tarOf(fill: (folder: string) => void): Buffer {
  const folder = fs.mkdtempSync(join(tmpdir(), 'layer-'));
  try {
    fill(folder);
    const args = ['--owner=0', '--group=0', '--numeric-owner', '-C', folder, '-cf', '-', '.'];
    const { status, stdout, stderr } = spawnSync('tar', args, { maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error(String(stderr));
    return stdout;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
