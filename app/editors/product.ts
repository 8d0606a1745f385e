// Which product a document server is. Discovery doesn't say, but each builds its page URLs differently.

import type { EditorKind } from '../contract/editors.ts';
import { unsafeCharacters } from '../contract/names.ts';
import type { Discovery } from '../store/editors.ts';

export interface Product {
  kind: EditorKind;
  product: string | null;
  version: string | null;
}

const pageUrlPatterns: readonly [kind: EditorKind, path: RegExp][] = [
  ['onlyoffice', /\/hosting\/wopi\//u],
  ['collabora', /\/(?:cool|loleaflet)\.html/u],
  ['office-online', /\.aspx/iu],
];

/** @param capabilities the response of `hosting/capabilities`, if any. */
export function productOf(discovery: Discovery, capabilities: unknown): Product {
  const sources = discovery.actions.filter(({ extension }) => extension !== '').map(({ urlsrc }) => urlsrc);
  const kind =
    pageUrlPatterns.find(([, path]) => sources.some((urlsrc) => path.test(urlsrc)))?.[0] ?? 'other';
  const name = text(capabilities, 'productName') ?? nameOf(kind, sources);
  return { kind, product: name, version: text(capabilities, 'productVersion') };
}

/** Whether it has a page about itself, as Collabora Online and ONLYOFFICE Docs do. */
export function hasCapabilities(discovery: Discovery): boolean {
  return discovery.actions.some(({ app, name }) => app === 'Capabilities' && name === 'getinfo');
}

/** Parameters that an editor's page reads although its discovery has no placeholder for them. */
export function pageParameters(kind: EditorKind, language: string | undefined): Record<string, string> {
  if (kind !== 'collabora') return {};
  // Collabora shows its close button and its versions only if the page around it listens; without a language it is in English.
  return { ...(language !== undefined && { lang: language }), closebutton: '1', revisionhistory: '1' };
}

/** What an editor reads from the form that opens its page, besides the token. */
export function formFields(kind: EditorKind): Record<string, string> {
  if (kind !== 'onlyoffice') return {};
  // Without it ONLYOFFICE writes only when the last page closes, whatever the user presses.
  return { docs_api_config: JSON.stringify({ editorConfig: { customization: { forcesave: true } } }) };
}

/**
 * Its address says whether a document is opened for viewing, and it reads CheckFileInfo as the user's rights: ONLYOFFICE warns of
 * a lock that doesn't exist, and hides its edit button, if a viewer's token says that nobody may write.
 */
export function hasModeInAddress(kind: EditorKind): boolean {
  return kind === 'onlyoffice';
}

function nameOf(kind: EditorKind, sources: readonly string[]): string | null {
  if (kind === 'onlyoffice') return 'ONLYOFFICE Docs';
  if (kind === 'collabora') return 'Collabora Online';
  if (kind === 'other') return null;
  const isMicrosoft = sources.some((urlsrc) =>
    /^https:\/\/[a-z0-9.-]+\.officeapps\.live\.com\//iu.test(urlsrc),
  );
  return isMicrosoft ? 'Microsoft 365 for the web' : 'Office Online Server';
}

function text(value: unknown, key: string): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
  const { [key]: found } = value as Record<string, unknown>;
  if (typeof found !== 'string') return null;
  // It is shown to users, and comes from an untrusted server.
  return found.replaceAll(unsafeCharacters, '').trim().slice(0, 100) || null;
}
