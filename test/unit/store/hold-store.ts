// Runs as a separate process: opens the database of the given data folder, prints the result, and keeps it open until killed.

import { openStore } from '../../../app/store/open-store.ts';

try {
  const store = openStore({ dataDir: process.argv[2] ?? '', clock: () => 0, onNotice: () => undefined });
  store.setMeta('holder', 'was here');
  console.log('open');
  setInterval(() => store.meta('holder'), 60_000);
} catch (error) {
  console.log(error instanceof Error && 'code' in error ? String(error.code) : String(error));
}
