// Who sent a message: the one place that decides it. A page the window was lured to, a frame inside the window, another web
// contents or a frame that is gone may all have sent one; only the window's own page in its main frame is heard.

import type { IpcMainInvokeEvent, WebContents } from 'electron';
import { appOrigin } from './app-address.ts';

export type SentBy = Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>;

/** @see Electron's security checklist, 17: validate the sender of all IPC messages */
export function isFromOwnPage({ sender, senderFrame }: SentBy, contents: WebContents | undefined): boolean {
  if (contents === undefined || contents.isDestroyed() || sender !== contents || senderFrame === null)
    return false;
  try {
    const { mainFrame } = contents;
    return (
      senderFrame.parent === null &&
      senderFrame.frameTreeNodeId === mainFrame.frameTreeNodeId &&
      senderFrame.processId === mainFrame.processId &&
      senderFrame.origin === appOrigin &&
      senderFrame.url.startsWith(`${appOrigin}/`)
    );
  } catch {
    // a frame that was replaced in the meantime throws whatever it is asked
    return false;
  }
}
