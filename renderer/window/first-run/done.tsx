// The end of the first run: a sample document opens, where the folder is DocTray's own. Into a folder of the user's it is put
// only when they ask for it.

import { t } from '../../../app/contract/messages.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { documentServerNames } from '../../../app/contract/document-servers.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Skeleton } from '../parts/view.tsx';
import { sentenceOf } from '../state/call.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { officeEditors } from '../editors/words.ts';
import { Back, Step, type Sample, type StepProps } from './step.tsx';

export function useSample(): Sample {
  const call = useCall();
  const folder = useWindowState((state) => state.host.folder);
  const [opened, setOpened] = useState<Sample['opened'] & { folder: string | null }>();
  const [isOpening, setIsOpening] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const open = useCallback(async () => {
    setIsOpening(true);
    setProblem(null);
    try {
      const { path } = await call('documents.createSample', {});
      const { editorName, mode } = await call('documents.openInEditor', {
        path,
        mode: 'edit',
        editorId: null,
      });
      setOpened({ path, editorName, mode, folder });
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setIsOpening(false);
    }
  }, [call, folder]);
  // One of a folder that was chosen before is no document of this one.
  return { opened: opened?.folder === folder ? opened : undefined, isOpening, problem, open };
}

export function DoneStep({ back, finish, isFinishing, defaultFolder, sample }: StepProps) {
  const folder = useWindowState((state) => state.host.folder);
  const hasTray = useWindowState((state) => state.app.hasTray);
  const editors = useWindowState((state) => state.editors);
  const start = useWindowState((state) => state.documentServers.start);
  const { opened, isOpening, problem, open } = sample;
  const isOwnFolder = folder !== null && defaultFolder != null && folder === defaultFolder.path;
  const canOpen = folder !== null && editors.length > 0;
  const isAutomatic = useRef(isOwnFolder && canOpen && opened === undefined && problem === null);
  useEffect(() => {
    if (!isAutomatic.current) return;
    isAutomatic.current = false;
    void open();
  }, [open]);
  return (
    <Step
      title={folder === null ? t('Almost ready') : t('Ready')}
      aside={<Back onPress={back} />}
      footer={
        <>
          {opened !== undefined && (
            <Button isPending={isFinishing} onPress={() => finish(opened.path)}>
              {t('Show in Documents')}
            </Button>
          )}
          <Button look="primary" isPending={isFinishing} onPress={() => finish()}>
            {t('Finish')}
          </Button>
        </>
      }
    >
      <p>
        {folder === null
          ? defaultFolder == null
            ? t('DocTray has no folder yet. Go back to choose one, or choose it later in Settings.')
            : t('DocTray has no folder yet. Go back to choose one, or finish to use the default folder.')
          : hasTray
            ? t('DocTray keeps running in the tray when you close this window.')
            : t(
                'DocTray runs until you quit it. This desktop has no tray, so closing the window asks first.',
              )}
      </p>
      {canOpen && (
        <div className={`first-run-card tone-${opened === undefined ? 'muted' : 'good'}`}>
          {isOpening || (isAutomatic.current && opened === undefined) ? (
            <>
              <span className="visually-hidden" role="status">
                {t('Opening a sample document')}
              </span>
              <Skeleton rows={2} />
            </>
          ) : (
            <>
              <Icon name={opened === undefined ? 'file' : 'good'} size={20} />
              <div className="first-run-card-words" role="status">
                <div className="first-run-card-title">
                  {opened === undefined ? t('Sample document') : splitPath(opened.path).name}
                </div>
                <div className="muted">
                  {opened === undefined
                    ? t('DocTray creates it in your folder. Delete it whenever you like.')
                    : opened.mode === 'edit'
                      ? t('Open in {editor}. What you write is saved in the file.', {
                          editor: opened.editorName,
                        })
                      : t('Open in {editor}, read-only.', { editor: opened.editorName })}
                </div>
              </div>
              <Button icon="edit" onPress={() => void open()}>
                {opened === undefined ? t('Open sample') : t('Open again')}
              </Button>
            </>
          )}
        </div>
      )}
      {problem !== null && (
        <Notice tone="bad">
          <div role="alert">{problem}</div>
        </Notice>
      )}
      {start?.state === 'running' ? (
        <p className="muted">
          {t('{server} is still starting. Settings shows the progress.', {
            server: documentServerNames[start.product],
          })}
        </p>
      ) : (
        officeEditors(editors).length === 0 && (
          <p className="muted">
            {t('To edit Word, Excel and PowerPoint files, connect ONLYOFFICE or Collabora in Settings.')}
          </p>
        )
      )}
    </Step>
  );
}
