// The latest lines of the log, for the window: after secrets were removed, and with warnings and errors kept apart, so that a busy day
// doesn't push them out.

export interface LogTailLine {
  /** Increases with every line. */
  number: number;
  atMs: number;
  level: 'debug' | 'info' | 'warn' | 'error';
  /** The message, then each field as `name=value`. */
  text: string;
}

export interface LogTail {
  /** @param line one JSON object, as in the log */
  add(line: string): void;
  /** Oldest first. */
  lines(): LogTailLine[];
  /** The lines as they are in the log, oldest first. */
  raw(): string[];
}

const maxProblems = 500;
const maxOthers = 500;

export function createLogTail(): LogTail {
  let number = 0;
  const problems: { number: number; line: string }[] = [];
  const others: { number: number; line: string }[] = [];

  const sorted = () => [...problems, ...others].toSorted((a, b) => a.number - b.number);

  return {
    add(line) {
      number += 1;
      const isProblem = /^\{"level":"(?:warn|error)"/u.test(line);
      const [kept, max] = isProblem ? [problems, maxProblems] : [others, maxOthers];
      kept.push({ number, line });
      if (kept.length > 2 * max) kept.splice(0, max);
    },
    lines: () => sorted().flatMap(({ number: at, line }) => parsed(at, line) ?? []),
    raw: () => sorted().map(({ line }) => line),
  };
}

function parsed(number: number, line: string): LogTailLine | undefined {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const { level, time, msg, ...rest } = fields;
  const values = Object.entries(rest).map(([name, value]) => `${name}=${wordsOf(value)}`);
  return {
    number,
    atMs: Date.parse(String(time)) || 0,
    level: level as LogTailLine['level'],
    text: [String(msg), ...values].join('  '),
  };
}

/** An error's stack is for the copied diagnostics. */
function wordsOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'message' in value && 'type' in value)
    return `${String(value.type)}: ${String(value.message)}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
