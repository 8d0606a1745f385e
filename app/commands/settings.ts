// Settings. Most take effect immediately. The result and the host's state show which wait for the next start or for the port to be
// reopened.

import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { AppError, type CallerName } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { assertDisjoint } from '../files/disjoint-folders.ts';
import { notAFolder } from '../files/folder-access.ts';
import type { RunningHost } from '../host/running-host.ts';
import { isLoopbackHost, isWildcard } from '../contract/addresses.ts';
import { portOf } from '../network/addresses.ts';
import { isHere, networkAddresses } from '../network/own-hosts.ts';
import { findNewConflict } from '../settings/setting-conflicts.ts';
import { findSettingFault } from '../settings/settings-schema.ts';
import { isSettingKey, textEditorKeys, type SettingKey, type Settings } from '../settings/settings.ts';
import { isShownSetting } from '../live-state/window-settings.ts';
import { command, name, type WindowParts } from './command.ts';
import type { Confirmation } from './desktop.ts';

const allAddresses = '0.0.0.0';
const fileKeys: readonly SettingKey[] = ['tlsCertificate', 'tlsKey'];

export const settingCommands = {
  'settings.list': command({
    needs: 'settings',
    from: 'terminal',
    run: ({ settings }) => settings.current(),
  }),

  'settings.get': command({
    needs: 'settings',
    from: 'terminal',
    args: z.strictObject({ key: name }),
    run({ settings }, args) {
      const key = knownKey(args.key, 'terminal');
      return { key, value: settings.current()[key] };
    },
  }),

  /** The addresses of this computer that DocTray can listen on, besides its own loopback. */
  'settings.bindAddresses': command({
    needs: 'settings',
    from: 'window',
    run: networkAddresses,
  }),

  /** A sentence that says what is wrong with a value; null if it is valid. */
  'settings.check': command({
    needs: 'settings',
    from: 'window',
    args: z.strictObject({ key: name, value: z.json() }),
    async run({ settings, by }, { key: typed, value }) {
      const key = knownKey(typed, by);
      const fault = settingFault(settings.current(), key, asStored(key, value));
      return { sentence: fault ?? (await fileFault(key, value)) ?? null };
    },
  }),

  /**
   * Lets users of other computers open documents in their browser, by these settings of a `ColleagueLink`: `host` listens on all
   * addresses. They are arguments because exactly what was confirmed is changed, whatever the window changes until then.
   */
  'settings.openToColleagues': command({
    needs: 'host',
    from: 'window',
    args: z.strictObject({
      settings: z
        .array(z.enum(['networkPages', 'host']))
        .min(1)
        .max(2),
    }),
    confirm({ settings }, { host }) {
      if (settings.includes('host')) requireUnfixed(host, 'host');
      return openingQuestion(
        settings.flatMap((key) => opensNetwork(key, key === 'host' ? allAddresses : true) ?? []).join(' '),
      );
    },
    async run({ services, host }, { settings }) {
      if (settings.includes('host')) await host.listenAt({ host: allAddresses });
      if (settings.includes('networkPages')) await services.settings.update({ networkPages: true });
    },
  }),

  /** A path must be absolute. */
  'settings.set': command({
    needs: 'settings',
    from: 'both',
    createsDataFolder: true,
    args: z.strictObject({ key: name, value: z.json() }),
    confirm({ key, value }, { settings, by, host }) {
      requireUnfixed(host, key);
      requireValid(settings.current(), knownKey(key, by), asStored(key, value));
      const opened = opensNetwork(key, value);
      return opened === undefined ? undefined : openingQuestion(opened);
    },
    async run({ settings, host, by }, args) {
      const key = knownKey(args.key, by);
      let value: unknown = asStored(key, args.value);
      if (by === 'window') {
        requireValid(settings.current(), key, value);
        const fault = await fileFault(key, value);
        if (fault !== undefined) throw new AppError('setting-invalid', { detail: fault });
      } else {
        value = await checkedPath(key, value, settings.dataDir);
        if (key === 'tls' && value === 'files') requireFiles(settings.current());
      }
      // The window asks for the folder in a dialog, and to reopen the port with a button.
      const isApplied = by === 'terminal' && host !== undefined && (await applyAtOnce(host, key, value));
      const { textEditorPort } = settings.current();
      const changed = isApplied ? settings.current() : await settings.update({ [key]: value });
      const problem = textEditorKeys.has(key) ? await host?.textEditorProblem() : undefined;
      // With any free port, the text editor keeps the one it has.
      const keepsPort =
        key === 'textEditorPort' &&
        value === null &&
        host !== undefined &&
        textEditorPortOf(host) === String(textEditorPort);
      const isAwaited = (key === 'host' || key === 'port') && host?.awaitedHost() === changed.host;
      // The window's state shows the problem.
      const isShown = by === 'terminal';
      return {
        key,
        value: changed[key],
        needsRestart: host !== undefined && !isAwaited && (keepsPort || !isInUse(host, key, changed)),
        ...(isApplied && { baseUrl: host.baseUrl }),
        ...(isShown && problem !== undefined && { problem: `${problem.sentence} ${problem.remedy}` }),
        ...(isShown &&
          isAwaited && {
            problem: t('host.address-not-here-yet', { address: changed.host }),
          }),
      };
    },
  }),
};

