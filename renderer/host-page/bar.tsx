// The bar above the editor's frame. Its first look is the server's (app/server/pages/html.ts), until this is loaded.

import { useState } from 'react';
import { t } from '../../app/contract/messages.ts';
import { isolated, splitName } from '../../app/contract/names.ts';
import { IconButton } from '../kit/button.tsx';
import { Icon } from '../kit/icon.tsx';
import { listOf } from './document-notices.ts';
import type { ShownPage } from './page-store.ts';
import { versionsButtonId } from './versions.ts';

/** Remembered by the browser, for all documents. */
const foldedKey = 'doctray-bar-folded';

export function Bar({ shown }: { shown: ShownPage }) {
  const [isFolded, setIsFolded] = useState(() => localStorage.getItem(foldedKey) === 'true');
  const { name, rename } = shown;
  const { text, reason = '', tone } = shown.status;
  const [start, end] = splitName(name);
  const mark = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;
  const people = listOf(shown.people);
  return (
    <header className={isFolded ? 'bar is-folded' : 'bar'}>
      {mark !== undefined && <img className="mark" src={mark} alt="" />}
      <div className="name-and-status grow">
        <h1>
          {/* Screen readers would read the two parts as two words. */}
          <button
            type="button"
            className="name"
            disabled={rename === undefined}
            aria-label={name}
            title={rename === undefined ? name : t('page.rename-name', { name: isolated(name) })}
            onClick={rename}
          >
            <span className="stem">{start}</span>
            <span className="end">{end}</span>
          </button>
        </h1>
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
