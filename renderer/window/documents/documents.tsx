// The hosted folder: browse, search, open, make, bring in, versions, rename, trash. This file decides whether there is a
// folder to show at all.

import { Button } from '../parts/button.tsx';
import { Empty, Failure, Skeleton, View } from '../parts/view.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { DocumentsFolder } from './folder.tsx';
import './documents.css';

/** Codes of which another folder is the way out. */
const folderCodes = new Set(['folder-missing', 'folder-gone', 'folder-invalid', 'folder-not-chosen']);

export function DocumentsView() {
  const status = useWindowState((state) => state.host.status);
  const folder = useWindowState((state) => state.host.folder);
  const problem = useWindowState((state) => state.host.problem);
  const choose = useAction('host.chooseFolder', { failure: 'Could not serve that folder' });
  const restart = useAction('host.restart', { failure: 'Could not start again' });

  if ((status === 'serving' || status === 'paused') && folder !== null) {
    // Another hosted folder has other paths: nothing of the view's may outlive it.
    return <DocumentsFolder key={folder} />;
  }
  const chooseButton = (
    <Button look="primary" icon="folder" isPending={choose.isPending} onPress={() => void choose.run({})}>
      {folder === null ? 'Choose folder…' : 'Choose another folder…'}
    </Button>
  );
  return (
    <View title="Documents">
      {status === 'starting' ? (
        <div aria-busy="true">
          <p className="visually-hidden" role="status">
            DocTray is starting
          </p>
          <Skeleton rows={8} />
        </div>
      ) : status === 'stopping' ? (
        <Empty icon="stop" sentence="DocTray is stopping. Running saves are finished first." />
      ) : status === 'error' ? (
        <Failure
          sentence={
            problem?.message ?? 'The folder is not served, and DocTray does not know why. Start it again.'
          }
          action={
            problem !== null && folderCodes.has(problem.code) ? (
              chooseButton
            ) : (
              <Button
                look="primary"
                icon="refresh"
                isPending={restart.isPending}
                onPress={() => void restart.run({})}
              >
                Start again
              </Button>
            )
          }
        />
      ) : (
        <Empty
          icon="folder"
          sentence="No folder is chosen yet. Choose the one whose documents you want to edit; they stay where they are."
          action={chooseButton}
        />
      )}
    </View>
  );
}
