// `shell`: recorded, never launched. Trash is real: the file moves into the XDG trash of HOME.

import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, parse } from 'node:path';

import type { Shell } from 'electron';

import type { Hub } from '../hub.ts';
import { checkOptions, strict } from '../strict.ts';

export interface ShellHooks {
  /** The next openExternal or openPath fails with this text. */
  failNext(text: string): void;
}

function moveToTrash(path: string): void {
  if (!isAbsolute(path) || !existsSync(path)) throw new Error(`Failed to move item to trash: ${path}`);
  const data = process.env['XDG_DATA_HOME'] || join(process.env['HOME'] ?? homedir(), '.local', 'share');
  const trash = join(data, 'Trash');
  mkdirSync(join(trash, 'files'), { recursive: true, mode: 0o700 });
  mkdirSync(join(trash, 'info'), { recursive: true, mode: 0o700 });
  const { name, ext } = parse(path);
  let chosen = basename(path);
  for (let number = 2; existsSync(join(trash, 'files', chosen)); number++) chosen = `${name}.${number}${ext}`;
  const date = new Date().toISOString().slice(0, 19);
  writeFileSync(
    join(trash, 'info', `${chosen}.trashinfo`),
    `[Trash Info]\nPath=${encodeURI(path)}\nDeletionDate=${date}\n`,
  );
  renameSync(path, join(trash, 'files', chosen));
}

export function createShell(hub: Hub): { shell: Shell; hooks: ShellHooks } {
  let failure: string | undefined;
  const takeFailure = (): string | undefined => {
    const text = failure;
    failure = undefined;
    return text;
  };
  const members = {
    async openExternal(url: string, options?: Electron.OpenExternalOptions) {
      checkOptions('shell.openExternal', options, ['activate', 'workingDirectory', 'logUsage']);
      const text = takeFailure();
      hub.deeds.push({ kind: 'open-external', url: new URL(url).href });
      if (text !== undefined) throw new Error(text);
    },
    async openPath(path: string) {
      hub.deeds.push({ kind: 'open-path', path });
      return takeFailure() ?? (existsSync(path) ? '' : 'No such file or directory');
    },
    showItemInFolder: (path: string) => void hub.deeds.push({ kind: 'show-item-in-folder', path }),
    async trashItem(path: string) {
      moveToTrash(path);
      hub.deeds.push({ kind: 'trash-item', path });
    },
    beep: () => void hub.deeds.push({ kind: 'beep' }),
  } satisfies Pick<Shell, 'openExternal' | 'openPath' | 'showItemInFolder' | 'trashItem' | 'beep'>;
  return {
    shell: strict(members, 'shell') as unknown as Shell,
    hooks: { failNext: (text) => void (failure = text) },
  };
}
