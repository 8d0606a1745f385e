// A test program: opens the secret store of the folder given as its argument, prints the result as one JSON line and exits with 0,
// or with 3 on an error. It must always exit without being killed.

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
