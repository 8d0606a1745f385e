// The built-in text editor: a switch, its test, and behind a button what it opens and where it listens. DocTray runs it, so there
// is no address to give it and nothing to remove.

import { useId } from 'react';
import type { EditorItem } from '../../../app/contract/editors.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { countOf } from '../../../app/contract/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Switch } from '../parts/switch.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { useConnectionTest } from '../editors/test.tsx';
import { builtInSummary, problemWords, standingOf } from '../editors/words.ts';
import { DetailsButton, TestResult } from './editor-card.tsx';
import { EditorTypes } from './editor-details.tsx';
import { OptionalPortSetting, TextSetting } from './fields.tsx';
import { SettingRow } from './section.tsx';
import { useChosenSetting } from './value.ts';

interface Props {
  /** Undefined while it is switched off. */
  editor: EditorItem | undefined;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

const name = 'Text editor';
const absent = { id: '', lastTest: null, addedAtMs: Infinity };

export function BuiltInEditor({ editor, isOpen, onOpenChange }: Props) {
  const detailsId = useId();
  const { value: isOn, error, choose } = useChosenSetting('textEditor');
  const isAway = useWindowState(({ host }) => host.status === 'error' || host.status === 'stopping');
  const absentWords = isAway ? 'Not running' : 'Starting';
  const test = useConnectionTest(editor ?? absent);
  /** Shown: the entry comes and goes a moment after the switch. */
  const entry = isOn ? editor : undefined;
  const standing = entry && standingOf(entry);
  return (
    <article className="editor-card" aria-label={name}>
      <div className="editor-head">
        <div className={`editor-standing tone-${standing?.tone ?? 'muted'}`}>
          <Icon name={standing?.icon ?? 'dash'} size={20} />
          <div className="editor-standing-words">
            <div>
              <span className="editor-name">{entry?.name ?? name}</span>{' '}
              <span className="editor-state">{standing?.words ?? (isOn ? absentWords : 'Off')}</span>
            </div>
            <div className="muted">Built in · {builtInSummary}</div>
          </div>
        </div>
        <div className="editor-buttons">
          {entry !== undefined && (
            <>
              <Button
                isPending={test.isRunning}
                aria-label={`Test connection of ${entry.name}`}
                onPress={() => {
                  onOpenChange(true);
                  void test.run();
                }}
              >
                Test connection
              </Button>
              <DetailsButton
                name={entry.name}
                controls={detailsId}
                isOpen={isOpen}
                onPress={() => onOpenChange(!isOpen)}
              />
            </>
          )}
          <Switch label={name} isLabelHidden isOn={isOn} onChange={choose} />
        </div>
      </div>
      {(error !== null || (entry !== undefined && entry.problem !== null)) && (
        <div className="editor-problem">
          <Notice tone="bad">
            <div role="alert">{error ?? (entry?.problem && problemWords(entry.problem))}</div>
          </Notice>
        </div>
      )}
      <div id={detailsId} hidden={!isOpen || entry === undefined}>
        {isOpen && entry !== undefined && (
          <>
            <TestResult name={entry.name} test={test} />
            <div className="editor-details">
              <SettingRow
                title={`Opens ${countOf(entry.types.length, 'type')}`}
                hint="It also opens any other file that contains plain text."
              />
              <EditorTypes types={entry.types} />
              <OptionalPortSetting
                settingKey="textEditorPort"
                label="Port of the text editor"
                hint="Optional. Defaults to the next free port after DocTray’s."
              />
              <TextSetting
                settingKey="textEditorUrl"
                label="Public URL of the text editor"
                hint="Optional. Only needed behind a reverse proxy."
                placeholder="https://edit.example.com"
              />
            </div>
          </>
        )}
      </div>
    </article>
  );
}
