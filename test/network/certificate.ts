// A self-signed certificate, as for a proxy at home.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MadeCertificate {
  paths: { cert: string; key: string };
  /** The certificate as PEM, for clients that trust it. */
  pem: string;
}

/** @param names host names, or addresses with the prefix `IP:` */
export function makeCertificate(folder: string, names: readonly string[], days = 2): MadeCertificate {
  const stem = join(folder, `certificate-${names.join('-').replaceAll(/[^a-z0-9]/giu, '-')}-${days}`);
  const paths = { cert: `${stem}.crt`, key: `${stem}.key` };
  const alternatives = names.map((name) => (name.startsWith('IP:') ? name : `DNS:${name}`)).join(',');
  const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj /CN=doctray`;
  const forNames = ['-addext', `subjectAltName=${alternatives}`];
  const files = ['-keyout', paths.key, '-out', paths.cert];
  const result = spawnSync('openssl', options.split(' ').concat(forNames, files), { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`openssl: ${result.stderr}`);
  return { paths, pem: readFileSync(paths.cert, 'utf8') };
}
