// The bar above the editor's frame. Its first look is the server's (app/server/pages/html.ts), until this is loaded.

import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { currentLocale } from '../../app/contract/messages.ts';
import { extensionOf, isolated, splitName, stemOf } from '../../app/contract/names.ts';
import { IconButton } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import type { BarButton, PageBar, ShownPage } from './page-bar.ts';
import { versionsButtonId } from './versions.ts';
import { words } from './words.ts';

/** Remembered by the browser, for all documents. */
const foldedKey = 'doctray-bar-folded';

export function Bar({ shown, setNotice }: { shown: ShownPage } & Pick<PageBar, 'setNotice'>) {
  const [isFolded, setIsFolded] = useState(() => localStorage.getItem(foldedKey) === 'true');
  const { text, reason = '', tone } = shown.status;
  const mark = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;
  const people = new Intl.ListFormat(currentLocale()).format(shown.people.map(isolated));
  return (
    <header className={isFolded ? 'bar is-folded' : 'bar'}>
      {mark !== undefined && <img className="mark" src={mark} alt="" />}
      <div className="name-and-status">
        <Name name={shown.name} rename={shown.rename} setNotice={setNotice} />
        <div className="state">
          {/* It can be focused only while there is more to read. */}
          <p
            role="status"
            className={tone}
            tabIndex={reason === '' ? -1 : 0}
            aria-describedby="status-reason"
          >
            {text}
          </p>
          <span className="reason" role="tooltip" id="status-reason">
            {reason}
          </span>
        </div>
        <p className="people" title={people}>
          {people !== '' && (
            <>
              <span className="all">{words.others(people)}</span>
              {/* For a narrow bar. */}
              <span className="count" aria-hidden="true">{`+${shown.people.length}`}</span>
            </>
          )}
        </p>
      </div>
      <div className="buttons">
        {shown.buttons.map((button) => (
          <BarButtonOf key={button.label} button={button} isOpen={shown.versions !== null} />
        ))}
      </div>
      <IconButton
        className="fold"
        icon={isFolded ? 'chevron-down' : 'chevron-up'}
        label={isFolded ? words.showBar : words.hideBar}
        aria-expanded={!isFolded}
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
      className={icon === undefined ? 'button button-plain' : 'button button-quiet has-icon'}
      title={icon && label}
      {...(opensVersions === true && { id: versionsButtonId, 'aria-expanded': isOpen })}
      onClick={press}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span>{label}</span>
    </button>
  );
}

function Name(props: Pick<ShownPage, 'name' | 'rename'> & Pick<PageBar, 'setNotice'>) {
  const { name, rename } = props;
  const [isEdited, setIsEdited] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [start, end] = splitName(name);
  if (isEdited && rename !== undefined) {
    const close = (hadFocus: boolean) => {
      props.setNotice('rename', null);
      flushSync(() => setIsEdited(false));
      if (hadFocus) button.current?.focus();
    };
    return <NameField name={name} rename={rename} setNotice={props.setNotice} onClose={close} />;
  }
  return (
    <h1>
      {/* Screen readers would read the two parts as two words. */}
      <button
        ref={button}
        type="button"
        className="name"
        disabled={rename === undefined}
        aria-label={name}
        title={rename === undefined ? name : words.renameOf(name)}
        onClick={() => setIsEdited(true)}
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
  setNotice: PageBar['setNotice'];
  onClose(hadFocus: boolean): void;
}) {
  // While it is edited, the document may get another name.
  const [name] = useState(props.name);
  const [isSaving, setIsSaving] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // After Escape, a rename that is still running must not close the field of the next edit.
  const isOver = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const close = () => {
    if (isOver.current) return;
    isOver.current = true;
    // During the rename, the user may have clicked into the document.
    props.onClose(document.activeElement === field.current);
  };
  const commit = async () => {
    const typed = field.current?.value.trim() ?? '';
    if (isOver.current || isSaving) return;
    if (typed === '' || typed === stemOf(name)) {
      close();
      return;
    }
    setIsSaving(true);
    try {
      await props.rename(typed);
      close();
    } catch (error) {
      if (isOver.current) return;
      setIsSaving(false);
      props.setNotice('rename', { text: (error as Error).message, tone: 'bad', hasDismiss: true });
    }
  };
  return (
    <h1>
      <input
        ref={field}
        className="input name"
        aria-label={words.newName}
        spellCheck="false"
        defaultValue={stemOf(name)}
        readOnly={isSaving}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) void commit();
          if (event.key !== 'Escape') return;
          event.preventDefault();
          close();
        }}
        onBlur={() => void commit()}
      />
      {extensionOf(name)}
    </h1>
  );
}
