import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createChanges } from '../../renderer/host-page/changes.ts';
import type { EditorKind } from '../../app/contract/editors.ts';
import type { MissedSave } from '../../app/contract/page-state.ts';

/** What may happen, by its word in a story. The real page asks the host after every change. */
function scene(kind: EditorKind) {
  const clock = { nowMs: 1_000_000 };
  const changes = createChanges({ now: () => clock.nowMs, kind: () => kind });
  let saves = { run: 'first', begun: 0, written: 0 };
  let missed: MissedSave | null = null;
  /** The host's answer to a question that is asked now. */
  const answer = () => {
    const [state, before] = [{ saves: { ...saves }, missed }, changes.count()];
    return () => changes.sawState(state, before);
  };
  let late = answer();
  const miss = (kind: MissedSave['kind']) => () => {
    saves.begun += 1;
    missed = { kind, keptId: 'r1', atMs: saves.begun };
  };
  const restart = (begun: number) => () => (saves = { run: `${saves.run}+`, begun, written: begun });
  const words: Record<string, () => unknown> = {
    // the editor
    modified: () => changes.modified(true),
    unmodified: () => changes.modified(false),
    typed: changes.changed,
    'Ctrl+S': changes.asked,
    reloading: changes.reloading,
    reloaded: changes.reloaded,
    'nothing-to-save': () => changes.answered(true),
    // the host
    ask: () => answer()(),
    'ask-slowly': () => (late = answer()),
    'slow-answer': () => late(),
    begin: () => (saves.begun += 1),
    write: () => (saves.written = saves.begun),
    // the save that began before the newest one
    'write-older': () => (saves.written = saves.begun - 1),
    save: () => (saves.written = saves.begun += 1),
    'miss-recovered': miss('recovered'),
    'miss-version': miss('version'),
    decided: () => (missed = null),
    away: changes.lostTouch,
    restart: restart(0),
    'restart-and-save': restart(1),
    'restart-and-saves': restart(5),
    // time
    ...Object.fromEntries(
      [1, 5, 10, 20, 59, 60, 149, 3600].map((seconds) => [
        `${seconds}s`,
        () => (clock.nowMs += seconds * 1000),
      ]),
    ),
  };
  return { clock, changes, words };
}

/** What happens, then the state that follows. */
type Story = [happens: string, state: ReturnType<ReturnType<typeof createChanges>['state']>][];

function tell(kind: EditorKind, story: Story) {
  const { changes, words, clock } = scene(kind);
  for (const [index, [happens, state]] of story.entries()) {
    for (const word of happens.split(' ')) {
      assert.ok(words[word] !== undefined, word);
      words[word]();
    }
    assert.equal(changes.state(), state, `${index + 1}: ${happens}`);
  }
  return { changes, clock };
}

