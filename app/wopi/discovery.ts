// Reads a document server's discovery: untrusted XML. Imported only when there is some to read, because of the parser's size.
// Addresses in it become the action of a form, so only http and https are accepted.

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { AppError } from '../contract/errors.ts';
import { readProofKeys } from './proof-keys.ts';
import type { Discovery, DiscoveryAction } from '../store/editors.ts';

const maxBytes = 1024 * 1024;
/** What an action may require of this host: locks and saving. It has no containers, and no Cobalt. */
const offered = new Set(['locks', 'update']);

interface XmlElement {
  [name: string]: unknown;
}

/**
 * @param address where it was read from: a server with several zones has its pages at different addresses in each
 * @throws AppError discovery-invalid
 */
export function parseDiscovery(xml: string, address?: string): Discovery {
  const root = rootOf(xml);
  const zones = elementsOf(root, 'net-zone').map(({ '@name': name, ...zone }) => ({
    name,
    actions: elementsOf(zone, 'app').flatMap(actionsOf),
  }));
  const usable = zones.filter(({ actions }) => actions.some(({ extension }) => extension !== ''));
  const [zone] = usable.toSorted((a, b) => nearness(b, address) - nearness(a, address));
  if (zone === undefined) throw invalid('The discovery document lists no documents to open.');
  const [proofKey] = elementsOf(root, 'proof-key');
  return {
    actions: zone.actions,
    proofKeys: proofKey === undefined ? null : readProofKeys((name) => attribute(proofKey, name)),
  };
}

function rootOf(xml: string): XmlElement {
  if (Buffer.byteLength(xml) > maxBytes) throw invalid('The discovery document is larger than 1 MB.');
  // A DOCTYPE could define entities that read files or expand without end; discovery needs none.
  if (/<!(?:doctype|entity)/iu.test(xml)) throw invalid('The discovery document has a DOCTYPE.');
  let document: unknown;
  try {
    const fault = XMLValidator.validate(xml);
    if (fault !== true) throw new Error(fault.err.msg);
    document = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '@',
      removeNSPrefix: true,
      // Decoded below in one pass: text that is escaped twice must come out escaped once.
      processEntities: false,
      parseTagValue: false,
      maxNestedTags: 16,
    }).parse(xml);
  } catch (error) {
    throw invalid('The response isn’t XML.', error);
  }
  const [root] = elementsOf(document, 'wopi-discovery');
  if (root === undefined) throw invalid('The response isn’t a discovery document.');
  return root;
}

function invalid(detail: string, cause?: unknown): AppError {
  return new AppError('discovery-invalid', { detail, cause });
}

/** The parser returns one element as itself, several as a list, and an empty one as text. */
function elementsOf(parent: unknown, name: string): XmlElement[] {
  if (!isElement(parent) || !Object.hasOwn(parent, name)) return [];
  const { [name]: found } = parent;
  return (Array.isArray(found) ? found : [found]).filter(isElement);
}

function isElement(value: unknown): value is XmlElement {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function attribute(element: XmlElement, name: string): string {
  const { [`@${name}`]: value } = element;
  return typeof value === 'string' ? decodeEntities(value).trim() : '';
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|amp|quot|apos));/giu,
    (match, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name)] ?? match;
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
      return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : match;
    },
  );
}

function actionsOf(app: XmlElement): DiscoveryAction[] {
  const appName = attribute(app, 'name').slice(0, 100);
  return elementsOf(app, 'action').flatMap((element) => {
    const name = attribute(element, 'name').toLowerCase();
    const extension = attribute(element, 'ext').toLowerCase().replace(/^\./u, '');
    const urlsrc = attribute(element, 'urlsrc');
    const asked = attribute(element, 'requires').toLowerCase().split(',');
    const hasAll = asked.every((need) => need.trim() === '' || offered.has(need.trim()));
    // Actions by media type repeat those by extension, and this host identifies documents by name.
    if (extension === '' && appName.includes('/')) return [];
    if (!hasAll || !/^[\w-]{1,64}$/u.test(name) || !/^[^\s./\\]{0,32}$/u.test(extension)) return [];
    if (placeOf(urlsrc) === undefined) return [];
    const isDefault = attribute(element, 'default').toLowerCase() === 'true';
    return [{ app: appName, name, extension, urlsrc, isDefault }];
  });
}

/**
 * The URL of the pages; undefined if a browser must not be sent there. Placeholders may only be in the query: before it, they
 * could lead to another host than the one checked here. The host name must be one a content security policy can express.
 */
function placeOf(urlsrc: string): URL | undefined {
  if (urlsrc.length > 4096 || /^[^?#]*[<>]/u.test(urlsrc)) return undefined;
  const url = URL.parse(urlsrc.replaceAll(/<[^<>]*>/gu, ''));
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/u.test(url.hostname)) return undefined;
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

function nearness(zone: { name: unknown; actions: DiscoveryAction[] }, address: string | undefined): number {
  const own = address === undefined ? null : URL.parse(address);
  const places = zone.actions.map(({ urlsrc }) => placeOf(urlsrc));
  if (own !== null && places.some((place) => place?.origin === own.origin)) return 3;
  if (own !== null && places.some((place) => place?.hostname === own.hostname)) return 2;
  return zone.name === 'external-https' ? 1 : 0;
}
