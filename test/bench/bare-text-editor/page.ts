// A minimal Markdown editor: CodeMirror, one GET, and one POST with the same delay after a change as the text editor's autosave.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { autosaveMs } from '../../../renderer/text-editor/autosave.ts';

const answer = await fetch('/text');
let timer: ReturnType<typeof setTimeout> | undefined;
const view = new EditorView({
  doc: await answer.text(),
  parent: document.body,
  extensions: [
    lineNumbers(),
    history(),
    markdown(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged) timer ??= setTimeout(save, autosaveMs);
    }),
  ],
});

function save(): void {
  timer = undefined;
  void fetch('/text', { method: 'POST', body: view.state.doc.toString() });
}
