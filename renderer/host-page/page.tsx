// What is around the editor's frame, drawn from the store: the bar, one notice at a time, a choice in place of the editor, dialogs and the
// versions. Status and notices are live regions; a notice never takes the focus from a user who is typing.

import '@fontsource-variable/inter/wght.css';
import '../kit/tokens.css';
import '../kit/base.css';
import '../kit/kit.css';
import './style.css';
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria';
import { createPortal, flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { currentLocale, t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { PageVersions } from '../../app/contract/page-calls.ts';
import { DetailPanel } from '../kit/detail-panel.tsx';
import { Icon } from '../kit/icon.tsx';
import { Choices, PageNotice } from '../kit/page-notice.tsx';
import { TickerProvider } from '../kit/time.tsx';
import { Versions } from '../kit/versions.tsx';
import { Bar } from './bar.tsx';
import { readClosed } from './closed.ts';
import { Dialogs } from './dialogs.tsx';
import type { Choice, Notice, PageStore, VersionsModel } from './page-bar.ts';
import { splitHeading, words } from './words.ts';

export function drawPage(main: HTMLElement, store: PageStore): void {
  draw(main, <Page store={store} />);
}

export function drawClosed(main: HTMLElement): void {
  draw(main, <Closed />);
}

function draw(main: HTMLElement, page: ReactNode): void {
  createRoot(main).render(
    <I18nProvider locale={currentLocale()}>
      <TickerProvider>{page}</TickerProvider>
    </I18nProvider>,
  );
}

function Page({ store }: { store: PageStore }) {
  const shown = useSyncExternalStore(store.subscribe, store.get);
  const { name, choice, dialog, versions } = shown;
  useEffect(() => {
    document.title = `${isolated(name)} – DocTray`;
  }, [name]);
  // Wherever the focus is on the page.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { dialog, versions } = store.get();
      if (event.key !== 'Escape' || event.defaultPrevented || dialog !== null || versions === null) return;
      versions.model.hide();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [store]);
  return (
    <>
      <Bar shown={shown} setNotice={store.setNotice} />
      <Notices notices={shown.notices} store={store} />
      {choice !== null && <ChoiceArea key={`${choice.title}\n${choice.more}`} choice={choice} />}
      {versions !== null &&
        createPortal(<VersionsPanel model={versions.model} reloads={versions.reloads} />, document.body)}
      {dialog !== null && <Dialogs dialog={dialog} store={store} />}
    </>
  );
}

const shownForMs = 8000;

/** Only one of them, with a button that leads to the others: the latest error, else the latest. */
function Notices({ notices, store }: { notices: ReadonlyMap<string, Notice>; store: PageStore }) {
  const place = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const ranked = [...notices]
    .toReversed()
    .toSorted(([, a], [, b]) => Number(b.tone === 'bad') - Number(a.tone === 'bad'));
  const kinds = ranked.map(([kind]) => kind);
  useEffect(() => setChosen(undefined), [kinds.join('\n')]);
  const index = Math.max(0, chosen === undefined ? 0 : kinds.indexOf(chosen));
  const [kind, notice] = ranked[index] ?? [];
  const remove = () => {
    if (kind !== undefined) store.setNotice(kind, null);
  };
  const latest = useRef({ notice, remove });
  latest.current = { notice, remove };

  // Screen readers would read the same text again.
  const text = JSON.stringify([kind, notice?.text, notice?.more, notice?.link, notice?.tone]);
  const hidesAutomatically = notice?.tone === 'info' && notice.link === undefined;
  useEffect(() => {
    if (!hidesAutomatically) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden && place.current?.matches(':hover, :focus-within') === false)
        latest.current.remove();
    }, shownForMs);
    return () => clearInterval(timer);
  }, [text, hidesAutomatically]);
  // Before everything else that Escape closes, also while the focus is elsewhere on the page; never in a dialog, nor while a name is typed.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || store.hasDialog() || event.target instanceof HTMLInputElement) return;
      if (latest.current.notice?.hasDismiss !== true) return;
      event.preventDefault();
      latest.current.remove();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [store]);

  const count = ranked.length;
  const label = t('page.next-notice-number-of-count', { number: index + 1, count });
  return (
    <div className="notices" ref={place}>
      {notice !== undefined && (
        <NoticeArea key={text} notice={notice} hidesAutomatically={hidesAutomatically} onDismiss={remove}>
          {count > 1 && (
            <button
              type="button"
              className="button button-quiet pager"
              title={label}
              aria-label={label}
              onClick={() => {
                flushSync(() => setChosen(kinds[(index + 1) % count]));
                place.current?.querySelector<HTMLElement>('.pager')?.focus();
              }}
            >
              {t('page.number-of-count', { number: index + 1, count })}
              <Icon name="chevron-right" />
            </button>
          )}
        </NoticeArea>
      )}
    </div>
  );
}

