// A report for support: what is installed, what the doctor found, which settings differ, and the latest
// problems of the log. Without secrets, and without paths, addresses and names of documents and users, so that it can be posted.

import { homedir } from 'node:os';
import { defaultSettings, type Settings } from '../settings/settings.ts';
import type { WindowState } from '../contract/state.ts';
import type { Finding } from './finding.ts';

const maxProblems = 40;

/** Settings whose values say nothing about the user. */
const shownSettings: ReadonlySet<keyof Settings> = new Set([
  'maxUploadMiB',
  'apiTokenDays',
  'accessTokenHours',
  'versionDays',
  'versionCount',
  'recoveredMiB',
  'recoveredTokenMiB',
  'recoveredDays',
  'minFreeMiB',
  'desktopLocks',
  'networkApi',
  'networkPages',
  'networkDashboard',
  'tls',
  'textEditor',
  'openIn',
  'appearance',
  'quickOpenShortcut',
]);

export function diagnosticsText(input: {
  state: Pick<WindowState, 'app' | 'host' | 'settings' | 'editors' | 'locks' | 'sessions'>;
  findings: readonly Finding[];
  log: readonly string[];
}): string {
  const { app, host, settings, editors, locks, sessions } = input.state;
  const hide = hiding([app.dataDir, host.folder, homedir()]);
  const versions = Object.entries(app.versions).map((pair) => pair.join(' '));
  const changed = Object.entries(settings).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(defaultSettings[key as keyof Settings]),
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
      shownSettings.has(key as keyof Settings) ? `  ${key}: ${String(value)}` : `  ${key}: (changed)`,
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
