// Random steps as data. A choice describes a value ("the id of the current lock") instead of containing it, so that most steps
// reach deep into the rules and a shrunk sequence keeps its meaning; `resolve` turns a choice into a request in a given state.

import { lockViews } from './model-state.ts';
import type { ModelState, Request } from './model-state.ts';
import { fc } from '../random.ts';

const lockIds = ['alpha', 'beta', 'ALPHA', '{"S":"gamma","F":4}'] as const;
const illegalIds = ['', 'x'.repeat(1025), 'l\u00f6ck'] as const;
export const fileKeys = ['a', 'b'] as const;
export const tokenKinds = ['long', 'short', 'view', 'viewer'] as const;
export type TokenKind = (typeof tokenKinds)[number];

export type IdChoice = 'current' | 'dispossessed' | 'none' | 'illegal' | 0 | 1 | 2 | 3;
export type ContentChoice = 'fresh' | 'large' | 'same' | 'empty';

/** One millisecond before or after the next expiry of a lock or token, or the end of the 24 hours after a token expired. */
export type Edge = 'before a lapse' | 'past a lapse' | 'before an end' | 'past an end';

export interface RequestChoice {
  step: 'request';
  kind: Request['kind'];
  file: 'a' | 'b';
  token: TokenKind | 'unknown' | 'foreign';
  id: IdChoice;
  oldId: IdChoice;
  content: ContentChoice;
  /** Old timestamp, wrong size, overwrite. */
  flag: boolean;
  /** PutRelativeFile: to the name of the other file. */
  over: boolean;
}

export type Choice =
  | RequestChoice
  | { step: 'advance'; by: number | Edge }
  | { step: 'outside-write'; file: 'a' | 'b'; content: ContentChoice; inPlace: boolean }
  | {
      step: 'outside-delete' | 'outside-rename' | 'force-clear' | 'undo-clear' | 'abort-put';
      file: 'a' | 'b';
    }
  | { step: 'revoke'; file: 'a' | 'b'; token: TokenKind }
  | { step: 'restart' };

const minute = 60_000;
/** Odd milliseconds, so that no sum of them is exactly a limit: docs/protocol.md doesn't define which side of it that is. */
const durations = [
  1_003,
  5 * minute + 7,
  16 * minute + 11,
  30 * minute - 987,
  30 * minute + 1_017,
  61 * minute + 19,
];
const longDurations = [9 * 60 * minute + 23, 25 * 60 * minute + 29];

function weighted<T>(...entries: [weight: number, value: T][]): fc.Arbitrary<T> {
  return fc.oneof(...entries.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

const file = weighted<'a' | 'b'>([3, 'a'], [1, 'b']);
const content = weighted<ContentChoice>([12, 'fresh'], [4, 'same'], [3, 'empty'], [1, 'large']);
const id = weighted<IdChoice>(
  [14, 'current'],
  [3, 0],
  [2, 1],
  [1, 2],
  [1, 3],
  [4, 'dispossessed'],
  [2, 'none'],
  [1, 'illegal'],
);

export const requestChoice = (kinds: fc.Arbitrary<Request['kind']>): fc.Arbitrary<RequestChoice> =>
  fc.record({
    step: fc.constant('request' as const),
    kind: kinds,
    file,
    token: weighted<RequestChoice['token']>(
      [40, 'long'],
      [16, 'short'],
      [2, 'view'],
      [1, 'viewer'],
      [1, 'unknown'],
      [1, 'foreign'],
    ),
    id,
    oldId: id,
    content,
    flag: fc.boolean(),
    over: fc.boolean(),
  });

const kinds = weighted<Request['kind']>(
  [16, 'lock'],
  [14, 'put'],
  [4, 'refresh-lock'],
  [3, 'relock'],
  [3, 'unlock'],
  [2, 'get-lock'],
  [3, 'check-file-info'],
  [4, 'get-file'],
  [2, 'put-relative'],
  [2, 'rename'],
);

const edge = weighted<Edge>(
  [4, 'before a lapse'],
  [5, 'past a lapse'],
  [1, 'before an end'],
  [1, 'past an end'],
);

/** A step with these random members, chosen with this weight. */
const step = <Name extends Choice['step'], Rest extends object>(
  weight: number,
  name: Name,
  rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
) => ({
  weight,
  arbitrary: fc.record({ step: fc.constant(name), ...rest }) as fc.Arbitrary<{ step: Name } & Rest>,
});

export const choice: fc.Arbitrary<Choice> = fc.oneof(
  { weight: 200, arbitrary: requestChoice(kinds) },
  { weight: 2, arbitrary: requestChoice(fc.constant('delete')) },
  step(28, 'advance', {
    by: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<number[]>(...durations) },
      { weight: 1, arbitrary: fc.constantFrom<number[]>(...longDurations) },
      { weight: 7, arbitrary: edge },
    ),
  }),
  step(18, 'outside-write', { file, content, inPlace: fc.boolean() }),
  step(3, 'outside-delete', { file }),
  step(4, 'outside-rename', { file }),
  step(6, 'force-clear', { file }),
  step(5, 'undo-clear', { file }),
  step(3, 'abort-put', { file }),
  step(1, 'revoke', { file, token: fc.constantFrom(...tokenKinds) }),
  step(1, 'restart', {}),
);

