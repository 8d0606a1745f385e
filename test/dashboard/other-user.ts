// Runs as another user of this computer, tries to reach what opens the dashboard, and prints what it reached as JSON.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

export interface OtherUserTask {
  /** Null: keeps the current user, and skips what file permissions prevent. */
  uid: number | null;
  /** Of the process that serves. */
  pid: number;
  /** Where it starts, because a test's folder is in one that only its user can enter. */
  root: string;
  /** Inside `root`. */
  dataDir: string;
  /** Files, folders and sockets, inside `root`. */
  paths: string[];
}

export interface OtherUserResult {
  uid: number;
  /** What could be read, connected or written. */
  reached: string[];
  /** The arguments of the process that serves, which every user can see. */
  commandLine: string;
}

async function isConnected(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function isDone(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

async function reachedFiles({ dataDir, paths, pid }: OtherUserTask): Promise<string[]> {
  const secretsOfProcess = ['environ', 'mem', 'maps', 'fd'].map((name) => `/proc/${pid}/${name}`);
  const reached = [dataDir, ...paths, ...secretsOfProcess].filter(
    (path) => isDone(() => readFileSync(path)) || isDone(() => readdirSync(path)),
  );
  for (const path of paths) if (await isConnected(path)) reached.push(`connected to ${path}`);
  const planted = join(dataDir, 'planted');
  if (isDone(() => writeFileSync(planted, ''))) reached.push(`wrote ${planted}`);
  return reached;
}

async function attack(task: OtherUserTask): Promise<OtherUserResult> {
  const { uid, pid, root } = task;
  process.chdir(root);
  if (uid !== null) {
    process.setgroups?.([]);
    process.setgid?.(uid);
    process.setuid?.(uid);
  }
  return {
    uid: process.getuid?.() ?? -1,
    reached: uid === null ? [] : await reachedFiles(task),
    commandLine: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
  };
}

const [task = ''] = process.argv.slice(2);
console.log(JSON.stringify(await attack(JSON.parse(task) as OtherUserTask)));
