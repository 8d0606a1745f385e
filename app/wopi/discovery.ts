// What a document server says it can do: its discovery, read from XML that a stranger wrote. Loaded only when there is some to
// read, since it brings the parser along; everybody else takes its types. Addresses in it end up in the form of a page, so
// only those of http and https pass.
// @see behaviour page section 8

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { AppError } from '../contract/errors.ts';
import { readProofKeys, type ProofKeys } from './proof-keys.ts';

export interface DiscoveryAction {
  /** `Word`, `writer`, …; the name of the `app` element. */
  app: string;
  /** `view`, `edit`, `editnew`, `convert`, and whatever else the server has. */
  name: string;
  /** Lower case, without the dot; '' for actions that are for no extension. */
  extension: string;
  /** With its placeholders: `https://docs.example/hosting/wopi/word/edit?<ui=UI_LLCC&>`. */
  urlsrc: string;
  isDefault: boolean;
}

export interface Discovery {
  /** Those that ask for nothing this host does not have. */
  actions: DiscoveryAction[];
  proofKeys: ProofKeys | null;
}

const maxBytes = 1024 * 1024;
/** What an action may ask of this host: locks and saving. It has no containers, and nothing of Cobalt. */
const offered = new Set(['locks', 'update']);

interface XmlElement {
  [name: string]: unknown;
}

/**
 * @param address where it was read from: a server with several zones has its pages at other addresses in each.
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
  if (zone === undefined) throw invalid('Its discovery document lists nothing to open.');
  const [proofKey] = elementsOf(root, 'proof-key');
  return {
    actions: zone.actions,
    proofKeys: proofKey === undefined ? null : readProofKeys((name) => attribute(proofKey, name)),
  };
}

function rootOf(xml: string): XmlElement {
  if (Buffer.byteLength(xml) > maxBytes) throw invalid('It is larger than 1 MB.');
  // It could define entities that read files or grow without end, and nobody needs one here.
  if (/<!(?:doctype|entity)/iu.test(xml)) throw invalid('Its discovery document has a DOCTYPE.');
  let document: unknown;
  try {
    const fault = XMLValidator.validate(xml);
    if (fault !== true) throw new Error(fault.err.msg);
    document = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '@',
      removeNSPrefix: true,
      // Decoded below in one pass: what is escaped twice must come out escaped once.
      processEntities: false,
      parseTagValue: false,
      maxNestedTags: 16,
    }).parse(xml);
  } catch (error) {
    throw invalid('Its answer isn’t XML.', error);
  }
  const [root] = elementsOf(document, 'wopi-discovery');
  if (root === undefined) throw invalid('Its answer isn’t a discovery document.');
  return root;
}

function invalid(detail: string, cause?: unknown): AppError {
  return new AppError('discovery-invalid', { detail, cause });
}

/** The parser gives one element as itself, several as a list, and one without anything in it as a text. */
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
    // Those by media type repeat what is there by extension, and this host knows its documents by their names.
    if (extension === '' && appName.includes('/')) return [];
    if (!hasAll || !/^[\w-]{1,64}$/u.test(name) || !/^[^\s./\\]{0,32}$/u.test(extension)) return [];
    if (placeOf(urlsrc) === undefined) return [];
    const isDefault = attribute(element, 'default').toLowerCase() === 'true';
    return [{ app: appName, name, extension, urlsrc, isDefault }];
  });
}

/**
 * Where the pages lie; undefined for what a browser must not be sent to. What is filled in later stands in the query alone:
 * before it, it could lead to another host than the one that is judged here. The host is one that policies have words for.
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
