// Every setting with its pane, its label and its hint: what the fields show, and what the search and quick open find.

import { t } from '../../../app/contract/messages.ts';
import { matchRank } from '../parts/format.ts';

export const paneIds = ['general', 'editors', 'users', 'versions', 'network', 'advanced', 'about'] as const;
export type PaneId = (typeof paneIds)[number];

export const paneTitles: Record<PaneId, string> = {
  general: t('General'),
  editors: t('Editors'),
  users: t('Users'),
  versions: t('Versions'),
  network: t('Network & HTTPS'),
  advanced: t('Advanced'),
  about: t('About'),
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
    label: t('Folder'),
    hint: t('Editors can only open documents in this folder.'),
    words: t('documents directory path switch'),
  },
  {
    id: 'openIn',
    pane: 'general',
    label: t('Open documents in'),
    hint: t('Your browser, or a DocTray window.'),
    isForApp: true,
  },
  {
    id: 'startAtLogin',
    pane: 'general',
    label: t('Start DocTray when you log in'),
    hint: t('It starts in the tray, without a window.'),
    words: t('autostart boot'),
    isForApp: true,
  },
  {
    id: 'quickOpenShortcut',
    pane: 'general',
    label: t('Shortcut for quick open'),
    hint: t('Opens documents from any program.'),
    words: t('global keyboard hotkey'),
    isForApp: true,
  },
  {
    id: 'appearance',
    pane: 'general',
    label: t('Theme'),
    hint: t('The colors of the window.'),
    words: t('appearance colors light dark'),
  },
  {
    id: 'notifyErrors',
    pane: 'general',
    label: t('Errors'),
    hint: t('DocTray stops serving, or a save had to be recovered.'),
    words: t('notifications'),
    isForApp: true,
  },
  {
    id: 'notifyStaleLocks',
    pane: 'general',
    label: t('Stale locks'),
    hint: t('The editor of a lock has gone away.'),
    words: t('notifications'),
    isForApp: true,
  },
  {
    id: 'notifyEditorUnreachable',
    pane: 'general',
    label: t('Unreachable editors'),
    hint: t('A connected editor stops responding.'),
    words: t('notifications'),
    isForApp: true,
  },
  {
    id: 'connectedEditors',
    pane: 'editors',
    label: t('Connected editors'),
    hint: t('Programs that open your documents.'),
    words: 'onlyoffice collabora office wopi document server connect test proof keys signatures',
  },
  {
    id: 'textEditor',
    pane: 'editors',
    label: t('Text editor'),
    hint: t('Opens text, Markdown and CSV.'),
    words: t('built in'),
  },
  {
    id: 'textEditorPort',
    pane: 'editors',
    label: t('Port of the text editor'),
    hint: t('Optional. Defaults to the next free port after DocTray’s.'),
  },
  {
    id: 'textEditorUrl',
    pane: 'editors',
    label: t('Public URL of the text editor'),
    hint: t('Optional. Only needed behind a reverse proxy.'),
  },
  {
    id: 'documentServers',
    pane: 'editors',
    label: t('On this computer'),
    hint: t('Document servers that run here or that DocTray can start.'),
    words: 'docker podman container find detect start stop',
  },
  {
    id: 'defaultEditors',
    pane: 'editors',
    label: t('Default editors'),
    hint: t('Which editor opens a type of document.'),
  },
  {
    id: 'users',
    pane: 'users',
    label: t('Users'),
    hint: t('Who can sign in to open documents.'),
    words: t('accounts roles password owner viewer add remove'),
  },
  {
    id: 'versionDays',
    pane: 'versions',
    label: t('Keep versions for'),
    hint: t('Older versions are removed.'),
    words: t('history'),
  },
  {
    id: 'versionCount',
    pane: 'versions',
    label: t('Versions of each document'),
    hint: t('The oldest are removed first.'),
    words: t('history limit'),
  },
  {
    id: 'versionUsage',
    pane: 'versions',
    label: t('Disk space'),
    hint: t('Disk space that all versions use together.'),
    words: t('clean up usage'),
  },
  {
    id: 'recoveredDays',
    pane: 'versions',
    label: t('Keep recovered saves for'),
    hint: t('Older recovered saves are removed.'),
  },
  {
    id: 'recoveredMB',
    pane: 'versions',
    label: t('Space for recovered saves'),
    hint: t('The limit for all recovered saves together.'),
    words: t('quota limit'),
  },
  {
    id: 'recoveredTokenMB',
    pane: 'versions',
    label: t('Space for each open document'),
    hint: t('One save is kept even if it’s larger.'),
    words: t('quota limit recovered saves'),
  },
  {
    id: 'host',
    pane: 'network',
    label: t('Bind address'),
    hint: t('Where DocTray accepts connections.'),
    words: `${t('listen host interface')} 127.0.0.1 0.0.0.0 localhost`,
  },
  { id: 'port', pane: 'network', label: t('Port'), hint: t('0 chooses any free port.'), words: t('listen') },
  {
    id: 'publicUrl',
    pane: 'network',
    label: t('Public URL for editors'),
    hint: t('Optional. Where editors reach DocTray. Defaults to the bind address.'),
    words: t('address reverse proxy base'),
  },
  {
    id: 'networkPages',
    pane: 'network',
    label: t('Let other computers open documents'),
    hint: t('Users sign in on the document’s page.'),
    words: t('share colleagues network pages'),
  },
  {
    id: 'tls',
    pane: 'network',
    label: t('HTTPS for other computers'),
    hint: t('This computer can always use plain HTTP.'),
    words: t('TLS SSL encryption certificate authority fingerprint'),
  },
  {
    id: 'tlsCertificate',
    pane: 'network',
    label: t('Certificate file'),
    hint: t('A PEM file, with the intermediate certificates.'),
  },
  {
    id: 'tlsKey',
    pane: 'network',
    label: t('Key file'),
    hint: t('The certificate’s private key. DocTray keeps no copy.'),
  },
  {
    id: 'accessTokenHours',
    pane: 'advanced',
    label: t('Access token lifetime'),
    hint: t('After that, reopen the document. Saves are accepted for one more day.'),
    words: t('expire session'),
  },
  {
    id: 'apiTokenDays',
    pane: 'advanced',
    label: t('API token lifetime'),
    hint: t('After that, the program must sign in again.'),
    words: t('expire'),
  },
  {
    id: 'desktopLocks',
    pane: 'advanced',
    label: t('Documents open in a desktop program'),
    hint: t('LibreOffice and Microsoft Office create a lock file next to them.'),
    words: t('lock files'),
  },
  {
    id: 'checkSaves',
    pane: 'advanced',
    label: t('Check saves'),
    hint: t('Unreadable saves go to Recovered saves instead of the file.'),
    words: t('damaged corrupt empty unreadable'),
  },
  {
    id: 'proofKeys',
    pane: 'advanced',
    label: t('Proof keys'),
    hint: t('Set for each editor, in its details.'),
    words: t('signatures'),
  },
  {
    id: 'maxUploadMB',
    pane: 'advanced',
    label: t('Largest document'),
    hint: t('Larger saves and uploads are refused.'),
    words: t('size limit'),
  },
  {
    id: 'minFreeMB',
    pane: 'advanced',
    label: t('Minimum free disk space'),
    hint: t('Below this, DocTray creates no new files. Open documents still save.'),
    words: t('disk space limit'),
  },
  {
    id: 'allowedHosts',
    pane: 'advanced',
    label: t('Additional host names'),
    hint: t('One per line. Requests for any other name are refused.'),
    words: t('Host header DNS'),
  },
  {
    id: 'allowedAddresses',
    pane: 'advanced',
    label: t('Allowed addresses'),
    hint: t('Optional. One address or network per line. Defaults to all.'),
    words: t('firewall clients IP'),
  },
  {
    id: 'trustedProxies',
    pane: 'advanced',
    label: t('Trusted proxies'),
    hint: t('One per line. DocTray trusts their forwarding headers.'),
    words: t('reverse proxy X-Forwarded-For'),
  },
  {
    id: 'networkApi',
    pane: 'network',
    label: t('JSON API on the network'),
    hint: t('Programs on other computers can sign in and use it.'),
  },
  {
    id: 'networkDashboard',
    pane: 'network',
    label: t('This window in a browser'),
    hint: t('On other computers, and only over HTTPS.'),
  },
  {
    id: 'dashboardPort',
    pane: 'network',
    label: t('Port of the window in a browser'),
    hint: t('Optional. Defaults to a free port.'),
  },
  {
    id: 'version',
    pane: 'about',
    label: t('Version'),
    hint: t('Version numbers of DocTray and its components.'),
    words: 'electron chromium node sqlite',
  },
  {
    id: 'licenses',
    pane: 'about',
    label: t('Licenses'),
    hint: t('Licenses of DocTray and the packages it contains.'),
    words: t('help guides'),
  },
  {
    id: 'checkForUpdates',
    pane: 'about',
    label: t('Check for updates once a day'),
    hint: t('Downloads new versions, and installs them when you quit.'),
    isForApp: true,
  },
  {
    id: 'diagnostics',
    pane: 'about',
    label: t('Diagnostics'),
    hint: t('Checks that everything DocTray needs is working.'),
    words: t('doctor problems check troubleshooting'),
  },
  {
    id: 'log',
    pane: 'about',
    label: t('Log'),
    hint: t('What DocTray did. It contains no secrets.'),
    words: t('errors warnings'),
  },
  {
    id: 'secrets',
    pane: 'about',
    label: t('Secrets'),
    hint: t('Where token keys and the owner’s password are stored.'),
    words: t('keychain password file'),
  },
  {
    id: 'data',
    pane: 'about',
    label: t('Data folder'),
    hint: t('Settings, versions, recovered saves and the log. Not your documents.'),
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
