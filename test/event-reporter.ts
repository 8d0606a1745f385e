// A reporter for node:test that writes each result as one line of JSON, for test/run.ts to count.

import type { TestEvent } from 'node:test/reporters';

/** `problem` is the failure, or why the test counts as failed; `isParent` means that only tests inside this one failed. */
export interface TestResult {
  kind: 'result';
  name: string;
  passed: boolean;
  problem?: string;
  isParent: boolean;
}

export type ResultLine =
  | TestResult
  /** The end of a top-level suite; the results since the last such line belong to it. */
  | { kind: 'suite'; name: string }
  /** The last line of every file whose tests all finished. */
  | { kind: 'end' }
  /** What node:test reports outside of tests, such as a promise that was rejected after its test. */
  | { kind: 'note'; text: string };

function explain(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined || depth > 3
    ? text
    : `${text}\ncaused by: ${explain(error.cause, depth + 1)}`;
}

function isOfChildren(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed';
}

function toLine(event: TestEvent): ResultLine | undefined {
  if (event.type === 'test:summary') return { kind: 'end' };
  if (event.type === 'test:diagnostic') {
    const { message } = event.data;
    return /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/.test(message)
      ? undefined
      : { kind: 'note', text: message };
  }
  if (event.type !== 'test:pass' && event.type !== 'test:fail') return undefined;
  const { name, skip, todo, details } = event.data;
  const isParent = event.type === 'test:fail' && isOfChildren(event.data.details.error);
  // a `describe` isn't a test; only its own hooks can fail it
  if (details.type === 'suite' && (event.type === 'test:pass' || isParent)) return undefined;
  const base = { kind: 'result', name, isParent } as const;
  if (skip !== undefined && skip !== false) {
    // Linux has what every test needs, so a skipped one hides a gap. Other systems lack some of it, such as /dev/full.
    return process.platform === 'linux' ? { ...base, passed: false, problem: 'skipped' } : undefined;
  }
  if (todo !== undefined && todo !== false) return { ...base, passed: false, problem: 'marked as to do' };
  if (event.type === 'test:pass') return { ...base, passed: true };
  const { error } = event.data.details;
  return { ...base, passed: false, problem: explain(error.cause ?? error) };
}

export default async function* eventReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const line = toLine(event);
    if (line !== undefined) yield `${JSON.stringify(line)}\n`;
    const isOver = event.type === 'test:pass' || event.type === 'test:fail';
    if (isOver && event.data.nesting === 0 && event.data.details.type === 'suite') {
      const end: ResultLine = { kind: 'suite', name: event.data.name };
      yield `${JSON.stringify(end)}\n`;
    }
  }
}
