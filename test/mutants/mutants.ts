// Chooses random small changes of the sources, each in one line, for `npm run mutants`.

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

const projectRoot = join(import.meta.dirname, '..', '..');

export interface Mutant {
  /** Depends only on the seed, the file and the line's text, so a change elsewhere keeps the other mutants of a seed. */
  id: string;
  /** Relative to the project root. */
  file: string;
  line: number;
  /** The whole line. */
  before: string;
  after: string;
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>;
type Edit = [start: number, end: number, text: string];

const pairs = ['< <=', '> >=', '=== !==', '== !=', '&& ||'].map(
  (pair) => pair.split(' ') as [string, string],
);
const swapped = new Map(pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]));

const sqlText = /\b(?:SELECT|UPDATE|DELETE|WHERE|AND)\b/;
const sqlSwaps: [RegExp, string][] = [
  // Drops the conditions that follow, but keeps their parameters.
  [/ AND /g, ' OR 0 AND '],
  [/ OR /g, ' AND '],
  [/ IS NULL\b/g, ' IS NOT NULL'],
  [/ IS NOT NULL\b/g, ' IS NULL'],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
];

/** What type stripping leaves of other such nodes is nothing. */
const typedExpression = /^TS(?:As|NonNull|Satisfies)Expression$/;
/** Calls that can't be dropped, or that no test needs to check. */
const keptCalls = /^(?:super\b|(?:\w+\.)?log\.)/;
const isEquality = (operator: unknown): boolean => /^[!=]==?$/.test(String(operator));

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function editsIn(node: unknown, source: string): Edit[] {
  if (Array.isArray(node)) return node.flatMap((one) => editsIn(one, source));
  if (!isNode(node) || (node.type.startsWith('TS') && !typedExpression.test(node.type))) return [];
  return [...editsOf(node, source), ...Object.values(node).flatMap((child) => editsIn(child, source))];
}

function editsOf(node: Node, source: string): Edit[] {
  const { type, start, end, operator, value, left, right, test, consequent, expression } = node;
  const text = source.slice(start, end);
  if ((type === 'BinaryExpression' || type === 'LogicalExpression') && isNode(left) && isNode(right)) {
    if (operator === '??')
      return right['name'] === 'undefined' ? [] : [[right.start, right.end, 'undefined']];
    const other = swapped.get(String(operator));
    const at = source.indexOf(String(operator), left.end);
    const swap: Edit[] = other === undefined ? [] : [[at, at + String(operator).length, other]];
    return isEquality(operator) ? [...swap, ...otherStrings([left, right])] : swap;
  }
  if (type === 'SwitchCase') return otherStrings([test]);
  if (type === 'UnaryExpression' && operator === '!') return [[start, start + 1, '']];
  if (type === 'Literal' && typeof value === 'boolean') return [[start, end, String(!value)]];
  if (type === 'Literal' && typeof value === 'number') {
    // One byte or millisecond more rarely matters.
    const others = value < 1000 ? [value + 1, value - 1] : [value * 2, Math.floor(value / 2)];
    return others.map((other) => [start, end, String(other)]);
  }
  if ((type === 'Literal' || type === 'TemplateElement') && sqlText.test(text))
    return sqlSwaps.flatMap(([pattern, other]) =>
      [...text.matchAll(pattern)].map(({ 0: found, index }): Edit => [
        start + index,
        start + index + found.length,
        other,
      ]),
    );
  // The negation of a comparison or of `!` is among the above.
  if (type === 'IfStatement' && isNode(test) && leaves(consequent))
    return test['operator'] === '!' || isEquality(test['operator'])
      ? []
      : [[test.start, test.end, `!(${source.slice(test.start, test.end)})`]];
  // A statement may have several lines, and this drops it with a change of one.
  if (type === 'ExpressionStatement' && isCall(expression) && !keptCalls.test(text))
    return [[start, start, 'false && ']];
  return [];
}

function otherStrings(nodes: unknown[]): Edit[] {
  const strings = nodes.filter((one) => isNode(one)).filter((one) => typeof one['value'] === 'string');
  return strings.map(({ end }) => [end - 1, end - 1, '?']);
}

function leaves(statement: unknown): boolean {
  if (!isNode(statement)) return false;
  if (statement.type === 'BlockStatement') return leaves((statement['body'] as unknown[]).at(-1));
  return /^(?:Return|Throw|Continue|Break)Statement$/.test(statement.type);
}

function isCall(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === 'AwaitExpression') return isCall(node['argument']);
  return node.type === 'CallExpression' || node.type === 'ChainExpression';
}

function mutantsOf(file: string, seed: string): Mutant[] {
  const source = readFileSync(join(projectRoot, file), 'utf8');
  return editsIn(parseSync(file, source).program, source).flatMap(([start, end, text]) => {
    const lineStart = source.lastIndexOf('\n', start - 1) + 1;
    const lineEnd = source.indexOf('\n', start);
    if (end > lineEnd) return [];
    const before = source.slice(lineStart, lineEnd);
    const after = source.slice(lineStart, start) + text + source.slice(end, lineEnd);
    const id = createHash('sha256').update([seed, file, before, after].join('\n')).digest('hex').slice(0, 12);
    return [{ id, file, line: source.slice(0, start).split('\n').length, before, after }];
  });
}

export function mutated(source: string, { line, after }: Mutant): string {
  const lines = source.split('\n');
  return lines.with(line - 1, after).join('\n');
}

/** Always the same ones for a seed, at most one in a line. */
export function chooseMutants(folders: readonly string[], count: number, seed: string): Mutant[] {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: projectRoot }));
  const all = files.flatMap((file) => mutantsOf(file.replaceAll('\\', '/'), seed));
  const chosen: Mutant[] = [];
  for (const mutant of all.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const { id, file, line } = mutant;
    if (chosen.length === count) break;
    if (chosen.some((one) => one.id === id || (one.file === file && one.line === line))) continue;
    const source = readFileSync(join(projectRoot, file), 'utf8');
    if (parseSync(file, mutated(source, mutant)).errors.length === 0) chosen.push(mutant);
  }
  return chosen;
}
