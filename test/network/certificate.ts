// A certificate that signs itself, as made for a proxy at home.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MadeCertificate {
  paths: { cert: string; key: string };
  /** Whoever trusts it trusts this text. */
  pem: string;
}

/** @param names host names, or addresses with `IP:` in front */
export function makeCertificate(folder: string, names: readonly string[], days = 2): MadeCertificate {
  const stem = join(folder, `certificate-${names.join('-').replaceAll(/[^a-z0-9]/giu, '-')}-${days}`);
  const paths = { cert: `${stem}.crt`, key: `${stem}.key` };
  const alternatives = names.map((name) => (name.startsWith('IP:') ? name : `DNS:${name}`)).join(',');
  const given = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj /CN=doctray`;
  const forNames = ['-addext', `subjectAltName=${alternatives}`];
  const files = ['-keyout', paths.key, '-out', paths.cert];
  const made = spawnSync('openssl', given.split(' ').concat(forNames, files), { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
  return { paths, pem: readFileSync(paths.cert, 'utf8') };
}
