// Which product a document server is. Discovery does not say, but the pages it names are built in another way by each.

import type { EditorKind } from '../contract/editors.ts';
import type { Discovery } from '../wopi/discovery.ts';

export interface Product {
  kind: EditorKind;
  product: string | null;
  version: string | null;
}

const pages: readonly [kind: EditorKind, path: RegExp][] = [
  ['onlyoffice', /\/hosting\/wopi\//u],
  ['collabora', /\/(?:cool|loleaflet)\.html/u],
  ['office-online', /\.aspx/iu],
];

/** @param capabilities what `hosting/capabilities` answered, where it did. */
export function productOf(discovery: Discovery, capabilities: unknown): Product {
  const sources = discovery.actions.filter(({ extension }) => extension !== '').map(({ urlsrc }) => urlsrc);
  const kind = pages.find(([, path]) => sources.some((urlsrc) => path.test(urlsrc)))?.[0] ?? 'other';
  const name = text(capabilities, 'productName') ?? nameOf(kind, sources);
  return { kind, product: name, version: text(capabilities, 'productVersion') };
}

/** Whether it has a page about itself; Collabora Online and ONLYOFFICE Docs do. */
export function hasCapabilities(discovery: Discovery): boolean {
  return discovery.actions.some(({ app, name }) => app === 'Capabilities' && name === 'getinfo');
}

/** What an editor's page reads in its address besides what its discovery names a place for. */
export function pageParameters(kind: EditorKind, language: string | undefined): Record<string, string> {
  if (kind !== 'collabora') return {};
  // Collabora shows its way to close, and its way to the versions, only where it is told that somebody listens; it is in
  // English unless it is told a language.
  return { ...(language !== undefined && { lang: language }), closebutton: '1', revisionhistory: '1' };
}

/** What an editor reads in the form that opens its page, besides the token. */
export function formFields(kind: EditorKind): Record<string, string> {
  if (kind !== 'onlyoffice') return {};
  // Without it ONLYOFFICE writes only when the last page closes, whatever is pressed.
  return { docs_api_config: JSON.stringify({ editorConfig: { customization: { forcesave: true } } }) };
}

/**
 * Its address says whether a document is opened for viewing, and it takes what CheckFileInfo says for the rights of the person:
 * ONLYOFFICE warns of a lock that isn't there, and hides its way to editing, where a viewer's token says that nobody may write.
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
  // It is shown to people, and written by a stranger.
  return (
    found
      .replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, '')
      .trim()
      .slice(0, 100) || null
  );
}
