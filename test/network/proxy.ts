// nginx on a machine of the lab, as a reverse proxy for DocTray with the documented configuration.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { labPath, type Lab, type MachineName } from './lab.ts';

export interface ProxyOptions {
  machine: MachineName;
  /** Values of `listen` directives, such as `10.77.0.4:8080` or `[fd77::4]:8443 ssl`. */
  listen: string[];
  /** DocTray's address for that machine, such as `http://10.77.0.2:8790`. */
  upstream: string;
  /** A path such as `/doctray`. Defaults to ''. */
  basePath?: string;
  /** PEM files of its certificate. */
  certificate?: { cert: string; key: string };
}

const startLimitMs = 60_000;

/** It stops at the end of the test. */
export async function startProxy(context: TestContext, lab: Lab, options: ProxyOptions): Promise<void> {
  const folder = mkdtempSync(join(lab.folder, 'nginx-'));
  writeFileSync(join(folder, 'nginx.conf'), configuration(options, folder));
  const nginx = ['nginx', '-e', join(folder, 'error.log'), '-p', folder, '-c', join(folder, 'nginx.conf')];
  const [program, ...args] = [...lab.on(options.machine), ...nginx];
  const env = { ...process.env, PATH: labPath };
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'close');
  const endsAtMs = performance.now() + startLimitMs;
  while (!(await answers(join(folder, 'up.sock')))) {
    if (child.exitCode !== null || performance.now() > endsAtMs) {
      child.kill('SIGKILL');
      throw new Error(`nginx did not start: ${errors}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  context.after(async () => {
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(killer);
  });
}

/** Whether nginx accepts connections on its Unix socket, which, unlike its ports, is reachable from other network namespaces. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function configuration(options: ProxyOptions, folder: string): string {
  const { listen, upstream, basePath = '', certificate } = options;
  const forwardedHeaders = [
    'proxy_set_header Host $http_host;',
    'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    'proxy_set_header X-Forwarded-Proto $scheme;',
    'proxy_set_header X-Forwarded-Host $http_host;',
  ];
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  return `
    daemon off; user root; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events { worker_connections 64; }
    http {
      access_log off; ${temporary}
      server { listen unix:${folder}/up.sock; return 204; }
      server {
        ${listen.map((each) => `listen ${each};`).join(' ')}
        ${certificate === undefined ? '' : `ssl_certificate ${certificate.cert}; ssl_certificate_key ${certificate.key};`}
        client_max_body_size 0;
        location ${basePath}/ {
          proxy_pass ${upstream}${basePath === '' ? '' : '/'};
          proxy_http_version 1.1;
          proxy_request_buffering off;
          ${forwardedHeaders.join(' ')}
        }
      }
    }`;
}
