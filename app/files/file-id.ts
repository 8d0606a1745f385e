// The id of a document: how one is made, and what a text must look like to be one.

import { randomBytes } from 'node:crypto';

const pattern = /^[\w-]{22}$/u;

/** 22 characters of base64url. One that begins with a dash would be taken for an option in the terminal. */
export function newFileId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newFileId() : id;
}

export function isFileId(text: string): boolean {
  return pattern.test(text);
}
