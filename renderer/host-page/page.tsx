// What is around the editor's frame, drawn from the store: the bar, one notice at a time, a choice in place of the editor, dialogs and the
// versions. Status and notices are live regions; a notice never takes the focus from a user who is typing.

import '@fontsource-variable/inter/wght.css';
import '../kit/tokens.css';
import '../kit/base.css';
import '../kit/kit.css';
import './style.css';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { I18nProvider } from 'react-aria';
import { createPortal, flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { currentLocale, t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import { Button } from '../kit/button.tsx';
import { DetailPanel } from '../kit/detail-panel.tsx';
import { Icon } from '../kit/icon.tsx';
import { PageChoice, PageNotice } from '../kit/page-notice.tsx';
import { TickerProvider } from '../kit/time.tsx';
import { Versions } from '../kit/versions.tsx';
import { Bar } from './bar.tsx';
import { readClosed } from './closed.ts';
import { Dialogs } from './dialogs.tsx';
import { splitHeading, type PageStore, type ShownPage, type ShownVersions } from './page-store.ts';

/** @param store of a document; undefined: it was closed */
export function draw(main: HTMLElement, store?: PageStore): void {
  createRoot(main).render(
    <I18nProvider locale={currentLocale()}>
      <TickerProvider>{store === undefined ? <Closed /> : <Page store={store} />}</TickerProvider>
    </I18nProvider>,
  );
}

function Page({ store }: { store: PageStore }) {
  const shown = useSyncExternalStore(store.subscribe, store.get);
  const { name, choice, dialog, versions } = shown;
  useEffect(() => {
    document.title = `${isolated(name)} – DocTray`;
  }, [name]);
  return (
    <>
      <Bar shown={shown} />
      <Notices shown={shown} store={store} />
      {choice !== null && <PageChoice key={`${choice.title}\n${choice.more}`} {...choice} takesFocus />}
      {versions !== null && createPortal(<VersionsPanel versions={versions} />, document.body)}
      {dialog !== null && <Dialogs dialog={dialog} store={store} />}
    </>
  );
}

const shownForMs = 8000;

/** Only one of them, with a button that leads to the others: the latest error, else the latest. */
function Notices({ shown, store }: { shown: ShownPage; store: PageStore }) {
  const place = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const ranked = [...shown.notices]
    .toReversed()
    .toSorted(([, a], [, b]) => Number(b.tone === 'bad') - Number(a.tone === 'bad'));
  const kinds = ranked.map(([kind]) => kind);
  useEffect(() => setChosen(undefined), [kinds.join('\n')]);
  const index = Math.max(0, kinds.indexOf(chosen ?? ''));
  const [kind = '', notice] = ranked[index] ?? [];
  const remove = () => store.setNotice(kind, null);

  // Screen readers would read the same text again.
  const key = JSON.stringify([kind, notice?.text, notice?.more, notice?.link, notice?.tone]);
  const hidesAutomatically = notice?.tone === 'info' && notice.link === undefined;
  useEffect(() => {
    if (!hidesAutomatically) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden && place.current?.matches(':hover, :focus-within') === false) remove();
    }, shownForMs);
    return () => clearInterval(timer);
  }, [key, hidesAutomatically]);
  // Wherever the focus is on the page, before anything else that Escape closes.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A dialog hears it itself, unless nothing has the focus for a moment.
      if (event.key !== 'Escape' || (store.hasDialog() && event.target !== document.body)) return;
      event.preventDefault();
      if (store.hasDialog()) store.answer();
      else if (notice === undefined || notice.stays === true) shown.versions?.hide();
      else remove();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  });
  if (notice === undefined) return <div className="notices" ref={place} />;

  const { tone, stays = false } = notice;
  const { heading, rest } = splitHeading(notice.text);
  const more = [rest, notice.more].filter(Boolean).join(' ');
  const isToast = hidesAutomatically || (!stays && tone !== 'bad');
  const values = { number: index + 1, count: ranked.length };
  const label = t('page.next-notice-number-of-count', values);
  const next = () => {
    flushSync(() => setChosen(kinds[(index + 1) % kinds.length]));
    place.current?.querySelector<HTMLElement>('.pager')?.focus();
  };
  return (
    <div className="notices" ref={place}>
      <PageNotice
        key={key}
        {...notice}
        heading={heading}
        more={more}
        isToast={isToast}
        onDismiss={stays ? undefined : remove}
      >
        {kinds.length > 1 && (
          <button type="button" className="button pager" title={label} aria-label={label} onClick={next}>
            {t('page.number-of-count', values)}
            <Icon name="chevron-right" />
          </button>
        )}
      </PageNotice>
    </div>
  );
}

function VersionsPanel({ versions }: { versions: ShownVersions }) {
  const { listed, problem, signIn, closed, addressOf, compare, restore, copy } = versions;
  useEffect(() => closed, []);
  const count = listed?.versions.length ?? 0;
  return (
    <DetailPanel
      title={t('common.versions')}
      subtitle={count === 0 ? undefined : t('page.earlier-versions', { count })}
      facts={[]}
      focusStep={1}
      onClose={versions.hide}
    >
      <div className="versions stack">
        <p className="muted" role="status">
          {problem ??
            (count === 0 &&
              t(listed === undefined ? 'common.loading' : 'page.there-are-no-earlier-versions'))}
        </p>
        {signIn && <Button onPress={signIn.press}>{signIn.label}</Button>}
        {listed !== undefined && (
          <Versions
            listed={listed}
            actions={{
              addressOf,
              ...(listed.canCompare && { compare }),
              ...(listed.canRestore && { restore, copy }),
              copyLabel: t('common.save-a-copy'),
            }}
          />
        )}
      </div>
    </DetailPanel>
  );
}

/** After the document was closed. */
function Closed() {
  const { title, name, more, again } = readClosed(location.hash);
  useEffect(() => {
    document.title = [name, title].filter(Boolean).join(' – ');
  }, [name, title]);
  return (
    <>
      <h1>{title}</h1>
      {name !== '' && <p className="name">{name}</p>}
      {more !== '' && <p>{more}</p>}
      <p>{t('common.you-can-close-this-tab')}</p>
      {again !== '' && (
        <p>
          <a href={again}>{t('common.open-again')}</a>
        </p>
      )}
    </>
  );
}
