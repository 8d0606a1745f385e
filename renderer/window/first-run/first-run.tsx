// The first run, in place of everything else: a folder, an editor, and a document to try. Every choice has a default and can be
// changed later in the settings.

import { t } from '../../../app/contract/messages.ts';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { useAddressSearch } from '../editors/address-search.tsx';
import { officeEditors } from '../editors/words.ts';
import { DoneStep, useSample } from './done.tsx';
import { EditorStep } from './editor.tsx';
import { FolderStep, useDefaultFolder } from './folder.tsx';
import type { StepProps } from './step.tsx';
import './first-run.css';

const titles = [t('Folder'), t('Editor'), t('Done')] as const;

export function FirstRun() {
  const { go } = useNavigation();
  const folder = useWindowState((state) => state.host.folder);
  const hasEditor = useWindowState(({ editors }) => officeEditors(editors).length > 0);
  const [step, setStep] = useState(0);
  const [seen, setSeen] = useState(0);
  const defaultFolder = useDefaultFolder();
  const addresses = useAddressSearch();
  const sample = useSample();
  const finishing = useAction('app.finishFirstRun', { failure: t('Couldn’t finish the setup') });
  const page = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);

  useEffect(() => {
    // A new step is read from its title on; the first is where the window opens.
    if (!isFirst.current) page.current?.querySelector('h1')?.focus();
    isFirst.current = false;
    page.current?.scrollTo({ top: 0 });
  }, [step]);

  const to = (next: number) => {
    setStep(next);
    setSeen((before) => Math.max(before, next));
  };
  const props: StepProps = {
    next: () => to(Math.min(titles.length - 1, step + 1)),
    back: () => to(Math.max(0, step - 1)),
    finish: (document) => {
      if (document !== undefined) go('documents', document);
      void finishing.run({});
    },
    isFinishing: finishing.isPending,
    defaultFolder,
    addresses,
    sample,
  };
  /** What was really done, not what was skipped. */
  const isDone = [folder !== null && seen > 0, hasEditor && seen > 1, sample.opened !== undefined];
  const Step = [FolderStep, EditorStep, DoneStep][step] ?? DoneStep;

  return (
    <div className="first-run">
      <nav className="first-run-rail" aria-label={t('Setup')}>
        <div className="first-run-brand">
          <Icon name="documents" size={22} />
          DocTray
        </div>
        <ol>
          {titles.map((title, index) => (
            <li key={title}>
              <button
                type="button"
                className="first-run-mark"
                aria-current={index === step ? 'step' : undefined}
                disabled={index > seen}
                onClick={() => to(index)}
              >
                <span
                  className={isDone[index] === true ? 'first-run-dot first-run-dot-done' : 'first-run-dot'}
                >
                  {isDone[index] === true ? <Icon name="check" size={12} /> : index + 1}
                </span>
                <span className="first-run-mark-title">{title}</span>
                {isDone[index] === true && <span className="visually-hidden">{t(', done')}</span>}
              </button>
            </li>
          ))}
        </ol>
        <p className="first-run-later">{t('You can change all of this later in Settings.')}</p>
      </nav>
      <div className="first-run-page" ref={page}>
        <Step {...props} />
      </div>
    </div>
  );
}
