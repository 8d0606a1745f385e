// Connected editors in words: what they are, their state, what they open.

import { currentLocale, t } from '../../../app/contract/messages.ts';
import {
  testOutcome,
  type EditorItem,
  type EditorKind,
  type EditorProblem,
  type EditorType,
} from '../../../app/contract/editors.ts';
import type { IconName } from '../parts/icon-shapes.ts';

const kinds: Record<EditorKind, string> = {
  onlyoffice: 'ONLYOFFICE Docs',
  collabora: 'Collabora Online',
  'office-online': 'Office Online Server',
  'text-editor': t('Built-in text editor'),
  other: t('Editor with WOPI'),
};

/** `Collabora Online Development Edition 25.04` */
export function productOf(editor: Pick<EditorItem, 'kind' | 'product' | 'version'>): string {
  const product = editor.product ?? kinds[editor.kind];
  return editor.version === null ? product : `${product} ${editor.version}`;
}

/** What the built-in text editor opens, in short. */
export const builtInSummary = t('Opens text, Markdown and CSV.');

export function isBuiltIn({ kind }: Pick<EditorItem, 'kind'>): boolean {
  return kind === 'text-editor';
}

/** The document servers among them. */
export function officeEditors<Editor extends Pick<EditorItem, 'kind'>>(editors: readonly Editor[]): Editor[] {
  return editors.filter((editor) => !isBuiltIn(editor));
}

/** What to do about the built-in text editor, by the code of what is wrong. */
const builtInRemedies: Readonly<Record<string, string>> = {
  'port-taken': t('Choose another port in Settings → Editors → Text editor → Details.'),
  'port-forbidden': t('Choose a port above 1023 in Settings → Editors → Text editor → Details.'),
  'address-unavailable': t('Choose an address of this computer in Settings → Network & HTTPS.'),
  'not-opened': t('Restart DocTray. If that doesn’t help, see its log.'),
  'same-origin': t('Change its public URL in Settings → Editors → Text editor → Details.'),
  'loopback-refused': t('Add it to the allowed addresses in Settings → Advanced.'),
};

/** The remedy of a step or a problem, without the commands for the terminal. */
export function remedyOf({ code, remedy }: { code: string | null; remedy: string | null }): string | null {
  return builtInRemedies[code ?? ''] ?? remedy?.replaceAll(/ \([^()`]*`[^()]*\)/gu, '') ?? null;
}

export function problemWords({ code, sentence }: EditorProblem): string {
  const remedy = remedyOf({ code, remedy: null });
  return remedy === null ? sentence : `${sentence} ${remedy}`;
}

export interface EditorStanding {
  kind: 'unreachable' | 'failed' | 'warned' | 'good' | 'untested';
  tone: 'good' | 'warn' | 'bad' | 'muted';
  icon: IconName;
  /** `Tested: documents open` */
  words: string;
}

export function standingOf(editor: Pick<EditorItem, 'kind' | 'problem' | 'lastTest'>): EditorStanding {
  const { problem, lastTest } = editor;
  if (problem !== null)
    return {
      kind: 'unreachable',
      tone: 'bad',
      icon: 'error',
      words: isBuiltIn(editor) ? t('Not available') : t('Can’t be reached'),
    };
  if (lastTest === null)
    return isBuiltIn(editor)
      ? // DocTray runs it itself.
        { kind: 'good', tone: 'good', icon: 'good', words: t('Ready') }
      : { kind: 'untested', tone: 'muted', icon: 'info', words: t('Not tested yet') };
  const outcome = testOutcome(lastTest);
  if (outcome === 'partial')
    return { kind: 'warned', tone: 'warn', icon: 'warning', words: t('Partly tested') };
  if (outcome === 'failed') return { kind: 'failed', tone: 'bad', icon: 'error', words: t('Test failed') };
  const isWarned = lastTest.steps.some(({ state }) => state === 'warned');
  return isWarned
    ? { kind: 'warned', tone: 'warn', icon: 'warning', words: t('Works, with a warning') }
    : { kind: 'good', tone: 'good', icon: 'good', words: t('Works') };
}

/** What an editor does with a type, the most first. */
export type Ability = 'edit' | 'convert' | 'view';

function abilityOf({ actions }: EditorType): Ability | undefined {
  if (actions.includes('edit') || actions.includes('editnew')) return 'edit';
  if (actions.includes('convert')) return 'convert';
  return actions.includes('view') ? 'view' : undefined;
}

/** Of a name; lower case and without the dot, as editors list them. '' where there is none. */
export function typeOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

export function abilityFor(editor: Pick<EditorItem, 'types'>, extension: string): Ability | undefined {
  const type = editor.types.find((one) => one.extension === extension);
  return type === undefined ? undefined : abilityOf(type);
}

/** Its types by what it does with them, each in the order of the alphabet. */
export function typesByAbility(types: readonly EditorType[]): Record<Ability, string[]> {
  const groups: Record<Ability, string[]> = { edit: [], convert: [], view: [] };
  for (const type of types) {
    const ability = abilityOf(type);
    if (ability !== undefined) groups[ability].push(type.extension);
  }
  for (const extensions of Object.values(groups)) extensions.sort();
  return groups;
}

const lists = new Intl.ListFormat(currentLocale(), { type: 'conjunction' });

/** `A`, `A and B`, `A, B and C` */
export function listed(names: readonly string[]): string {
  return lists.format(names);
}
