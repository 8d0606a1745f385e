// The first steps: with nothing chosen yet, and with a host that could not start.

import { createBasicAnswers } from '../basic-answers.ts';
import type { Scenario } from '../fake-host.ts';
import { makeQuietState } from '../rows.ts';

/** Nothing is chosen; the dialog of the system answers with a folder. */
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
        secrets: { kind: 'keychain', description: 'the keychain of this machine' },
      },
    },
    answers: {
      ...createBasicAnswers(),
      'host.chooseFolder': (_args, host) => {
        const folder = '/home/robin/Documents';
        const value = {
          ...host.state.host,
          status: 'serving' as const,
          folder,
          folderName: 'Documents',
          problem: null,
        };
        host.change({ values: { host: value }, tables: {} });
        return { folder };
      },
      'documents.list': ({ path, startIndex }, host) => {
        const isMade = host.calls.some(({ name }) => name === 'host.makeSample');
        const name = 'Welcome.docx';
        const item = {
          kind: 'document' as const,
          fileId: 'sample',
          path: name,
          name,
          size: 9_204,
          lastModifiedMs: nowMs,
          versionCount: 0,
          versionBytes: 0,
        };
        return { path, startIndex, items: isMade ? [item] : [], total: isMade ? 1 : 0 };
      },
    },
  };
}

/** The folder of the settings is on a drive that is not there. */
function firstStepsBroken(nowMs: number): Scenario {
  const scenario = firstSteps(nowMs);
  const problem = {
    code: 'folder-missing',
    message:
      'The hosted folder is not there. Plug the drive in or choose another folder; nothing in it was changed.',
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

export const firstRunScenarios = { 'first-steps': firstSteps, 'first-steps-broken': firstStepsBroken };
