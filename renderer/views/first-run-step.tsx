// The frame of one of the first steps, and what each of them is handed.

import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';

export interface StepProps {
  next(): void;
  back(): void;
  /** Leaves the first steps; the document, when there is one, is shown then. */
  finish(document?: string): void;
  isFinishing: boolean;
  /** Made by the sample step. */
  sample: string | undefined;
  onSample(path: string): void;
}

/** Title and words; at the foot the way back at the left, past it and on at the right. */
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
      Back
    </Button>
  );
}
