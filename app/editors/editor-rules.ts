// The rules for an editor's name, addresses and pages, whether they come from the user, the terminal, or its own discovery.

import type { ProofMode } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { isSafeText } from '../contract/names.ts';
import type { Discovery, Editor } from '../store/editors.ts';
import { isAddressOrNetwork } from '../network/addresses.ts';
import { EditorFault } from './editor-fault.ts';
import { isSameHost, publicUrlOf } from './editor-url.ts';

const maxName = 100;

export interface EditorChange {
  name?: string | undefined;
  publicUrl?: string | null | undefined;
  proofMode?: ProofMode | undefined;
  allowedAddresses?: readonly string[] | undefined;
  acceptsOtherHosts?: boolean | undefined;
}

/**
 * A name that identifies the editor, in the terminal too.
 * @throws AppError invalid-argument, name-taken
 */
export function givenName(text: string, others: readonly Editor[]): string {
  const name = text.trim();
  if (name === '' || name.length > maxName || !isSafeText(name)) {
    throw new AppError('invalid-argument', { detail: () => t('host.enter-visible-name', { max: maxName }) });
  }
  const isTaken = others.some((other) => other.name.toLowerCase() === name.toLowerCase());
  if (isTaken) throw new AppError('name-taken', { detail: () => t('host.editor-name-in-use') });
  return name;
}

/** The product's name, with its host if another editor has the same name. */
export function freeName(product: string | null, url: string, others: readonly Editor[]): string {
  const { host } = new URL(url);
  const plain = product ?? host;
  const isTaken = (name: string): boolean =>
    others.some((editor) => editor.name.toLowerCase() === name.toLowerCase());
  if (!isTaken(plain)) return plain;
  const placed = `${plain} (${host})`;
  return isTaken(placed) ? `${plain} (${url})` : placed;
}

/**
 * The pages of an editor receive tokens of documents, so they must be on the host that the user entered, unless the user accepted
 * another one.
 * @throws AppError editor-other-host
 */
export function checkPlaces(
  { actions }: Discovery,
  { url, acceptsOtherHosts }: Pick<Editor, 'url' | 'acceptsOtherHosts'>,
): void {
  if (acceptsOtherHosts) return;
  const { hostname } = new URL(url);
  for (const { urlsrc } of actions) {
    const place = URL.parse(urlsrc.replaceAll(/<[^<>]*>/gu, ''));
    if (place !== null && isSameHost(place.hostname, hostname)) continue;
    const sentence = place === null ? 'host.pages-are-elsewhere' : 'host.pages-are-at';
    const words = [sentence, 'host.connect-or-allow-host'] as const;
    const fault = new EditorFault('other-host', words, { origin: place?.origin ?? '' });
    throw new AppError('editor-other-host', { cause: fault, detail: () => fault.sentence });
  }
}

/** @throws AppError invalid-argument, name-taken, editor-other-host */
export function changedEditor(editor: Editor, change: EditorChange, others: readonly Editor[]): Editor {
  const { name, publicUrl, proofMode, allowedAddresses, acceptsOtherHosts } = change;
  const wrong = allowedAddresses?.find((entry) => !isAddressOrNetwork(entry));
  if (wrong !== undefined) {
    throw new AppError('invalid-argument', {
      detail: () => t('host.isnt-address-or-network', { entry: wrong.slice(0, 60) }),
    });
  }
  const changed: Editor = {
    ...editor,
    ...(name !== undefined && { name: givenName(name, others) }),
    ...(publicUrl !== undefined && { publicUrl: publicUrl === null ? null : publicUrlOf(publicUrl) }),
    ...(proofMode !== undefined && { proofMode }),
    ...(allowedAddresses !== undefined && { allowedAddresses: [...allowedAddresses] }),
    ...(acceptsOtherHosts !== undefined && { acceptsOtherHosts }),
  };
  // After the user stops accepting other hosts, documents must not open there any more.
  if (editor.acceptsOtherHosts && !changed.acceptsOtherHosts) checkPlaces(changed.discovery, changed);
  return changed;
}
