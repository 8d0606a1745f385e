// The first run: with nothing chosen yet, with a host that couldn't start, and without a default folder.

import { createBasicAnswers } from '../basic-answers.ts';
import { makeTextEditor } from '../document-servers.ts';
import type { FakeHost, Scenario } from '../fake-host.ts';
import { makeQuietState } from '../rows.ts';

const defaultPath = '/home/robin/Documents/DocTray';

function serve(host: FakeHost, folder: string): void {
  const value = {
    ...host.state.host,
    status: 'serving' as const,
    folder,
    folderName: folder.slice(folder.lastIndexOf('/') + 1),
    problem: null,
  };
  host.set({ host: value });
}

/** Nothing is chosen; the system's dialog returns a folder. */
function firstSteps(nowMs: number): Scenario {
  const state = makeQuietState(nowMs);
  return {
    state: {
      ...state,
      app: { ...state.app, isFirstRun: true },
      host: {
        ...state.host,
        status: 'idle',
        folder: null,
        folderName: null,
        baseUrl: 'http://127.0.0.1:8790',
        publicUrl: 'http://127.0.0.1:8790',
      },
      editors: [makeTextEditor(nowMs)],
    },
    answers: {
      ...createBasicAnswers(),
      'host.defaultFolder': () => ({ path: defaultPath, exists: false }),
      'host.useDefaultFolder': (_args, host) => {
        serve(host, defaultPath);
        return { folder: defaultPath };
      },
      'host.chooseFolder': (_args, host) => {
        const folder = '/home/robin/Office';
        serve(host, folder);
        return { folder };
      },
      'documents.createSample': (_args, host) => ({
        path: host.state.editors.length > 1 ? 'Welcome.docx' : 'Welcome.md',
      }),
      'documents.list': ({ path, startIndex }, host) => {
        const isCreated = host.calls.some(({ name }) => name === 'documents.createSample');
        const item = {
          kind: 'document' as const,
          fileId: 'sample',
          path: 'Welcome.md',
          name: 'Welcome.md',
          size: 1_204,
          lastModifiedMs: nowMs,
          versionCount: 0,
          versionBytes: 0,
        };
        return { path, startIndex, items: isCreated ? [item] : [], total: isCreated ? 1 : 0 };
      },
    },
  };
}

/** The folder in the settings is on a missing drive. */
function firstStepsBroken(nowMs: number): Scenario {
  const scenario = firstSteps(nowMs);
  const problem = {
    code: 'folder-missing',
    message: 'The hosted folder is missing. Connect its drive or choose another.',
  };
  const host = {
    ...scenario.state.host,
    status: 'error' as const,
    problem,
    folder: '/media/robin/Stick/Documents',
    folderName: 'Documents',
  };
  return { ...scenario, state: { ...scenario.state, host } };
}

/** There is no default folder on this system. */
function firstStepsHomeless(nowMs: number): Scenario {
  const scenario = firstSteps(nowMs);
  return { ...scenario, answers: { ...scenario.answers, 'host.defaultFolder': () => null } };
}

export const firstRunScenarios = {
  'first-steps': firstSteps,
  'first-steps-broken': firstStepsBroken,
  'first-steps-homeless': firstStepsHomeless,
};
