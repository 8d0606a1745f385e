// Runs on a machine of the lab. Reads one call per line as JSON, and answers each with a line. Exits when its standard input ends.

import { createInterface } from 'node:readline';
import { startDocumentServer, type DocumentServer } from '../editors/servers/document-server.ts';
import { ask, visit, type Visit } from '../editors/servers/visitor.ts';
import type { MachineAnswer, MachineCalls, MachineRequest } from './machine.ts';

type Handlers = {
  [Name in keyof MachineCalls]: (
    ...args: Parameters<MachineCalls[Name]>
  ) => ReturnType<MachineCalls[Name]> | Promise<ReturnType<MachineCalls[Name]>>;
};

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

const handlers: Handlers = {
  ask,
  async startServer(options) {
    server = await startDocumentServer(options);
    return server.url;
  },
  trust: (authority) => running().trust(authority),
  calls: () => running().exchanges.map(({ operation, status }) => [operation, status]),
  async drive(verb, call) {
    // Not those of connection tests.
    const open = running().sessions.filter((session) => !session.hasLeft && session.view()?.mode === 'edit');
    for (const session of open) {
      if (verb === 'type') session.type(call?.text ?? '');
      else await session.save();
    }
    return open.length;
  },
  visit: async (form) => visits.push(await visit(form)) - 1,
  state: (number) => visitOf(number).state(),
  do: (number, verb, body) => visitOf(number).do(verb, body),
  goAway: (number) => visitOf(number).goAway(),
};

async function answer({ id, name, args }: MachineRequest): Promise<MachineAnswer> {
  try {
    const handler = handlers[name] as (...given: unknown[]) => unknown;
    return { id, result: await handler(...args) };
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
