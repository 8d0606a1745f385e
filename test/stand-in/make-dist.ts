// Writes a folder for electron-builder's `electronDist` with `--linux dir`, offline: the stand-in as the executable, a fuse wire that can
// be flipped and read, and the few files that the builder needs. The executable contains the stand-in's path, so the packed app runs only
// on this computer.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const standInHome = import.meta.dirname;
const electronPackage = join(standInHome, '../../node_modules/electron');

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** The nine fuses with Electron 45's defaults: RunAsNode, NODE_OPTIONS, --inspect, file: privileges and wasm traps are on. */
const shippedFuses = '101100011';

function executable(): Buffer {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const script = `#!/bin/sh
STANDIN_HOME=${quote(standInHome)}
export STANDIN_HOME
self=$(readlink -f "$0")
node="$STANDIN_HOME/../../node_modules/.bin/node"
[ -x "$node" ] || node=node
exec "$node" --disable-warning=ExperimentalWarning --no-deprecation "$STANDIN_HOME/main.ts" "$self" "$@"
exit 1
# `;
  const wire = Buffer.concat([
    Buffer.from(sentinel),
    Buffer.from([1, shippedFuses.length]),
    Buffer.from(shippedFuses),
  ]);
  return Buffer.concat([Buffer.from(script), wire, Buffer.from('\n')]);
}

/** Creates and fills `targetDir`, overwriting existing files. */
export async function makeElectronDist(targetDir: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(electronPackage, 'package.json'), 'utf8')) as {
    version: string;
  };
  for (const folder of ['locales', 'resources']) mkdirSync(join(targetDir, folder), { recursive: true });
  writeFileSync(join(targetDir, 'electron'), executable());
  chmodSync(join(targetDir, 'electron'), 0o755);
  writeFileSync(join(targetDir, 'version'), version);
  copyFileSync(join(electronPackage, 'LICENSE'), join(targetDir, 'LICENSE'));
  writeFileSync(join(targetDir, 'LICENSES.chromium.html'), '<!doctype html><title>Licences</title>\n');
  for (const language of ['en-US', 'en-GB', 'de', 'fr'])
    writeFileSync(join(targetDir, 'locales', `${language}.pak`), '');
  for (const name of ['resources.pak', 'chrome_100_percent.pak', 'chrome_200_percent.pak', 'icudtl.dat']) {
    writeFileSync(join(targetDir, name), '');
  }
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [target] = positionals;
  if (target === undefined) throw new Error('usage: node test/stand-in/make-dist.ts FOLDER');
  await makeElectronDist(target);
}
