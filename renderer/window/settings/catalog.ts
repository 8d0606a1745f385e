// Every setting that is shown: its pane and group, and what its field has beside label, hint and the words of the search, which are in
// locales/ under its id. Its values are in app/contract/settings.ts. The fields, the search and quick open follow from it.

import { t, type MessageKey } from '../../../app/contract/messages.ts';
import { settings, type SettingsState } from '../../../app/contract/settings.ts';
import { matchRank } from '../parts/format.ts';

interface More {
  /** Not in a browser. */
  isForApp?: true;
  /** Shown while this other setting is on. */
  needs?: keyof SettingsState;
  example?: string;
  /** A choice in one line. */
  isInline?: true;
}

export interface SettingEntry extends More {
  id: SettingId;
  label: string;
  hint: string;
  /** Of a number, after it. */
  unit?: string | undefined;
}

interface Group {
  title?: string;
  hint?: string;
  fields: readonly SettingId[];
}

/** What has words of its own, without the values of a choice (`tls.off`). */
export type SettingId = MessageKey extends infer Key
  ? Key extends `setting.${infer Id}.hint`
    ? Exclude<Id, `${string}.${string}`>
    : never
  : never;

/** What a setting or one of its values is called (`port`, `tls.off`), and a sentence about it; undefined where it has none. */
export function wordsOf(id: string): { label: string; hint: string | undefined } {
  return { label: say(`setting.${id}`) ?? id, hint: say(`setting.${id}.hint`) };
}

const say = (key: string): string | undefined => t(key as MessageKey);

/** Settings that aren't in app/contract/settings.ts have a view of their own. Those of it that aren't here are the last ones in Advanced. */
const placed = {
  general: [
    { fields: ['folder', 'openIn', 'appearance', 'startAtLogin'] },
    {
      title: t('window.notifications'),
      hint: t('window.shown-by-the-system-when'),
      fields: ['notifyErrors', 'notifyStaleLocks', 'notifyEditorUnreachable'],
    },
  ],
  editors: [
    {
      fields: [
        'connectedEditors',
        'textEditor',
        'textEditorPort',
        'textEditorUrl',
        'documentServers',
        'defaultEditors',
      ],
    },
  ],
  users: [{ fields: ['users'] }],
  versions: [
    {
      hint: t('window.doctray-keeps-the-previous-content'),
      fields: ['versionDays', 'versionCount', 'versionUsage'],
    },
    {
      title: t('window.recovered-saves'),
      hint: t('window.saves-that-arrived-but-couldnt'),
      fields: ['recoveredDays', 'recoveredMB', 'recoveredTokenMB'],
    },
  ],
  network: [
    { fields: ['host', 'port', 'publicUrl'] },
    {
      title: t('window.other-computers'),
      fields: ['networkPages', 'networkApi', 'networkDashboard', 'dashboardPort'],
    },
    { title: 'HTTPS', fields: ['tls', 'tlsCertificate', 'tlsKey'] },
  ],
  advanced: [
    {
      title: t('common.documents'),
      fields: ['maxUploadMB', 'minFreeMB', 'desktopLocks', 'checkSaves'],
    },
    { title: t('common.tokens'), fields: ['accessTokenHours', 'apiTokenDays'] },
    {
      title: t('window.requests'),
      fields: ['allowedHosts', 'allowedAddresses', 'trustedProxies', 'proofKeys'],
    },
  ],
  about: [{ fields: ['version', 'licenses', 'checkForUpdates', 'diagnostics', 'log', 'secrets', 'data'] }],
} satisfies Record<string, readonly Group[]>;

const more: Partial<Record<SettingId, More>> = {
  openIn: { isForApp: true, isInline: true },
  appearance: { isInline: true },
  startAtLogin: { isForApp: true },
  notifyErrors: { isForApp: true },
  notifyStaleLocks: { isForApp: true },
  notifyEditorUnreachable: { isForApp: true },
  checkForUpdates: { isForApp: true },
  textEditorUrl: { example: 'https://edit.example.com' },
  publicUrl: { example: 'https://docs.example.com' },
  dashboardPort: { needs: 'networkDashboard' },
  tlsCertificate: { example: '/etc/ssl/doctray/fullchain.pem' },
  tlsKey: { example: '/etc/ssl/doctray/privkey.pem' },
  allowedHosts: { example: 'docs.example.com' },
  allowedAddresses: { example: '192.168.1.0/24' },
  trustedProxies: { example: '192.168.1.2' },
};

/** By the ends of their names. */
const units = { MB: 'MB', Days: t('window.days'), Hours: t('window.hours'), Count: t('window.versions') };

export type PaneId = keyof typeof placed;

export const paneIds = Object.keys(placed) as PaneId[];

export const paneTitles: Record<PaneId, string> = {
  general: t('window.general'),
  editors: t('window.editors'),
  users: t('window.users'),
  versions: t('common.versions'),
  network: t('window.network-https'),
  advanced: t('window.advanced'),
  about: t('window.about'),
};

const idsIn = (pane: PaneId) => placed[pane].flatMap((group: Group) => group.fields);
const unplaced = (Object.keys(settings) as (keyof typeof settings)[])
  .filter((id) => id !== 'windowFirstRunDone')
  .filter((id) => !paneIds.some((pane) => idsIn(pane).includes(id)));

export const panes: Record<PaneId, readonly Group[]> = {
  ...placed,
  advanced: [...placed.advanced, { fields: unplaced }],
};

const catalog: readonly (SettingEntry & { pane: PaneId })[] = paneIds.flatMap((pane) =>
  panes[pane]
    .flatMap(({ fields }) => fields)
    .map((id) => ({
      id,
      label: t(`setting.${id}`),
      hint: t(`setting.${id}.hint`),
      unit: Object.entries(units).find(([end]) => id.endsWith(end))?.[1],
      ...more[id],
      pane,
    })),
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
