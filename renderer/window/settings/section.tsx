// A titled group of settings that can be jumped to, and the rows in it: words at the left, the control at the right.

import { useId, type ReactNode } from 'react';

export interface SettingsSectionProps {
  id: string;
  title: string;
  /** Muted, under the title. */
  hint?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function sectionElementId(id: string): string {
  return `settings-${id}`;
}

/** Its title takes the focus when it is jumped to. */
export function SettingsSection(props: SettingsSectionProps) {
  const titleId = useId();
  return (
    <section className="section settings-section" id={sectionElementId(props.id)} aria-labelledby={titleId}>
      <div className="section-header">
        <h2 className="section-title" id={titleId} tabIndex={-1}>
          {props.title}
        </h2>
        {props.actions !== undefined && <div className="section-actions">{props.actions}</div>}
      </div>
      {props.hint !== undefined && <p className="section-hint">{props.hint}</p>}
      <div className="section-body">{props.children}</div>
    </section>
  );
}

export interface SettingRowProps {
  title: ReactNode;
  hint?: ReactNode;
  /** Below the words, in the colour of what went wrong. */
  error?: string | null;
  children?: ReactNode;
}

/** A row that is no field of a form: a value with buttons. */
export function SettingRow(props: SettingRowProps) {
  return (
    <div className="setting">
      <div className="setting-words">
        <div className="field-label">{props.title}</div>
        {props.hint !== undefined && <div className="field-hint">{props.hint}</div>}
        {props.error != null && (
          <div className="field-error" role="alert">
            {props.error}
          </div>
        )}
      </div>
      {props.children !== undefined && (
        <div className="setting-control setting-buttons">{props.children}</div>
      )}
    </div>
  );
}
