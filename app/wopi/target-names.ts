// The names that operations create: of a copy, a renamed file, a conflict copy, and the next free one. Everything here takes
// decoded text (see utf7.ts) and returns legal names (see names.ts).

import { isLegalName, legalName, nameWithSuffix } from './names.ts';
import { formatTimestamp } from '../contract/format.ts';
import { extensionOf, stemOf, withoutExtension } from '../contract/names.ts';

/** Far more copies than a folder contains, and a limit on the search. */
const defaultTries = 10_000;

/** `name`, `name (1).ext`, `name (2).ext` … For a caller that must create each one exclusively. */
export function* candidateNames(name: string, tries: number = defaultTries): Generator<string> {
  const legal = legalName(name) ?? 'Document';
  yield legal;
  for (let number = 1; number < tries; number += 1) yield nameWithSuffix(legal, ` (${number})`);
}

/**
 * The first of `candidateNames` that isn't taken; undefined if all `tries` are. `isTaken` should compare by `nameKey`, and the
 * file must still be created exclusively: another program may be faster.
 */
export function uniqueName(
  name: string,
  isTaken: (candidate: string) => boolean,
  options: { tries?: number } = {},
): string | undefined {
  for (const candidate of candidateNames(name, options.tries)) if (!isTaken(candidate)) return candidate;
  return undefined;
}

/**
 * The legal name for X-WOPI-SuggestedTarget, which is never answered with 400. Only the last path part of the suggestion counts.
 * With a leading dot it is an extension for the current stem; else a full name whose extension is kept. A full name without one
 * gets the current file's extension, since no editor would open the document otherwise. It may be taken: see `uniqueName`.
 * @see docs/protocol.md, “WOPI”
 */
export function suggestedTargetName(input: { suggested: string; currentName: string }): string {
  const current = legalName(input.currentName) ?? 'Document';
  const stem = stemOf(current);
  const target = lastPathPart(input.suggested);
  if (target.startsWith('.')) {
    const extension = target.replace(/^[\s.]+/u, '');
    return legalName(`${stem}.${extension || extensionOf(current).slice(1)}`) ?? current;
  }
  const name = legalName(target, { fallbackStem: current }) ?? current;
  return extensionOf(name) === '' ? withExtension(name, extensionOf(current)) : name;
}

/**
 * The name for X-WOPI-RelativeTarget: the given one if it is legal (in any normalization form; the result is NFC), else a
 * suggestion for X-WOPI-ValidRelativeTarget beside the 400. Either may be taken.
 */
export function relativeTargetName(input: { relative: string; currentName: string }): {
  isLegal: boolean;
  name: string;
} {
  const name = input.relative.normalize('NFC');
  if (isLegalName(name)) return { isLegal: true, name };
  return {
    isLegal: false,
    name: suggestedTargetName({ suggested: input.relative, currentName: input.currentName }),
  };
}

/**
 * The legal full name for X-WOPI-RequestedName, which comes without an extension: the current one is appended, but not twice if
 * the client sent it anyway. Undefined if no legal name is possible (400). It may be taken, also by the file itself.
 */
export function requestedName(input: { requested: string; currentName: string }): string | undefined {
  const extension = extensionOf(input.currentName);
  const stem = legalName(withoutExtension(input.requested.trim(), extension));
  return stem === undefined ? undefined : withExtension(stem, extension);
}

/**
 * `Report (conflict 2026-11-20 1503).docx`, in local time.
 */
export function conflictName(name: string, dateMs: number): string {
  return nameWithMoment(name, 'conflict', dateMs);
}

/** `Report (recovered 2026-11-20 1503).docx`: the name of a restored recovered save. */
export function recoveredName(name: string, dateMs: number): string {
  return nameWithMoment(name, 'recovered', dateMs);
}

function nameWithMoment(name: string, word: string, dateMs: number): string {
  return nameWithSuffix(name, ` (${word} ${formatTimestamp(dateMs).replace(':', '')})`);
}

function withExtension(stem: string, extension: string): string {
  return legalName(stem + extension) ?? stem;
}

function lastPathPart(path: string): string {
  return (
    path
      .split(/[/\\]/u)
      .map((part) => part.trim())
      .findLast((part) => part !== '') ?? ''
  );
}
