// The CodeMirror editor with one document. It knows nothing about hosts and locks: it shows text, reports changes, and applies changes
// from the disk without moving what the user sees.

import {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
  insertNewlineAndIndent,
} from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { openSearchPanel, gotoLine, search, searchKeymap } from '@codemirror/search';
import {
  ChangeSet,
  Compartment,
  EditorState,
  Transaction,
  type Extension,
  type StateCommand,
  type Text,
} from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { t } from '../../app/contract/messages.ts';
import { isolated, typeOf } from '../../app/contract/names.ts';
import { highlighting, isProse, loadLanguage } from './languages.ts';
import { endingsOf, keepEndings, withEndingsOf, type FileText } from './line-endings.ts';

export type TextPane = ReturnType<typeof createTextPane>;

export interface TextPaneInput {
  parent: HTMLElement;
  name: string;
  content: FileText;
  isReadOnly: boolean;
  /** For the styles that CodeMirror adds. */
  styleNonce: string;
  /** Something was typed, undone or taken over from the disk. */
  onChange(change: { isOwn: boolean }): void;
  /** Text, selection or what is visible changed. */
  onUpdate(): void;
  onSave(): void;
}

/** CodeMirror's own words, in ours. */
const phrases: Record<string, string> = {
  next: t('editor.next'),
  previous: t('editor.previous'),
  all: t('common.select-all'),
  'match case': t('editor.match-case'),
  regexp: t('editor.regular-expression'),
  'by word': t('editor.whole-words'),
  replace: t('editor.replace'),
  'replace all': t('editor.replace-all'),
  close: t('common.close'),
  go: t('editor.go'),
  'Go to line': t('editor.line'),
};

/** Tab and Shift+Tab in a text that can be changed. Escape, then Tab moves the focus, as everywhere with CodeMirror. */
const insertIndent: StateCommand = (target) => {
  const { state, dispatch } = target;
  if (state.readOnly) return false;
  if (!state.selection.main.empty) return indentMore(target);
  const unit = state.facet(indentUnit);
  const column = state.selection.main.head - state.doc.lineAt(state.selection.main.head).from;
  const text = unit === '\t' ? unit : ' '.repeat(unit.length - (column % unit.length));
  dispatch(state.update(state.replaceSelection(text), { scrollIntoView: true, userEvent: 'input' }));
  return true;
};

const sampledLines = 400;

/** Tabs or spaces, as the document has them already. */
function indentOf(doc: Text, name: string): string {
  let spaces = 0;
  for (const line of doc.iterLines(1, Math.min(doc.lines, sampledLines) + 1)) {
    if (line.startsWith('\t')) return '\t';
    const width = /^ +(?=\S)/.exec(line)?.[0].length ?? 0;
    if (width > 1 && (spaces === 0 || width < spaces)) spaces = width;
  }
  if (spaces > 0) return ' '.repeat(Math.min(spaces, 8));
  const isTabbed = isProse(name) || ['csv', 'tsv', 'log', 'ini'].includes(typeOf(name));
  return isTabbed ? '\t' : '  ';
}

async function changesBetween(from: Text, to: Text): Promise<ChangeSet> {
  if (from.eq(to)) return ChangeSet.empty(from.length);
  const { diff } = await import('@codemirror/merge');
  const pieces = diff(from.toString(), to.toString(), { scanLimit: 1000, timeout: 200 });
  return ChangeSet.of(
    pieces.map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: to.slice(fromB, toB) })),
    from.length,
  );
}

