import assert from 'node:assert/strict';
import { runTerminal } from '../../app/terminal/program.ts';
import { fakeTerminal } from '../unit/terminal/fake-terminal.ts';

/** Runs commands in the test's process, because a process for each takes longer than the command. @returns what it prints */
export function commandsIn(data: string) {
  return async (...args: string[]): Promise<string> => {
    const { terminal, out, err } = fakeTerminal({ isTTY: false, env: process.env });
    assert.equal(await runTerminal([...args, '--data', data], terminal), 0, err());
    return out();
  };
}
