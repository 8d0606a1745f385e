import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import type { WindowState } from '../../../app/contract/state.ts';
import { createTrayActions } from '../../../app/desktop/tray-actions.ts';
import { editor, quietLog, settled, stateOf } from './desktop-fixture.ts';

function bench(options: { state?: WindowState; refuses?: Error } = {}): {
  act: ReturnType<typeof createTrayActions>;
  done: unknown[];
} {
  const done: unknown[] = [];
  const act = createTrayActions({
    run: (name, args) => {
      done.push([name, args]);
      return options.refuses === undefined ? Promise.resolve(null) : Promise.reject(options.refuses);
    },
    navigate: (to) => void done.push(to),
    showWindow: () => void done.push('show'),
    quit: () => void done.push('quit'),
    state: () => options.state ?? stateOf(),
    tell: (problem) => void done.push(problem.code),
    log: quietLog(),
  });
  return { act, done };
}

test('every entry of the tray does by a command what the window does', () => {
  const { act, done } = bench();
  act({ do: 'open-window' });
  act({ do: 'open-folder' });
  act({ do: 'copy-address' });
  act({ do: 'pause', minutes: null });
  act({ do: 'resume' });
  act({ do: 'quit' });
  assert.deepEqual(done, [
    'show',
    ['host.openFolder', {}],
    ['app.copyText', { text: 'http://192.168.1.7:8790' }],
    ['host.pause', { minutes: null }],
    ['host.resume', {}],
    'quit',
  ]);
});

test('an entry that leads to a view shows the window there', () => {
  const { act, done } = bench();
  act({ do: 'show', view: 'locks' });
  act({ do: 'show', view: 'documents', path: 'a/b.odt' });
  assert.deepEqual(done, ['show', { view: 'locks' }, 'show', { view: 'documents', path: 'a/b.odt' }]);
});

test('a recent document opens in an editor, and is shown where none opens it', async () => {
  const state = stateOf({ editors: [editor('Collabora')] });
  const { act, done } = bench({ state });
  act({ do: 'open-document', path: 'a/b.ODT' });
  assert.deepEqual(done, [['documents.openInEditor', { path: 'a/b.ODT', mode: 'edit', editorId: null }]]);
  const shown = ['show', { view: 'documents', path: 'a/b.xyz' }];
  const other = bench({ state });
  other.act({ do: 'open-document', path: 'a/b.xyz' });
  assert.deepEqual(other.done, shown);
  const nothing = bench();
  nothing.act({ do: 'open-document', path: 'a/b.xyz' });
  assert.deepEqual(nothing.done, shown);
  const away = bench({ state: { ...state, host: { ...state.host, status: 'error' } } });
  away.act({ do: 'open-document', path: 'a/b.odt' });
  assert.deepEqual(away.done, ['show', { view: 'documents', path: 'a/b.odt' }]);
  const refused = bench({ state, refuses: new AppError('no-editor') });
  refused.act({ do: 'open-document', path: 'a/b.odt' });
  await settled();
  assert.equal(refused.done.at(-1), 'no-editor');
});

test('without an address nothing is copied', () => {
  const { act, done } = bench({ state: stateOf({ host: { publicUrl: null, baseUrl: null } }) });
  act({ do: 'copy-address' });
  assert.deepEqual(done, []);
});

test('what could not be done is told, since nobody may look at the window', async () => {
  const known = bench({ refuses: new AppError('folder-missing') });
  known.act({ do: 'open-folder' });
  await settled();
  assert.deepEqual(known.done.slice(1), ['folder-missing']);
  const unknown = bench({ refuses: new Error('/home/ana is gone') });
  unknown.act({ do: 'resume' });
  await settled();
  assert.deepEqual(unknown.done.slice(1), ['internal']);
});
