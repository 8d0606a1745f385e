// A fake host that runs in the page: answers the window's commands from a scenario and pushes changes, through the same Bridge as the
// preload script.

import type { Bridge } from '../../../app/contract/bridge.ts';
import type { CommandArgs, CommandName, CommandResult } from '../../../app/commands/commands.ts';
import type { CommandAnswer } from '../../../app/contract/results.ts';
import type { PushName, Pushes } from '../../../app/contract/pushes.ts';
import type { WindowState } from '../../../app/contract/state.ts';

export type TableName = 'locks' | 'sessions' | 'tokens' | 'recovered' | 'conflicts' | 'jobs';

/** Of these parts of the state, a change names only the values that differ. */
type MergedParts = Pick<WindowState, 'app' | 'host' | 'settings' | 'documentServers'>;
export type StateChange = Partial<Omit<WindowState, keyof MergedParts>> & {
  [Part in keyof MergedParts]?: Partial<MergedParts[Part]>;
};

/** What a response can use. */
export interface FakeHost {
  readonly state: WindowState;
  /** Each of these changes the state, and pushes the change. */
  set(change: StateChange): void;
  upsert<Name extends TableName>(table: Name, rows: WindowState[Name]): void;
  remove(table: TableName, ids: readonly string[]): void;
  push<Name extends PushName>(name: Name, payload: Pushes[Name]): void;
  /** Every command that was called, oldest first. */
  readonly calls: { name: string; args: unknown }[];
}

/** By command; any other command returns null. */
export type Answers = {
  [Name in CommandName]?: (
    args: CommandArgs<Name>,
    host: FakeHost,
  ) => CommandResult<Name> | Promise<CommandResult<Name>>;
};

export interface Scenario {
  state: WindowState;
  answers: Answers;
}

/** The response of a host that doesn't respond. */
export const never = async () => new Promise<never>(() => undefined);

/** Thrown by a response, to make it an error. */
export class FakeRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function refuse(code: string, message: string): () => never {
  return () => {
    throw new FakeRefusal(code, message);
  };
}

/** The parts of a state that a change replaces. */
function changedParts(state: WindowState, change: StateChange): Partial<WindowState> {
  const parts = Object.entries(change).map(([name, values]) => {
    const before = state[name as keyof WindowState];
    return [name, Array.isArray(values) ? values : { ...(before as object), ...values }];
  });
  return Object.fromEntries(parts) as Partial<WindowState>;
}

/** A scenario with another state, and answers that replace or add to its own. */
export function changed(scenario: Scenario, change: StateChange, answers: Answers = {}): Scenario {
  return {
    ...scenario,
    state: { ...scenario.state, ...changedParts(scenario.state, change) },
    answers: { ...scenario.answers, ...answers },
  };
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
    set: (change) => {
      const parts = changedParts(state, change);
      state = { ...state, ...parts };
      host.push('state-changed', parts);
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
      const answer = answers[name as CommandName] as ((args: unknown, host: FakeHost) => unknown) | undefined;
      try {
        const result =
          name === 'state.get' && answer === undefined ? state : await answer?.(structuredClone(args), host);
        return { isDone: true, result: structuredClone(result ?? null) } satisfies CommandAnswer<unknown>;
      } catch (error) {
        const { code = 'internal', message } = error as Error & { code?: string };
        return { isDone: false, error: { code, message } };
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
