// The sentences in the host's sources that a person can see in the window, as the catalogs write them: `{}` for each value. What
// isn't a sentence, is only logged, or is meant for the terminal, is left out.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { withoutCommands } from '../../../app/contract/messages.ts';

const projectRoot = join(import.meta.dirname, '..', '..', '..');

type Node = { type: string } & Record<string, unknown>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** What these functions and constructors get is for the log or a developer; `t` and the error table have checks of their own. */
const unseenCalls =
  /^(?:t|Error|TypeError|RangeError|warn|info|error|debug|onNotice|onError|onRefused|badRequest)$/u;
/** A table's entry for this caller isn't shown in the window. */
const unseenKeys = new Set(['terminal', 'error', 'description', 'pattern']);
/** A value that stands where a whole sentence would. */
const otherSentences = /^(?:\{\} ?)+(?=\p{Lu})|(?<=[.?!]) ?(?:\{\} ?)+$/gu;
const betweenSentences = /(?<=[.?!]) ?(?:\{\} ?)+(?=\p{Lu})/u;

export function sentencesIn(patterns: readonly string[], left: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of globSync([...patterns], { cwd: projectRoot }).toSorted()) {
    if (left.some((one) => path.startsWith(one))) continue;
    const { program, errors } = parseSync(path, readFileSync(join(projectRoot, path), 'utf8'));
    if (errors.length > 0) throw new Error(`${path} can't be parsed.`);
    for (const text of textsIn(program)) {
      for (const sentence of sentencesOf(text)) if (!found.has(sentence)) found.set(sentence, path);
    }
  }
  return found;
}

function sentencesOf(text: string): string[] {
  return withoutCommands(text)
    .split(betweenSentences)
    .map((part) => part.replaceAll(otherSentences, '').trim())
    .filter(isSentence);
}

/** Begins with a word or a value, has at least three words, and ends like a sentence. */
function isSentence(text: string): boolean {
  if (text.includes('`') || /\n/u.test(text)) return false;
  return (
    /^(?:[\p{L}“.]|\{\})/u.test(text) &&
    /[.?!]$|: \{\}$/u.test(text) &&
    (text.match(/[\p{L}’]{2,}/gu) ?? []).length > 1
  );
}

function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (!isNode(node)) return [];
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const { callee } = node;
    const name = isNode(callee) ? nameOf(callee) : '';
    if (unseenCalls.test(name)) return [];
  }
  if (node.type === 'Property' && isNode(node['key']) && unseenKeys.has(nameOf(node['key']))) return [];
  if (node.type === 'TSTypeAnnotation' || node.type === 'ImportDeclaration') return [];
  const own = node.type === 'TemplateLiteral' || node.type === 'Literal' ? forms(node) : [];
  const below = Object.entries(node).flatMap(([, child]) => textsIn(child));
  return [...own, ...below];
}

function nameOf(node: Node): string {
  const { name, property, value } = node;
  if (typeof name === 'string') return name;
  if (isNode(property)) return nameOf(property);
  return typeof value === 'string' ? value : '';
}

/** All texts that an expression can become; what isn't known from the source is `{}`. */
function forms(node: unknown): string[] {
  if (!isNode(node)) return ['{}'];
  if (node.type === 'ParenthesizedExpression') return forms(node['expression']);
  if (node.type === 'Literal' && typeof node['value'] === 'string') return [node['value']];
  if (node.type === 'ConditionalExpression')
    return [...forms(node['consequent']), ...forms(node['alternate'])];
  if (node.type === 'LogicalExpression' && (node['operator'] === '??' || node['operator'] === '||'))
    return ['{}', ...forms(node['right'])];
  if (node.type !== 'TemplateLiteral') return ['{}'];
  const quasis = node['quasis'] as { value: { cooked: string } }[];
  const expressions = node['expressions'] as unknown[];
  return expressions.reduce<string[]>(
    (texts, expression, index) =>
      texts.flatMap((text) =>
        forms(expression).map((form) => text + form + (quasis[index + 1]?.value.cooked ?? '')),
      ),
    [quasis[0]?.value.cooked ?? ''],
  );
}
