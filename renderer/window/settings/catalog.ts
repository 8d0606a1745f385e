// Every setting that is shown: its pane and group, and what its field has beside label, hint and the words of the search, which are in
// locales/ under its id. Its values are in app/contract/settings.ts. The fields, the search and quick open follow from it.

import { t, type MessageKey } from '../../../app/contract/messages.ts';
import type { SettingsState } from '../../../app/contract/settings.ts';
import { matchRank } from '../parts/format.ts';

interface More {
  /** Not in a browser. */
  isForApp?: true;
  /** Shown while this other setting is on. */
  needs?: keyof SettingsState;
  /** Of a number, after it. */
  unit?: string;
  placeholder?: string;
  /** A choice in one line. */
  isInline?: true;
}

export interface SettingEntry extends More {
  id: string;
  label: string;
  hint: string;
}

interface Group {
  title?: string;
  hint?: string;
  fields: readonly SettingEntry[];
}

type WordedId = MessageKey extends infer Key ? (Key extends `setting.${infer Id}.hint` ? Id : never) : never;

/** What a setting or one of its values is called (`port`, `tls.off`), and a sentence about it; undefined where it has none. */
export function wordsOf(id: string): { label: string; hint: string | undefined } {
  return { label: say(`setting.${id}`) ?? id, hint: say(`setting.${id}.hint`) };
}

const say = (key: string): string | undefined => t(key as MessageKey);

const field = <const Id extends WordedId>(id: Id, more: More = {}) => ({
  id,
  label: t(`setting.${id}` as MessageKey),
  hint: t(`setting.${id}.hint` as MessageKey),
  ...more,
});

/** Settings that aren't in app/contract/settings.ts have a view of their own. */
export const panes = {
  general: [
    {
      fields: [
        field('folder'),
        field('openIn', { isForApp: true, isInline: true }),
        field('appearance', { isInline: true }),
        field('startAtLogin', { isForApp: true }),
      ],
    },
    {
      title: t('window.notifications'),
      hint: t('window.shown-by-the-system-when'),
      fields: [
        field('notifyErrors', { isForApp: true }),
        field('notifyStaleLocks', { isForApp: true }),
        field('notifyEditorUnreachable', { isForApp: true }),
      ],
    },
  ],
  editors: [
    {
      fields: [
        field('connectedEditors'),
        field('textEditor'),
        field('textEditorPort'),
        field('textEditorUrl', { placeholder: 'https://edit.example.com' }),
        field('documentServers'),
        field('defaultEditors'),
      ],
    },
  ],
  users: [
    {
      fields: [field('users')],
    },
  ],
  versions: [
    {
      hint: t('window.doctray-keeps-the-previous-content'),
      fields: [
        field('versionDays', { unit: t('window.days') }),
        field('versionCount', { unit: t('window.versions') }),
        field('versionUsage'),
      ],
    },
    {
      title: t('window.recovered-saves'),
      hint: t('window.saves-that-arrived-but-couldnt'),
      fields: [
        field('recoveredDays', { unit: t('window.days') }),
        field('recoveredMB', { unit: 'MB' }),
        field('recoveredTokenMB', { unit: 'MB' }),
      ],
    },
  ],
  network: [
    {
      fields: [field('host'), field('port'), field('publicUrl')],
    },
    {
      title: t('window.other-computers'),
      fields: [
        field('networkPages'),
        field('networkApi'),
        field('networkDashboard'),
        field('dashboardPort', { needs: 'networkDashboard' }),
      ],
    },
    {
      title: 'HTTPS',
      fields: [
        field('tls'),
        field('tlsCertificate', { placeholder: '/etc/ssl/doctray/fullchain.pem' }),
        field('tlsKey', { placeholder: '/etc/ssl/doctray/privkey.pem' }),
      ],
    },
  ],
  advanced: [
    {
      title: t('common.documents'),
      fields: [
        field('maxUploadMB', { unit: 'MB' }),
        field('minFreeMB', { unit: 'MB' }),
        field('desktopLocks'),
        field('checkSaves'),
      ],
    },
    {
      title: t('common.tokens'),
      fields: [
        field('accessTokenHours', { unit: t('window.hours') }),
        field('apiTokenDays', { unit: t('window.days') }),
      ],
    },
    {
      title: t('window.requests'),
      fields: [
        field('allowedHosts', { placeholder: 'docs.example.org' }),
        field('allowedAddresses', { placeholder: '192.168.1.0/24' }),
        field('trustedProxies', { placeholder: '192.168.1.2' }),
        field('proofKeys'),
      ],
    },
  ],
  about: [
    {
      fields: [
        field('version'),
        field('licenses'),
        field('checkForUpdates', { isForApp: true }),
        field('diagnostics'),
        field('log'),
        field('secrets'),
        field('data'),
      ],
    },
  ],
} satisfies Record<string, readonly Group[]>;

export type PaneId = keyof typeof panes;

export const paneIds = Object.keys(panes) as PaneId[];

export const paneTitles: Record<PaneId, string> = {
  general: t('window.general'),
  editors: t('window.editors'),
  users: t('window.users'),
  versions: t('common.versions'),
  network: t('window.network-https'),
  advanced: t('window.advanced'),
  about: t('window.about'),
};

export type SettingId = (typeof panes)[PaneId][number]['fields'][number]['id'];

const catalog: readonly (SettingEntry & { pane: PaneId })[] = paneIds.flatMap((pane) =>
  panes[pane].flatMap(({ fields }) => fields.map((entry) => ({ ...entry, pane }))),
);

export function entryOf(id: SettingId): SettingEntry {
  const entry = catalog.find((one) => one.id === id);
  if (entry === undefined) throw new Error(`No setting ${id}.`);
  return entry;
}

/** A pane and a setting of it, from `network`, `port`, or `editors/a1b2c3d4`; undefined for anything else. */
export function findPlace(path: string): { pane: PaneId; id?: string } | undefined {
  const [name = ''] = path.toLowerCase().split('/');
  const pane = paneIds.find((id) => id === name || paneTitles[id].toLowerCase() === name);
  if (pane !== undefined) return { pane };
  const entry = catalog.find(({ id }) => id.toLowerCase() === name);
  return entry === undefined ? undefined : { pane: entry.pane, id: entry.id };
}

/** Settings that have every word; those whose label fits best first. */
export function searchSettings(query: string, isInBrowser: boolean): typeof catalog {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [];
  const found = catalog.filter((entry) => {
    if (isInBrowser && entry.isForApp === true) return false;
    const { label, hint, pane, id } = entry;
    const more = say(`setting.${id}.words`) ?? '';
    const text = `${label} ${hint} ${more} ${paneTitles[pane]} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return found.toSorted((a, b) => matchRank(a.label, query) - matchRank(b.label, query));
}