/**
 * Serves that folder or listens at that address from now on, and saves it in the settings.
 * @returns false if nothing had to be applied
 * @throws AppError folder-invalid, setting-invalid, port-taken, port-forbidden with nothing saved
 */
async function applyAtOnce(host: RunningHost, key: SettingKey, value: unknown): Promise<boolean> {
  if (key === 'folder' && typeof value === 'string') {
    await host.useFolder(value);
    return true;
  }
  return (key === 'host' || key === 'port') && host.listenAt({ [key]: value });
}

/** Whether the running host already uses this value. */
function isInUse(host: RunningHost, key: SettingKey, settings: Settings): boolean {
  if (key === 'folder') return settings.folder === (host.services.folder()?.root ?? null);
  if (key === 'host') return settings.host === host.listensOn();
  return key !== 'port' || String(settings.port) === portOf(new URL(host.baseUrl));
}

/**
 * Serves that folder from now on.
 * @returns its path
 * @throws AppError folder-invalid, folder-missing, what keeps a host from starting
 */
export async function useFolder(
  { keeper, settings, requireHost }: Pick<WindowParts, 'keeper' | 'settings' | 'requireHost'>,
  folder: string,
): Promise<string> {
  const fault = await folderFault(folder, keeper.dataDir);
  if (fault !== undefined) throw new AppError('folder-invalid', { detail: fault });
  const running = keeper.host();
  if (running === undefined) {
    const store = await settings.store();
    await store.update({ folder: resolve(folder) });
    await keeper.restart();
  } else {
    await running.useFolder(folder);
  }
  return requireHost().services.folder()?.root ?? folder;
}

/** A sentence that says what other computers can reach with that value; undefined if nothing new. */
function opensNetwork(key: string, value: unknown): string | undefined {
  if (key === 'networkApi' && value === true) return t('host.they-can-sign-in-and-use');
  if (key === 'networkPages' && value === true) return t('host.they-can-sign-in-and');
  if (key === 'networkDashboard' && value === true) return t('host.they-can-use-everything-in');
  return key === 'host' && typeof value === 'string' ? opensAt([value]) : undefined;
}

function opensAt(hosts: readonly string[]): string | undefined {
  const shown = hosts
    .filter((host) => !isLoopbackHost(host))
    .map((host) => (isWildcard(host) ? t('host.all-addresses-of-this-computer') : host));
  const opened = [...new Set(shown)];
  if (opened.length === 0) return undefined;
  return opened.length === 1
    ? t('host.doctray-will-listen-on-address', {
        address: opened.join(''),
      })
    : t('host.doctray-will-listen-on-the', { addresses: opened.join(', ') });
}

function openingQuestion(detail: string): Confirmation {
  return {
    message: t('host.let-other-computers-reach-doctray'),
    detail,
    button: t('common.open-to-the-network'),
  };
}

/** Before DocTray listens on one of these host names or addresses; undefined if only this computer can reach them. */
export function listeningQuestion(hosts: readonly string[]): Confirmation | undefined {
  const opened = opensAt(hosts);
  return opened === undefined ? undefined : openingQuestion(opened);
}

