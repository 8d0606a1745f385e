// Runs in the window's sandboxed process, in an isolated world, and gives the page `window.doctray`: three functions, one channel
// each way. The page may be compromised, so it gets nothing of Electron's, neither events nor channel names.

import { contextBridge, ipcRenderer, webUtils } from 'electron';
import {
  commandChannel,
  pushChannel,
  type Bridge,
  type CommandSender,
  type ImportedFiles,
} from '../contract/bridge.ts';
import type { CommandAnswer } from '../contract/results.ts';
import type { Push, PushListener } from '../contract/pushes.ts';

const listeners = new Set<PushListener>();
ipcRenderer.on(pushChannel, (_event, ...push: Push) => {
  for (const listener of listeners) listener(...push);
});

const lost: CommandAnswer<never> = {
  isDone: false,
  error: { code: 'internal', message: 'Something went wrong in DocTray. See its log for details.' },
};

async function send(name: string, args: unknown, sender: CommandSender): Promise<CommandAnswer<unknown>> {
  try {
    return (await ipcRenderer.invoke(commandChannel, name, args, sender)) as CommandAnswer<unknown>;
  } catch {
    // An argument that can't be cloned throws before it is sent.
    return lost;
  }
}

const importedAtOnce = 1000;

const bridge: Bridge = {
  call: (name, args) => send(name, args, 'page'),
  onPush(name, listener) {
    const own: PushListener = (...push) => {
      if (push[0] === name) listener(push[1] as never);
    };
    listeners.add(own);
    return () => void listeners.delete(own);
  },
  async importFiles(folderPath, files) {
    const sources = files.map(pathOf).filter((path) => path !== '');
    const jobIds: string[] = [];
    const imported = (failure: ImportedFiles['failure']): CommandAnswer<ImportedFiles> => ({
      isDone: true,
      result: { jobIds, withoutPath: files.length - sources.length, failure },
    });
    for (let start = 0; start < sources.length; start += importedAtOnce) {
      const some = sources.slice(start, start + importedAtOnce);
      const answer = await send('documents.import', { folderPath, sources: some }, 'app');
      if (!answer.isDone) return imported(answer.error);
      jobIds.push((answer.result as { jobId: string }).jobId);
    }
    return imported(null);
  },
};

/** '' for what isn't a file of this computer. */
function pathOf(file: unknown): string {
  try {
    return webUtils.getPathForFile(file as File);
  } catch {
    return '';
  }
}

contextBridge.exposeInMainWorld('doctray', bridge);
