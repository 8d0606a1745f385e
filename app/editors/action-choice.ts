// Which editor opens a document, and with which of its actions.

import { editorActions, type EditorAction, type EditorType } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { Discovery, DiscoveryAction, Editor } from '../store/editors.ts';
import { EditorFault } from './editor-fault.ts';

export interface ChoiceInput {
  /** With or without the dot. */
  extension: string;
  /** Bytes. */
  size: number;
  mode: 'edit' | 'view';
  /** Only this editor; without it, the extension's default or the best one. */
  editorId?: string | null;
}

export interface Choice {
  editor: Editor;
  action: DiscoveryAction;
  /** Whether this editor can change such a document, whatever mode it is opened in now. */
  canEdit: boolean;
  /** Whether it can convert it to a type that it can change, with `convert`. */
  canConvert: boolean;
  convert: DiscoveryAction | undefined;
}

/** In discovery: any type that no editor lists. @see chooseForFile */
export const anyExtension = '*';

/** `.DOCX` → `docx` */
export function plainExtension(text: string): string {
  return text.trim().toLowerCase().replace(/^\./u, '');
}

/** Collabora's `view_comment` writes comments into the document, so it counts as editing if there is nothing better. */
const writing = ['edit', 'view_comment'];
const reading = ['view', 'embedview'];

/**
 * @param switchedOff what the built-in editor would open; undefined while it's on
 * @throws AppError editor-unknown; no-editor, with an EditorFault `switched-off` where the built-in editor would open it
 */
export function chooseAction(
  editors: readonly Editor[],
  defaults: Readonly<Record<string, string>>,
  input: ChoiceInput,
  switchedOff: () => Discovery | undefined = () => undefined,
): Choice {
  const extension = plainExtension(input.extension);
  const { editorId = null } = input;
  const candidates = editorId === null ? editors : editors.filter(({ id }) => id === editorId);
  if (editorId !== null && candidates.length === 0) throw new AppError('editor-unknown');
  const choice = bestChoice(candidates, defaults, { ...input, extension });
  if (choice !== undefined) return choice;
  if (editorId === null && isIn(switchedOff(), extension)) {
    const sentence = needsDocumentServer(editors, extension)
      ? 'host.connect-to-edit-preview-is-off'
      : 'host.text-editor-is-off';
    const words = [sentence, 'host.switch-on-with-settings-set'] as const;
    const cause = new EditorFault('switched-off', words, { extension });
    throw new AppError('no-editor', { detail: () => cause.sentence, cause });
  }
  throw new AppError('no-editor', { detail: whyNone(editors, candidates, extension) });
}

/** Extension → id of the editor that opens its documents unless another one is asked for. Without those that are only created. */
export function openingEditors(
  editors: readonly Editor[],
  defaults: Readonly<Record<string, string>>,
): Map<string, string> {
  const extensions = new Set(
    editors.filter(isReady).flatMap(({ discovery }) => typesOf(discovery).map(({ extension }) => extension)),
  );
  const opening = new Map<string, string>();
  for (const extension of extensions) {
    const choice = bestChoice(editors, defaults, { extension, size: 1, mode: 'edit' });
    if (choice !== undefined) opening.set(extension, choice.editor.id);
  }
  return opening;
}

/** What an editor does with each extension, for display. */
export function typesOf(discovery: Discovery): EditorType[] {
  const byExtension = new Map<string, Set<string>>();
  for (const { extension, name } of discovery.actions) {
    if (extension === '' || extension === anyExtension) continue;
    const names = byExtension.get(extension) ?? new Set();
    byExtension.set(extension, names.add(name));
  }
  const types: EditorType[] = [];
  for (const [extension, names] of byExtension) {
    const isThere: Record<EditorAction, boolean> = {
      view: [...reading, ...writing].some((name) => names.has(name)),
      edit: writing.some((name) => names.has(name)),
      editnew: names.has('editnew'),
      convert: names.has('convert'),
    };
    const actions = editorActions.filter((action) => isThere[action]);
    if (actions.length > 0) types.push({ extension, actions });
  }
  return types.toSorted((a, b) => (a.extension < b.extension ? -1 : 1));
}