export function createTextPane(input: TextPaneInput) {
  const language = new Compartment();
  const wrapping = new Compartment();
  const editing = new Compartment();
  const naming = new Compartment();
  const comparing = new Compartment();
  let { name } = input;
  let { hasBom } = input.content;
  let isReadOnly = input.isReadOnly;
  let wraps = isProse(name);

  const attributes = (): Extension =>
    EditorView.contentAttributes.of({
      'aria-label': t('editor.text-of-name', { name: isolated(name) }),
      tabindex: '0',
      ...(!isReadOnly && { 'aria-describedby': 'tab-hint' }),
      spellcheck: String(isProse(name)),
    });

  const view = new EditorView({
    parent: input.parent,
    state: EditorState.create({
      doc: input.content.doc,
      extensions: [
        EditorView.cspNonce.of(input.styleNonce),
        keepEndings(input.content.endings),
        history({ minDepth: 1000 }),
        lineNumbers(),
        highlightSpecialChars(),
        EditorView.perLineTextDirection.of(true),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        bracketMatching(),
        search({ top: true }),
        EditorState.phrases.of(phrases),
        highlighting,
        keymap.of([
          {
            key: 'Mod-s',
            preventDefault: true,
            run: () => {
              input.onSave();
              return true;
            },
          },
          { key: 'Tab', run: insertIndent, shift: (target) => !target.state.readOnly && indentLess(target) },
          { key: 'Shift-Enter', run: insertNewlineAndIndent },
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        indentUnit.of(indentOf(input.content.doc, name)),
        language.of([]),
        wrapping.of(wraps ? EditorView.lineWrapping : []),
        editing.of(EditorState.readOnly.of(isReadOnly)),
        naming.of(attributes()),
        comparing.of([]),
        // CodeMirror takes each typed character out again, which keeps the page too busy to hand the document over in time.
        EditorView.domEventHandlers({
          beforeinput: (event, { state }) => {
            if (state.readOnly) event.preventDefault();
            return state.readOnly;
          },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            const isOwn = update.transactions.some(
              (transaction) => transaction.docChanged && transaction.annotation(Transaction.remote) !== true,
            );
            input.onChange({ isOwn });
          }
          if (update.docChanged || update.selectionSet || update.viewportChanged) input.onUpdate();
        }),
      ],
    }),
  });

  async function highlight(): Promise<void> {
    const named = name;
    const extension = await loadLanguage(named, view.state.doc);
    if (named === name) view.dispatch({ effects: language.reconfigure(extension) });
  }
  void highlight();

  /** The file went from `base` to `next` on disk: shows that, and keeps what the user has changed since `base`. */
  async function follow(base: FileText, next: FileText): Promise<void> {
    const theirs = await changesBetween(base.doc, next.doc);
    // typed while the file was read, or before the lock was lost
    const mine = await changesBetween(base.doc, view.state.doc);
    // nothing is awaited from here on
    if (mine.newLength !== view.state.doc.length) return follow(base, next);
    ({ hasBom } = next);
    const changes = theirs.map(mine);
    const place = view.scrollSnapshot().map(changes);
    view.dispatch({
      changes,
      effects: [
        withEndingsOf(next.endings, view.state, mine, theirs),
        ...(place === undefined ? [] : [place]),
      ],
      annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true)],
    });
  }

  return {
    view,
    follow,
    /** What a save would write now. */
    current: (): FileText => ({ doc: view.state.doc, endings: endingsOf(view.state), hasBom }),

    setName(next: string) {
      if (next === name) return;
      const isOther = typeOf(next) !== typeOf(name);
      name = next;
      view.dispatch({ effects: naming.reconfigure(attributes()) });
      if (isOther) void highlight();
    },

    setReadOnly(next: boolean) {
      if (next === isReadOnly) return;
      isReadOnly = next;
      view.dispatch({
        effects: [editing.reconfigure(EditorState.readOnly.of(isReadOnly)), naming.reconfigure(attributes())],
      });
    },

    isWrapping: () => wraps,
    setWrapping(next: boolean) {
      wraps = next;
      view.dispatch({ effects: wrapping.reconfigure(wraps ? EditorView.lineWrapping : []) });
    },

    /** Marks every difference to `original`, with buttons to take over each of them. Undefined: no more. */
    async compareWith(original: Text | undefined) {
      if (original === undefined) {
        view.dispatch({ effects: comparing.reconfigure([]) });
        return;
      }
      const { goToNextChunk, unifiedMergeView } = await import('@codemirror/merge');
      const control = (type: 'accept' | 'reject', action: (event: MouseEvent) => void): HTMLElement => {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = t(type === 'accept' ? 'editor.keep-mine' : 'editor.use-the-files');
        button.addEventListener('click', (event) => {
          action(event);
          // The difference is gone, and its buttons with it.
          if (!button.isConnected) view.focus();
        });
        return button;
      };
      view.dispatch({
        effects: comparing.reconfigure(
          unifiedMergeView({
            original,
            mergeControls: control,
            collapseUnchanged: { margin: 3, minSize: 8 },
            diffConfig: { scanLimit: 1000, timeout: 1000 },
          }),
        ),
      });
      goToNextChunk(view);
    },

    find: () => void openSearchPanel(view),
    goToLine: () => void gotoLine(view),
  };
}
