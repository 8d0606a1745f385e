// The bar above the editor's frame. Its first look is the server's (app/server/pages/html.ts), until this is loaded.

import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { currentLocale, t } from '../../app/contract/messages.ts';
import { extensionOf, isolated, splitName, stemOf } from '../../app/contract/names.ts';
import { IconButton } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { notice, type BarButton, type PageStore, type ShownPage } from './page-store.ts';
import { versionsButtonId } from './versions.ts';

/** Remembered by the browser, for all documents. */
const foldedKey = 'doctray-bar-folded';

export function Bar({ shown, setNotice }: { shown: ShownPage } & Pick<PageStore, 'setNotice'>) {
  const [isFolded, setIsFolded] = useState(() => localStorage.getItem(foldedKey) === 'true');
  const { text, reason = '', tone } = shown.status;
  const mark = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;
  const people = new Intl.ListFormat(currentLocale()).format(shown.people.map(isolated));
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
        {shown.buttons.map((button) => (
          <BarButtonOf key={button.label} button={button} isOpen={shown.versions !== null} />
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

/** Not React Aria's: Escape would close its tooltip before the panel or the notice that it is for. */
function BarButtonOf({ button, isOpen }: { button: BarButton; isOpen: boolean }) {
  const { label, icon, opensVersions, press } = button;
  return (
    <button
      type="button"
      className={icon === undefined ? 'button button-plain' : 'button has-icon'}
      title={icon && label}
      {...(opensVersions === true && { id: versionsButtonId, 'aria-expanded': isOpen })}
      onClick={press}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span>{label}</span>
    </button>
  );
}

/** Enter and leaving the field rename, Escape doesn't. The extension stays. */
function Name({
  name,
  rename,
  setNotice,
}: Pick<ShownPage, 'name' | 'rename'> & Pick<PageStore, 'setNotice'>) {
  // While it is edited, the document may get another name.
  const [edited, setEdited] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // After Escape, a rename that is still running must not close the field of the next edit.
  const edits = useRef(0);
  useEffect(() => field.current?.select(), [edited]);
  if (edited === undefined || rename === undefined) {
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
  const edit = edits.current;
  const close = () => {
    edits.current += 1;
    // During the rename, the user may have clicked into the document.
    const hadFocus = document.activeElement === field.current;
    setNotice('rename', null);
    flushSync(() => {
      setEdited(undefined);
      setIsSaving(false);
    });
    if (hadFocus) button.current?.focus();
  };
  const commit = async () => {
    const typed = field.current?.value.trim() ?? '';
    if (isSaving || edit !== edits.current) return;
    if (typed === '' || typed === stemOf(edited)) {
      close();
      return;
    }
    setIsSaving(true);
    try {
      await rename(typed);
      if (edit === edits.current) close();
    } catch (error) {
      if (edit !== edits.current) return;
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
        defaultValue={stemOf(edited)}
        readOnly={isSaving}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) void commit();
          if (event.key !== 'Escape') return;
          event.preventDefault();
          close();
        }}
        onBlur={() => void commit()}
      />
      {extensionOf(edited)}
    </h1>
  );
}
