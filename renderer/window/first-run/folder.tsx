// The folder: the default one is selected, and created only when the user goes on.

import { t } from '../../../app/contract/messages.ts';
import { useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Skeleton } from '../parts/view.tsx';
import { useTry } from '../state/use-try.ts';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { Step, type DefaultFolder, type StepProps } from './step.tsx';

export function useDefaultFolder(): DefaultFolder {
  const call = useCall();
  const [folder, setFolder] = useState<DefaultFolder>();
  useEffect(() => {
    call('host.defaultFolder', {}).then(setFolder, () => setFolder(null));
  }, [call]);
  return folder;
}

export function FolderStep({ next, finish, isFinishing, defaultFolder }: StepProps) {
  const host = useWindowState((state) => state.host);
  const choose = useTry('host.chooseFolder');
  const useDefault = useTry('host.useDefaultFolder');
  const restart = useTry('host.restart');
  const problem = useDefault.problem ?? choose.problem ?? restart.problem ?? host.problem?.message ?? null;
  const isOther = host.folder !== null && defaultFolder != null && host.folder !== defaultFolder.path;
  const selected = host.folder ?? defaultFolder?.path;
  const isBusy = choose.isPending || useDefault.isPending;
  const serveDefault = async () => (await useDefault.run({})) !== undefined;
  const goOn = async () => {
    if (host.folder !== null || (await serveDefault())) next();
  };
  const pick = () => {
    useDefault.forget();
    void choose.run({});
  };
  return (
    <Step
      title={t('Your documents')}
      aside={
        <Button look="quiet" isPending={isFinishing} onPress={() => finish()}>
          {t('Skip setup')}
        </Button>
      }
      footer={
        selected === undefined && defaultFolder === null ? (
          <Button look="primary" icon="folder" isPending={choose.isPending} onPress={pick} autoFocus>
            {t('Choose folder…')}
          </Button>
        ) : (
          <Button
            look="primary"
            isDisabled={choose.isPending}
            // pending rather than disabled: it has the focus from the start
            isPending={useDefault.isPending || selected === undefined}
            onPress={() => void goOn()}
            autoFocus
          >
            {t('Next')}
          </Button>
        )
      }
    >
      <p>{t('DocTray opens and saves the documents in one folder.')}</p>
      {selected === undefined ? (
        defaultFolder === undefined && (
          <div className="first-run-card">
            <Skeleton rows={2} />
          </div>
        )
      ) : (
        <div className={`first-run-card tone-${host.status === 'error' ? 'bad' : 'good'}`}>
          <Icon name={host.status === 'error' ? 'error' : 'folder'} size={20} />
          <div className="first-run-card-words">
            <div className="first-run-card-title">{splitPath(selected.replaceAll('\\', '/')).name}</div>
            <div className="muted selectable">{selected}</div>
            {host.folder === null && (
              <div className="muted">
                {defaultFolder?.exists === true
                  ? t('This folder exists. Its files stay as they are.')
                  : t('DocTray creates it, with three sample documents.')}
              </div>
            )}
          </div>
          <div className="row">
            {isOther && (
              <Button look="quiet" isDisabled={isBusy} onPress={() => void serveDefault()}>
                {t('Use default')}
              </Button>
            )}
            <Button
              icon="folder"
              isDisabled={useDefault.isPending}
              isPending={choose.isPending}
              onPress={pick}
            >
              {t('Choose another…')}
            </Button>
          </div>
        </div>
      )}
      {problem !== null && (
        <Notice tone="bad">
          <div className="row">
            <span className="grow" role="alert">
              {problem}
            </span>
            {host.status === 'error' && (
              <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
                {t('Try again')}
              </Button>
            )}
          </div>
        </Notice>
      )}
      <Facts
        facts={[
          ['folder', t('Your files stay where they are'), t('Saves go straight into them.')],
          [
            'locks',
            t('Editors get one document at a time'),
            t('They can’t open anything else in the folder.'),
          ],
          ['history', t('Earlier versions are kept'), t('You can restore any of them.')],
        ]}
      />
    </Step>
  );
}

function Facts(props: { facts: [icon: IconName, title: string, words: string][] }) {
  return (
    <ul className="first-run-facts">
      {props.facts.map(([icon, title, words]) => (
        <li key={title}>
          <span className="first-run-fact-sign">
            <Icon name={icon} size={18} />
          </span>
          <div>
            <div className="first-run-card-title">{title}</div>
            <div className="muted">{words}</div>
          </div>
        </li>
      ))}
    </ul>
  );
}
