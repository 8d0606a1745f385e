// The frame of one step of the first run, and what each of them gets.

import { t } from '../../../app/contract/messages.ts';
import type { ReactNode } from 'react';
import type { CommandResult } from '../../../app/commands/commands.ts';
import { Button } from '../parts/button.tsx';
import type { AddressSearch } from '../editors/address-search.tsx';

/** The document that the last step offers. */
export interface Sample {
  opened: { path: string; editorName: string; mode: 'edit' | 'view' } | undefined;
  isOpening: boolean;
  problem: string | null;
  /** Puts it into the folder where it isn't there, and opens it. */
  open(): Promise<void>;
}

/** Undefined until the host has said; null where there is none. */
export type DefaultFolder = CommandResult<'host.defaultFolder'> | undefined;

export interface StepProps {
  next(): void;
  back(): void;
  /** Leaves the first run; Documents shows the document, where one is given. */
  finish(document?: string): void;
  isFinishing: boolean;
  /** Kept while the steps change. */
  defaultFolder: DefaultFolder;
  addresses: AddressSearch;
  sample: Sample;
}

/** Title and content; at the foot the way back at the left, the way on at the right. */
export function Step(props: { title: string; children: ReactNode; aside?: ReactNode; footer: ReactNode }) {
  return (
    <div className="first-run-step">
      <div className="first-run-body">
        <h1 className="first-run-title" tabIndex={-1}>
          {props.title}
        </h1>
        {props.children}
      </div>
      <div className="first-run-footer">
        <div className="first-run-aside">{props.aside}</div>
        {props.footer}
      </div>
    </div>
  );
}

export function Back(props: { onPress(): void }) {
  return (
    <Button look="quiet" onPress={props.onPress}>
      {t('Back')}
    </Button>
  );
}
