// The only way to the default browser. The address may come from a document server or from a page somebody broke into, and
// the system would start a program for `file:`, `smb:` or `ms-…:` just as willingly.

import { AppError } from '../contract/errors.ts';

export interface ExternalPagesDeps {
  /** Electron's `shell.openExternal`. */
  open(url: string): Promise<void>;
  /** Addresses besides https that lead to pages of ours: the host's base and public URL, the editors'. */
  ownUrls(): readonly string[];
}

const longest = 2048;

/** @throws AppError permission-denied when the address is none the app opens */
export function createOpenExternal({ open, ownUrls }: ExternalPagesDeps): (url: string) => Promise<void> {
  return async (url) => {
    const target = url.length <= longest && URL.canParse(url) ? new URL(url) : undefined;
    const isAllowed =
      target !== undefined &&
      target.username === '' &&
      target.password === '' &&
      (target.protocol === 'https:' || (target.protocol === 'http:' && isOwn(target, ownUrls())));
    if (!isAllowed)
      throw new AppError('permission-denied', { detail: 'DocTray does not open this address.' });
    await open(target.href);
  };
}

function isOwn(target: URL, ownUrls: readonly string[]): boolean {
  return ownUrls.some((own) => URL.canParse(own) && new URL(own).origin === target.origin);
}
