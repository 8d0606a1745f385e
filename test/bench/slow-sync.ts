// Imported into a host's process: every sync of a file or folder takes BENCH_SYNC_MS longer.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const ms = Number(process.env['BENCH_SYNC_MS']);
for (const name of ['fsync', 'fdatasync'] as const) {
  const sync = fs[name];
  const slow = (fd: number, done: fs.NoParamCallback): void =>
    sync(fd, (error) => setTimeout(() => done(error), ms));
  Object.assign(fs, { [name]: slow });
}
syncBuiltinESMExports();
