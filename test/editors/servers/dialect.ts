// The differences between document servers: URLs, discovery, when they first call the host, and the messages to the host page.

import type { Access, Exchange, PutRelativeAnswer, WireOptions } from '../wire.ts';
import type { EditorView } from './editor-view.ts';

export type DialectKind = 'onlyoffice' | 'collabora' | 'office';

export interface PageRequest {
  purpose: 'view' | 'edit' | 'convert';
  wopiSrc: string;
  /** For a conversion. */
  toExtension?: string;
}

/** Form fields of a page besides its token. */
export interface PageForm {
  docsApiConfig?: string | undefined;
}

export interface Dialect {
  readonly kind: DialectKind;
  readonly exchanges: Exchange[];
  /** The XML at `/hosting/discovery`. */
  discovery(baseUrl: string, proofKey: string): string;
  /** The answer for other paths, or undefined for 404. */
  answer(path: string): object | undefined;
  /** Undefined if the URL isn't a page of the server. */
  pageOf(url: URL): PageRequest | undefined;
  /**
   * `form`: calls the host when the form is posted. `socket`: calls the host only once a browser runs the page.
   */
  readonly opensOn: 'form' | 'socket';
  /** The value of frame-ancestors for its page, or undefined if everyone may frame it. */
  frameAncestors(wopiSrc: string): string | undefined;
  /** @throws OpeningFailed if a call after CheckFileInfo fails */
  open(access: Access, purpose: 'view' | 'edit', form?: PageForm): Promise<EditorView>;
  /** Whether its page shows the copy after Save As, without a message about it. */
  readonly isMovedByCopying: boolean;
  convert(access: Access, toExtension: string, bytes: Buffer): Promise<PutRelativeAnswer | undefined>;
  /** Kills the process: nothing is saved or unlocked. */
  crash(): void;
}

export type MakeDialect = (
  wire: WireOptions,
  options: {
    template: (extension: string) => Buffer | undefined;
    isLegacy: boolean;
    isFailing: () => boolean;
  },
) => Dialect;

export interface ActionRow {
  name: string;
  ext: string;
  /** Already escaped for XML. */
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
