// Diagnostics: what the doctor found, the latest lines of the log, and both as a text to send to somebody who helps.

import { useEffect, useMemo, useRef, useState } from 'react';
import type { CommandResult } from '../../../app/commands/commands.ts';
import { t } from '../../../app/contract/messages.ts';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { formatExact } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Switch } from '../parts/switch.tsx';
import { SearchField } from '../parts/text-field.tsx';
import { Skeleton } from '../parts/view.tsx';
import { sentenceOf } from '../state/call.ts';
import { useAction } from '../state/use-action.ts';
import { useTry } from '../state/use-try.ts';
import { useCall } from '../state/window-context.tsx';
import { entryOf } from './catalog.ts';
import { SettingRow, SettingsGroup } from './fields.tsx';

type Findings = CommandResult<'doctor'>;

const marks = {
  ok: { icon: 'good', tone: 'good' },
  note: { icon: 'info', tone: 'muted' },
  failed: { icon: 'error', tone: 'bad' },
} as const;

export function Diagnostics({ path }: { path?: string | undefined }) {
  const [isLogOpen, setIsLogOpen] = useState(path === 'log');
  useEffect(() => {
    if (path === 'log') setIsLogOpen(true);
  }, [path]);
  const [findings, setFindings] = useState<Findings>();
  const check = useTry('doctor');
  const copy = useCopyDiagnostics();
  const run = async () => {
    const found = await check.run({});
    if (found !== undefined) setFindings(found);
  };
  const diagnostics = entryOf('diagnostics');
  const log = entryOf('log');
  return (
    <SettingsGroup title={diagnostics.label}>
      <SettingRow
        id="diagnostics"
        title={<Verdict findings={findings} />}
        hint={diagnostics.hint}
        error={check.problem}
      >
        <Button isPending={copy.isPending} onPress={() => void copy.run()}>
          {t('Copy diagnostics')}
        </Button>
        <Button isPending={check.isPending} onPress={() => void run()}>
          {findings === undefined ? t('Run check') : t('Check again')}
        </Button>
      </SettingRow>
      {findings !== undefined && (
        <ul className="findings" aria-label={t('Results')}>
          {findings.map(({ check: name, verdict, text }) => (
            <li key={name} className={`finding tone-${marks[verdict].tone}`}>
              <Icon name={marks[verdict].icon} />
              <span className="selectable">{text}</span>
            </li>
          ))}
        </ul>
      )}
      <SettingRow id="log" title={log.label} hint={log.hint}>
        <Button onPress={() => setIsLogOpen(!isLogOpen)}>{isLogOpen ? t('Hide log') : t('Show log')}</Button>
      </SettingRow>
      {isLogOpen && <Log />}
    </SettingsGroup>
  );
}

function Verdict({ findings }: { findings: Findings | undefined }) {
  if (findings === undefined) return t('Check DocTray');
  const failed = findings.filter(({ verdict }) => verdict === 'failed').length;
  return (
    <span role="status">
      {t('{count, plural, =0 {Everything works} one {# problem found} other {# problems found}}', {
        count: failed,
      })}
    </span>
  );
}

/** Without secrets, paths and names of documents. */
export function useCopyDiagnostics(): { run(): Promise<void>; isPending: boolean } {
  const collect = useAction('app.diagnostics', { failure: t('Couldn’t collect the diagnostics') });
  const copy = useAction('app.copyText', {
    failure: t('Couldn’t copy the diagnostics'),
    success: t('Diagnostics copied, without secrets and names of documents'),
  });
  return {
    isPending: collect.isPending || copy.isPending,
    async run() {
      const collected = await collect.run({});
      if (collected !== undefined) await copy.run({ text: collected.text });
    },
  };
}

type LogLine = CommandResult<'app.log'>['lines'][number];

const refreshEveryMs = 2000;

function Log() {
  const call = useCall();
  const [lines, setLines] = useState<LogLine[]>();
  const [problem, setProblem] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  const [isProblemsOnly, setIsProblemsOnly] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isGone = false;
    const load = async () => {
      try {
        const { lines: latest } = await call('app.log', {});
        if (!isGone) setLines(latest);
      } catch (error) {
        if (!isGone) setProblem(sentenceOf(error));
      }
    };
    void load();
    const timer = setInterval(() => void load(), refreshEveryMs);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [call]);
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    return lines?.filter(
      ({ level, text }) =>
        (!isProblemsOnly || level === 'warn' || level === 'error') && text.toLowerCase().includes(wanted),
    );
  }, [lines, filter, isProblemsOnly]);
  // Follows the end, unless the user scrolled up.
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [shown]);
  return (
    <div className="log">
      <div className="log-bar">
        <SearchField label={t('Filter the log')} value={filter} onChange={setFilter} />
        <Switch label={t('Problems only')} isOn={isProblemsOnly} onChange={setIsProblemsOnly} />
      </div>
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      {shown === undefined ? (
        problem === null && <Skeleton rows={4} />
      ) : (
        <div
          className="log-lines code"
          role="log"
          aria-label={t('Log')}
          tabIndex={0}
          ref={list}
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            follows.current = scrollTop + clientHeight >= scrollHeight - 8;
          }}
        >
          {shown.length === 0 && <div className="muted">{t('No lines.')}</div>}
          {shown.map((line) => (
            <div key={line.number} className={`log-line log-${line.level}`}>
              <time dateTime={new Date(line.atMs).toISOString()} title={formatExact(line.atMs)}>
                {clockTime.format(line.atMs)}
              </time>{' '}
              <span className="log-level">{line.level}</span> <span className="selectable">{line.text}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

const clockTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
