// What a page says about its document, above it or in its place: what happened, and what the user can do about it.

import { useEffect, useRef, type ReactNode } from 'react';
import type { ButtonChoice, PageMessage, ShownChoice } from './button-choice.ts';
import { Button } from './button.tsx';
import { Notice } from './dialog.tsx';
import './page-notice.css';

interface PageNoticeProps extends Omit<PageMessage, 'text'> {
  heading: string;
  /** Over the document, and not above it. */
  isToast?: boolean;
  onDismiss?: (() => void) | undefined;
  /** After the buttons. */
  children?: ReactNode;
}

export function PageNotice(props: PageNoticeProps) {
  const { heading, more = '', tone, buttons = [], link, isToast = false, onDismiss, children } = props;
  return (
    <Notice
      tone={tone}
      role={tone === 'info' ? 'status' : 'alert'}
      isToast={isToast}
      onDismiss={onDismiss}
      actions={
        (buttons.length > 0 || Boolean(children)) && (
          <div className="buttons row">
            <Choices buttons={buttons} />
            {children}
          </div>
        )
      }
    >
      <strong>{heading}</strong>
      {more !== '' && <p>{more}</p>}
      {link !== undefined && (
        <p>
          {link.text}
          <a href={link.url} target="_blank" rel="noopener">
            {link.name}
          </a>
        </p>
      )}
    </Notice>
  );
}

/** In place of the document. */
export function PageChoice(props: ShownChoice & { takesFocus?: boolean }) {
  const { title, more, buttons, takesFocus = false } = props;
  const area = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) area.current?.querySelector('button')?.focus();
  }, [takesFocus]);
  return (
    <section className="page-choice stack" aria-labelledby="page-choice-title" ref={area}>
      <h2 id="page-choice-title">{title}</h2>
      {more !== undefined && <p>{more}</p>}
      <div className="buttons row">
        <Choices buttons={buttons} />
      </div>
    </section>
  );
}

/** A button keeps the focus while its words change. */
function Choices({ buttons }: { buttons: readonly ButtonChoice[] }) {
  return buttons.map(({ label, name, isMain, press }, index) => (
    <Button
      key={index}
      look={isMain === true ? 'primary' : 'plain'}
      onPress={press}
      {...(name !== undefined && { 'aria-label': name })}
    >
      {label}
    </Button>
  ));
}
