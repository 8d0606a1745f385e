import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionTest } from '../../../app/contract/editors.ts';
import {
  abilityFor,
  listed,
  needsAttention,
  productOf,
  standingOf,
  typeOf,
  typesByAbility,
} from '../../../renderer/views/editor-words.ts';

const tested = (state: 'passed' | 'warned' | 'failed'): ConnectionTest => ({
  editorId: 'a',
  testedAtMs: 0,
  isGood: state !== 'failed',
  steps: [{ name: 'callback', state, code: null, sentence: '', remedy: null, lines: [] }],
});
const gone = { code: 'refused', sentence: 'It refused.', sinceMs: 0 };

test('an editor that does not answer counts before whatever its last test said', () => {
  const kind = (problem: typeof gone | null, lastTest: ConnectionTest | null) =>
    standingOf({ kind: 'other', problem, lastTest }).kind;
  assert.equal(kind(gone, tested('passed')), 'unreachable');
  assert.equal(kind(null, tested('failed')), 'failed');
  assert.equal(kind(null, tested('warned')), 'warned');
  assert.equal(kind(null, tested('passed')), 'good');
  assert.equal(kind(null, null), 'untested');
});

test('the built-in editor is ready without a test, as DocTray runs it itself', () => {
  const { kind, words } = standingOf({ kind: 'text-editor', problem: null, lastTest: null });
  assert.deepEqual([kind, words], ['good', 'Ready']);
  assert.equal(standingOf({ kind: 'text-editor', problem: gone, lastTest: null }).words, 'Not available');
});

test('a warning or a test that was never made needs nobody', () => {
  assert.deepEqual(
    [
      { problem: gone, lastTest: null },
      { problem: null, lastTest: tested('failed') },
      { problem: null, lastTest: tested('warned') },
      { problem: null, lastTest: null },
    ].map(needsAttention),
    [true, true, false, false],
  );
});

test('a product that does not say what it is is called by its kind', () => {
  assert.equal(productOf({ kind: 'collabora', product: null, version: null }), 'Collabora Online');
  assert.equal(productOf({ kind: 'other', product: 'Papers', version: '3.1' }), 'Papers 3.1');
});

test('a type stands with the most that is done with it', () => {
  const types = [
    { extension: 'pdf', actions: ['view' as const] },
    { extension: 'xlsx', actions: ['view' as const, 'edit' as const, 'convert' as const] },
    { extension: 'doc', actions: ['view' as const, 'convert' as const] },
    { extension: 'docx', actions: ['editnew' as const] },
  ];
  assert.deepEqual(typesByAbility(types), { edit: ['docx', 'xlsx'], convert: ['doc'], view: ['pdf'] });
  assert.equal(abilityFor({ types }, 'doc'), 'convert');
  assert.equal(abilityFor({ types }, 'zip'), undefined);
});

test('the type of a name is its last extension in lower case; a dot at the start makes none', () => {
  assert.deepEqual(['Letter.DOCX', 'a.tar.gz', '.hidden', 'plain'].map(typeOf), ['docx', 'gz', '', '']);
});

test('names are listed as people list them', () => {
  assert.deepEqual(
    [listed([]), listed(['A']), listed(['A', 'B']), listed(['A', 'B', 'C'])],
    ['', 'A', 'A and B', 'A, B and C'],
  );
});
