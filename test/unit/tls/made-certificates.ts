// Certificates created by openssl, so that the tests don't read what the code under test wrote.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Made {
  certificatePath: string;
  keyPath: string;
  cert: string;
  key: string;
}

/** Creates a self-signed certificate with an elliptic curve key. */
export async function makeCertificate(
  directory: string,
  name: string,
  options: { names?: string; days?: number } = {},
): Promise<Made> {
  const { names = 'DNS:localhost,IP:127.0.0.1', days = 90 } = options;
  const certificatePath = join(directory, `${name}.pem`);
  const keyPath = join(directory, `${name}.key`);
  const files = `-keyout ${keyPath} -out ${certificatePath}`;
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj /CN=${name}`;
  await run('openssl', [...`${request} ${files}`.split(' '), '-addext', `subjectAltName=${names}`]);
  const [cert, key] = await Promise.all([readFile(certificatePath, 'utf8'), readFile(keyPath, 'utf8')]);
  return { certificatePath, keyPath, cert, key };
}

export async function openssl(args: string[]): Promise<string> {
  const { stdout } = await run('openssl', args);
  return stdout;
}
