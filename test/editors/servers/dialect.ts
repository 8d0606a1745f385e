// What makes one kind of document server differ from another: its addresses, its discovery, when it first calls the host,
// and what its page says to the one around it.

import type { Access, Exchange, PutRelativeAnswer, WireOptions } from '../wire.ts';
import type { EditorView } from './editor-view.ts';

export type DialectKind = 'onlyoffice' | 'collabora' | 'office';

export interface PageRequest {
  purpose: 'view' | 'edit' | 'convert';
  wopiSrc: string;
  /** Of a conversion: what becomes of it. */
  toExtension?: string;
}

/** What a page was opened with besides its token. */
export interface PageForm {
  docsApiConfig?: string | undefined;
}

export interface Dialect {
  readonly kind: DialectKind;
  readonly exchanges: Exchange[];
  /** The whole document at `/hosting/discovery`. */
  discovery(baseUrl: string, proofKey: string): string;
  /** What it answers elsewhere; undefined: 404. */
  answer(path: string): object | undefined;
  /** Undefined where the address is none of its pages. */
  pageOf(url: URL): PageRequest | undefined;
  /**
   * `form`: it calls the host while it makes the page. `socket`: once a browser runs its page, and a mere POST calls nobody.
   */
  readonly opensOn: 'form' | 'socket';
  /** Who may show its page in a frame, as a value of frame-ancestors; undefined: anybody. */
  frameAncestors(wopiSrc: string): string | undefined;
  /** @throws OpeningFailed, after CheckFileInfo */
  open(access: Access, purpose: 'view' | 'edit', form?: PageForm): Promise<EditorView>;
  /** After a Save As its frame shows the copy, and doesn't say so. */
  readonly isMovedByCopying: boolean;
  convert(access: Access, toExtension: string, bytes: Buffer): Promise<PutRelativeAnswer | undefined>;
  /** The process dies: nothing is saved, nothing unlocked. */
  crash(): void;
}

export type MakeDialect = (
  wire: WireOptions,
  options: { template: (extension: string) => Buffer | undefined; isLegacy: boolean },
) => Dialect;

export interface ActionRow {
  name: string;
  ext: string;
  /** Escaped as it stands in the XML. */
  urlsrc: string;
  requires?: string;
  isDefault?: boolean;
  targetExt?: string;
}

export function actionElement({ name, ext, urlsrc, requires, isDefault, targetExt }: ActionRow): string {
  const more = [
    isDefault === true ? ' default="true"' : '',
    requires === undefined ? '' : ` requires="${requires}"`,
    targetExt === undefined ? '' : ` targetext="${targetExt}"`,
  ].join('');
  return `<action name="${name}" ext="${ext}"${more} urlsrc="${urlsrc}"/>`;
}

export function discoveryDocument(zone: string, apps: string[], proofKey: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><wopi-discovery><net-zone name="${zone}">${apps.join('')}</net-zone>${proofKey}</wopi-discovery>`;
}

export function parameter(url: URL, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [key, value] of url.searchParams) if (key.toLowerCase() === wanted) return value;
  return undefined;
}
