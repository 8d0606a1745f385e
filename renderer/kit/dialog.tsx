// Dialogs: a frame for forms, and `useConfirm`, which asks and waits for the answer. Focus stays inside and returns after.

import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { t } from '../../app/contract/messages.ts';
import { ScrollArea } from './blocks.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  /** The buttons, the one that does it last. */
  footer: ReactNode;
  width?: 'narrow' | 'wide';
  /** `alertdialog` for a question that must be answered: a click outside doesn’t close it, Escape does. */
  role?: 'dialog' | 'alertdialog';
}

export function Dialog(props: DialogProps) {
  const role = props.role ?? 'dialog';
  return (
    <ModalOverlay
      className="dialog-veil"
      isOpen={props.isOpen}
      isDismissable={role === 'dialog'}
      onOpenChange={(isOpen) => {
        if (!isOpen) props.onClose();
      }}
    >
      <Modal className={`dialog-frame dialog-${props.width ?? 'narrow'}`}>
        <AriaDialog role={role} className="dialog">
          <Heading slot="title" level={2} className="dialog-title">
            {props.title}
          </Heading>
          <ScrollArea className="dialog-body">{props.children}</ScrollArea>
          <div className="dialog-footer">{props.footer}</div>
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
  const isDanger = props.isDanger === true;
  return (
    <Dialog
      role="alertdialog"
      title={props.title}
      isOpen
      onClose={() => props.onAnswer(false)}
      width={props.width ?? 'narrow'}
      footer={
        <>
          <Button onPress={() => props.onAnswer(false)} autoFocus={isDanger}>
            {t('common.cancel')}
          </Button>
          <Button
            look={isDanger ? 'danger' : 'primary'}
            onPress={() => props.onAnswer(true)}
            autoFocus={!isDanger}
          >
            {props.confirm}
          </Button>
        </>
      }
    >
      {props.body}
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
    <ul className="item-list">
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

/** A paragraph with a sign, for what deserves a second look inside a dialog or a view. */
export function Notice(props: {
  tone: 'info' | 'warn' | 'bad' | 'good';
  children: ReactNode;
  /** Read out at once. */
  isAlert?: boolean;
  /** A button at the right. */
  action?: ReactNode;
}) {
  const icon = props.tone === 'warn' ? 'warning' : props.tone === 'bad' ? 'error' : props.tone;
  return (
    <div className={`notice tone-${props.tone}`}>
      <Icon name={icon} />
      <div className="notice-text" {...(props.isAlert === true && { role: 'alert' })}>
        {props.children}
      </div>
      {props.action}
    </div>
  );
}
