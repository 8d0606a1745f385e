// A user's view of an open document: what the buttons of the page do on the server, for all three products.

import type { Exchange, FileInfo, PutRelativeAnswer, RenameAnswer } from '../wire.ts';

export interface EditorView {
  /** Also `view` if the lock was refused. */
  readonly mode: 'edit' | 'view';
  readonly fileInfo: FileInfo;
  content(): Buffer;
  edit(content: Buffer): void;
  /** Without the editor's server knowing of it before the next save. Undefined if it always knows. */
  editUnnoticed?(content: Buffer): void;
  keepAlive(): Promise<Exchange>;
  /** Undefined if nothing was sent to the host. */
  save(how: 'button' | 'timer'): Promise<Exchange | undefined>;
  /** Whether the editor has unsaved changes. Undefined if the editor doesn't report it. */
  isModified?(): boolean;
  saveAs(name: string): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }>;
  rename(name: string): Promise<{ exchange: Exchange; answer: RenameAnswer | undefined }>;
  /** The last view to close saves the changes and unlocks. */
  close(): Promise<void>;
}
