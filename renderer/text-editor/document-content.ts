// The content of the document: the text on the page, and what this page knows of the file: the text and the version it last read or saved,
// the texts it sent without getting an answer, and the version on disk. Saves and reads never overlap, so the known text is also the
// content the host has recorded as read or written by this page. The host detects conflicts by that record.

import { maxTextBytes } from '../../app/contract/text-documents.ts';
import { isSameText, readDamagedText, readText, writeText, type FileText } from './line-endings.ts';
import type { TextPane } from './text-pane.ts';
import { isUnreachable, type Answer, type SaveOptions, type WopiClient } from './wopi-client.ts';

/**
 * `editing`: this page holds the lock. `reading`: the text follows the file. `lost`: the lock or the permission to edit is gone, and
 * what was typed is kept. `ended`: the host accepts no more calls with this token.
 */
export type Mode = 'editing' | 'reading' | 'lost' | 'ended';

export type ReadDocument =
  | { kind: 'text'; text: FileText; version: string; bytes: number }
  /** Not UTF-8. What is shown must never be saved. */
  | { kind: 'damaged'; shown: FileText; encoding: 'UTF-16' | 'unknown' }
  | { kind: 'too-large' }
  | { kind: 'failed'; answer: Answer };

export type DocumentContent = ReturnType<typeof createDocumentContent>;

/** `onSize`: the known or sent text has this size now, in bytes. */
export function createDocumentContent(deps: {
  wopi: WopiClient;
  mode: () => Mode;
  onSize: (bytes: number) => void;
}) {
  const { wopi, mode } = deps;
  let pane: TextPane | undefined;
  let base: FileText | undefined;
  /** X-WOPI-ItemVersion of `base`, and the version of the latest poll. */
  let baseVersion = '';
  let diskVersion = '';
  let sizeBytes = 0;
  /** The latest version whose content was found to be neither `base` nor any text this page sent. */
  let foreignVersion = '';
  /** Another user or program changed the file after the first unsaved change. */
  let isChangedByOther = false;
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

  /** The file has this content now, at this version. */
  function set({ text, version, bytes }: { text: FileText; version: string; bytes: number }): void {
    base = text;
    unconfirmed = [];
    baseVersion = version;
    diskVersion = version;
    setSize(bytes);
  }

  /** The text isn't known to be in the file: it differs, or the file may hold one that was sent and never answered. */
  function isUnsaved(text: FileText): boolean {
    return base !== undefined && (unconfirmed.length > 0 || !isSameText(text, base));
  }

  function hasUnsaved(): boolean {
    return mode() !== 'reading' && pane !== undefined && isUnsaved(pane.current());
  }

  /** Saves, reads of the content and taking the lock run one at a time. */
  async function runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
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
  }

  /**
   * Reads the file; only `set` makes it the known text. An open text that grows stays open, with the usual line ending it had.
   * @param isRecorded false: the host doesn't record that this page has read it, and still detects a conflict with another user
   */
  async function read(isRecorded = true): Promise<ReadDocument> {
    const maxBytes = base === undefined ? maxTextBytes : Math.max(maxTextBytes, 2 * sizeBytes);
    const answer = await (isRecorded ? wopi.getFile(maxBytes) : wopi.peekFile(maxBytes));
    if (answer.status === 412) return { kind: 'too-large' };
    if (answer.body === undefined) return { kind: 'failed', answer };
    const text = readText(answer.body, base?.endings.usual);
    return text === undefined
      ? { kind: 'damaged', ...readDamagedText(answer.body) }
      : { kind: 'text', text, version: answer.version, bytes: answer.body.length };
  }

  return {
    hasUnsaved,
    isUnsaved,
    runExclusive,
    set,
    read,
    /** Undefined while no text is shown. */
    pane: () => pane,
    show(opened: TextPane | undefined) {
      pane = opened;
    },
    /** As this page last read or saved it; undefined while there is nothing to edit or follow. */
    text: () => base,
    /** The size of that text, or of one that is being saved. */
    bytes: () => sizeBytes,
    /** Nothing is known any more, and there is nothing to edit or follow. */
    forget() {
      base = undefined;
    },
    /** A poll found this version on disk. */
    see(version: string) {
      diskVersion = version;
    },
    /** The version on disk isn't the known one. */
    isChanged: () => diskVersion !== baseVersion,
    /** Counts the starts and ends of exclusive work. An answer to a call from before the latest of them is out of date. */
    epoch: () => epoch,

    /** True once after another user or program changed the file while something was unsaved. */
    takeConflict() {
      const had = isChangedByOther;
      isChangedByOther = false;
      return had;
    },

    /**
     * Finds out who wrote the version on disk. `own`: this page, in a save whose answer was lost; its text is the known one now.
     * `other-kept`: another user or program, and a save that was answered in the meantime has kept both. Undefined: there is nothing to
     * do now. It was another user or program before the next save, this page in a save that is still on its way, or can't be read.
     */
    async identifyChange(): Promise<'own' | 'other-kept' | undefined> {
      if (base === undefined || diskVersion === foreignVersion) return undefined;
      const ownTexts = (): FileText[] =>
        [base, textBeingSaved, ...unconfirmed].filter((text) => text !== undefined);
      const version = diskVersion;
      const epochBefore = epoch;
      const baseBefore = base;
      const before = ownTexts();
      const found = await read(false);
      if (found.kind === 'failed') return undefined;
      const own =
        found.kind === 'text'
          ? [...before, ...ownTexts()].find((text) => isSameText(text, found.text))
          : undefined;
      if (own === undefined) {
        foreignVersion = version;
        if (mode() !== 'editing') return undefined;
        if (base !== baseBefore) return 'other-kept';
        isChangedByOther = true;
        return undefined;
      }
      if (epoch !== epochBefore || textBeingSaved !== undefined) return undefined;
      set({ text: own, version, bytes: writeText(own).length });
      return 'own';
    },

    /**
     * Shows what is on disk now. What is typed while it is read stays. `failed`: it couldn't be read, or what was typed since can't be
     * combined with it.
     */
    async follow(): Promise<ReadDocument['kind']> {
      return runExclusive(async () => {
        const before = base;
        if (pane === undefined || before === undefined || hasUnsaved()) return 'text';
        // The host keeps what a save replaces as a conflict copy, unless this page has read it. So it reads nothing that it can't show.
        const peeked = mode() === 'editing' ? await read(false) : undefined;
        const found = peeked === undefined || peeked.kind === 'text' ? await read() : peeked;
        if (found.kind !== 'text') {
          // What was typed since stays, even if the file can't be read any more.
          if (!hasUnsaved()) return found.kind;
          if (mode() === 'editing' && found.kind !== 'failed') isChangedByOther = true;
          return 'failed';
        }
        await pane.follow(base ?? before, found.text);
        set(found);
        isChangedByOther = false;
        return 'text';
      });
    },

    /** Sends the text; only `set` makes it the known one. Without an answer, the file may or may not hold it. */
    async put(text: FileText, options: SaveOptions) {
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

    /** The page sends the text while closing, and won't get an answer. */
    sentAtExit(text: FileText) {
      unconfirmed.push(text);
    },
  };
}
