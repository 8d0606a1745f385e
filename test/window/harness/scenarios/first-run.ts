// The first run: with nothing chosen yet, and with a host that couldn't start.

import { quiet } from '../basic-answers.ts';
import { makeTextEditor } from '../document-servers.ts';
import { changed, type FakeHost } from '../fake-host.ts';
import { folderMissing } from './common.ts';

const defaultPath = '/home/robin/Documents/DocTray';

function serve(host: FakeHost, folder: string) {
  const folderName = folder.slice(folder.lastIndexOf('/') + 1);
  host.set({ host: { status: 'serving', folder, folderName, problem: null } });
  return { folder };
}

/** Nothing is chosen; the system's dialog returns a folder. */
function firstSteps(nowMs: number) {
  const welcome = { kind: 'document', fileId: 'sample', path: 'Welcome.md', name: 'Welcome.md' } as const;
  const sample = { ...welcome, size: 1_204, lastModifiedMs: nowMs, versionCount: 0, versionBytes: 0 };
  return quiet(
    nowMs,
    {
      app: { isFirstRun: true },
      host: { status: 'idle', folder: null, folderName: null, publicUrl: 'http://127.0.0.1:8790' },
      editors: [makeTextEditor(nowMs)],
    },
    {
      'host.defaultFolder': () => ({ path: defaultPath, exists: false }),
      'host.useDefaultFolder': (_args, host) => serve(host, defaultPath),
      'host.chooseFolder': (_args, host) => serve(host, '/home/robin/Office'),
      'documents.createSample': () => ({ path: 'Welcome.md' }),
      'documents.list': ({ path, startIndex }, host) => {
        const items = host.calls.some(({ name }) => name === 'documents.createSample') ? [sample] : [];
        return { path, startIndex, items, total: items.length };
      },
    },
  );
}

/** The folder in the settings is on a missing drive. */
const firstStepsBroken = (nowMs: number) =>
  changed(firstSteps(nowMs), {
    host: {
      status: 'error',
      problem: folderMissing,
      folder: '/media/robin/Stick/Documents',
      folderName: 'Documents',
    },
  });

/** There is no default folder on this system. */
const firstStepsHomeless = (nowMs: number) =>
  changed(firstSteps(nowMs), {}, { 'host.defaultFolder': () => null });

export const firstRunScenarios = {
  'first-steps': firstSteps,
  'first-steps-broken': firstStepsBroken,
  'first-steps-homeless': firstStepsHomeless,
};
