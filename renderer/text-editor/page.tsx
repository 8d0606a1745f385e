// What is around the text, drawn from the store: the bar above it with its menu, notices, the status line, a dialog, and what is shown
// in place of a text. Status and notices are live regions; a notice never takes the focus from a user who is typing.

import '@fontsource-variable/inter/wght.css';
import '../kit/tokens.css';
import '../kit/base.css';
import '../kit/kit.css';
import './style.css';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { I18nProvider } from 'react-aria';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { currentLocale, t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import { Button, ToggleButton } from '../kit/button.tsx';
import { MenuButton } from '../kit/menu.tsx';
import type { NameQuestion } from '../kit/name-check.ts';
import { NameDialog } from '../kit/name-dialog.tsx';
import { PageChoice, PageNotice } from '../kit/page-notice.tsx';
import type { Content, Page, ShownPage } from './page-store.ts';

/** The page's parts: React draws above the document and below it, and what isn't a text into its place. */
export interface Places {
  above: HTMLElement;
  body: HTMLElement;
  below: HTMLElement;
}

/** @param isEmbedded the host page shows the name and *Saved* already */
export function drawPage({ above, body, below }: Places, page: Page, isEmbedded: boolean): void {
  createRoot(above).render(
    <I18nProvider locale={currentLocale()}>
      <Bar page={page} isEmbedded={isEmbedded} />
      <Notices page={page} body={body} />
      {createPortal(<ContentPlace page={page} />, body)}
      {createPortal(<StatusLine page={page} />, below)}
      <Question page={page} />
    </I18nProvider>,
  );
}

/** One part of the store. */
function useShown<Part extends keyof ShownPage>(page: Page, part: Part): ShownPage[Part] {
  return useSyncExternalStore(page.subscribe, () => page.get()[part]);
}

function Bar({ page, isEmbedded }: { page: Page; isEmbedded: boolean }) {
  const name = useShown(page, 'name');
  const { text, tone = '' } = useShown(page, 'status');
  const tools = useShown(page, 'tools');
  const menu = useShown(page, 'menu');
  useEffect(() => {
    if (name !== '') document.title = `${isolated(name)} – DocTray`;
  }, [name]);
  return (
    <header className="bar">
      <h1 className={isEmbedded ? 'visually-hidden' : ''} title={name}>
        {name}
      </h1>
      {/* The bar of the host page says it. */}
      <p role="status" className={isEmbedded ? 'state visually-hidden' : `state ${tone}`}>
        {text}
      </p>
      <div className="row">
        {tools.map(({ label, isOn, isDisabled = false, press }) =>
          isOn === undefined ? (
            <Button key={label} look="quiet" onPress={press}>
              {label}
            </Button>
          ) : (
            <ToggleButton key={label} isOn={isOn} isDisabled={isDisabled} onPress={press}>
              {label}
            </ToggleButton>
          ),
        )}
      </div>
      {menu !== undefined && (
        <MenuButton
          look="quiet"
          label={t('editor.more')}
          entries={() =>
            menu().map(({ label, press, keys }) => ({
              id: label,
              title: label,
              run: press,
              ...(keys !== undefined && { keys }),
            }))
          }
        />
      )}
    </header>
  );
}

function Notices({ page, body }: { page: Page; body: HTMLElement }) {
  const notices = useShown(page, 'notices');
  const area = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  // What had the focus may be gone with its notice. Keyboard users would start again at the top of the page.
  useEffect(() => {
    if (!hasFocus.current || area.current?.contains(document.activeElement) === true) return;
    hasFocus.current = false;
    if (document.activeElement === document.body) body.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  return (
    <div
      className="notices"
      ref={area}
      onFocus={() => (hasFocus.current = true)}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null) hasFocus.current = false;
      }}
    >
      {[...notices].map(([kind, { text, hasDismiss, ...notice }]) => (
        <PageNotice
          key={kind}
          heading={text}
          {...notice}
          onDismiss={hasDismiss === true ? () => page.setNotice(kind, null) : undefined}
        />
      ))}
    </div>
  );
}

function StatusLine({ page }: { page: Page }) {
  const goToLine = useShown(page, 'goToLine');
  return (
    <>
      {goToLine && (
        <footer className="row status-line">
          <Button look="quiet" onPress={goToLine}>
            <StatusPiece page={page} index={0} />
          </Button>
          {[1, 2, 3, 4].map((index) => (
            <span key={index}>
              <StatusPiece page={page} index={index} />
            </span>
          ))}
        </footer>
      )}
      <p id="tab-hint" hidden>
        {t('editor.press-escape-then-tab-to')}
      </p>
    </>
  );
}

/** Its text is all that is drawn again for a typed letter. */
function StatusPiece({ page, index }: { page: Page; index: number }) {
  return useSyncExternalStore(page.subscribe, () => page.get().statusLine[index]);
}

function Question({ page }: { page: Page }) {
  const question = useShown(page, 'dialog');
  return question && <OpenQuestion {...question} page={page} />;
}

function OpenQuestion({ page, ...question }: NameQuestion & { page: Page }) {
  // Only now may the text have the focus.
  useEffect(() => page.dialogClosed, [page]);
  return <NameDialog {...question} onAnswer={page.answer} />;
}

function ContentPlace({ page }: { page: Page }) {
  const content = useShown(page, 'content');
  switch (content?.kind) {
    case undefined:
      return null;
    case 'message':
      return <PageChoice title={content.text} more={content.more} buttons={content.buttons ?? []} />;
    case 'picture':
      return (
        <div className="picture" tabIndex={0}>
          <img
            key={content.url}
            src={content.url}
            alt={content.name}
            onLoad={content.onLoad}
            onError={content.onError}
          />
        </div>
      );
    case 'pdf':
      return <iframe key={content.url} className="viewer" title={content.name} src={content.url} />;
    case 'docx':
      return <DocxViewer key={content.version} {...content} />;
  }
}

/** From the load event of the .docx frame to its first message. */
const readyMs = 2000;

/** The frame has no origin, so its messages are recognized by their window. It is sent nothing but the document. */
function DocxViewer({ bytes, name, onEnd }: Extract<Content, { kind: 'docx' }>) {
  const viewer = useRef<HTMLIFrameElement>(null);
  const isReady = useRef(false);
  useEffect(() => {
    const onMessage = ({ data, source }: MessageEvent<unknown>): void => {
      const frame = viewer.current?.contentWindow;
      if (frame == null || source !== frame) return;
      if (data === 'ready') {
        isReady.current = true;
        frame.postMessage(bytes.buffer, '*', [bytes.buffer]);
      } else if (data === 'shown' || data === 'failed') onEnd(data === 'shown');
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [bytes, onEnd]);
  return (
    <iframe
      ref={viewer}
      className="viewer"
      title={t('editor.preview-of-name', { name: isolated(name) })}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      src="/assets/preview.html"
      // The frame's policy allows no script that could report that preview.js failed to load. The message may arrive after this event.
      onLoad={() => setTimeout(() => isReady.current || onEnd(false), readyMs)}
    />
  );
}
