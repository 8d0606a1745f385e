// Settings, validated like the host does as far as tests need it; and a computer where much is missing.

import { formatTime } from '../../../../app/contract/format.ts';
import { settings, type SettingKey } from '../../../../app/contract/settings.ts';
import type { UpdateState } from '../../../../app/contract/state.ts';
import type { Settings } from '../../../../app/settings/settings.ts';
import { createBasicAnswers } from '../basic-answers.ts';
import { makeTextEditor } from '../document-servers.ts';
import { FakeRefusal, type Answers, type Scenario } from '../fake-host.ts';
import { hour, makeQuietState } from '../rows.ts';
import { normal } from './common.ts';

function faultOf(key: SettingKey, value: unknown): string | null {
  const setting = settings[key];
  if (setting.kind === 'number' && value !== null) {
    const { min, max } = setting;
    const isRight = Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
    return isRight ? null : `Enter a whole number from ${min} to ${max}.`;
  }
  if (key === 'allowedAddresses' && Array.isArray(value)) {
    const wrong = value.find((entry) => !/^[\d.]+(?:\/\d+)?$/u.test(String(entry)));
    return wrong === undefined
      ? null
      : `Enter addresses or networks, such as 192.168.1.7 or 192.168.1.0/24. “${String(wrong)}” isn’t one.`;
  }
  if (key === 'host' && String(value).includes(' ')) {
    return 'Enter an address or a name of this computer, such as 127.0.0.1.';
  }
  return null;
}

function createSettingsAnswers(): Answers {
  return {
    ...createBasicAnswers(),
    'settings.check': ({ key, value }) => ({ sentence: faultOf(key, value) }),
    'settings.set': ({ key, value }, host) => {
      const sentence = faultOf(key, value);
      if (sentence !== null)
        throw new FakeRefusal('setting-invalid', `The setting wasn’t changed. ${sentence}`);
      const stored =
        key === 'publicUrl' && typeof value === 'string' ? value.replace(/\/+$/u, '') || null : value;
      const settings = { ...host.state.settings, [key]: stored };
      const isOfListener = key === 'host' || key === 'port';
      host.set({
        settings,
        ...(isOfListener && { host: { ...host.state.host, needsListenerRestart: true } }),
      });
      return { key: key as SettingKey, value: stored as Settings[SettingKey], needsRestart: false };
    },
    doctor: () => [
      { check: 'folder', verdict: 'ok', text: '/home/robin/Documents can be written to.' },
      { check: 'port', verdict: 'ok', text: 'DocTray listens at http://127.0.0.1:8790.' },
      { check: 'tls', verdict: 'note', text: 'HTTPS is off.' },
    ],
    'app.log': () => ({
      lines: [
        {
          number: 1,
          atMs: 1_790_000_000_000,
          level: 'info',
          text: 'PutFile  path=/wopi/files/a1  status=200',
        },
        {
          number: 2,
          atMs: 1_790_000_001_000,
          level: 'warn',
          text: 'GetFile  path=/wopi/files/a7  status=404',
        },
      ],
    }),
    'versions.usage': () => ({ count: 412, bytes: 93_000_000 }),
    'versions.cleanUp': (_args, host) => {
      const job = {
        id: 'clean',
        title: 'Cleaning up versions',
        done: 40,
        total: 412,
        unit: 'files' as const,
        canCancel: true,
        state: 'running' as const,
        sentence: null,
      };
      host.upsert('jobs', [job]);
      return { jobId: 'clean' };
    },
    'users.add': ({ login, displayName, role }, host) => {
      if (host.state.users.some((user) => user.login === login)) {
        throw new FakeRefusal('user-exists', 'A user with this name already exists.');
      }
      const user = {
        id: login,
        login,
        displayName: displayName === '' ? login : displayName,
        role,
        createdAtMs: Date.now(),
      };
      host.set({ users: [...host.state.users, user] });
      return null;
    },
    'users.setPassword': ({ password }) => {
      if (password.length >= 8) return null;
      throw new FakeRefusal(
        'password-weak',
        'A password needs at least 8 characters and can have at most 1024 bytes.',
      );
    },
    'users.setRole': ({ login, role }, host) => {
      const users = host.state.users.map((user) => (user.login === login ? { ...user, role } : user));
      host.set({ users });
      return null;
    },
    'users.remove': ({ login }, host) => {
      host.set({ users: host.state.users.filter((user) => user.login !== login) });
      return null;
    },
  };
}

function settingsDay(nowMs: number): Scenario {
  return { state: normal(nowMs).state, answers: createSettingsAnswers() };
}

