// Local document servers, with each case in the first run (`first-…`) and in the settings (`editors-…`).

import type { Detection, DocumentServersState } from '../../../../app/contract/document-servers.ts';
import type { EditorItem } from '../../../../app/contract/editors.ts';
import { quiet } from '../basic-answers.ts';
import {
  dockerOnly,
  dockerStopped,
  downloading,
  failedPull,
  makeContainer,
  makeDetected,
  makeStart,
  makeStartedEditor,
  makeTextEditor,
  noEngines,
  untrustedServer,
  waiting,
} from '../document-servers.ts';
import { makeEditor, makeFailedTest } from '../editors.ts';
import { never, type Answers, type Scenario } from '../fake-host.ts';
import { makeSession } from '../rows.ts';

interface Case extends Partial<DocumentServersState> {
  editors?: EditorItem[];
  detected?: Detection['servers'];
  answers?: Answers;
}

/** Cases by name. If `engines` is null, the check is still running. */
const cases: Record<string, (nowMs: number) => Case> = {
  'nothing-found': () => ({ engines: noEngines }),
  looking: () => ({ engines: null, answers: { 'editors.detect': never, 'documentServers.refresh': never } }),
  'two-found': (nowMs) => ({
    engines: dockerOnly,
    editors: [makeEditor(nowMs)],
    detected: [
      makeDetected(),
      makeDetected({
        url: 'http://localhost:8080',
        kind: 'onlyoffice',
        product: 'ONLYOFFICE Docs',
        version: '9.0.4',
        editorId: 'a1b2c3d4',
        container: null,
      }),
      untrustedServer,
    ],
  }),
  'docker-stopped': () => ({ engines: dockerStopped }),
  'docker-ready': () => ({ engines: dockerOnly, downloaded: ['collabora'] }),
  downloading: (nowMs) => ({ engines: dockerOnly, start: makeStart(nowMs, downloading) }),
  waiting: (nowMs) => ({ engines: dockerOnly, servers: [makeContainer()], start: makeStart(nowMs, waiting) }),
  'failed-start': (nowMs) => ({ engines: dockerOnly, start: makeStart(nowMs, failedPull) }),
  'no-way-back': (nowMs) => ({
    engines: dockerOnly,
    servers: [makeContainer({ editorId: 'started-collabora' })],
    editors: [
      {
        ...makeStartedEditor(nowMs, 'collabora'),
        publicUrl: null,
        effectiveUrl: 'http://127.0.0.1:8790',
        lastTest: makeFailedTest('started-collabora', nowMs),
      },
    ],
    start: makeStart(nowMs, {
      state: 'failed',
      step: 'address',
      sentence:
        'Collabora Online didn’t reach DocTray at http://172.17.0.1:8790. Check that no firewall blocks it.',
      error: { code: 'container-unconnected', help: null },
    }),
  }),
  started: (nowMs) => ({
    engines: dockerOnly,
    servers: [
      makeContainer({ editorId: 'started-collabora' }),
      makeContainer({
        product: 'onlyoffice',
        state: 'stopped',
        container: 'doctray-onlyoffice',
        image: 'docker.io/onlyoffice/documentserver:latest',
        url: null,
      }),
    ],
    editors: [makeStartedEditor(nowMs, 'collabora')],
    start: makeStart(nowMs, {
      state: 'done',
      step: 'address',
      sentence:
        'Collabora Online was started at http://localhost:9980 and reaches DocTray at http://host.docker.internal:8790. For that, DocTray now also listens on 172.17.0.1.',
      result: {
        editorId: 'started-collabora',
        editorName: 'Collabora Online',
        url: 'http://localhost:9980',
        address: 'http://host.docker.internal:8790',
        wasRunning: false,
        openedHost: '172.17.0.1',
        warning: null,
      },
    }),
  }),
};

function scenarioOf(make: (nowMs: number) => Case, isFirstRun: boolean): (nowMs: number) => Scenario {
  return (nowMs) => {
    const {
      editors = [],
      detected = [],
      answers,
      engines = null,
      servers = [],
      downloaded = [],
      start = null,
    } = make(nowMs);
    return quiet(
      nowMs,
      {
        app: { isFirstRun },
        host: {
          folder: '/home/robin/Documents/DocTray',
          folderName: 'DocTray',
          publicUrl: 'http://127.0.0.1:8790',
        },
        editors: [makeTextEditor(nowMs), ...editors],
        documentServers: { engines, servers, downloaded, start },
        sessions: editors.map(({ name }, index) => makeSession(index, nowMs, { editor: name })),
      },
      {
        'host.defaultFolder': () => ({ path: '/home/robin/Documents/DocTray', exists: true }),
        'editors.detect': () => ({ servers: detected }),
        ...answers,
      },
    );
  };
}

export const documentServerScenarios = Object.fromEntries(
  Object.entries(cases).flatMap(([name, make]) => [
    [`first-${name}`, scenarioOf(make, true)],
    [`editors-${name}`, scenarioOf(make, false)],
  ]),
);
