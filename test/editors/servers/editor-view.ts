// One person's view of one open document, told alike for the three dialects: what the page's buttons do on the server.

import type { Exchange, FileInfo, PutRelativeAnswer, RenameAnswer } from '../wire.ts';

export interface EditorView {
  /** `view` also where editing was asked for and the host gave no lock. */
  readonly mode: 'edit' | 'view';
  readonly fileInfo: FileInfo;
  content(): Buffer;
  edit(content: Buffer): void;
  keepAlive(): Promise<Exchange>;
  /** Undefined where nothing was sent to the host. */
  save(how: 'button' | 'timer'): Promise<Exchange | undefined>;
  /** Whether the editor itself counts anything as unsaved; undefined where it never says. */
  isModified?(): boolean;
  saveAs(name: string): Promise<{ exchange: Exchange; answer: PutRelativeAnswer | undefined }>;
  rename(name: string): Promise<{ exchange: Exchange; answer: RenameAnswer | undefined }>;
  /** The last one to close saves what changed and unlocks. */
  close(): Promise<void>;
}
