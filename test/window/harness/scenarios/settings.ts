// Settings, validated like the host does as far as tests need it; and a computer where much is missing.

import { formatTime } from '../../../../app/contract/format.ts';
import { settings, type SettingKey } from '../../../../app/contract/settings.ts';
import type { UpdateState } from '../../../../app/contract/state.ts';
import type { Settings } from '../../../../app/settings/settings.ts';
import { quiet } from '../basic-answers.ts';
import { makeTextEditor } from '../document-servers.ts';
import { changed, FakeRefusal, refuse, type Answers, type Scenario } from '../fake-host.ts';
import { hour, makeJob, minute } from '../rows.ts';
import { normal } from './common.ts';

function faultOf(key: SettingKey, value: unknown): string | null {
  const setting = settings[key];
  if (setting.kind !== 'number' || value === null) return null;
  const { min, max } = setting;
  const isRight = Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return isRight ? null : `Enter a whole number from ${min} to ${max}.`;
}

const logLines = (...lines: object[]) => ({
  lines: lines.map((line, index) =>
    JSON.stringify({ time: new Date(Date.now() - minute + index * 1000), ...line }),
  ),
});

const settingsAnswers: Answers = {
  'settings.check': ({ key, value }) => ({ sentence: faultOf(key as SettingKey, value) }),
  'settings.set': ({ key, value }, host) => {
    const stored = key === 'publicUrl' && typeof value === 'string' ? value.replace(/\/+$/u, '') : value;
    host.set({
      settings: { [key]: stored },
      ...((key === 'host' || key === 'port') && { host: { needsListenerRestart: true } }),
    });
    return { key: key as SettingKey, value: stored as Settings[SettingKey], needsRestart: false };
  },
  'versions.usage': () => ({ count: 412, bytes: 93_000_000 }),
  'versions.cleanUp': (_args, host) => {
    host.upsert('jobs', [makeJob({ id: 'clean', title: 'Cleaning up versions', done: 40, total: 412 })]);
    return { jobId: 'clean' };
  },
  'users.add': ({ login, displayName = login, role }, host) => {
    const { users } = host.state;
    if (users.some((user) => user.login === login))
      throw new FakeRefusal('user-exists', 'A user with this name already exists.');
    const added = { id: login, login, displayName, role, createdAtMs: Date.now() };
    host.set({ users: [...users, added] });
    return added;
  },
  'users.setPassword': ({ login, password }) => {
    if (password.length >= 8) return { login };
    throw new FakeRefusal(
      'password-weak',
      'A password needs at least 8 characters and can have at most 1024 bytes.',
    );
  },
  'users.setRole': ({ login, role }, host) => {
    const users = host.state.users.map((user) => (user.login === login ? { ...user, role } : user));
    host.set({ users });
    return { login, role };
  },
  'users.remove': ({ login }, host) => {
    host.set({ users: host.state.users.filter((user) => user.login !== login) });
    return { login };
  },
};

const settingsDay = (nowMs: number): Scenario => quiet(nowMs, normal(nowMs).state, settingsAnswers);

/** The day, with the built-in text editor running. */
function settingsEditors(nowMs: number): Scenario {
  const day = normal(nowMs);
  return changed(day, { editors: [makeTextEditor(nowMs), ...day.state.editors] });
}

/** Started with another port, and a bind address for all networks in another notation than usual. */
const settingsFixedAddress = (nowMs: number): Scenario =>
  quiet(
    nowMs,
    { host: { fixedHost: '0:0:0:0:0:0:0:0', fixedPort: 18_790 }, settings: { host: '127.0.0.1' } },
    settingsAnswers,
  );

/** Another program has the port. */
function settingsPortTaken(nowMs: number): Scenario {
  const problem = {
    code: 'port-taken',
    message: 'Port 8790 is already in use. Change it, or quit the program that uses it.',
  };
  const results = (
    [
      ['folder', 'ok', '/home/robin/Documents can be written to.'],
      ['space', 'ok', 'There is enough free disk space.'],
      ['port', 'failed', 'Port 8790 is already in use.'],
      ['address', 'note', 'Not tested, because DocTray isn’t serving.'],
      ['text-editor', 'note', 'Not tested, because DocTray isn’t serving.'],
      ['network', 'ok', 'Only this computer can reach DocTray.'],
      ['tls', 'note', 'HTTPS is off.'],
      ['database', 'ok', 'The database is intact.'],
      ['secrets', 'ok', 'Secrets are in this computer’s keychain.'],
      ['clock', 'ok', `The clock shows ${formatTime('toSecond', nowMs)}.`],
      ['attention', 'ok', 'No document needs attention.'],
    ] as const
  ).map(([check, verdict, text]) => ({ check, verdict, text }));
  return quiet(
    nowMs,
    { host: { status: 'error', baseUrl: null, publicUrl: null, problem } },
    {
      ...settingsAnswers,
      doctor: () => results,
      'app.log': () =>
        logLines(
          { level: 'info', msg: 'DocTray 0.1.0 starts.' },
          { level: 'warn', msg: 'HTTPS is off.', setting: 'tls' },
          {
            level: 'error',
            msg: 'Port 8790 is already in use.',
            err: { type: 'Error', message: 'EADDRINUSE' },
          },
        ),
    },
  );
}

/** No keychain, no start at login, a changed port and a full disk. */
function settingsPoor(nowMs: number): Scenario {
  const full = refuse('disk-refused', 'The disk returned an error. Nothing was changed.');
  return quiet(
    nowMs,
    {
      app: { startsAtLogin: null },
      host: {
        needsListenerRestart: true,
        startedAtMs: nowMs - hour,
        secrets: { kind: 'file', description: 'The file secrets.json in the data folder' },
      },
      settings: { port: 9000 },
    },
    {
      ...settingsAnswers,
      'settings.set': full,
      'versions.usage': full,
      'secrets.moveToKeychain': refuse('keychain-unavailable', 'No keychain is available.'),
    },
  );
}

/** A check finds a newer version. */
function settingsUpdate(nowMs: number): Scenario {
  const current: UpdateState = {
    status: 'current',
    version: null,
    notes: null,
    problem: null,
    checkedAtMs: nowMs - hour,
    canRestart: true,
  };
  const ready = { status: 'ready', version: '0.2.0', notes: '### Added\n\n- A faster start.' } as const;
  return quiet(
    nowMs,
    { app: { update: current } },
    {
      'app.checkForUpdates': (_args, host) => {
        host.set({ app: { update: { ...current, ...ready } } });
        return null;
      },
    },
  );
}

export const settingsScenarios = {
  'settings-day': settingsDay,
  'settings-editors': settingsEditors,
  'settings-fixed-address': settingsFixedAddress,
  'settings-port-taken': settingsPortTaken,
  'settings-poor': settingsPoor,
  'settings-update': settingsUpdate,
};
