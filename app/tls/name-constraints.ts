// Limits what the local authority may sign for, in its own certificate: a client that trusts it shouldn't have to trust it for
// other sites. It permits the names and public addresses this host had when the authority was created, and private networks and
// names that no public site can have, since a laptop often gets new ones.
// @see RFC 5280 section 4.2.1.10

import { isIP } from 'node:net';
import type { Extension } from '@peculiar/x509';
import { addressList, privateDomains, privateNetworks } from '../network/addresses.ts';

/** Names including their subdomains, and networks as `192.168.0.0/16`. */
export interface PermittedNames {
  domains: readonly string[];
  networks: readonly string[];
}

const oid = '2.5.29.30';

export function permittedFor(names: readonly string[]): PermittedNames {
  const isPrivate = (name: string): boolean =>
    isPermitted({ domains: privateDomains, networks: privateNetworks }, name);
  const others = names.filter((name) => !isPrivate(name));
  const networks = others
    .filter((name) => isIP(name) !== 0)
    .map((address) => `${address}/${isIP(address) === 4 ? 32 : 128}`);
  return {
    domains: [...privateDomains, ...others.filter((name) => isIP(name) === 0)],
    networks: [...privateNetworks, ...networks],
  };
}

export function isPermitted({ domains, networks }: PermittedNames, name: string): boolean {
  if (isIP(name) !== 0) return addressList(networks).has(name);
  return domains.some((domain) => name === domain || name.endsWith(`.${domain}`));
}

export async function constraintsExtension({ domains, networks }: PermittedNames): Promise<Extension> {
  const { asn, schema, x509 } = await libraries();
  const permittedSubtrees = new asn.GeneralSubtrees(
    [...domains.map((dNSName) => ({ dNSName })), ...networks.map((iPAddress) => ({ iPAddress }))].map(
      (name) => new asn.GeneralSubtree({ base: new asn.GeneralName(name) }),
    ),
  );
  const value = schema.AsnConvert.serialize(new asn.NameConstraints({ permittedSubtrees }));
  return new x509.Extension(oid, true, value);
}

/** Reads an authority's PEM certificate. Undefined if it may sign for all names, as those of earlier versions. */
export async function permittedBy(certificate: string): Promise<PermittedNames | undefined> {
  const { asn, schema, x509 } = await libraries();
  const extension = new x509.X509Certificate(certificate).getExtension(oid);
  if (extension === null) return undefined;
  const { permittedSubtrees = [] } = schema.AsnConvert.parse(extension.value, asn.NameConstraints);
  const bases = [...permittedSubtrees].map(({ base }) => base);
  return {
    domains: bases.flatMap(({ dNSName }) => dNSName ?? []),
    networks: bases.flatMap(({ iPAddress }) => iPAddress ?? []),
  };
}

/** Imported only to create or read a certificate: they are large, and need their polyfill first. */
async function libraries() {
  await import('reflect-metadata');
  const [x509, asn, schema] = await Promise.all([
    import('@peculiar/x509'),
    import('@peculiar/asn1-x509'),
    import('@peculiar/asn1-schema'),
  ]);
  return { x509, asn, schema };
}
