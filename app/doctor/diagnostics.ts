// A report for support: what is installed, what the doctor found, which settings differ, and the latest
// problems of the log. Without secrets, and without paths, addresses and names of documents and users, so that it can be posted.

import { homedir } from 'node:os';
import manifest from '../../package.json' with { type: 'json' };
import { AppError, messageFor, type CallerName } from '../contract/errors.ts';
import { editorItems } from '../editors/editor-item.ts';
import type { RunningHost } from '../host/running-host.ts';
import type { Services } from '../host/services.ts';
import { hostState, versionOfSqlite } from '../live-state/host-state.ts';
import { settingsState } from '../live-state/window-settings.ts';
import { defaultSettings, type SettingKey } from '../settings/settings.ts';
import type { EditorItem } from '../contract/editors.ts';
import { settings as descriptions, type SettingsState } from '../contract/settings.ts';
import type { AppState, HostState } from '../contract/state.ts';
import type { Finding } from './finding.ts';

const maxProblems = 40;

/** Its value says nothing about the user: it's a number, a switch or a choice. */
const isHarmless = (key: SettingKey): boolean => !['text', 'list'].includes(descriptions[key].kind);

/** What a diagnosis is made of. */
export interface Diagnosis {
  state: {
    app: Pick<AppState, 'name' | 'version' | 'platform' | 'versions' | 'dataDir'>;
    host: Pick<HostState, 'status' | 'problem' | 'folder'>;
    settings: SettingsState;
    editors: readonly Pick<EditorItem, 'kind' | 'version' | 'problem'>[];
    locks: readonly unknown[];
    sessions: readonly unknown[];
  };
  findings(): Promise<Finding[]>;
  /** Lines of JSON, oldest first. */
  log: readonly string[];
}

/** From a host, or only from its data if none is running. */
export function diagnosisOf(opened: {
  by: CallerName;
  services: Services;
  host: RunningHost | undefined;
}): Diagnosis {
  const { services, host } = opened;
  const { settings, locks, sessions, log } = services;
  const problem = host === undefined ? new AppError('not-running') : undefined;
  const keeper = { host: () => host, isStarting: () => false, problem: () => problem };
  return {
    state: {
      app: appOf(settings.dataDir, { SQLite: versionOfSqlite(services) }),
      host: hostState(keeper, settings.current()),
      settings: settingsState(settings.current()),
      editors: editorItems(services, host),
      locks: locks.list(),
      sessions: sessions.list(),
    },
    async findings() {
      const { diagnose } = await import('./doctor.ts');
      return diagnose(opened);
    },
    log: log.tail?.() ?? [],
  };
}

/** If not even the data can be opened. */
export function diagnosisOfFailure(
  problem: AppError,
  { dataDir, by }: { dataDir: string; by: CallerName },
): Diagnosis {
  const keeper = { host: () => undefined, isStarting: () => false, problem: () => problem };
  return {
    state: {
      app: appOf(dataDir, {}),
      host: hostState(keeper),
      settings: settingsState(defaultSettings),
      editors: [],
      locks: [],
      sessions: [],
    },
    findings: () => Promise.resolve([{ check: 'start', verdict: 'failed', text: messageFor(by, problem) }]),
    log: [],
  };
}

function appOf(dataDir: string, others: Record<string, string | undefined>): Diagnosis['state']['app'] {
  const { electron: Electron, chrome: Chromium, node: Node } = process.versions;
  const versions = Object.entries({ Electron, Chromium, Node, ...others }).flatMap(([name, version]) =>
    version === undefined ? [] : [[name, version] as const],
  );
  return {
    name: 'DocTray',
    version: manifest.version,
    platform: process.platform,
    versions: Object.fromEntries(versions),
    dataDir,
  };
}

export function diagnosticsText(
  input: Pick<Diagnosis, 'state' | 'log'> & { findings: readonly Finding[] },
): string {
  const { app, host, settings, editors, locks, sessions } = input.state;
  const hide = hiding([app.dataDir, host.folder, homedir()]);
  const versions = Object.entries(app.versions).map((pair) => pair.join(' '));
  const changed = (Object.entries(settings) as [SettingKey, unknown][]).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(defaultSettings[key]),
  );
  return [
    `${app.name} ${app.version} on ${app.platform} ${process.arch}`,
    versions.join(', '),
    `Host: ${host.status}${host.problem === null ? '' : ` (${host.problem.code})`}, ${locks.length} locks, ${sessions.length} sessions`,
    `Editors: ${editors.map(({ kind, version, problem }) => `${kind} ${version ?? ''}${problem === null ? '' : ` (${problem.code})`}`).join(', ') || 'none'}`,
    '',
    'Check:',
    ...input.findings.map(({ check, verdict, text }) => `  ${verdict.padEnd(6)} ${check}: ${hide(text)}`),
    '',
    'Changed settings:',
    ...changed.map(([key, value]) =>
      isHarmless(key) ? `  ${key}: ${String(value)}` : `  ${key}: (changed)`,
    ),
    '',
    'Latest problems in the log:',
    ...problemsOf(input.log).map((line) => `  ${hide(line)}`),
    '',
  ].join('\n');
}

/** Message, kind of error and stack; the other fields may name documents, users and addresses. */
function problemsOf(log: readonly string[]): string[] {
  return log
    .filter((line) => /^\{"level":"(?:warn|error)"/u.test(line))
    .slice(-maxProblems)
    .flatMap((line) => {
      try {
        const { time, level, msg, err } = JSON.parse(line) as Record<string, unknown>;
        return [`${String(time)} ${String(level)} ${String(msg)}`, ...errorLines(err)];
      } catch {
        return [];
      }
    });
}

function errorLines(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { type = '', code = '', stack } = error as { type?: string; code?: string; stack?: unknown };
  const frames = (typeof stack === 'string' ? stack : '')
    .split('\n')
    .filter((line) => /^\s+at /u.test(line))
    .slice(0, 6)
    // The last part of the path is enough to find the place.
    .map((line) => `  ${line.trim().replaceAll(/(?:file:\/\/)?[^\s()]*[/\\]/gu, '')}`);
  return [`  ${type} ${code}`.trimEnd(), ...frames];
}

/** Replaces known folders, then whatever still looks like a path, an address of a computer or a quoted name. */
function hiding(folders: readonly (string | null)[]): (text: string) => string {
  return (text) => {
    let hidden = text;
    for (const folder of folders)
      if (folder !== null && folder !== '') hidden = hidden.replaceAll(folder, '…');
    return hidden
      .replaceAll(/“[^”]*”/gu, '“…”')
      .replaceAll(/\bhttps?:\/\/(?!127\.0\.0\.1|localhost)[^\s,;)]+/gu, 'http://…')
      .replaceAll(/\b(?!127\.0\.0\.1)\d{1,3}(?:\.\d{1,3}){3}\b/gu, '…')
      .replaceAll(/(?<![\w:/])(?:[A-Za-z]:)?[\\/][^\s,;:)]{2,}/gu, '…');
  };
}
