// A notice of a page with a document: what happened, and what the user can do about it.

import type { ReactNode } from 'react';
import { t } from '../../app/contract/messages.ts';
import type { ButtonChoice } from './button-choice.ts';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import './page-notice.css';

interface PageNoticeProps {
  heading: string;
  /** One or two short sentences, on their own line. */
  more?: string | undefined;
  tone: 'info' | 'warn' | 'bad';
  /** One of them is the main one. */
  buttons?: readonly ButtonChoice[] | undefined;
  link?: { text?: string; name: string; url: string } | undefined;
  /** Over the document, and not above it. */
  isToast?: boolean;
  onDismiss?: (() => void) | undefined;
  /** After the buttons. */
  children?: ReactNode;
}

const icons = { info: 'info', warn: 'warning', bad: 'error' } as const;

export function PageNotice(props: PageNoticeProps) {
  const { heading, more = '', tone, buttons = [], link, isToast, onDismiss, children } = props;
  return (
    <section
      className={`notice tone-${tone}${isToast === true ? ' toast' : ''}`}
      role={tone === 'info' ? 'status' : 'alert'}
    >
      <Icon name={icons[tone]} size={18} />
      <div>
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
      </div>
      {(buttons.length > 0 || Boolean(children)) && (
        <div className="buttons">
          <Choices buttons={buttons} />
          {children}
        </div>
      )}
      {onDismiss !== undefined && <IconButton icon="close" label={t('common.dismiss')} onPress={onDismiss} />}
    </section>
  );
}

/** A button keeps the focus while its words change. */
export function Choices({ buttons }: { buttons: readonly ButtonChoice[] }) {
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
