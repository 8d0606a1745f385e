import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createChanges } from '../../app/host-page/changes.ts';
import type { EditorKind } from '../../app/contract/editors.ts';

function scene(kind: EditorKind) {
  const clock = { nowMs: 1_000_000 };
  return { clock, changes: createChanges({ now: () => clock.nowMs, kind: () => kind }) };
}

describe('what is unsaved', () => {
  it('is what Collabora says is', () => {
    const { changes, clock } = scene('collabora');
    assert.equal(changes.state(), 'none');
    changes.modified(false);
    assert.equal(changes.state(), 'none');
    changes.modified(true);
    clock.nowMs += 3_600_000;
    assert.equal(changes.state(), 'unsaved');
    changes.modified(false);
    assert.equal(changes.state(), 'saved');
    assert.equal(changes.savedAtMs(), clock.nowMs);
  });

  it('is with ONLYOFFICE’s server a minute after the last writing, and saved once the host counts one more save', () => {
    const { changes, clock } = scene('onlyoffice');
    changes.sawSaves(1);
    changes.edited();
    clock.nowMs += 59_000;
    changes.sawSaves(1);
    assert.equal(changes.state(), 'unsaved');
    clock.nowMs += 1000;
    assert.equal(changes.state(), 'with-editor');
    // The host forgets old tokens with what they saved.
    changes.sawSaves(0);
    assert.equal(changes.state(), 'with-editor');
    changes.sawSaves(1);
    assert.equal(changes.state(), 'saved');
    changes.edited();
    assert.equal(changes.state(), 'unsaved');
  });

  it('settles later with Microsoft’s editors, which save up to two minutes after', () => {
    const { changes, clock } = scene('office-online');
    changes.edited();
    clock.nowMs += 149_000;
    assert.equal(changes.state(), 'unsaved');
    clock.nowMs += 1000;
    assert.equal(changes.state(), 'with-editor');
  });

  it('is nothing when somebody else has saved', () => {
    const { changes } = scene('onlyoffice');
    changes.sawSaves(1);
    changes.sawSaves(2);
    assert.equal(changes.state(), 'none');
  });
});
