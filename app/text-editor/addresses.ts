// Where a browser finds the text editor. It has its own origin, on a port next to the host's, so that its page can't reach into
// the host's pages. Browsers share cookies between ports, so on this computer the two also have different host names: one is
// `localhost`, the other the IP address.

import { isLoopbackHost } from '../contract/addresses.ts';
import { portOf } from '../network/addresses.ts';

export interface TextEditorPlaces {
  /** Where this computer reaches the host, such as `http://127.0.0.1:8790`. */
  hostUrl: string;
  /** The text editor's port. */
  port: number;
  /** The host's public address, and the text editor's; null if there is none. */
  publicUrl: string | null;
  textEditorUrl: string | null;
}

/** The origin under which the browser that shows the host's page at `pageUrl` reaches the text editor. */
export function textEditorOrigin(pageUrl: string, places: TextEditorPlaces): string {
  const page = new URL(pageUrl);
  const { textEditorUrl, port } = places;
  if (textEditorUrl !== null && isProxied(page, places)) return new URL(textEditorUrl).origin;
  return originAt(page.protocol, otherName(page.hostname, '127.0.0.1'), port);
}

/** The origin of the host's page that has its frame at `origin`: the reverse of `textEditorOrigin`. */
export function pageOriginFor(origin: string, places: TextEditorPlaces): string {
  const editor = new URL(origin);
  const { textEditorUrl, publicUrl } = places;
  if (textEditorUrl !== null && publicUrl !== null && new URL(textEditorUrl).origin === editor.origin) {
    return new URL(publicUrl).origin;
  }
  const host = new URL(places.hostUrl);
  const address = host.hostname === 'localhost' ? '127.0.0.1' : host.hostname;
  return originAt(editor.protocol, otherName(editor.hostname, address), Number(portOf(host)));
}

/** On this computer. */
export function textEditorUrlHere(port: number): string {
  return `http://localhost:${port}`;
}

/** @param address a loopback address as URLs have it */
function otherName(hostname: string, address: string): string {
  if (hostname === 'localhost') return address;
  return isLoopbackHost(hostname) ? 'localhost' : hostname;
}

/** A page at another port than the listener's comes through a proxy or a tunnel. */
function isProxied(page: URL, { hostUrl, publicUrl }: TextEditorPlaces): boolean {
  if (publicUrl !== null && new URL(publicUrl).origin === page.origin) return true;
  return portOf(page) !== portOf(new URL(hostUrl));
}

function originAt(protocol: string, hostname: string, port: number): string {
  return new URL(`${protocol}//${hostname}:${port}`).origin;
}
