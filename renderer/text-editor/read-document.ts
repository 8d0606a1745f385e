// Reads a document from the host: its text, or the reason why it can't be edited.

import { maxTextBytes } from '../../app/contract/text-documents.ts';
import { readDamagedText, readText, type Ending, type FileText } from './line-endings.ts';
import type { Answer, WopiClient } from './wopi-client.ts';

export type ReadDocument =
  | { kind: 'text'; text: FileText; version: string; bytes: number }
  /** Not UTF-8. What is shown must never be saved. */
  | { kind: 'damaged'; shown: FileText; encoding: 'UTF-16' | 'unknown' }
  | { kind: 'too-large' }
  | { kind: 'failed'; answer: Answer };

export interface ReadOptions {
  /** The usual line ending to keep when an open document is read again. */
  usual?: Ending | undefined;
  /** False: the host must not count this as content that this page knows. Default: true. */
  isRecorded?: boolean;
  /** Default: what the text editor opens. */
  maxBytes?: number;
}

export async function readDocument(
  wopi: WopiClient,
  { usual, isRecorded = true, maxBytes = maxTextBytes }: ReadOptions = {},
): Promise<ReadDocument> {
  const answer = await (isRecorded ? wopi.getFile(maxBytes) : wopi.peekFile(maxBytes));
  if (answer.status === 412) return { kind: 'too-large' };
  if (answer.body === undefined) return { kind: 'failed', answer };
  const text = readText(answer.body, usual);
  return text === undefined
    ? { kind: 'damaged', ...readDamagedText(answer.body) }
    : { kind: 'text', text, version: answer.version, bytes: answer.body.length };
}
