// Document ids: creating one, and recognizing one.

import { randomBytes } from 'node:crypto';

const pattern = /^[\w-]{22}$/u;

/** 22 characters of base64url. Never begins with a dash, which the terminal would read as an option. */
export function newFileId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newFileId() : id;
}

export function isFileId(text: string): boolean {
  return pattern.test(text);
}
