// `doctor`: checks that everything a host needs is working. It tries each thing: it writes a file, opens the port, and sends a
// request to the base address.

import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inWindowWords, type CallerName } from '../contract/errors.ts';
import { formatTime } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import { diskRefusal } from '../files/disk-error.ts';
import { textEditorOff } from '../editors/editor-fault.ts';
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
      text:
        by === 'window'
          ? 'No folder is chosen yet. Choose one in Settings.'
          : 'No folder is chosen yet. `serve` creates one, `serve --folder DIR` serves yours.',
    };
  }
  const problem = services.folders.problem();
  if (problem !== undefined) {
    const { message } = by === 'window' ? inWindowWords(problem) : problem;
    return { check: 'folder', verdict: 'failed', text: message };
  }
  try {
    await folder?.jail.requireRoot();
  } catch (error) {
    const text = error instanceof Error ? error.message : 'The folder can’t be read.';
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
    return { check: 'folder', verdict: 'ok', text: `${root} can be written to.` };
  } catch (error) {
    return { check: 'folder', verdict: 'failed', text: `${root} can’t be written to. ${diskRefusal(error)}` };
  }
}

/** On the disks of the data folder and of the hosted folder. */
async function checkSpace(services: Services): Promise<Finding> {
  const check = 'space';
  try {
    await services.diskSpace.requireRoom(services.folder()?.root ?? services.dataDir, 0);
    return { check, verdict: 'ok', text: 'There is enough free disk space.' };
  } catch {
    const text = 'The disk is almost full, so nothing new can be created. Free some space.';
    return { check, verdict: 'failed', text };
  }
}

async function checkPort(
  { settings }: Services,
  host: RunningHost | undefined,
  by: CallerName,
): Promise<Finding> {
  if (host !== undefined)
    return { check: 'port', verdict: 'ok', text: `DocTray listens at ${host.baseUrl}.` };
  const { host: name, port } = settings.current();
  const address = port === 0 ? `${formatHost(name)}, any free port,` : `${formatHost(name)}:${port}`;
  const refused = await tryListening(name, port);
  if (refused === undefined) return { check: 'port', verdict: 'ok', text: `${address} is free.` };
  if (by === 'window' && refused === 'EADDRINUSE' && port !== 0)
    return {
      check: 'port',
      verdict: 'failed',
      text: `Port ${port} is already in use. Change the port, or quit the program that uses it.`,
    };
  const found = `${address} ${refused === 'EADDRINUSE' ? 'is already in use' : `can’t be opened (${refused})`}.`;
  return {
    check: 'port',
    verdict: 'failed',
    text:
      by === 'window'
        ? `${found} Choose another address in Settings.`
        : `${found} Choose another address with \`settings set port N\` and \`settings set host ADDRESS\`.`,
  };
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
    const text =
      by === 'window' ? 'The text editor is off.' : `${textEditorOff.sentence} ${textEditorOff.remedy}`;
    return { check, verdict: 'note', text };
  }
  if (host === undefined) return notTested(check, by);
  await host.textEditorProblem();
  const entry = editors.list().find(({ kind }) => kind === 'text-editor');
  if (entry === undefined) return { check, verdict: 'note', text: 'The text editor is starting.' };
  const { problem, url } = entry;
  return problem === null
    ? { check, verdict: 'ok', text: `The text editor is ready at ${url}.` }
    : {
        check,
        verdict: 'failed',
        text: [problem.sentence, (by === 'window' ? null : problem.remedy) ?? []].flat().join(' '),
      };
}

function checkSettings({ settings }: Services): Finding[] {
  const keys = settings.unknownKeys();
  if (keys.length === 0) return [];
  const text = `settings.json contains unknown settings: ${keys.join(', ')}. Correct or remove them, then restart DocTray.`;
  return [{ check: 'settings', verdict: 'note', text }];
}

function checkPause(host: RunningHost | undefined, by: CallerName): Finding[] {
  if (host?.state().status !== 'paused') return [];
  const { pausedUntilMs } = host.state();
  const paused = `DocTray is paused${pausedUntilMs === null ? '' : ` until ${formatTime('clock', pausedUntilMs)}`}: no document can be opened.`;
  const text = by === 'window' ? paused : `${paused} Run \`resume\` to end the pause.`;
  return [{ check: 'pause', verdict: 'note', text }];
}

function checkDatabase({ store }: Services): Finding {
  const verdict = store.check();
  return verdict === 'ok'
    ? { check: 'database', verdict: 'ok', text: 'The database is intact.' }
    : { check: 'database', verdict: 'failed', text: `The database is damaged: ${verdict}. Restart DocTray.` };
}

function checkSecrets({ secrets }: Services): Finding {
  return {
    check: 'secrets',
    verdict: 'ok',
    // Not `secrets.description`: only whole sentences are translated.
    text: `Secrets are kept in ${secrets.kind === 'keychain' ? 'the keychain of this computer' : 'secrets.json in the data folder, readable only by you'}.`,
  };
}

function checkAttention(services: Services, by: CallerName): Finding {
  const check = 'attention';
  const counts = documentAttention(services);
  if (counts.length === 0) return { check, verdict: 'ok', text: 'No document needs attention.' };
  const text =
    by === 'window'
      ? t('host.counts-overview-shows-more', { counts: counts.join(', ') })
      : `${counts.join(', ')}. Run \`locks\`, \`recovered\` and \`conflicts\` to see more.`;
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
  const now = shown(nowMs);
  if (nowMs < earliestMs) {
    return {
      check: 'clock',
      verdict: 'failed',
      text: `This computer’s clock shows ${now}, which can’t be right.`,
    };
  }
  if (typeof newestMs === 'number' && newestMs > nowMs + clockToleranceMs) {
    return {
      check: 'clock',
      verdict: 'failed',
      text: `This computer’s clock shows ${now}, but DocTray was last used at ${shown(newestMs)}.`,
    };
  }
  return {
    check: 'clock',
    verdict: 'ok',
    text: `The clock shows ${now}.`,
  };
}
