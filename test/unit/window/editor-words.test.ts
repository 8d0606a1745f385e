import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorNeedsAttention, problemWords, remedyOf } from '../../../app/contract/editors.ts';
import type { ConnectionTest } from '../../../app/contract/editors.ts';
import { finding } from '../../../app/editors/findings.ts';
import { editorStatus, notConnected } from '../../../renderer/window/editors/words.ts';
import { makeDetected, untrustedServer } from '../../window/harness/document-servers.ts';

const tested = (state: 'passed' | 'warned' | 'failed'): ConnectionTest => ({
  editorId: 'a',
  testedAtMs: 0,
  isGood: state !== 'failed',
  steps: [{ name: 'callback', state, code: null, sentence: '', remedy: null, lines: [] }],
});
const gone = { code: 'refused', sentence: 'It refused.', sinceMs: 0 };

test('an unreachable editor is shown as such, whatever its last test found; a warning or a missing test needs no attention', () => {
  for (const [problem, lastTest, kind, needsAttention] of [
    [gone, tested('passed'), 'unreachable', true],
    [null, tested('failed'), 'failed', true],
    [null, tested('warned'), 'warned', false],
    [null, tested('passed'), 'good', false],
    [null, null, 'untested', false],
  ] as const) {
    const editor = { kind: 'other', problem, lastTest } as const;
    assert.deepEqual([editorStatus(editor).kind, editorNeedsAttention(editor)], [kind, needsAttention], kind);
  }
});

test('remedies have no terminal commands; the text editor’s names the place in the settings', () => {
  const place = {
    editor: { id: 'e1', name: 'Desk', kind: 'collabora', url: 'http://desk:9980' },
    baseUrl: 'http://127.0.0.1:8790',
  } as const;
  const codes =
    'no-view-action wrong-public-address not-listening address-is-loopback no-call address-not-allowed callback-tls-not-trusted callback-tls-failed proof-missing proof-no-keys proof-wrong-address';
  for (const code of codes.split(' ')) {
    const found = finding(code as Parameters<typeof finding>[0], place);
    assert.match(found.remedy ?? '', /`/u, 'the remedy for the terminal names a command');
    assert.doesNotMatch(remedyOf(found) ?? '', /`|\(\)|setting [a-z]+[A-Z]/u);
  }
  assert.equal(
    remedyOf(finding('not-listening', place)),
    'Choose the address again, and DocTray will listen there.',
  );
  assert.equal(
    problemWords({ code: 'port-taken', sentence: 'Port 1 is taken.', remedy: '`settings set`' }),
    'Port 1 is taken. Choose another port in Settings → Editors → Text editor → Details.',
  );
});

test('doesn’t offer servers connected since the search, but offers disconnected ones again', () => {
  const urls = (editors: { id: string; url: string }[]) =>
    notConnected([makeDetected({ editorId: 'gone' }), untrustedServer], editors).map(({ url }) => url);
  assert.deepEqual(urls([]), ['http://localhost:9980', 'https://localhost:8443']);
  assert.deepEqual(urls([{ id: 'new', url: 'http://localhost:9980' }]), ['https://localhost:8443']);
  assert.deepEqual(urls([{ id: 'gone', url: 'http://127.0.0.1:9980' }]), ['https://localhost:8443']);
});
