import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentServerStart } from '../../../app/contract/document-servers.ts';
import {
  detectedTitle,
  engineAdvice,
  notConnected,
  progressOf,
  startHint,
} from '../../../renderer/window/editors/words.ts';
import {
  dockerOnly,
  dockerStopped,
  makeDetected,
  missingEngine,
  noEngines,
  readyDocker,
  untrustedServer,
} from '../harness/document-servers.ts';

test('gives advice on the installed engine, or on installing one if there is none', () => {
  assert.equal(engineAdvice(dockerOnly), null);
  assert.equal(engineAdvice([missingEngine('docker'), { ...readyDocker, name: 'podman' }]), null);
  assert.deepEqual(engineAdvice(dockerStopped), {
    sentence:
      'Docker is installed, but it isn’t running. Start the Docker service or Docker Desktop, then try again.',
    help: 'docker-start',
  });
  assert.equal(engineAdvice(noEngines)?.help, 'docker-install');
  assert.match(startHint([missingEngine('docker'), { ...readyDocker, name: 'podman' }]), /in Podman\./u);
});

test('doesn’t offer servers connected since the search, but offers disconnected ones again', () => {
  const urls = (editors: { id: string; url: string }[]) =>
    notConnected([makeDetected({ editorId: 'gone' }), untrustedServer], editors).map(({ url }) => url);
  assert.deepEqual(urls([]), ['http://localhost:9980', 'https://localhost:8443']);
  assert.deepEqual(urls([{ id: 'new', url: 'http://localhost:9980' }]), ['https://localhost:8443']);
  assert.deepEqual(urls([{ id: 'gone', url: 'http://127.0.0.1:9980' }]), ['https://localhost:8443']);
});

test('gives a server whose product is unknown a general name', () => {
  assert.equal(detectedTitle(untrustedServer), 'Document server');
  assert.equal(detectedTitle(makeDetected()), 'Collabora Online Development Edition 25.04.6');
});

test('shows progress as a percentage if the total is known, below 100% until the end', () => {
  const shown = (progress: DocumentServerStart['progress']) => progressOf({ progress });
  assert.deepEqual(shown(null), { value: null, text: '' });
  assert.deepEqual(shown({ done: 3, total: null, unit: 'layers' }), { value: null, text: '' });
  assert.deepEqual(shown({ done: 2048, total: null, unit: 'bytes' }), { value: null, text: '2 KB' });
  assert.deepEqual(shown({ done: 5, total: 12, unit: 'layers' }), {
    value: 5 / 12,
    text: '41% · 5 of 12 layers',
  });
  assert.match(shown({ done: 999, total: 1000, unit: 'bytes' }).text, /^99%/u);
});
