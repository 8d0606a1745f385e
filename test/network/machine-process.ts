// Runs on a machine of the lab: takes a line of JSON for each deed, and answers with one. Ends with its standard input.

import { createInterface } from 'node:readline';
import { startDocumentServer, type DocumentServer } from '../editors/servers/document-server.ts';
import { ask, visit, type Visit } from '../editors/servers/visitor.ts';
import type { MachineAnswer, MachineDeeds, MachineRequest } from './machine.ts';

type Doing = {
  [Name in keyof MachineDeeds]: (
    ...args: Parameters<MachineDeeds[Name]>
  ) => ReturnType<MachineDeeds[Name]> | Promise<ReturnType<MachineDeeds[Name]>>;
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

const doing: Doing = {
  ask,
  async startServer(options) {
    server = await startDocumentServer(options);
    return server.url;
  },
  trust: (authority) => running().trust(authority),
  async sign({ signing, skewMs, isRotated }) {
    if (signing !== undefined) running().keys.use(signing);
    if (skewMs !== undefined) running().keys.skew(skewMs);
    if (isRotated === true) await running().keys.rotate();
  },
  beSlow: (slowness) => running().beSlow(slowness ?? undefined),
  calls: () => running().exchanges.map(({ operation, status }) => [operation, status]),
  async drive(verb, call) {
    const open = running().sessions.filter(({ hasLeft }) => !hasLeft);
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
    const deed = doing[name] as (...given: unknown[]) => unknown;
    return { id, result: await deed(...args) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  void answer(JSON.parse(line) as MachineRequest).then((answered) =>
    process.stdout.write(`${JSON.stringify(answered)}\n`),
  );
});
lines.on('close', () => process.exit(0));