/** The day, with the built-in text editor running. */
function settingsEditors(nowMs: number): Scenario {
  const { state, answers } = normal(nowMs);
  return { state: { ...state, editors: [makeTextEditor(nowMs), ...state.editors] }, answers };
}

/** Started with another port, and a bind address for all networks in another notation than usual. */
function settingsFixedAddress(nowMs: number): Scenario {
  const state = makeQuietState(nowMs);
  return {
    state: {
      ...state,
      host: { ...state.host, fixedHost: '0:0:0:0:0:0:0:0', fixedPort: 18_790 },
      settings: { ...state.settings, host: '127.0.0.1' },
    },
    answers: createSettingsAnswers(),
  };
}

/** Another program has the port. */
function settingsPortTaken(nowMs: number): Scenario {
  const state = makeQuietState(nowMs);
  const problem = {
    code: 'port-taken',
    message: 'Port 8790 is already in use. Change it, or quit the other program.',
  };
  const answers = createSettingsAnswers();
  const log = [
    { level: 'info' as const, text: 'DocTray 0.1.0 starts.' },
    { level: 'warn' as const, text: 'HTTPS is off.' },
    { level: 'error' as const, text: 'Port 8790 is already in use.' },
  ];
  return {
    state: { ...state, host: { ...state.host, status: 'error', baseUrl: null, publicUrl: null, problem } },
    answers: {
      ...answers,
      doctor: () => [
        { check: 'folder', verdict: 'ok', text: '/home/robin/Documents can be written to.' },
        { check: 'space', verdict: 'ok', text: 'There is enough free disk space.' },
        {
          check: 'port',
          verdict: 'failed',
          text: 'Port 8790 is already in use. Change it, or quit the other program.',
        },
        { check: 'address', verdict: 'note', text: 'Not tested, because DocTray isn’t serving.' },
        { check: 'text-editor', verdict: 'note', text: 'Not tested, because DocTray isn’t serving.' },
        { check: 'network', verdict: 'ok', text: 'Only this computer can reach DocTray.' },
        { check: 'tls', verdict: 'note', text: 'HTTPS is off.' },
        { check: 'database', verdict: 'ok', text: 'The database is intact.' },
        { check: 'secrets', verdict: 'ok', text: 'Secrets are in this computer’s keychain.' },
        { check: 'clock', verdict: 'ok', text: `The clock shows ${formatTime('toSecond', nowMs)}.` },
        { check: 'attention', verdict: 'ok', text: 'No document needs attention.' },
      ],
      'app.log': () => ({
        lines: log.map((line, index) => ({
          ...line,
          number: index + 1,
          atMs: 1_790_000_000_000 + index * 1000,
        })),
      }),
    },
  };
}

/** No keychain, no start at login, a changed port and a full disk. */
function settingsPoor(nowMs: number): Scenario {
  const state = makeQuietState(nowMs);
  const full = () => {
    throw new FakeRefusal('disk-refused', 'The disk returned an error. Nothing was changed.');
  };
  return {
    state: {
      ...state,
      app: { ...state.app, startsAtLogin: null },
      host: {
        ...state.host,
        needsListenerRestart: true,
        startedAtMs: nowMs - hour,
        secrets: { kind: 'file', description: 'The file secrets.json in the data folder' },
      },
      settings: { ...state.settings, port: 9000 },
    },
    answers: {
      ...createSettingsAnswers(),
      'settings.set': full,
      'app.setStartsAtLogin': full,
      'versions.usage': full,
      'users.remove': full,
      'secrets.moveToKeychain': () => {
        throw new FakeRefusal('keychain-unavailable', 'No keychain is available.');
      },
    },
  };
}

/** A check finds a newer version. */
function settingsUpdate(nowMs: number): Scenario {
  const state = makeQuietState(nowMs);
  const current: UpdateState = {
    status: 'current',
    version: null,
    notes: null,
    problem: null,
    checkedAtMs: nowMs - hour,
    canRestart: true,
  };
  return {
    state: { ...state, app: { ...state.app, update: current } },
    answers: {
      ...createSettingsAnswers(),
      'app.checkForUpdates': (_args, host) => {
        const notes = '### Added\n\n- A faster start.';
        const update: UpdateState = { ...current, status: 'ready', version: '0.2.0', notes };
        host.set({ app: { ...host.state.app, update } });
        return null;
      },
      'app.restartToUpdate': () => null,
    },
  };
}

export const settingsScenarios = {
  'settings-day': settingsDay,
  'settings-editors': settingsEditors,
  'settings-fixed-address': settingsFixedAddress,
  'settings-port-taken': settingsPortTaken,
  'settings-poor': settingsPoor,
  'settings-update': settingsUpdate,
};
