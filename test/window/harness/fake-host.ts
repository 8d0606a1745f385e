// A fake host that runs in the page: answers the window's commands from a scenario and pushes changes, through the same Bridge as the
// preload script.

import type { Bridge } from '../../../app/contract/bridge.ts';
import type { CommandArgs, CommandName, CommandResult } from '../../../app/commands/commands.ts';
import type { CommandAnswer } from '../../../app/contract/results.ts';
import type { PushName, Pushes } from '../../../app/contract/pushes.ts';
import type { WindowState } from '../../../app/contract/state.ts';

export type TableName = 'locks' | 'sessions' | 'tokens' | 'recovered' | 'conflicts' | 'jobs';

/** What a response can use. */
export interface FakeHost {
  readonly state: WindowState;
  /** Each of these changes the state, and pushes the change. */
  set(values: Partial<WindowState>): void;
  upsert<Name extends TableName>(table: Name, rows: WindowState[Name]): void;
  remove(table: TableName, ids: readonly string[]): void;
  push<Name extends PushName>(name: Name, payload: Pushes[Name]): void;
  /** Every command that was called, oldest first. */
  readonly calls: { name: string; args: unknown }[];
  /** The delay of every response. */
  delayMs: number;
}

export type Answers = {
  [Name in CommandName]?: (
    args: CommandArgs<Name>,
    host: FakeHost,
  ) => CommandResult<Name> | Promise<CommandResult<Name>>;
};

export interface Scenario {
  state: WindowState;
  answers: Answers;
  /** Called once when the page is loaded, to push changes. */
  live?(host: FakeHost): void;
}

/** Thrown by a response, to make it an error. */
export class FakeRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function createFakeHost(scenario: Scenario): { bridge: Bridge; host: FakeHost; answers: Answers } {
  let state = scenario.state;
  const listeners = new Map<string, Set<(push: never) => void>>();
  const answers: Answers = { ...scenario.answers };

  const host: FakeHost = {
    get state() {
      return state;
    },
    calls: [],
    delayMs: 0,
    set: (change) => {
      state = { ...state, ...change };
      host.push('state-changed', change);
    },
    upsert: (table, rows) => {
      const changed = new Map<string, { id: string }>(rows.map((row) => [row.id, row]));
      const kept = state[table].map((row) => changed.get(row.id) ?? row);
      const known = new Set(kept.map(({ id }) => id));
      host.set({ [table]: [...kept, ...rows.filter(({ id }) => !known.has(id))] });
    },
    remove: (table, ids) => host.set({ [table]: state[table].filter(({ id }) => !ids.includes(id)) }),
    push: (name, payload) => {
      // a copy, as between processes
      const copy = structuredClone(payload);
      for (const listener of listeners.get(name) ?? []) (listener as (push: typeof copy) => void)(copy);
    },
  };

  const bridge: Bridge = {
    call: async (name, args) => {
      host.calls.push({ name, args });
      if (host.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, host.delayMs));
      const answer = answers[name as CommandName] as ((args: unknown, host: FakeHost) => unknown) | undefined;
      if (answer === undefined && name !== 'state.get') {
        return {
          isDone: false,
          error: { code: 'not-found', message: `The harness has no answer to ${name}.` },
        };
      }
      try {
        const result = answer === undefined ? state : await answer(structuredClone(args), host);
        return { isDone: true, result: structuredClone(result) } satisfies CommandAnswer<unknown>;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'internal';
        return {
          isDone: false,
          error: { code, message: error instanceof Error ? error.message : String(error) },
        };
      }
    },
    onPush: (name, listener) => {
      const known = listeners.get(name) ?? new Set();
      listeners.set(name, known);
      known.add(listener);
      return () => known.delete(listener);
    },
    importFiles: async (folderPath, files) => {
      const sources = files.map(() => '/home/ana/Desktop/dropped.docx');
      const answer = await bridge.call('documents.import', { folderPath, sources });
      if (!answer.isDone) return answer;
      const { jobId } = answer.result as { jobId: string };
      return { isDone: true, result: { jobIds: [jobId], withoutPath: 0, failure: null } };
    },
  };
  return { bridge, host, answers };
}
