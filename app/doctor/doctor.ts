// `doctor`: checks that everything a host needs is working. It tries each thing: it writes a file, opens the port, and sends a
// request to the base address.

import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { AppError, messageFor, type CallerName } from '../contract/errors.ts';
import { formatTime } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import { diskRefusal } from '../files/disk-error.ts';
import { formatHost } from '../network/addresses.ts';
import type { RunningHost } from '../host/running-host.ts';
import type { Services } from '../host/services.ts';
import { checkAddress, checkNetwork, checkTls } from './network.ts';
import { codeOf, notTested, type Finding } from './finding.ts';
import { documentAttention } from '../live-state/status.ts';
import { earliestMs } from '../time/host-clock.ts';

/** A clock that is off by less isn't reported. */
const clockToleranceMs = 60_000;

/** The findings, in the order in which a host needs these things. */
export async function diagnose({
  services,
  host,
  by,
}: {
  services: Services;
  /** Undefined if none is running. */
  host: RunningHost | undefined;
  by: CallerName;
}): Promise<Finding[]> {
  await services.tls.check();
  const findings = await Promise.all([
    checkFolder(services, by),
    checkSpace(services),
    checkPort(services, host, by),
    checkAddress(services, host, by),
    checkTextEditor(services, host, by),
  ]);
  return [
    ...findings,
    checkNetwork(services, host, by),
    ...checkSettings(services),
    ...checkPause(host, by),
    checkTls(services),
    checkDatabase(services),
    checkSecrets(services),
    checkClock(services, by),
    checkAttention(services, by),
  ];
}

async function checkFolder({ settings, ...services }: Services, by: CallerName): Promise<Finding> {
  const folder = services.folder();
  const root = folder?.root ?? settings.current().folder;
  if (root === null) {
    return {
      check: 'folder',
      verdict: 'note',
      text: t(by === 'window' ? 'host.doctor-no-folder' : 'host.doctor-no-folder-terminal'),
    };
  }
  const problem = services.folders.problem();
  if (problem !== undefined) return { check: 'folder', verdict: 'failed', text: messageFor(by, problem) };
  try {
    await folder?.jail.requireRoot();
  } catch (error) {
    const text = error instanceof AppError ? messageFor(by, error) : t('host.doctor-folder-unreadable');
    return { check: 'folder', verdict: 'failed', text: `${root}: ${text}` };
  }
  const path = join(root, `.~doctray-${randomBytes(8).toString('hex')}.tmp`);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile('DocTray is checking whether it can write here.\n');
      await file.sync();
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
    return { check: 'folder', verdict: 'ok', text: t('host.doctor-folder-writable', { folder: root }) };
  } catch (error) {
    const text = t('host.doctor-folder-not-writable', { folder: root, reason: diskRefusal(error) });
    return { check: 'folder', verdict: 'failed', text };
  }
}

/** On the disks of the data folder and of the hosted folder. */
async function checkSpace(services: Services): Promise<Finding> {
  const check = 'space';
  try {
    await services.diskSpace.requireRoom(services.folder()?.root ?? services.dataDir, 0);
    return { check, verdict: 'ok', text: t('host.doctor-space-ok') };
  } catch {
    return { check, verdict: 'failed', text: t('host.doctor-space-low') };
  }
}

async function checkPort(
  { settings }: Services,
  host: RunningHost | undefined,
  by: CallerName,
): Promise<Finding> {
  const check = 'port';
  if (host !== undefined)
    return { check, verdict: 'ok', text: t('host.doctor-listens', { url: host.baseUrl }) };
  const { host: name, port } = settings.current();
  const address =
    port === 0 ? t('host.doctor-any-free-port', { host: formatHost(name) }) : `${formatHost(name)}:${port}`;
  const code = await tryListening(name, port);
  if (code === undefined) return { check, verdict: 'ok', text: t('host.doctor-address-free', { address }) };
  if (by === 'window' && code === 'EADDRINUSE' && port !== 0)
    return { check, verdict: 'failed', text: t('host.doctor-port-in-use', { port }) };
  const text =
    code === 'EADDRINUSE'
      ? t(by === 'window' ? 'host.doctor-address-in-use' : 'host.doctor-address-in-use-terminal', { address })
      : t(by === 'window' ? 'host.doctor-address-refused' : 'host.doctor-address-refused-terminal', {
          address,
          code,
        });
  return { check, verdict: 'failed', text };
}

