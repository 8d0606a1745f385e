// Every setting with its pane, its label and its hint: what the fields show, and what the search and quick open find.

import { t } from '../../../app/contract/messages.ts';
import { matchRank } from '../parts/format.ts';

export const paneIds = ['general', 'editors', 'users', 'versions', 'network', 'advanced', 'about'] as const;
export type PaneId = (typeof paneIds)[number];

export const paneTitles: Record<PaneId, string> = {
  general: t('window.general'),
  editors: t('window.editors'),
  users: t('window.users'),
  versions: t('common.versions'),
  network: t('window.network-https'),
  advanced: t('window.advanced'),
  about: t('window.about'),
};

export interface SettingEntry {
  id: string;
  pane: PaneId;
  label: string;
  hint: string;
  /** Other words that users search for. */
  words?: string;
  /** Not in a browser. */
  isForApp?: true;
}

const catalog = [
  {
    id: 'folder',
    pane: 'general',
    label: t('window.folder'),
    hint: t('window.editors-can-only-open-documents'),
    words: t('window.documents-directory-path-switch'),
  },
  {
    id: 'openIn',
    pane: 'general',
    label: t('window.open-documents-in'),
    hint: t('window.your-browser-or-a-doctray'),
    isForApp: true,
  },
  {
    id: 'startAtLogin',
    pane: 'general',
    label: t('window.start-doctray-when-you-log'),
    hint: t('window.it-starts-in-the-tray'),
    words: t('window.autostart-boot'),
    isForApp: true,
  },
  {
    id: 'appearance',
    pane: 'general',
    label: t('window.theme'),
    hint: t('window.the-colors-of-the-window'),
    words: t('window.appearance-colors-light-dark'),
  },
  {
    id: 'notifyErrors',
    pane: 'general',
    label: t('window.errors'),
    hint: t('window.doctray-stops-serving-or-a'),
    words: t('window.notifications-2'),
    isForApp: true,
  },
  {
    id: 'notifyStaleLocks',
    pane: 'general',
    label: t('window.stale-locks'),
    hint: t('window.the-editor-of-a-lock'),
    words: t('window.notifications-2'),
    isForApp: true,
  },
  {
    id: 'notifyEditorUnreachable',
    pane: 'general',
    label: t('window.unreachable-editors'),
    hint: t('window.a-connected-editor-stops-responding'),
    words: t('window.notifications-2'),
    isForApp: true,
  },
  {
    id: 'connectedEditors',
    pane: 'editors',
    label: t('window.connected-editors'),
    hint: t('window.programs-that-open-your-documents'),
    words: 'onlyoffice collabora office wopi document server connect test proof keys signatures',
  },
  {
    id: 'textEditor',
    pane: 'editors',
    label: t('window.text-editor'),
    hint: t('window.opens-text-markdown-and-csv'),
    words: t('window.built-in-2'),
  },
  {
    id: 'textEditorPort',
    pane: 'editors',
    label: t('window.port-of-the-text-editor'),
    hint: t('window.optional-defaults-to-the-next'),
  },
  {
    id: 'textEditorUrl',
    pane: 'editors',
    label: t('window.public-url-of-the-text'),
    hint: t('window.optional-only-needed-behind-a'),
  },
  {
    id: 'documentServers',
    pane: 'editors',
    label: t('window.on-this-computer'),
    hint: t('window.document-servers-that-run-here'),
    words: 'docker podman container find detect start stop',
  },
  {
    id: 'defaultEditors',
    pane: 'editors',
    label: t('window.default-editors'),
    hint: t('window.which-editor-opens-a-type'),
  },
  {
    id: 'users',
    pane: 'users',
    label: t('window.users'),
    hint: t('window.who-can-sign-in-to'),
    words: t('window.accounts-roles-password-owner-viewer'),
  },
  {
    id: 'versionDays',
    pane: 'versions',
    label: t('window.keep-versions-for'),
    hint: t('window.older-versions-are-removed'),
    words: t('window.history'),
  },
  {
    id: 'versionCount',
    pane: 'versions',
    label: t('window.versions-of-each-document'),
    hint: t('window.the-oldest-are-removed-first'),
    words: t('window.history-limit'),
  },
  {
    id: 'versionUsage',
    pane: 'versions',
    label: t('window.disk-space'),
    hint: t('window.disk-space-that-all-versions'),
    words: t('window.clean-up-usage'),
  },
  {
    id: 'recoveredDays',
    pane: 'versions',
    label: t('window.keep-recovered-saves-for'),
    hint: t('window.older-recovered-saves-are-removed'),
  },
  {
    id: 'recoveredMB',
    pane: 'versions',
    label: t('window.space-for-recovered-saves'),
    hint: t('window.the-limit-for-all-recovered'),
    words: t('window.quota-limit'),
  },
  {
    id: 'recoveredTokenMB',
    pane: 'versions',
    label: t('window.space-for-each-open-document'),
    hint: t('window.one-save-is-kept-even'),
    words: t('window.quota-limit-recovered-saves'),
  },
  {
    id: 'host',
    pane: 'network',
    label: t('window.bind-address'),
    hint: t('window.where-doctray-accepts-connections'),
    words: `${t('window.listen-host-interface')} 127.0.0.1 0.0.0.0 localhost`,
  },
  {
    id: 'port',
    pane: 'network',
    label: t('window.port'),
    hint: t('window.0-chooses-any-free-port'),
    words: t('window.listen'),
  },
  {
    id: 'publicUrl',
    pane: 'network',
    label: t('window.public-url-for-editors'),
    hint: t('window.optional-where-editors-reach-doctray'),
    words: t('window.address-reverse-proxy-base'),
  },
  {
    id: 'networkPages',
    pane: 'network',
    label: t('window.let-other-computers-open-documents'),
    hint: t('window.users-sign-in-on-the-documents'),
    words: t('window.share-colleagues-network-pages'),
  },
  {
    id: 'tls',
    pane: 'network',
    label: t('window.https-for-other-computers'),
    hint: t('window.this-computer-can-always-use'),
    words: t('window.tls-ssl-encryption-certificate-authority'),
  },
  {
    id: 'tlsCertificate',
    pane: 'network',
    label: t('window.certificate-file'),
    hint: t('window.a-pem-file-with-the'),
  },
  {
    id: 'tlsKey',
    pane: 'network',
    label: t('window.key-file'),
    hint: t('window.the-certificates-private-key-doctray'),
  },
  {
    id: 'accessTokenHours',
    pane: 'advanced',
    label: t('window.access-token-lifetime'),
    hint: t('window.after-that-reopen-the-document'),
    words: t('window.expire-session'),
  },
  {
    id: 'apiTokenDays',
    pane: 'advanced',
    label: t('window.api-token-lifetime'),
    hint: t('window.after-that-the-program-must'),
    words: t('window.expire'),
  },
  {
    id: 'desktopLocks',
    pane: 'advanced',
    label: t('window.documents-open-in-a-desktop'),
    hint: t('window.libreoffice-and-microsoft-office-create'),
    words: t('window.lock-files'),
  },
  {
    id: 'checkSaves',
    pane: 'advanced',
    label: t('window.check-saves'),
    hint: t('window.unreadable-saves-go-to-recovered'),
    words: t('window.damaged-corrupt-empty-unreadable'),
  },
  {
    id: 'proofKeys',
    pane: 'advanced',
    label: t('window.proof-keys'),
    hint: t('window.set-for-each-editor-in'),
    words: t('window.signatures'),
  },
  {
    id: 'maxUploadMB',
    pane: 'advanced',
    label: t('window.largest-document'),
    hint: t('window.larger-saves-and-uploads-are'),
    words: t('window.size-limit'),
  },
  {
    id: 'minFreeMB',
    pane: 'advanced',
    label: t('window.minimum-free-disk-space'),
    hint: t('window.below-this-doctray-creates-no'),
    words: t('window.disk-space-limit'),
  },
  {
    id: 'allowedHosts',
    pane: 'advanced',
    label: t('window.additional-host-names'),
    hint: t('window.one-per-line-requests-for'),
    words: t('window.host-header-dns'),
  },
  {
    id: 'allowedAddresses',
    pane: 'advanced',
    label: t('window.allowed-addresses'),
    hint: t('window.optional-one-address-or-network'),
    words: t('window.firewall-clients-ip'),
  },
  {
    id: 'trustedProxies',
    pane: 'advanced',
    label: t('window.trusted-proxies'),
    hint: t('window.one-per-line-doctray-trusts'),
    words: t('window.reverse-proxy-x-forwarded-for'),
  },
  {
    id: 'networkApi',
    pane: 'network',
    label: t('window.json-api-on-the-network'),
    hint: t('window.programs-on-other-computers-can'),
  },
  {
    id: 'networkDashboard',
    pane: 'network',
    label: t('window.this-window-in-a-browser'),
    hint: t('window.on-other-computers-and-only'),
  },
  {
    id: 'dashboardPort',
    pane: 'network',
    label: t('window.port-of-the-window-in'),
    hint: t('window.optional-defaults-to-a-free'),
  },
  {
    id: 'version',
    pane: 'about',
    label: t('window.version'),
    hint: t('window.version-numbers-of-doctray-and'),
    words: 'electron chromium node sqlite',
  },
  {
    id: 'licenses',
    pane: 'about',
    label: t('window.licenses'),
    hint: t('window.licenses-of-doctray-and-the'),
    words: t('window.help-guides'),
  },
  {
    id: 'checkForUpdates',
    pane: 'about',
    label: t('window.check-for-updates-once-a'),
    hint: t('window.downloads-new-versions-and-installs'),
    isForApp: true,
  },
  {
    id: 'diagnostics',
    pane: 'about',
    label: t('window.diagnostics'),
    hint: t('window.checks-that-everything-doctray-needs'),
    words: t('window.doctor-problems-check-troubleshooting'),
  },
  {
    id: 'log',
    pane: 'about',
    label: t('window.log'),
    hint: t('window.what-doctray-did-it-contains'),
    words: t('window.errors-warnings'),
  },
  {
    id: 'secrets',
    pane: 'about',
    label: t('window.secrets'),
    hint: t('window.where-token-keys-and-the'),
    words: t('window.keychain-password-file'),
  },
  {
    id: 'data',
    pane: 'about',
    label: t('window.data-folder'),
    hint: t('window.settings-versions-recovered-saves-and'),
  },
] as const satisfies readonly SettingEntry[];

export type SettingId = (typeof catalog)[number]['id'];

const byId = new Map<string, SettingEntry>(catalog.map((entry) => [entry.id, entry]));

export function entryOf(id: SettingId): SettingEntry {
  const entry = byId.get(id);
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
export function searchSettings(query: string, isInBrowser: boolean): SettingEntry[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return [];
  const all: readonly SettingEntry[] = catalog;
  const found = all.filter((entry) => {
    if (isInBrowser && entry.isForApp === true) return false;
    const { label, hint, words: more = '', pane, id } = entry;
    const text = `${label} ${hint} ${more} ${paneTitles[pane]} ${id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return found.toSorted((a, b) => matchRank(a.label, query) - matchRank(b.label, query));
}