function textEditorPortOf({ services }: RunningHost): string | undefined {
  const editor = services.editors.list().find(({ kind }) => kind === 'text-editor');
  return editor === undefined ? undefined : portOf(new URL(editor.url));
}

/** @throws AppError setting-unknown */
function knownKey(key: string, by: CallerName): SettingKey {
  if (by === 'window' ? isShownSetting(key) : isSettingKey(key)) return key as SettingKey;
  throw new AppError('setting-unknown', { detail: key });
}

function settingFault(current: Settings, key: SettingKey, value: unknown): string | undefined {
  // Only the system's dialog can choose the folder: a compromised window must not be able to serve another one.
  if (key === 'folder') return t('host.use-the-choose-folder-button');
  const fault = findSettingFault({ [key]: value });
  if (fault !== undefined) return fault.sentence;
  if (key === 'host' && typeof value === 'string' && !isHere(value))
    return t('host.this-computer-doesnt-have-the', { address: value });
  return findNewConflict(current, { ...current, [key]: value })?.sentence;
}

/** @throws AppError setting-invalid */
function requireValid(current: Settings, key: SettingKey, value: unknown): void {
  const fault = settingFault(current, key, value);
  if (fault !== undefined) throw new AppError('setting-invalid', { detail: fault });
}

/** It wasn't given on the command line, which wins over the settings. @throws AppError setting-invalid */
function requireUnfixed(host: RunningHost | undefined, key: string): void {
  if (host === undefined) return;
  if (key === 'host' && host.fixedHost !== null)
    throw new AppError('setting-invalid', {
      detail: () => t('host.doctray-was-started-with-a'),
    });
  if (key === 'port' && host.fixedPort !== null)
    throw new AppError('setting-invalid', {
      detail: () => t('host.doctray-was-started-with-a-fixed'),
    });
}

/** Normalizes a typed address: empty text becomes null, and trailing slashes are removed. */
function asStored(key: string, value: unknown): unknown {
  if ((key !== 'publicUrl' && key !== 'textEditorUrl') || typeof value !== 'string') return value;
  const url = value.trim().replace(/\/+$/u, '');
  return url === '' ? null : url;
}

/** @throws AppError setting-invalid, folder-invalid */
async function checkedPath(key: SettingKey, value: unknown, dataDir: string): Promise<unknown> {
  if (typeof value !== 'string') return value;
  const fault = await fileFault(key, value);
  if (fault !== undefined) throw new AppError('setting-invalid', { detail: `${key}: ${fault}` });
  if (key === 'folder') {
    const stats = await stat(value).catch(() => undefined);
    if (stats?.isDirectory() !== true) throw notAFolder(value, { exists: stats !== undefined });
    await assertDisjoint(value, dataDir);
  }
  return value;
}

/** A sentence that says that a chosen certificate or key isn't there; undefined for other settings. */
async function fileFault(key: SettingKey, value: unknown): Promise<string | undefined> {
  if (!fileKeys.includes(key) || typeof value !== 'string') return undefined;
  const stats = await stat(value).catch(() => undefined);
  return stats?.isFile() === true ? undefined : t('host.there-is-no-file-at', { path: value });
}

/** Without these files, other computers would get no answer. @throws AppError setting-invalid */
function requireFiles({ tlsCertificate, tlsKey }: Settings): void {
  if (tlsCertificate !== null && tlsKey !== null) return;
  throw new AppError('setting-invalid', { detail: () => t('host.tls-files-not-set') });
}

/** What keeps a folder from being served, in a sentence. A running host checks more when it opens the folder. */
export async function folderFault(folder: string, dataDir: string): Promise<string | undefined> {
  if (!isPlainAbsolute(folder)) return t('host.enter-absolute-folder');
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) return t('host.this-folder-doesnt-exist');
  try {
    await assertDisjoint(folder, dataDir);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'folder-invalid') return error.detail;
    throw error;
  }
}

/** A relative path would depend on the folder the app was started in. */
function isPlainAbsolute(folder: string): boolean {
  return isAbsolute(folder) && !folder.includes('\0');
}