/** @param input with a plain extension */
function bestChoice(
  editors: readonly Editor[],
  defaults: Readonly<Record<string, string>>,
  input: ChoiceInput,
): Choice | undefined {
  const { extension, mode } = input;
  const choices = editors
    .filter(isReady)
    .map((editor) => choiceOf(editor, input))
    .filter((choice) => choice !== undefined);
  const preferred = choices.find(
    ({ editor }) => Object.hasOwn(defaults, extension) && defaults[extension] === editor.id,
  );
  const [best] = choices.toSorted((a, b) => score(b, mode) - score(a, mode));
  return preferred ?? best;
}

function choiceOf(editor: Editor, input: ChoiceInput): Choice | undefined {
  const { actions } = editor.discovery;
  const find = (names: readonly string[]): DiscoveryAction | undefined => {
    for (const name of names) {
      const named = actions.filter((one) => one.extension === input.extension && one.name === name);
      if (named.length > 0) return named.find(({ isDefault }) => isDefault) ?? named[0];
    }
    return undefined;
  };
  const isNew = input.size === 0;
  const edit = find(isNew ? ['editnew', ...writing] : writing);
  const convert = find(['convert']);
  // Collabora lists one action for both: the token decides what is allowed.
  const view = find(reading) ?? find(writing);
  const action = input.mode === 'edit' ? (edit ?? view ?? convert) : (view ?? edit ?? convert);
  if (action === undefined) return undefined;
  return { editor, action, canEdit: edit !== undefined, canConvert: convert !== undefined, convert };
}

/** The built-in editor with a problem can't open anything. Other editors may have recovered since the problem was noticed. */
function isReady({ kind, problem }: Editor): boolean {
  return kind !== 'text-editor' || problem === null;
}

/**
 * Prefers an editor that supports the mode, then one that responds, then the first connected. The built-in one comes last,
 * because the user connected the others.
 */
function score({ editor, canEdit, canConvert, action }: Choice, mode: 'edit' | 'view'): number {
  const modeScore = mode === 'view' ? (action.name === 'convert' ? 0 : 2) : canEdit ? 4 : canConvert ? 2 : 0;
  const isReached = editor.problem === null ? 1 : 0;
  return modeScore + isReached + (editor.kind === 'text-editor' ? 0 : 0.5);
}

/** Types of Word, Excel, PowerPoint and OpenDocument. */
const officeTypes = /^(?:do[ct][xm]?|xl[st][xm]?|xlsb|pp[ts][xm]?|pot[xm]?|o[dt][tspg]|fod[tspg])$/u;

/**
 * Never opened as text, whatever the content. A text file with the extension `dot` is a Graphviz diagram, not a Word template.
 */
export function isOfficeType(extension: string): boolean {
  const plain = plainExtension(extension);
  return plain !== 'dot' && officeTypes.test(plain);
}

/** Whether it's a type of document servers, none is connected, and the text editor has no preview of it. */
export function needsDocumentServer(
  editors: readonly Pick<Editor, 'kind' | 'discovery'>[],
  extension: string,
): boolean {
  const plain = plainExtension(extension);
  return (
    officeTypes.test(plain) &&
    editors.every(({ kind, discovery }) => kind === 'text-editor' && !isIn(discovery, plain))
  );
}

function isIn(discovery: Discovery | undefined, extension: string): boolean {
  return discovery?.actions.some((action) => action.extension === extension) === true;
}

function whyNone(all: readonly Editor[], asked: readonly Editor[], extension: string): string {
  if (needsDocumentServer(all, extension)) return t('host.connect-to-open-extension', { extension });
  if (asked.length === 0) return t('host.connect-a-document-server-first');
  const away = asked.filter((editor) => !isReady(editor));
  const problems = away.map(({ problem }) => problem?.sentence).join(' ');
  if (away.length === asked.length || away.some(({ discovery }) => isIn(discovery, extension)))
    return problems;
  const what =
    extension === '' ? t('host.no-extension-unsupported') : t('host.extension-unsupported', { extension });
  return `${what} ${problems}`.trim();
}
