// The session the window lives in: not Electron's default one, so that nothing else ever shares its pages, its storage or
// its rules.

import type { Session } from 'electron';
import { appScheme } from './app-address.ts';
import type { AppFiles } from './app-files.ts';
import { createAppAnswer } from './protocol.ts';

const partition = 'persist:window';

/** After `ready`; the guards are on it since `session-created`. `files` are those of the built pages. */
export function openAppSession(deps: {
  fromPartition(partition: string): Session;
  files: AppFiles;
}): Session {
  const session = deps.fromPartition(partition);
  session.protocol.handle(appScheme, createAppAnswer(deps.files));
  return session;
}
