// The bar above the editor's frame. Its first look is the server's (app/server/pages/html.ts), until this is loaded.

import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../app/contract/messages.ts';
import { extensionOf, isolated, splitName, stemOf } from '../../app/contract/names.ts';
import { IconButton } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { listOf } from './document-notices.ts';
import { notice, type PageStore, type ShownPage } from './page-store.ts';
import { versionsButtonId } from './versions.ts';

/** Remembered by the browser, for all documents. */
const foldedKey = 'doctray-bar-folded';

export function Bar({ shown, setNotice }: { shown: ShownPage } & Pick<PageStore, 'setNotice'>) {
  const [isFolded, setIsFolded] = useState(() => localStorage.getItem(foldedKey) === 'true');
  const { text, reason = '', tone } = shown.status;
  const mark = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;
  const people = listOf(shown.people);
  return (
    <header className={isFolded ? 'bar is-folded' : 'bar'}>
      {mark !== undefined && <img className="mark" src={mark} alt="" />}
      <div className="name-and-status grow">
        <Name name={shown.name} rename={shown.rename} setNotice={setNotice} />
        <div className="state">
          {/* It can be focused only while there is more to read. */}
          <p
            role="status"
            className={tone === undefined ? 'cut' : 'cut bad'}
            tabIndex={reason === '' ? -1 : 0}
            aria-describedby="status-reason"
          >
            {text}
          </p>
          <span className="reason popover" role="tooltip" id="status-reason">
            {reason}
          </span>
        </div>
        <p className="people cut" title={people}>
          {people !== '' && (
            <>
              <span className="all">{t('page.also-open-for-names', { names: people })}</span>
              {/* For a narrow bar. */}
              <span className="count" aria-hidden="true">{`+${shown.people.length}`}</span>
            </>
          )}
        </p>
      </div>
      <div className="buttons line">
        {shown.buttons.map(({ label, icon, opensVersions, press }) => (
          // Not React Aria's: Escape would close its tooltip before the panel or the notice that it is for.
          <button
            key={label}
            type="button"
            className={icon === undefined ? 'button button-plain' : 'button has-icon'}
            title={icon && label}
            {...(opensVersions === true && {
              id: versionsButtonId,
              'aria-expanded': shown.versions !== null,
            })}
            onClick={press}
          >
            {icon !== undefined && <Icon name={icon} />}
            <span>{label}</span>
          </button>
        ))}
      </div>
      <IconButton
        className="fold"
        icon={isFolded ? 'chevron-down' : 'chevron-up'}
        label={t(isFolded ? 'page.show-the-bar' : 'page.hide-this-bar')}
        onPress={() => {
          localStorage.setItem(foldedKey, String(!isFolded));
          setIsFolded(!isFolded);
        }}
      />
    </header>
  );
}

function Name({
  name,
  rename,
  setNotice,
}: Pick<ShownPage, 'name' | 'rename'> & Pick<PageStore, 'setNotice'>) {
  // While it is edited, the document may get another name.
  const [edited, setEdited] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const close = (returnsFocus: boolean) => {
    flushSync(() => setEdited(undefined));
    if (returnsFocus) button.current?.focus();
  };
  if (edited !== undefined && rename !== undefined)
    return <NameField name={edited} rename={rename} setNotice={setNotice} close={close} />;
  const [start, end] = splitName(name);
  return (
    <h1>
      {/* Screen readers would read the two parts as two words. */}
      <button
        ref={button}
        type="button"
        className="name"
        disabled={rename === undefined}
        aria-label={name}
        title={rename === undefined ? name : t('page.rename-name', { name: isolated(name) })}
        onClick={() => setEdited(name)}
      >
        <span className="stem">{start}</span>
        <span className="end">{end}</span>
      </button>
    </h1>
  );
}

/** Enter and leaving the field rename, Escape doesn't. The extension stays. */
function NameField(props: {
  name: string;
  rename(name: string): Promise<void>;
  setNotice: PageStore['setNotice'];
  close(returnsFocus: boolean): void;
}) {
  const { name, rename, setNotice, close } = props;
  const [isSaving, setIsSaving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const isClosed = useRef(false);
  const end = () => {
    isClosed.current = true;
    setNotice('rename', null);
    // During the rename, the user may have clicked into the document.
    close(document.activeElement === field.current);
  };
  const commit = async () => {
    const typed = field.current?.value.trim() ?? '';
    if (isSaving || isClosed.current) return;
    setIsSaving(true);
    try {
      if (typed !== '' && typed !== stemOf(name)) await rename(typed);
      end();
    } catch (error) {
      setIsSaving(false);
      setNotice('rename', notice('bad', (error as Error).message));
    }
  };
  return (
    <h1>
      <input
        ref={field}
        className="input name"
        aria-label={t('common.new-name')}
        spellCheck="false"
        autoFocus
        defaultValue={stemOf(name)}
        readOnly={isSaving}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) void commit();
          if (event.key !== 'Escape' || isSaving) return;
          event.preventDefault();
          end();
        }}
        onBlur={() => void commit()}
      />
      {extensionOf(name)}
    </h1>
  );
}
