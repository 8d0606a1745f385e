// The update feed of the installed app: a folder on a web server with electron-builder's metadata and installers. Its address and the
// public key are built into the app, which ignores metadata without a signature of that key. See app/desktop/updates.ts.

import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BuildFeed {
  url: string;
  key: KeyObject;
}

/**
 * @param env `UPDATE_FEED`, an HTTPS address, and `UPDATE_KEY`, an Ed25519 private key as PEM
 * @returns undefined without both: that build doesn't update itself
 * @throws Error naming the variable that is missing or wrong
 */
export function feedOf({
  UPDATE_FEED: url = '',
  UPDATE_KEY: pem = '',
}: NodeJS.ProcessEnv): BuildFeed | undefined {
  if (url === '' && pem === '') return undefined;
  if (URL.parse(url)?.protocol !== 'https:') throw new Error('UPDATE_FEED must be an address with https://.');
  if (pem === '')
    throw new Error('UPDATE_KEY is missing. Create one with: openssl genpkey -algorithm ed25519');
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('UPDATE_KEY must be an Ed25519 key.');
  return { url: url.endsWith('/') ? url : `${url}/`, key };
}

/** What electron-builder is called with. @param notesFile what is new in this version, as Markdown */
export function feedArguments({ url, key }: BuildFeed, notesFile: string): string[] {
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
  return [
    '-c.publish.provider=generic',
    // Otherwise a version such as 0.2.0-beta.1 gets beta.yml, which no app reads.
    '-c.detectUpdateChannel=false',
    `-c.publish.url=${url}`,
    `-c.extraMetadata.updates.url=${url}`,
    `-c.extraMetadata.updates.publicKey=${publicKey}`,
    `-c.releaseInfo.releaseNotesFile=${notesFile}`,
  ];
}

/** Writes `latest….yml.sig` beside each `latest….yml`. @returns the names of the signed files @throws Error if there is none */
export function signMetadata(folder: string, key: KeyObject): string[] {
  const names = globSync('latest*.yml', { cwd: folder }).toSorted();
  if (names.length === 0) throw new Error(`${folder} has no latest….yml to sign.`);
  for (const name of names) {
    const signature = sign(null, readFileSync(join(folder, name)), key).toString('base64');
    writeFileSync(join(folder, `${name}.sig`), `${signature}\n`);
  }
  return names;
}