function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(codeOf(error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Reports the problem that `editors list` shows. */
async function checkTextEditor(
  { settings, editors }: Services,
  host: RunningHost | undefined,
  by: CallerName,
): Promise<Finding> {
  const check = 'text-editor';
  if (!settings.current().textEditor) {
    const off = t('host.text-editor-is-off');
    return {
      check,
      verdict: 'note',
      text: by === 'window' ? off : `${off} ${t('host.switch-on-with-settings-set')}`,
    };
  }
  if (host === undefined) return notTested(check, by);
  await host.textEditorProblem();
  const entry = editors.list().find(({ kind }) => kind === 'text-editor');
  if (entry === undefined) return { check, verdict: 'note', text: t('host.doctor-text-editor-starting') };
  const { problem, url } = entry;
  return problem === null
    ? { check, verdict: 'ok', text: t('host.doctor-text-editor-ready', { url }) }
    : {
        check,
        verdict: 'failed',
        text: [problem.sentence, (by === 'window' ? null : problem.remedy) ?? []].flat().join(' '),
      };
}

function checkSettings({ settings }: Services): Finding[] {
  const keys = settings.unknownKeys();
  if (keys.length === 0) return [];
  const text = t('host.doctor-unknown-settings', { keys: keys.join(', ') });
  return [{ check: 'settings', verdict: 'note', text }];
}

function checkPause(host: RunningHost | undefined, by: CallerName): Finding[] {
  if (host?.state().status !== 'paused') return [];
  const { pausedUntilMs } = host.state();
  const text =
    pausedUntilMs === null
      ? t(by === 'window' ? 'host.doctor-paused' : 'host.doctor-paused-terminal')
      : t(by === 'window' ? 'host.doctor-paused-until' : 'host.doctor-paused-until-terminal', {
          time: formatTime('clock', pausedUntilMs),
        });
  return [{ check: 'pause', verdict: 'note', text }];
}

function checkDatabase({ store }: Services): Finding {
  const verdict = store.check();
  return verdict === 'ok'
    ? { check: 'database', verdict: 'ok', text: t('host.doctor-database-ok') }
    : { check: 'database', verdict: 'failed', text: t('host.doctor-database-damaged', { fault: verdict }) };
}

function checkSecrets({ secrets }: Services): Finding {
  return {
    check: 'secrets',
    verdict: 'ok',
    text: t(secrets.kind === 'keychain' ? 'host.doctor-secrets-in-keychain' : 'host.doctor-secrets-in-file'),
  };
}

function checkAttention(services: Services, by: CallerName): Finding {
  const check = 'attention';
  const counts = documentAttention(services);
  if (counts.length === 0) return { check, verdict: 'ok', text: t('host.doctor-no-attention') };
  const text =
    by === 'window'
      ? t('host.counts-overview-shows-more', { counts: counts.join(', ') })
      : t('host.doctor-attention-terminal', { counts: counts.join(', ') });
  return { check, verdict: 'note', text };
}

/** A clock that was set back expires sessions and tokens at the next start, and misdates what is saved. */
function checkClock({ clock, store }: Services, by: CallerName): Finding {
  const nowMs = clock();
  const newestMs = store.db
    .prepare<[], number | null>(
      `SELECT max(at) FROM (
         SELECT max(created_at_ms) AS at FROM users
         UNION ALL SELECT max(max(created_at_ms, coalesce(last_used_at_ms, 0))) FROM api_tokens
         UNION ALL SELECT max(max(created_at_ms, coalesce(last_call_at_ms, 0))) FROM access_tokens
         UNION ALL SELECT max(refreshed_at_ms) FROM locks
         UNION ALL SELECT max(saved_at_ms) FROM files)`,
    )
    .pluck()
    .get();
  const shown = (ms: number): string =>
    by === 'window' ? formatTime('toSecond', ms) : new Date(ms).toISOString();
  const check = 'clock';
  const time = shown(nowMs);
  if (nowMs < earliestMs) return { check, verdict: 'failed', text: t('host.doctor-clock-wrong', { time }) };
  if (typeof newestMs === 'number' && newestMs > nowMs + clockToleranceMs) {
    const text = t('host.doctor-clock-set-back', { time, last: shown(newestMs) });
    return { check, verdict: 'failed', text };
  }
  return { check, verdict: 'ok', text: t('host.doctor-clock-ok', { time }) };
}
