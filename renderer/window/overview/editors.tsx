// The editors in the overview: the state of each, and those that need attention.

import type { EditorItem } from '../../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { RelativeTime } from '../parts/relative-time.tsx';
import { ListRow } from '../parts/view.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { officeEditors, problemWords, productOf, standingOf } from '../editors/words.ts';

export function EditorFacts() {
  const editors = useWindowState((state) => state.editors);
  const { go } = useNavigation();
  return (
    <>
      <dt>{editors.length > 1 ? 'Editors' : 'Editor'}</dt>
      {officeEditors(editors).length === 0 && (
        <dd>
          <span className="muted">
            {editors.length === 0 ? 'None connected yet' : 'No document server yet'}
          </span>
          <Button look="quiet" aria-label="Connect an editor…" onPress={() => go('settings', 'editors')}>
            Connect…
          </Button>
        </dd>
      )}
      {editors.map((editor) => {
        const standing = standingOf(editor);
        return (
          <dd key={editor.id} className={`host-editor tone-${standing.tone}`}>
            <Icon name={standing.icon} />
            <span className="host-value" title={`${productOf(editor)}, ${editor.url}`}>
              {editor.name} <span className="host-editor-state">{standing.words}</span>
            </span>
            <Button
              look="quiet"
              aria-label={`Settings of ${editor.name}`}
              onPress={() => go('settings', `editors/${editor.id}`)}
            >
              Settings
            </Button>
          </dd>
        );
      })}
    </>
  );
}

export function EditorAttention({ title, editor }: { title: string; editor: EditorItem }) {
  const { go } = useNavigation();
  const refresh = useAction('editors.refresh', {
    failure: `${editor.name} still can’t be reached`,
    success: `${editor.name} answers again`,
  });
  if (editor.problem !== null) {
    return (
      <ListRow
        icon="error"
        tone="bad"
        title={title}
        detail={
          <>
            {problemWords(editor.problem)} Since <RelativeTime atMs={editor.problem.sinceMs} />.
          </>
        }
        actions={
          <Button
            isPending={refresh.isPending}
            aria-label={`Try again: ${editor.name}`}
            onPress={() => void refresh.run({ id: editor.id })}
          >
            Try again
          </Button>
        }
      />
    );
  }
  const failed = editor.lastTest?.steps.find(({ state }) => state === 'failed');
  return (
    <ListRow
      icon="error"
      tone="bad"
      title={title}
      detail={failed?.sentence ?? 'Its last connection test failed.'}
      actions={
        <Button
          aria-label={`Show test of ${editor.name}`}
          onPress={() => go('settings', `editors/${editor.id}`)}
        >
          Show test
        </Button>
      }
    />
  );
}
