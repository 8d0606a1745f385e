// Dialogs: a frame for forms, and `useConfirm`, which asks and waits for the answer. Focus stays inside and returns after.

import {
  createContext,
  useCallback,
  useContext,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { t } from '../../app/contract/messages.ts';
import { ScrollArea } from './blocks.tsx';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

interface DialogProps {
  title: string;
  /** Left out: as long as it is rendered. */
  isOpen?: boolean;
  onClose(): void;
  children: ReactNode;
  /** What it does; left out: it only shows something. Another `autoFocus` is another button, which takes the focus. */
  confirm?: (Omit<ComponentProps<typeof Button>, 'children'> & { label: string }) | undefined;
  /** What the button says that closes it, if it isn't *Cancel* beside `confirm`, and otherwise *Close*. Null: there is none. */
  close?: string | null;
  /** The focus starts on that button. Without `confirm`, it always does. */
  focusesClose?: boolean;
  /** Other buttons, before these two. */
  buttons?: ReactNode;
  width?: 'narrow' | 'wide';
  /** `alertdialog` for a question that must be answered: a click outside doesn’t close it, Escape does. */
  role?: 'dialog' | 'alertdialog';
}

export function Dialog(props: DialogProps) {
  const { role = 'dialog', confirm } = props;
  const isQuestion = confirm !== undefined;
  const { close = t(isQuestion ? 'common.cancel' : 'common.close'), focusesClose = !isQuestion } = props;
  const { label, ...button } = confirm ?? {};
  return (
    <ModalOverlay
      className="dialog-veil"
      isOpen={props.isOpen ?? true}
      isDismissable={role === 'dialog'}
      onOpenChange={(isOpen) => {
        if (!isOpen) props.onClose();
      }}
    >
      <Modal className={`dialog-frame dialog-${props.width ?? 'narrow'}`}>
        <AriaDialog role={role} className="fill dialog">
          <Heading slot="title" level={2} className="dialog-title">
            {props.title}
          </Heading>
          <ScrollArea className="stack dialog-body">{props.children}</ScrollArea>
          <div className="row dialog-footer">
            {props.buttons}
            {close !== null && (
              <Button
                look={isQuestion ? 'plain' : 'primary'}
                autoFocus={focusesClose}
                onPress={() => props.onClose()}
              >
                {close}
              </Button>
            )}
            {isQuestion && (
              <Button key={`${confirm.autoFocus}`} look="primary" {...button}>
                {label}
              </Button>
            )}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export interface Question {
  title: string;
  /** What will happen, also for other users. */
  body: ReactNode;
  /** What the button does, in its own words: `Force-clear`. */
  confirm: string;
  /** Red button; the focus starts on Cancel. */
  isDanger?: boolean;
  width?: 'narrow' | 'wide';
}

export function ConfirmDialog(props: Question & { onAnswer(isYes: boolean): void }) {
  const { title, body, isDanger = false, width = 'narrow', onAnswer } = props;
  return (
    <Dialog
      role="alertdialog"
      title={title}
      onClose={() => onAnswer(false)}
      width={width}
      focusesClose={isDanger}
      confirm={{
        label: props.confirm,
        look: isDanger ? 'danger' : 'primary',
        autoFocus: !isDanger,
        onPress: () => onAnswer(true),
      }}
    >
      {body}
    </Dialog>
  );
}

const ConfirmContext = createContext<((question: Question) => Promise<boolean>) | undefined>(undefined);

export function ConfirmProvider(props: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>();
  const [isOpen, setIsOpen] = useState(false);
  const settle = useRef<(answer: boolean) => void>(undefined);

  const ask = useCallback(async (next: Question) => {
    settle.current?.(false);
    setQuestion(next);
    setIsOpen(true);
    return new Promise<boolean>((resolve) => {
      settle.current = resolve;
    });
  }, []);
  const answer = (isYes: boolean) => {
    setIsOpen(false);
    settle.current?.(isYes);
    settle.current = undefined;
  };

  return (
    <ConfirmContext value={ask}>
      {props.children}
      {question !== undefined && isOpen && <ConfirmDialog {...question} onAnswer={answer} />}
    </ConfirmContext>
  );
}

/**
 * Asks by an alertdialog; true when the user confirmed.
 * @example if (await confirm({ title: 'Revoke 3 tokens?', body: …, confirm: 'Revoke', isDanger: true })) …
 */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const ask = useContext(ConfirmContext);
  if (ask === undefined) throw new Error('Outside ConfirmProvider.');
  return ask;
}

const namedAtMost = 6;

/** The items that a question is about: the first ones by name, each with a muted line, then how many more there are. */
export function ItemList(props: { items: readonly { id: string; name: string; detail: string }[] }) {
  const { items } = props;
  return (
    <ul className="stack item-list">
      {items.slice(0, namedAtMost).map(({ id, name, detail }) => (
        <li key={id}>
          <div className="item-name">{name}</div>
          <div className="muted">{detail}</div>
        </li>
      ))}
      {items.length > namedAtMost && (
        <li className="muted">{t('kit.more', { count: items.length - namedAtMost })}</li>
      )}
    </ul>
  );
}

interface NoticeProps {
  tone: 'info' | 'warn' | 'bad' | 'good';
  children: ReactNode;
  /** Buttons at the end. */
  actions?: ReactNode;
  /** It has a ×. */
  onDismiss?: (() => void) | undefined;
  /** It lies over the page, and looks as the messages of `ToastProvider`. */
  isToast?: boolean;
  role?: 'status' | 'alert';
}

/** A paragraph with a sign, for what deserves a second look inside a dialog, a view or a page. */
export function Notice(props: NoticeProps) {
  const { tone, onDismiss } = props;
  const icon = tone === 'warn' ? 'warning' : tone === 'bad' ? 'error' : tone;
  return (
    <section className={`notice tone-${tone}${props.isToast === true ? ' toast' : ''}`} role={props.role}>
      <Icon name={icon} />
      <div className="grow notice-text">{props.children}</div>
      {props.actions}
      {onDismiss !== undefined && <IconButton icon="close" label={t('common.dismiss')} onPress={onDismiss} />}
    </section>
  );
}