function NoticeArea(props: {
  notice: Notice;
  hidesAutomatically: boolean;
  onDismiss(): void;
  /** Leads to the next one. */
  children: ReactNode;
}) {
  const { notice, onDismiss, children } = props;
  const { tone, link, buttons, hasDismiss = false } = notice;
  const { heading, rest } = splitHeading(notice.text);
  return (
    <PageNotice
      heading={heading}
      more={[rest, notice.more].filter(Boolean).join(' ')}
      tone={tone}
      buttons={buttons}
      link={link}
      isToast={props.hidesAutomatically || (hasDismiss && tone !== 'bad')}
      onDismiss={hasDismiss ? onDismiss : undefined}
    >
      {children}
    </PageNotice>
  );
}

/** In place of the editor. */
function ChoiceArea({ choice: { title, more, buttons } }: { choice: Choice }) {
  const area = useRef<HTMLElement>(null);
  useEffect(() => area.current?.querySelector('button')?.focus(), []);
  return (
    <section className="choice" aria-labelledby="choice-title" ref={area}>
      <h2 id="choice-title">{title}</h2>
      <p>{more}</p>
      <div className="buttons">
        <Choices buttons={buttons} />
      </div>
    </section>
  );
}

function VersionsPanel({ model, reloads }: { model: VersionsModel; reloads: number }) {
  const [listed, setListed] = useState<PageVersions>();
  const [problem, setProblem] = useState<string>();
  const requests = useRef(0);
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    requests.current += 1;
    const number = requests.current;
    // A later request has the newer list, whichever is answered first.
    const isLatest = () => number === requests.current;
    model.load().then(
      (versions) => {
        if (!isLatest()) return;
        setListed(versions);
        setProblem(undefined);
      },
      (error: unknown) => {
        if (!isLatest()) return;
        const { text, isSure } = model.problemOf(error);
        setProblem(text);
        if (isSure) setListed(undefined);
      },
    );
  }, [model, reloads]);
  useEffect(() => model.closed, [model]);
  // What had the focus may be gone with an older list.
  const hasFocus = useRef(false);
  useEffect(() => {
    if (!hasFocus.current || document.activeElement !== document.body) return;
    hasFocus.current = false;
    area.current?.closest('section')?.querySelector('h2')?.focus();
  });
  const count = listed?.versions.length;
  const none = count === 0 ? words.versionsNone : '';
  return (
    <DetailPanel
      title={words.versions}
      subtitle={count === undefined || count === 0 ? undefined : words.versionsCount(count)}
      facts={[]}
      focusStep={1}
      onClose={model.hide}
    >
      <div
        className="versions"
        ref={area}
        onFocus={() => (hasFocus.current = true)}
        onBlur={({ relatedTarget }) => {
          if (relatedTarget !== null) hasFocus.current = false;
        }}
      >
        <p className="muted" role="status">
          {problem ?? (listed === undefined ? words.versionsLoading : none)}
        </p>
        {listed !== undefined && (
          <Versions
            listed={listed}
            actions={{
              addressOf: model.addressOf,
              compare: listed.canCompare
                ? (version, { old }) => model.compare(version, old.time, listed.canRestore)
                : undefined,
              restore: listed.canRestore ? model.restore : undefined,
              copy: listed.canRestore ? model.copy : undefined,
              copyLabel: words.versionCopy,
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
    document.title = `${name === '' ? '' : `${name} – `}${title}`;
  }, [name, title]);
  return (
    <>
      <h1>{title}</h1>
      {name !== '' && <p className="name">{name}</p>}
      {more !== undefined && <p>{more}</p>}
      <p>{t('common.you-can-close-this-tab')}</p>
      {again !== undefined && (
        <p>
          <a href={again}>{t('common.open-again')}</a>
        </p>
      )}
    </>
  );
}
