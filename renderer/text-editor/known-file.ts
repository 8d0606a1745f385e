// What this page knows about the content of the file: the text and the version it last read or saved, the texts it sent without getting an
// answer, and the version on disk. Saves and reads never overlap, so the known text is also the content the host has recorded as read or
// written by this page. The host detects conflicts by that record.

import { maxTextBytes } from '../../app/contract/text-documents.ts';
import { isSameText, writeText, type FileText } from './line-endings.ts';
import { readDocument, type ReadDocument } from './read-document.ts';
import { isUnreachable, type Answer, type SaveOptions, type WopiClient } from './wopi-client.ts';

export interface KnownFile {
  /** As this page last read or saved it; undefined while there is nothing to edit or follow. */
  text(): FileText | undefined;
  /** The size of that text, or of one that is being saved. */
  bytes(): number;
  /** Nothing is known any more, and there is nothing to edit or follow. */
  forget(): void;
  /** The file has this content now, at this version. */
  set(found: { text: FileText; version: string; bytes: number }): void;
  /** A poll found this version on disk. */
  see(version: string): void;
  /** The version on disk isn't the known one. */
  isChanged(): boolean;
  /** The text isn't known to be in the file: it differs, or the file may hold one that was sent and never answered. */
  isUnsaved(text: FileText): boolean;
  /** Reads the file; only `set` makes it the known text. @param isRecorded false: the host doesn't record that this page has read it */
  read(isRecorded?: boolean): Promise<ReadDocument>;
  /**
   * Who wrote the version on disk. `own`: this page, in a save whose answer was lost; its text is the known one now. `other`: another user
   * or program. `other-kept`: the same, and a save that was answered in the meantime has kept both. Undefined: already identified,
   * couldn't be read, or this page, in a save that is still on its way.
   */
  identifyChange(): Promise<'own' | 'other' | 'other-kept' | undefined>;
  /** Sends the text; only `set` makes it the known one. Without an answer, the file may or may not hold it. */
  put(text: FileText, options: SaveOptions): Promise<{ answer: Answer; bytes: number }>;
  /** The page sends the text while closing, and won't get an answer. */
  sentAtExit(text: FileText): void;
  /** Saves, reads of the content and taking the lock run one at a time. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Counts the starts and ends of such work. An answer to a call from before the latest of them is out of date. */
  epoch(): number;
}

/** `onSize`: the known or sent text has this size now, in bytes. */
export function createKnownFile(deps: { wopi: WopiClient; onSize: (bytes: number) => void }): KnownFile {
  const { wopi } = deps;
  let base: FileText | undefined;
  /** X-WOPI-ItemVersion of `base`, and the version of the latest poll. */
  let baseVersion = '';
  let diskVersion = '';
  let sizeBytes = 0;
  /** The latest version whose content was found to be neither `base` nor any text this page sent. */
  let foreignVersion = '';
  /** Texts that were sent and never answered, oldest first. The file may hold any of them. */
  let unconfirmed: FileText[] = [];
  /** The text that the current save sends. */
  let textBeingSaved: FileText | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let epoch = 0;

  function setSize(bytes: number): void {
    sizeBytes = bytes;
    deps.onSize(bytes);
  }

  function set({ text, version, bytes }: { text: FileText; version: string; bytes: number }): void {
    base = text;
    unconfirmed = [];
    baseVersion = version;
    diskVersion = version;
    setSize(bytes);
  }

  /** An open text that grows stays open, with the usual line ending it had. */
  async function read(isRecorded = true): Promise<ReadDocument> {
    const maxBytes = Math.max(maxTextBytes, 2 * sizeBytes);
    return readDocument(wopi, { usual: base?.endings.usual, maxBytes, isRecorded });
  }

  return {
    text: () => base,
    bytes: () => sizeBytes,
    forget() {
      base = undefined;
    },
    set,
    see(version) {
      diskVersion = version;
    },
    isChanged: () => diskVersion !== baseVersion,
    isUnsaved: (text) => base !== undefined && (unconfirmed.length > 0 || !isSameText(text, base)),
    read,

    async identifyChange() {
      if (base === undefined || diskVersion === foreignVersion) return undefined;
      const ownTexts = (): FileText[] =>
        [base, textBeingSaved, ...unconfirmed].filter((text) => text !== undefined);
      const version = diskVersion;
      const epochBefore = epoch;
      const baseBefore = base;
      const before = ownTexts();
      // The host doesn't record this read, so it still detects the conflict if it was another user.
      const found = await read(false);
      if (found.kind === 'failed') return undefined;
      const own =
        found.kind === 'text'
          ? [...before, ...ownTexts()].find((text) => isSameText(text, found.text))
          : undefined;
      if (own === undefined) {
        foreignVersion = version;
        return base === baseBefore ? 'other' : 'other-kept';
      }
      if (epoch !== epochBefore || textBeingSaved !== undefined) return undefined;
      set({ text: own, version, bytes: writeText(own).length });
      return 'own';
    },

    async put(text, options) {
      const bytes = writeText(text);
      setSize(bytes.length);
      textBeingSaved = text;
      const answer = await wopi.putFile(bytes, options);
      textBeingSaved = undefined;
      const latest = unconfirmed.at(-1);
      if (isUnreachable(answer) && (latest === undefined || !isSameText(latest, text)))
        unconfirmed.push(text);
      return { answer, bytes: bytes.length };
    },

    sentAtExit(text) {
      unconfirmed.push(text);
    },

    async runExclusive(work) {
      const turn = queue.then(async () => {
        epoch += 1;
        try {
          return await work();
        } finally {
          epoch += 1;
        }
      });
      queue = turn.catch(() => undefined);
      return turn;
    },

    epoch: () => epoch,
  };
}
