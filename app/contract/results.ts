// Results of commands, shared by both processes.

import { describeError } from './errors.ts';

/** What was done and what failed; one failure doesn't stop the rest. */
export interface Outcome {
  done: { id: string; path: string }[];
  failed: { id: string; path: string; message: string; code: string }[];
  /** Paths at which nothing existed any longer. */
  gone?: string[];
}

export interface TrashResult extends Outcome {
  gone: string[];
  /** For `documents.undoTrash`; null if nothing can be put back. */
  undo: { id: string; untilMs: number } | null;
}

export type DocumentItem =
  | { kind: 'folder'; path: string; name: string; lastModifiedMs: number }
  | {
      kind: 'document';
      fileId: string;
      path: string;
      name: string;
      /** Bytes. */
      size: number;
      lastModifiedMs: number;
      /** How many versions are kept, and the bytes they use. */
      versionCount: number;
      versionBytes: number;
    };

export interface DocumentPage {
  path: string;
  startIndex: number;
  items: DocumentItem[];
  /** On all pages. */
  total: number;
}

export interface SearchResult {
  items: DocumentItem[];
  /** False if there are more than `items` shows, or the search ran out of time; `searched` says how far it got. */
  isComplete: boolean;
  searched: number;
}

export interface VersionItem {
  id: string;
  itemVersion: string;
  /** Bytes. */
  size: number;
  keptAtMs: number;
  /** When this content was saved here, or written by another program. */
  writtenAtMs: number;
  savedAtMs: number | null;
  /** User names; for the terminal, logins. */
  savedBy: string[] | null;
  savedHow: string | null;
}

/** What a document contains now. */
export interface CurrentVersion extends Pick<
  VersionItem,
  'itemVersion' | 'size' | 'savedAtMs' | 'savedBy' | 'savedHow'
> {
  lastModifiedMs: number;
}

export interface TemplateItem {
  id: string;
  /** `Word document`, `Spreadsheet (OpenDocument)`, … */
  title: string;
  extension: string;
}

/** What editors and pages requested since then, at most in the last 24 hours. */
export interface ActivitySummary {
  sinceMs: number;
  saves: number;
  /** How many different documents. */
  documents: number;
  /** Requests that failed. */
  errors: number;
}

/** A document's address for other users. */
export interface ColleagueLink {
  /** Null if other computers can't open the pages. */
  url: string | null;
  /** The settings that keep other computers from opening it; empty if there is a URL. */
  settings: ('networkPages' | 'host')[];
  /** Only the owner can sign in so far. */
  needsUser: boolean;
}

/** Access issued to an editor. The token is in this one answer and never shown again. */
export interface OpenedDocument {
  fileId: string;
  path: string;
  mode: 'edit' | 'view';
  wopiSrc: string;
  accessToken: string;
  expiresAtMs: number;
}

/** A document that is being opened in an editor. The address contains a ticket, so it isn't part of the answer. */
export interface OpeningDocument {
  fileId: string;
  path: string;
  mode: 'edit' | 'view';
  editorId: string;
  editorName: string;
  openedIn: 'browser' | 'window';
}

export interface ForceClearResult extends Outcome {
  /** Until then `locks.undoForceClear` restores what was cleared; null if nothing was. */
  undoUntilMs: number | null;
}

/**
 * The result of a command. Errors cross as data: code and sentence, nothing about this computer; for the terminal, which words them
 * itself, also the rest of an AppError.
 */
export type CommandAnswer<Result> =
  | { isDone: true; result: Result }
  | {
      isDone: false;
      error: {
        code: string;
        message: string;
        detail?: string | undefined;
        retryAfterSeconds?: number | undefined;
      };
    };

/** Never rejects: an error becomes its code and sentence. */
export async function answerOf<Result>(result: Promise<Result>): Promise<CommandAnswer<Result>> {
  try {
    return { isDone: true, result: await result };
  } catch (error) {
    const { code, message } = describeError(error);
    return { isDone: false, error: { code, message } };
  }
}

/** The longest lifetime of an API token that can be asked for. */
export const maxApiTokenDays = 3650;
/** In UTF-16 code units. */
export const maxTokenNameLength = 60;
