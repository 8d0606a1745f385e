// About: the version and its updates, where DocTray keeps its own data, and diagnostics: what the doctor found, the latest lines of the
// log, and both as a report for support.

import { useEffect, useState, type ReactNode } from 'react';
import type { CommandResult } from '../../../app/commands/commands.ts';
import { t } from '../../../app/contract/messages.ts';
import type { UpdateState } from '../../../app/contract/state.ts';
import { useAction } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { FieldRow } from '../../kit/field-rows.tsx';
import { Icon } from '../../kit/icon.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { Checks, Message, Section } from '../../kit/blocks.tsx';
import { hostTime } from '../state/clock.ts';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { entryOf, type SettingId } from './catalog.ts';
import { SettingField } from './fields.tsx';
import { Log } from './log.tsx';

export function AboutPane({ path }: { path?: string | undefined }) {
  const app = useWindowState((state) => state.app);
  const help = useAction('app.openHelp', { failure: t('window.couldnt-open-the-page') });
  const versions = Object.entries(app.versions).map((pair) => pair.join(' '));
  return (
    <>
      <Section level={3}>
        <FieldRow
          id="version"
          label={`${app.name} ${app.version}`}
          hint={<span className="selectable">{versions.join(' · ')}</span>}
        />
        {app.update !== null && <UpdateRows name={app.name} update={app.update} />}
        <FieldRow id="licenses" label={t('window.guides-and-licenses')}>
          <Button icon="external" onPress={() => void help.run({ page: 'start' })}>
            {t('window.getting-started')}
          </Button>
          <Button icon="external" onPress={() => void help.run({ page: 'licenses' })}>
            {t('window.licenses')}
          </Button>
        </FieldRow>
      </Section>
      <Diagnostics path={path} />
      <Section level={3} title={t('window.storage')}>
        <Secrets />
        <DataFolder />
      </Section>
    </>
  );
}

function UpdateRows({ name, update }: { name: string; update: UpdateState }) {
  const check = useAction('app.checkForUpdates', { failure: t('window.couldnt-check-for-updates') });
  const restart = useAction('app.restartToUpdate', { failure: t('window.couldnt-restart') });
  const { status, version, notes, problem, checkedAtMs, canRestart } = update;
  const newer = `${name} ${version ?? ''}`;
  const rows: Record<UpdateState['status'], { label: string; hint?: ReactNode }> = {
    unknown: { label: t('window.updates') },
    checking: { label: t('window.checking-for-updates') },
    current: {
      label: t('window.app-is-up-to-date', { app: name }),
      hint: <Message of="window.checked-when" values={{ when: <RelativeTime atMs={checkedAtMs} /> }} />,
    },
    downloading: {
      label: t('window.downloading-app', { app: newer }),
      hint: t('window.you-can-keep-working'),
    },
    ready: {
      label: t('window.app-is-ready', { app: newer }),
      hint: t('window.its-installed-when-you-quit'),
    },
    failed: { label: t('window.updates') },
  };
  const isBusy = status === 'checking' || status === 'downloading';
  return (
    <>
      <FieldRow {...rows[status]} error={problem?.message ?? null}>
        {status === 'ready' ? (
          canRestart && <Button onPress={() => void restart.run({})}>{t('window.restart-to-update')}</Button>
        ) : (
          <Button isDisabled={isBusy} onPress={() => void check.run({})}>
            {t('window.check-for-updates')}
          </Button>
        )}
      </FieldRow>
      {notes !== null && (
        <details className="update-notes">
          <summary>{t('window.whats-new-in-app', { app: newer })}</summary>
          <div className="muted">{notes}</div>
        </details>
      )}
      <SettingField id="checkForUpdates" />
    </>
  );
}

function Secrets() {
  const secrets = useWindowState((state) => state.host.secrets);
  const { label, hint } = entryOf('secrets');
  const move = useAction('secrets.moveToKeychain', {
    failure: t('window.couldnt-move-the-secrets'),
    success: t('window.the-secrets-are-in-the'),
  });
  return (
    <FieldRow
      id="secrets"
      label={label}
      hint={
        secrets === null
          ? `${hint} ${t('window.not-known-while-doctray-isnt')}`
          : secrets.kind === 'keychain'
            ? t('window.token-keys-and-the-owners-password')
            : t('window.token-keys-and-the-owners')
      }
    >
      {secrets?.kind === 'file' && (
        <Button isPending={move.isPending} onPress={() => void move.run({})}>
          {t('window.move-to-the-keychain')}
        </Button>
      )}
    </FieldRow>
  );
}

function DataFolder() {
  const dataDir = useWindowState((state) => state.app.dataDir);
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const reveal = useAction('app.revealDataFolder', { failure: t('window.couldnt-show-the-data-folder') });
  const { label, hint } = entryOf('data');
  return (
    <FieldRow id="data" label={label} hint={hint} note={<span className="selectable">{dataDir}</span>}>
      {!isInBrowser && (
        <Button isPending={reveal.isPending} onPress={() => void reveal.run({})}>
          {t('window.show-in-file-manager')}
        </Button>
      )}
    </FieldRow>
  );
}

