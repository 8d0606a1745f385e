// Runs on a machine of the lab. Reads one call per line as JSON, and answers each with a line. Exits when its standard input ends.

import { createInterface } from 'node:readline';
import { startDocumentServer } from '../editors/servers/document-server.ts';
import type { DocumentServer, DocumentServerOptions } from '../editors/servers/document-server.ts';
import { ask, visit, type PostedForm, type Visit } from '../editors/servers/visitor.ts';

/** The latest one. */
let server: DocumentServer | undefined;
const visits: Visit[] = [];

function running(): DocumentServer {
  if (server === undefined) throw new Error('no document server runs here');
  return server;
}

function visitOf(number: number): Visit {
  const found = visits[number];
  if (found === undefined) throw new Error(`no visit ${number}`);
  return found;
}

const calls = {
  ask,
  /** @returns its URL */
  async startServer(options: DocumentServerOptions) {
    server = await startDocumentServer(options);
    return server.url;
  },
  trust: (authority: string) => running().trust(authority),
  /** Operation and status of every call to the host, oldest first. */
  calls: () => running().exchanges.map(({ operation, status }): [string, number] => [operation, status]),
  /** Types or saves in every open session, as their pages would. @returns the number of sessions */
  async drive(verb: 'type' | 'save', text = '') {
    // Not those of connection tests.
    const open = running().sessions.filter((session) => !session.hasLeft && session.view()?.mode === 'edit');
    for (const session of open) {
      if (verb === 'type') session.type(text);
      else await session.save();
    }
    return open.length;
  },
  /** Posts the form to an editor and runs its page. @returns the number of the visit */
  visit: async (form: PostedForm) => visits.push(await visit(form)) - 1,
  state: (number: number) => visitOf(number).state(),
  do: (number: number, verb: string, body?: Record<string, unknown>) => visitOf(number).do(verb, body),
};

export type MachineCalls = typeof calls;

export interface MachineRequest {
  id: number;
  name: keyof MachineCalls;
  args: unknown[];
}

export interface MachineAnswer {
  id: number;
  result?: unknown;
  error?: string;
}

async function answer({ id, name, args }: MachineRequest): Promise<MachineAnswer> {
  try {
    const call = calls[name] as (...given: unknown[]) => unknown;
    return { id, result: await call(...args) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  void answer(JSON.parse(line) as MachineRequest).then((response) =>
    process.stdout.write(`${JSON.stringify(response)}\n`),
  );
});
lines.on('close', () => process.exit(0));
