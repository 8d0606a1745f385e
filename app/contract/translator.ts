// Sentences of another process in the user's language. They come finished, with their values in them, and perhaps several in one text:
// an error's sentence, then its detail. So each message of the catalog becomes a pattern, and of all ways to read a text as such
// messages, the one counts that leaves the fewest characters as they came. Values are names, paths and words of other programs, which must
// stay as they are.

import { IntlMessageFormat } from 'intl-messageformat';

type Catalog = Readonly<Record<string, string>>;

/** A message's parts: text, or the name of a value. */
type Part = { text: string } | { value: string };

interface Pattern {
  /** Its words, between the values. */
  words: readonly string[];
  start: string;
  end: string;
  /** Compiled when a text has those words. */
  expression: RegExp | undefined;
  source: readonly Part[];
  target: readonly Part[];
}

/** `cost`: how many characters aren't in the user's language. */
interface Reading {
  text: string;
  cost: number;
}

/** Longer texts aren’t sentences of the host, and stay as they are: matching them would take long. */
const maxLength = 600;
const maxEnds = 8;
const maxKept = 500;
/** `{} is free.` has as many. With fewer, a message would explain text that it isn't in. */
const minLetters = 6;
/**
 * `The port` in `The port is already in use.`: words of another message, not the name that `{} is already in use.` starts with. Taken for
 * one, half of a sentence would be in English.
 */
const proseStart = /^(?:an?|another|its?|no|ports?|the|this|your) /iu;
/** A name after all: `The plan.docx`, `This folder/a`. */
const nameInside = /[./:\\]/u;
/** The value that is a list of other messages: `2 locks need attention, 1 recovered save`. */
const listValue = 'counts';

/** `catalog`: what other processes send, not what this one shows itself. */
export function createTranslator(catalog: Catalog): (text: string) => string {
  const patterns = patternsOf(catalog);
  const kept = new Map<string, string>();
  return (text) => {
    const known = Object.hasOwn(catalog, text) ? catalog[text] : kept.get(text);
    if (known !== undefined) return known;
    const translated = text.length > maxLength ? text : createReader(catalog, patterns, text)(text).text;
    if (kept.size >= maxKept) kept.clear();
    kept.set(text, translated);
    return translated;
  };
}

function createReader(catalog: Catalog, all: readonly Pattern[], whole: string): (text: string) => Reading {
  // A text is read in many parts, and hardly any message has its words in any of them.
  const patterns = all.filter(({ words }) => words.every((word) => whole.includes(word)));
  const readings = new Map<string, Reading>();

  /** As one sentence after the other. */
  const read = (text: string): Reading => {
    const known = readings.get(text);
    if (known !== undefined) return known;
    let best: Reading = { text, cost: text.length };
    for (const [index, end] of endsOf(text).entries()) {
      const sentence = text.slice(0, end);
      // What nothing explains is skipped one sentence at a time.
      const first =
        sentenceOf(sentence) ?? (index === 0 ? { text: sentence, cost: sentence.length } : undefined);
      if (first === undefined || first.cost >= best.cost) continue;
      const gap = text.slice(end).match(/^\s*/u)?.[0] ?? '';
      const rest = end === text.length ? { text: '', cost: 0 } : read(text.slice(end + gap.length));
      const cost = first.cost + rest.cost;
      if (cost < best.cost) best = { text: first.text + gap + rest.text, cost };
    }
    readings.set(text, best);
    return best;
  };

  /** As one message with its values. */
  const sentenceOf = (sentence: string): Reading | undefined => {
    const exact = isSentence(sentence) ? catalog[sentence] : undefined;
    if (exact !== undefined) return { text: exact, cost: 0 };
    let best: Reading | undefined;
    for (const pattern of patterns) {
      const values = valuesIn(pattern, sentence);
      if (values === undefined) continue;
      const reading = filledIn(pattern, values);
      if (best === undefined || reading.cost < best.cost) best = reading;
    }
    return best;
  };

  const filledIn = ({ source, target }: Pattern, values: readonly string[]): Reading => {
    const names = source.flatMap((part) => ('value' in part ? part.value : []));
    const readingOf = new Map(
      names.map((name, index) => [name, (name === listValue ? listOf : valueOf)(values[index] ?? '')]),
    );
    return {
      text: target
        .map((part) => ('text' in part ? part.text : (readingOf.get(part.value)?.text ?? '')))
        .join(''),
      cost: [...readingOf.values()].reduce((sum, { cost }) => sum + cost, 0),
    };
  };

  /** A name stays as it is, whatever it is called; a sentence may be known. */
  const valueOf = (value: string): Reading =>
    isSentence(value) ? read(value) : { text: value, cost: value.length };

  const listOf = (value: string): Reading => {
    const parts = value.split(', ').map((part) => sentenceOf(part) ?? { text: part, cost: part.length });
    return {
      text: parts.map(({ text }) => text).join(', '),
      cost: parts.reduce((sum, { cost }) => sum + cost, 0),
    };
  };

  return read;
}

