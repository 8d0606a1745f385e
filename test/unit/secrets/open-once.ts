// A program for the tests: opens the secret store of the folder given as its argument, prints what came of it as one
// JSON line and exits with 0, or with 3 when it was refused. Whatever it does, it must end by itself.

import { AppError } from '../../../app/contract/errors.ts';
import { openSecretStore } from '../../../app/secrets/secret-store.ts';
import { loadTokenKey } from '../../../app/secrets/token-key.ts';

const [dataDir = '', timeout = '5000'] = process.argv.slice(2);
const warnings: string[] = [];
try {
  const store = await openSecretStore({
    dataDir,
    warn: (text) => warnings.push(text),
    keychainTimeoutMs: Number(timeout),
  });
  await loadTokenKey(store);
  console.log(JSON.stringify({ kind: store.kind, warnings }));
  process.exit(0);
} catch (error) {
  const code = error instanceof AppError ? error.code : String(error);
  console.log(JSON.stringify({ code, warnings }));
  process.exit(3);
}
