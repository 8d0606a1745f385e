import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createChanges } from '../../renderer/host-page/changes.ts';
import type { EditorKind } from '../../app/contract/editors.ts';
import type { MissedSave } from '../../app/contract/page-state.ts';

/** A host that counts saves; `ask` queries it as the real page does after every change. */
function scene(kind: EditorKind) {
  const clock = { nowMs: 1_000_000 };
  const changes = createChanges({ now: () => clock.nowMs, kind: () => kind });
  const saves = { run: 'first', begun: 0, written: 0 };
  const host: { missed: MissedSave | null } = { missed: null };
  const ask = (): void => changes.sawState({ saves: { ...saves }, missed: host.missed }, changes.count());
  const begin = (): number => (saves.begun += 1);
  const write = (number: number): void => {
    saves.written = Math.max(saves.written, number);
  };
  return { clock, changes, saves, host, ask, begin, write };
}

describe('a change in Collabora', () => {
  it('is saved once the host counts a save that began after it, not when the editor says so', () => {
    const { changes, ask, begin, write, clock } = scene('collabora');
    changes.modified(false);
    assert.equal(changes.state(), 'none');
    changes.modified(true);
    ask();
    assert.equal(changes.state(), 'unsaved');
    changes.modified(false);
    ask();
    clock.nowMs += 3_600_000;
    assert.equal(changes.state(), 'unconfirmed');
    write(begin());
    ask();
    assert.equal(changes.state(), 'saved');
    assert.equal(changes.savedAtMs(), clock.nowMs);
    changes.modified(true);
    assert.equal(changes.state(), 'unsaved');
  });

  it('may be in a save that the user asked for before the editor reported it, until that save arrives or none does', () => {
    const { changes, ask, begin, write, clock, host } = scene('collabora');
    const askToSave = (): void => {
      changes.asked();
      ask();
      assert.equal(changes.state(), 'unconfirmed');
    };
    changes.modified(false);
    askToSave();
    clock.nowMs += 10_000;
    const first = begin();
    ask();
    assert.equal(changes.state(), 'unconfirmed');
    write(first);
    ask();
    assert.equal(changes.state(), 'saved');
    // nothing was to save
    askToSave();
    clock.nowMs += 20_000;
    ask();
    assert.equal(changes.state(), 'saved');
    // a change that is reported stays
    askToSave();
    changes.modified(true);
    clock.nowMs += 20_000;
    ask();
    assert.equal(changes.state(), 'unsaved');
    write(begin());
    changes.modified(false);
    ask();
    // the save that was asked for isn't in the file
    askToSave();
    begin();
    host.missed = { kind: 'version', keptId: 'v1', atMs: 1 };
    ask();
    assert.equal(changes.state(), 'missed');
  });

  it('isn’t saved by a save that began before it', () => {
    const { changes, ask, begin, write } = scene('collabora');
    const slow = begin();
    changes.modified(true);
    ask();
    write(slow);
    changes.modified(false);
    ask();
    assert.equal(changes.state(), 'unconfirmed');
    write(begin());
    ask();
    assert.equal(changes.state(), 'saved');
  });

  it('isn’t saved while a later save is running or was rejected', () => {
    const { changes, ask, begin, write } = scene('collabora');
    changes.modified(true);
    ask();
    write(begin());
    const later = begin();
    changes.modified(false);
    ask();
    assert.equal(changes.state(), 'unconfirmed');
    write(later);
    ask();
    assert.equal(changes.state(), 'saved');
  });

  it('isn’t saved by a response to a query sent before it', () => {
    const { changes, saves, ask, begin, write } = scene('collabora');
    const asked = { ...saves };
    const before = changes.count();
    write(begin());
    changes.modified(true);
    // this response is older than the change, so the save after it doesn't count
    changes.sawState({ saves: asked, missed: null }, before);
    ask();
    changes.modified(false);
    ask();
    assert.equal(changes.state(), 'unconfirmed');
  });

  it('stays unsaved when it was typed during a save that leaves the editor modified', () => {
    const { changes, ask, begin, write, clock } = scene('collabora');
    changes.modified(true);
    ask();
    write(begin());
    ask();
    clock.nowMs += 5000;
    ask();
    assert.equal(changes.state(), 'unsaved');
    // the next save never arrives
    changes.modified(false);
    ask();
    assert.equal(changes.state(), 'unconfirmed');
  });

  it('may be in an editor that loads the document again, until a save arrives or it has nothing to save', () => {
    const { changes, ask, begin, write, clock, host } = scene('collabora');
    const reload = (meanwhile = (): void => undefined): void => {
      changes.modified(false);
      changes.reloading();
      ask();
      assert.equal(changes.state(), 'unconfirmed');
      meanwhile();
      // However long that takes.
      clock.nowMs += 60_000;
      ask();
      assert.equal(changes.state(), 'unconfirmed');
      changes.reloaded();
      ask();
      assert.equal(changes.state(), 'unsaved');
    };
    reload();
    changes.answered(true);
    assert.equal(changes.state(), 'none');
    // The answer to a Ctrl+S that came too early isn't the one to the page's request.
    reload(() => changes.asked());
    changes.answered(true);
    assert.equal(changes.state(), 'unsaved');
    changes.answered(true);
    assert.equal(changes.state(), 'none');
    reload();
    write(begin());
    ask();
    assert.equal(changes.state(), 'saved');
    // an editor that doesn't answer
    reload();
    clock.nowMs += 20_000;
    ask();
    assert.equal(changes.state(), 'saved');
    // a change that is reported stays
    reload();
    changes.modified(true);
    changes.answered(true);
    assert.equal(changes.state(), 'unsaved');
    // what isn't in the file is known
    host.missed = { kind: 'recovered', keptId: 'r1', atMs: 1 };
    ask();
    changes.reloading();
    changes.reloaded();
    assert.equal(changes.state(), 'missed');
  });

  it('is saved even if the host counts the save before the editor says that nothing is unsaved', () => {
    const { changes, ask, begin, write } = scene('collabora');
    changes.modified(true);
    ask();
    write(begin());
    // twice within half a second, as while the page is being closed
    ask();
    ask();
    assert.equal(changes.state(), 'unsaved');
    changes.modified(false);
    assert.equal(changes.state(), 'unconfirmed', 'until the host confirms it');
    ask();
    assert.equal(changes.state(), 'saved');
  });

  it('is saved by a save after the host was away, although the editor reports changes forever after a failed one', () => {
    const { changes, saves, ask, clock } = scene('collabora');
    ask();
    changes.modified(true);
    changes.lostTouch();
    Object.assign(saves, { run: 'second', begun: 0, written: 0 });
    changes.lostTouch();
    ask();
    assert.equal(changes.state(), 'unsaved');
    Object.assign(saves, { begun: 1, written: 1 });
    ask();
    assert.equal(changes.state(), 'saved');
    clock.nowMs += 60_000;
    changes.lostTouch();
    assert.notEqual(changes.state(), 'saved', 'it may have failed to save what it doesn’t report');
  });

  it('isn’t saved while the newest save isn’t in the file, whatever the editor reports', () => {
    const { changes, host, ask, begin, write } = scene('collabora');
    // Its flag lags behind the keyboard: the save arrives, and no change was ever reported.
    begin();
    host.missed = { kind: 'recovered', keptId: 'r1', atMs: 1 };
    ask();
    assert.equal(changes.state(), 'missed');
    changes.modified(false);
    ask();
    assert.equal(changes.state(), 'missed');
    host.missed = null;
    write(begin());
    ask();
    assert.equal(changes.state(), 'none');
  });

  it('isn’t saved after its recovered save was restored as a copy or discarded', () => {
    const { changes, host, ask, begin, write } = scene('collabora');
    ask();
    begin();
    host.missed = { kind: 'recovered', keptId: 'r1', atMs: 1 };
    ask();
    host.missed = null;
    ask();
    ask();
    assert.equal(changes.state(), 'unsaved');
    write(begin());
    ask();
    changes.modified(false);
    ask();
    assert.equal(changes.state(), 'saved');
  });

  it('has reached the host with a save that began after it, wherever that is', () => {
    const { changes, host, ask, begin } = scene('collabora');
    changes.modified(true);
    ask();
    assert.equal(changes.isReceived(), false);
    begin();
    host.missed = { kind: 'recovered', keptId: 'r1', atMs: 1 };
    ask();
    assert.equal(changes.isReceived(), true);
    changes.changed();
    ask();
    assert.equal(changes.isReceived(), false);
  });

  it('is saved by a save after a host restart if the host was queried between change and restart', () => {
    const { changes, saves, ask } = scene('collabora');
    changes.modified(true);
    ask();
    changes.modified(false);
    Object.assign(saves, { run: 'second', begun: 0, written: 0 });
    ask();
    assert.equal(changes.state(), 'unconfirmed');
    Object.assign(saves, { begun: 1, written: 1 });
    ask();
    assert.equal(changes.state(), 'saved');
  });

  it('is saved by a save that finished after a host restart and before the next query', () => {
    const { changes, saves, ask } = scene('collabora');
    changes.modified(true);
    ask();
    changes.modified(false);
    Object.assign(saves, { run: 'second', begun: 1, written: 1 });
    ask();
    assert.equal(changes.state(), 'saved');
  });

  it('waits for another save when the host restarted before it could be queried', () => {
    const { changes, saves, ask, begin, write } = scene('collabora');
    changes.modified(true);
    changes.modified(false);
    Object.assign(saves, { run: 'second', begun: 5, written: 5 });
    ask();
    assert.equal(changes.state(), 'unconfirmed');
    write(begin());
    ask();
    assert.equal(changes.state(), 'saved');
  });
});