/** At least two words, ending like a sentence. */
function isSentence(text: string): boolean {
  return / .*[.?!:]$/su.test(text);
}

/** Where the text's first message may end: it has few sentences. */
function endsOf(text: string): number[] {
  const ends = Array.from(text.matchAll(/[.?!:](?=\s)/gu), ({ index }) => index + 1);
  return text === '' ? [] : [...ends.slice(0, maxEnds), text.length];
}

function valuesIn(pattern: Pattern, text: string): string[] | undefined {
  const { start, end, source } = pattern;
  if (text.length < start.length + end.length || !text.startsWith(start) || !text.endsWith(end))
    return undefined;
  pattern.expression ??= new RegExp(
    `^${source.map((part) => ('text' in part ? escaped(part.text) : '(.+?)')).join('')}$`,
    'su',
  );
  const values = pattern.expression.exec(text)?.slice(1);
  return values !== undefined && startsWithProse(pattern, values) ? undefined : values;
}

function startsWithProse({ source: [first] }: Pattern, [value = '']: readonly string[]): boolean {
  if (first === undefined || 'text' in first || first.value === listValue || isSentence(value)) return false;
  return proseStart.test(value) && !nameInside.test(value);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
}

function patternsOf(catalog: Catalog): Pattern[] {
  return Object.entries(catalog).flatMap(([message, words]) => {
    if (!message.includes('{')) return [];
    const targets = variantsOf(words);
    return variantsOf(message).flatMap((source, index) => {
      const target = targets[index] ?? targets.at(-1);
      const words = source.flatMap((part) => ('text' in part ? part.text : []));
      const letters = words.join('').match(/\p{L}/gu)?.length ?? 0;
      if (target === undefined || letters < minLetters) return [];
      const [first] = source;
      const last = source.at(-1);
      return {
        words,
        start: first !== undefined && 'text' in first ? first.text : '',
        end: last !== undefined && 'text' in last ? last.text : '',
        expression: undefined,
        source,
        target,
      };
    });
  });
}

/** A message's parts; of one with a plural, for each of its forms in the order one, other. */
function variantsOf(message: string): Part[][] {
  if (/\{\d?\}/u.test(message)) return [numberedParts(message)];
  const format = new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true });
  return expand(format.getAst() as Element[], '');
}

/** `{}` is the next value, `{2}` the second one. */
function numberedParts(message: string): Part[] {
  let last = 0;
  return message.split(/(\{\d?\})/u).flatMap((piece): Part[] => {
    if (piece === '') return [];
    if (!/^\{\d?\}$/u.test(piece)) return [{ text: piece }];
    last += 1;
    return [{ value: piece === '{}' ? String(last) : piece.slice(1, -1) }];
  });
}

/** What ICU messages are parsed to: text (0), values (1 to 5), plurals (6) and their number (7). */
interface Element {
  type: number;
  value: string;
  options?: Record<string, { value: Element[] }>;
}

function expand(elements: readonly Element[], number: string): Part[][] {
  return elements.reduce<Part[][]>(
    (variants, { type, value, options }) => {
      const own =
        options === undefined
          ? [[type === 0 ? { text: value } : { value: type === 7 ? number : value }]]
          : Object.values(options).flatMap((option) => expand(option.value, value));
      return variants.flatMap((before) => own.map((parts) => [...before, ...parts]));
    },
    [[]],
  );
}