interface Findings {
  /** In the order of `marks`. */
  results: CommandResult<'doctor'>;
  atMs: number;
}

/** What failed comes first. */
const marks = {
  failed: { icon: 'error', tone: 'bad' },
  note: { icon: 'info', tone: 'muted' },
  ok: { icon: 'good', tone: 'good' },
} as const;

const checkNames: Record<CommandResult<'doctor'>[number]['check'], string> = {
  folder: t('window.folder'),
  space: t('window.disk-space'),
  port: t('window.port'),
  address: t('common.address'),
  'text-editor': t('host.text-editor'),
  network: t('window.network'),
  settings: t('common.settings'),
  pause: t('common.pause'),
  tls: t('window.https'),
  database: t('window.database'),
  secrets: t('window.secrets'),
  clock: t('window.clock'),
  attention: t('common.documents'),
  start: t('common.start'),
};

/** The setting that fixes what a check found. */
const fixes: Partial<Record<keyof typeof checkNames, { id: SettingId; button: string }>> = {
  folder: { id: 'folder', button: t('window.show-settings') },
  port: { id: 'port', button: t('window.change-port') },
  address: { id: 'publicUrl', button: t('window.show-settings') },
  'text-editor': { id: 'textEditorPort', button: t('window.change-port') },
  tls: { id: 'tls', button: t('window.show-settings') },
};

/** The banner has the button for what keeps the host from starting. */
function Fix({ check }: { check: keyof typeof checkNames }) {
  const { go } = useNavigation();
  const hasProblem = useWindowState(({ host }) => host.problem !== null);
  const isInBanner = hasProblem && (check === 'port' || check === 'folder');
  const fix = fixes[check];
  return (
    fix !== undefined &&
    !isInBanner && (
      <div>
        <Button onPress={() => go('settings', fix.id)}>{fix.button}</Button>
      </div>
    )
  );
}

function Diagnostics({ path }: { path?: string | undefined }) {
  const [isLogOpen, setIsLogOpen] = useState(path === 'log');
  useEffect(() => {
    if (path === 'log') setIsLogOpen(true);
  }, [path]);
  const [findings, setFindings] = useState<Findings>();
  const check = useAction('doctor');
  const copy = useCopyDiagnostics();
  const run = async () => {
    const found = await check.run({});
    if (found === undefined) return;
    const order = Object.keys(marks);
    const results = found.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
    setFindings({ results, atMs: hostTime() });
  };
  const diagnostics = entryOf('diagnostics');
  const log = entryOf('log');
  return (
    <Section
      level={3}
      title={diagnostics.label}
      actions={
        <Button look="quiet" icon="copy" isPending={copy.isPending} onPress={() => void copy.run()}>
          {t('window.copy-diagnostics')}
        </Button>
      }
    >
      <FieldRow
        id="diagnostics"
        label={<Verdict findings={findings} />}
        hint={
          findings === undefined ? (
            diagnostics.hint
          ) : (
            <Message of="window.checked-when" values={{ when: <RelativeTime atMs={findings.atMs} /> }} />
          )
        }
        error={check.problem?.message ?? null}
      >
        <Button isPending={check.isPending} onPress={() => void run()}>
          {t('window.run-check')}
        </Button>
      </FieldRow>
      {findings !== undefined && (
        <Checks
          label={t('window.results')}
          isShort
          items={findings.results.map(({ check: name, verdict, text }) => ({
            id: name,
            ...marks[verdict],
            title: checkNames[name],
            text,
            more: verdict === 'failed' && <Fix check={name} />,
          }))}
        />
      )}
      <FieldRow {...log}>
        <Button onPress={() => setIsLogOpen(!isLogOpen)}>
          {isLogOpen ? t('window.hide-log') : t('window.show-log')}
        </Button>
      </FieldRow>
      {isLogOpen && <Log />}
    </Section>
  );
}

function Verdict({ findings }: { findings: Findings | undefined }) {
  if (findings === undefined) return t('window.check-doctray');
  const failed = findings.results.filter(({ verdict }) => verdict === 'failed').length;
  const { icon, tone } = marks[failed > 0 ? 'failed' : 'ok'];
  return (
    <span role="status" className={`line verdict tone-${tone}`}>
      <Icon name={icon} />
      {t('window.problems-found', {
        count: failed,
      })}
    </span>
  );
}

/** Without secrets, paths and names of documents. */
export function useCopyDiagnostics(): { run(): Promise<void>; isPending: boolean } {
  const collect = useAction('app.diagnostics', { failure: t('window.couldnt-collect-the-diagnostics') });
  const copy = useAction('app.copyText', {
    failure: t('window.couldnt-copy-the-diagnostics'),
    success: t('window.diagnostics-copied-without-secrets-or'),
  });
  return {
    isPending: collect.isPending || copy.isPending,
    async run() {
      const collected = await collect.run({});
      if (collected !== undefined) await copy.run({ text: collected.text });
    },
  };
}