describe('a change in an editor that only signals typing', () => {
  it('has reached ONLYOFFICE’s server after a minute, and is saved once the host counts a save', () => {
    const { changes, clock, ask, begin, write } = scene('onlyoffice');
    changes.changed();
    ask();
    clock.nowMs += 59_000;
    assert.equal(changes.state(), 'unsaved');
    clock.nowMs += 1000;
    assert.equal(changes.state(), 'with-editor');
    write(begin());
    ask();
    assert.equal(changes.state(), 'saved');
    changes.changed();
    assert.equal(changes.state(), 'unsaved');
  });

  it('isn’t with ONLYOFFICE’s server after its recovered save was restored as a copy, until another save is written', () => {
    const { changes, host, clock, ask, begin, write } = scene('onlyoffice');
    ask();
    begin();
    host.missed = { kind: 'recovered', keptId: 'r1', atMs: 1 };
    ask();
    host.missed = null;
    ask();
    ask();
    clock.nowMs += 60_000;
    assert.equal(changes.state(), 'unsaved');
    write(begin());
    ask();
    assert.equal(changes.state(), 'saved');
    changes.changed();
    clock.nowMs += 60_000;
    assert.equal(changes.state(), 'with-editor');
  });

  it('counts as with Microsoft’s server only after 2.5 minutes', () => {
    const { changes, clock } = scene('office-online');
    changes.changed();
    clock.nowMs += 149_000;
    assert.equal(changes.state(), 'unsaved');
    clock.nowMs += 1000;
    assert.equal(changes.state(), 'with-editor');
  });

  it('isn’t reported when another user has saved', () => {
    const { changes, ask, begin, write } = scene('onlyoffice');
    ask();
    write(begin());
    ask();
    assert.equal(changes.state(), 'none');
  });
});