describe('a change in Collabora', () => {
  const stories: Record<string, Story> = {
    'is saved once the host counts a save that began after it, not when the editor says so': [
      ['unmodified', 'none'],
      ['modified ask', 'unsaved'],
      ['unmodified ask 3600s', 'unconfirmed'],
      ['save ask', 'saved'],
      ['modified', 'unsaved'],
    ],
    'may be in a save that the user asked for before the editor reported it, until that save arrives or none does':
      [
        ['unmodified Ctrl+S ask', 'unconfirmed'],
        ['10s begin ask', 'unconfirmed'],
        ['write ask', 'saved'],
        // nothing was to save
        ['Ctrl+S ask', 'unconfirmed'],
        ['20s ask', 'saved'],
        // a change that is reported stays
        ['Ctrl+S ask modified 20s ask', 'unsaved'],
        ['save unmodified ask', 'saved'],
        // the save that was asked for isn't in the file
        ['Ctrl+S ask', 'unconfirmed'],
        ['miss-version ask', 'missed'],
      ],
    'isn’t saved by a save that began before it': [
      ['begin modified ask write unmodified ask', 'unconfirmed'],
      ['save ask', 'saved'],
    ],
    'isn’t saved while a later save is running or was rejected': [
      ['modified ask begin begin write-older unmodified ask', 'unconfirmed'],
      ['write ask', 'saved'],
    ],
    'isn’t saved by a response to a query sent before it': [
      ['ask-slowly save modified slow-answer ask unmodified ask', 'unconfirmed'],
    ],
    'stays unsaved when it was typed during a save that leaves the editor modified': [
      ['modified ask save ask 5s ask', 'unsaved'],
      // the next save never arrives
      ['unmodified ask', 'unconfirmed'],
    ],
    'may be in an editor that loads the document again, until a save arrives or it has nothing to save': [
      ['unmodified reloading ask', 'unconfirmed'],
      // However long that takes.
      ['60s ask', 'unconfirmed'],
      ['reloaded ask', 'unsaved'],
      ['nothing-to-save', 'none'],
      // The answer to a Ctrl+S that came too early isn't the one to the page's request.
      ['unmodified reloading ask Ctrl+S 60s ask', 'unconfirmed'],
      ['reloaded ask nothing-to-save', 'unsaved'],
      ['nothing-to-save', 'none'],
      ['unmodified reloading ask reloaded ask save ask', 'saved'],
      // an editor that doesn't answer
      ['unmodified reloading ask reloaded ask', 'unsaved'],
      ['20s ask', 'saved'],
      // a change that is reported stays
      ['unmodified reloading ask reloaded ask modified nothing-to-save', 'unsaved'],
      // what isn't in the file is known
      ['miss-recovered ask reloading reloaded', 'missed'],
    ],
    'is saved even if the host counts the save before the editor says that nothing is unsaved': [
      // twice within half a second, as while the page is being closed
      ['modified ask save ask ask', 'unsaved'],
      // until the host confirms it
      ['unmodified', 'unconfirmed'],
      ['ask', 'saved'],
    ],
    'is saved by a save after the host was away, although the editor reports changes forever after a failed one':
      [
        ['ask modified away restart away ask', 'unsaved'],
        ['save ask', 'saved'],
        // it may have failed to save what it doesn't report
        ['60s away', 'unconfirmed'],
      ],
    'is saved by a save after a rejected one, although the editor reports changes forever after that': [
      ['modified ask miss-recovered ask', 'unsaved'],
      ['decided save ask', 'saved'],
      ['modified ask', 'unsaved'],
    ],
    'isn’t saved while the newest save isn’t in the file, whatever the editor reports': [
      // Its flag lags behind the keyboard: the save arrives, and no change was ever reported.
      ['miss-recovered ask', 'missed'],
      ['unmodified ask', 'missed'],
      ['decided save ask', 'none'],
    ],
    'isn’t saved after its recovered save was restored as a copy or discarded': [
      ['ask miss-recovered ask decided ask ask', 'unsaved'],
      ['save ask unmodified ask', 'saved'],
    ],
    'is saved by a save after a host restart if the host was queried between change and restart': [
      ['modified ask unmodified restart ask', 'unconfirmed'],
      ['save ask', 'saved'],
    ],
    'is saved by a save that finished after a host restart and before the next query': [
      ['modified ask unmodified restart-and-save ask', 'saved'],
    ],
    'waits for another save when the host restarted before it could be queried': [
      ['modified unmodified restart-and-saves ask', 'unconfirmed'],
      ['save ask', 'saved'],
    ],
  };
  for (const [title, story] of Object.entries(stories)) it(title, () => void tell('collabora', story));

  it('has reached the host with a save that began after it, wherever that is', () => {
    for (const [happens, state, isReceived] of [
      ['modified ask', 'unsaved', false],
      ['modified ask miss-recovered ask', 'unsaved', true],
      ['modified ask miss-recovered ask typed ask', 'unsaved', false],
    ] as const)
      assert.equal(tell('collabora', [[happens, state]]).changes.isReceived(), isReceived, happens);
  });

  it('has the time of the save', () => {
    const { changes, clock } = tell('collabora', [['modified ask 10s unmodified save ask', 'saved']]);
    assert.equal(changes.savedAtMs(), clock.nowMs);
  });
});

describe('a change in the text editor', () => {
  it('is saved as soon as the host answers after an outage, if it was saved before the page could ask', () => {
    tell('text-editor', [
      ['modified ask away restart modified unmodified', 'unconfirmed'],
      ['begin ask', 'unconfirmed'],
      ['write ask', 'saved'],
      ['modified restart-and-save unmodified ask', 'saved'],
      ['modified restart-and-save ask', 'unsaved'],
      ['unmodified miss-recovered ask', 'unconfirmed'],
    ]);
  });
});

describe('a change in an editor that only signals typing', () => {
  it('has reached ONLYOFFICE’s server after a minute, Microsoft’s after 2.5 minutes, and is saved once the host counts a save', () => {
    tell('onlyoffice', [
      ['typed ask 59s', 'unsaved'],
      ['1s', 'with-editor'],
      ['save ask', 'saved'],
      ['typed', 'unsaved'],
    ]);
    tell('office-online', [
      ['typed 149s', 'unsaved'],
      ['1s', 'with-editor'],
    ]);
  });

  it('isn’t with ONLYOFFICE’s server after its recovered save was restored as a copy, until another save is written', () => {
    tell('onlyoffice', [
      ['ask miss-recovered ask decided ask ask 60s', 'unsaved'],
      ['save ask', 'saved'],
      ['typed 60s', 'with-editor'],
    ]);
  });

  it('isn’t reported when another user has saved', () => {
    tell('onlyoffice', [['ask save ask', 'none']]);
  });
});
