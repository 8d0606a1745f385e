// Reads a document from the host: as text, or why it is none that can be edited.

import { maxTextBytes } from '../../app/contract/text-documents.ts';
import { readDamagedText, readText, type Ending, type FileText } from './line-endings.ts';
import type { Answer, WopiClient } from './wopi-client.ts';

export type ReadDocument =
  | { kind: 'text'; text: FileText; version: string }
  /** Not UTF-8. What is shown must never be saved. */
  | { kind: 'damaged'; shown: FileText; encoding: 'UTF-16' | 'unknown' }
  | { kind: 'too-large' }
  | { kind: 'failed'; answer: Answer };

/** @param usual the usual line ending to keep, when a document that is open is read again */
export async function readDocument(wopi: WopiClient, usual?: Ending): Promise<ReadDocument> {
  const answer = await wopi.getFile(maxTextBytes);
  if (answer.status === 412) return { kind: 'too-large' };
  if (answer.body === undefined) return { kind: 'failed', answer };
  const text = readText(answer.body, usual);
  return text === undefined
    ? { kind: 'damaged', ...readDamagedText(answer.body) }
    : { kind: 'text', text, version: answer.version };
}