export const sequence: fc.Arbitrary<Choice[]> = fc.array(choice, {
  minLength: 4,
  maxLength: 30,
  size: 'max',
});

export function tokenKey(file: string, token: RequestChoice['token']): string {
  return token === 'foreign'
    ? `long-${file === 'a' ? 'b' : 'a'}`
    : token === 'unknown'
      ? token
      : `${token}-${file}`;
}

export function pickContent(choice: ContentChoice, current: string | undefined, fresh: () => string): string {
  if (choice === 'same' && current !== undefined) return current;
  if (choice === 'empty') return '';
  const name = fresh();
  return choice === 'large' ? name.toUpperCase() : name;
}

export function resolve(state: ModelState, choice: RequestChoice, fresh: () => string): Request {
  const { kind, file: key } = choice;
  const target = state.files[key]!;
  const isLockKind = ['lock', 'relock', 'refresh-lock', 'unlock'].includes(kind);
  const idOf = (wanted: IdChoice): string => {
    if (typeof wanted === 'number') return lockIds[wanted];
    if (wanted === 'current') return target.lock?.id ?? lockIds[0];
    if (wanted === 'dispossessed') return target.dispossessed.at(-1) ?? lockIds[1];
    return wanted === 'none' || !isLockKind ? '' : (illegalIds[choice.content.length % 3] ?? '');
  };
  const base = { file: key, token: tokenKey(key, choice.token), lock: idOf(choice.id) };
  switch (kind) {
    case 'relock':
      return {
        ...base,
        kind,
        lock: idOf(choice.oldId),
        oldLock: choice.id === 'illegal' || base.lock === '' ? lockIds[0] : base.lock,
      };
    case 'put': {
      // Only under a held lock: docs/protocol.md doesn't define whether resuming an expired lock or the timestamp comes first.
      const isOld = choice.flag && choice.over && lockViews(target)[0] === 'held';
      return {
        ...base,
        kind,
        content: pickContent(choice.content, target.content, fresh),
        oldTimestamp: isOld,
      };
    }
    case 'put-relative': {
      const other = key === 'a' ? 'b' : 'a';
      const isOver = choice.over && state.files[other]!.content !== undefined;
      const over = isOver ? { over: { file: other, overwrite: choice.flag } } : {};
      return {
        ...base,
        kind,
        content: pickContent(choice.content, undefined, fresh),
        wrongSize: choice.oldId === 'none',
        ...over,
      };
    }
    default:
      return { ...base, kind };
  }
}
