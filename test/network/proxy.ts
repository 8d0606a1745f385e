// Debian's nginx on a machine of the lab, in front of DocTray: as people are told to set it up, with the headers that say who
// called and how.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { labPath, type Lab, type MachineName } from './lab.ts';

export interface ProxyOptions {
  machine: MachineName;
  /** `listen` directives' values, such as `10.77.0.4:8080` or `[fd77::4]:8443 ssl`. */
  listen: string[];
  /** Where DocTray is, as seen from that machine: `http://10.77.0.2:8790`. */
  upstream: string;
  /** `/doctray` where it is put below a path; '' else. */
  basePath?: string;
  /** PEM files of its own certificate. */
  certificate?: { cert: string; key: string };
  /** Leaves out the headers that say who called. */
  isForgetful?: boolean;
}

export interface Proxy {
  stop(): Promise<void>;
}

const startLimitMs = 10_000;

export async function startProxy(lab: Lab, options: ProxyOptions): Promise<Proxy> {
  const folder = mkdtempSync(join(lab.folder, 'nginx-'));
  const pid = join(folder, 'nginx.pid');
  writeFileSync(join(folder, 'nginx.conf'), configuration(options, folder, pid));
  const [program, ...args] = [
    ...lab.on(options.machine),
    'nginx',
    '-e',
    join(folder, 'error.log'),
    '-p',
    folder,
    '-c',
    join(folder, 'nginx.conf'),
  ];
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: labPath },
  });
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
  return {
    async stop() {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(killer);
    },
  };
}

/** A socket beside the network ones: namespaces do not hide it, so that the test sees when nginx is up. */
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

function configuration(options: ProxyOptions, folder: string, pid: string): string {
  const { listen, upstream, basePath = '', certificate, isForgetful = false } = options;
  const saying = isForgetful
    ? ['proxy_set_header Host $proxy_host;']
    : [
        'proxy_set_header Host $http_host;',
        'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
        'proxy_set_header X-Forwarded-Proto $scheme;',
        'proxy_set_header X-Forwarded-Host $http_host;',
      ];
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  return `
    daemon off; user root; worker_processes 1; pid ${pid}; error_log ${folder}/error.log;
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
          ${saying.join(' ')}
        }
      }
    }`;
}
