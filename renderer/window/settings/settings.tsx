// Settings: everything that can be chosen, in groups, with a list of them to jump by. Each value saves itself.

import { useEffect, useMemo, useRef, useState, type ComponentType } from 'react';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/dialog.tsx';
import { SearchField } from '../parts/text-field.tsx';
import { Empty, View } from '../parts/view.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import {
  AboutSection,
  AppearanceSection,
  DataSection,
  NotificationsSection,
  SecretsSection,
  StartSection,
} from './app.tsx';
import { RecoveredSection, TokensSection, UploadsSection, VersionsSection } from './documents.tsx';
import { EditorsSection } from './editors.tsx';
import { FolderSection } from './folder.tsx';
import { NetworkSection } from './network.tsx';
import { sectionElementId } from './section.tsx';
import { UsersSection } from './users.tsx';
import './settings.css';

interface Group {
  id: string;
  title: string;
  /** What else it may be looked for by. */
  words: string;
  Section: ComponentType;
  /** Not in a browser. */
  isForApp?: true;
}

const groups: Group[] = [
  { id: 'folder', title: 'Folder', words: 'documents choose switch path', Section: FolderSection },
  {
    id: 'network',
    title: 'Network',
    words:
      'address to listen on host port address for editors public url further names allowed hosts allowed addresses trusted proxies encryption tls https certificate authority fingerprint sign in from other machines computers programs api pages restart the listener',
    Section: NetworkSection,
  },
  {
    id: 'editors',
    title: 'Editors',
    words:
      'onlyoffice collabora office text editor built in document server docker podman container find detect start stop help connect test connection wopi default types signatures proof keys open documents in browser window',
    Section: EditorsSection,
  },
  {
    id: 'users',
    title: 'Users and roles',
    words: 'accounts add remove password owner editor viewer',
    Section: UsersSection,
  },
  {
    id: 'tokens',
    title: 'Locks and tokens',
    words: 'expire hours days signed in desktop lock files libreoffice',
    Section: TokensSection,
  },
  { id: 'versions', title: 'Versions', words: 'history keep days disk clean up', Section: VersionsSection },
  {
    id: 'recovered',
    title: 'Recovered saves',
    words: 'recovered quota limit days disk mib',
    Section: RecoveredSection,
  },
  {
    id: 'uploads',
    title: 'Uploads',
    words: 'largest document size mib free disk space copies',
    Section: UploadsSection,
  },
  {
    id: 'notifications',
    title: 'Notifications',
    words: 'errors stale locks editor cannot be reached',
    Section: NotificationsSection,
    isForApp: true,
  },
  { id: 'start', title: 'Start at login', words: 'autostart', Section: StartSection, isForApp: true },
  {
    id: 'appearance',
    title: 'Appearance',
    words: 'theme light dark system colours',
    Section: AppearanceSection,
  },
  { id: 'secrets', title: 'Secrets in use', words: 'keychain private file keytar', Section: SecretsSection },
  { id: 'data', title: 'Data folder', words: 'reveal show log', Section: DataSection },
  {
    id: 'about',
    title: 'About',
    words: 'version update electron chromium node sqlite help licenses',
    Section: AboutSection,
  },
];

/** How far below the upper edge a section begins to be the one that is read. */
const readingLine = 96;

export function SettingsView() {
  const { place } = useNavigation();
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState('folder');
  const body = useRef<HTMLDivElement>(null);
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const offered = useMemo(
    () => groups.filter((group) => !(isInBrowser && group.isForApp === true)),
    [isInBrowser],
  );
  const shown = useMemo(() => idsMatching(offered, query), [offered, query]);

  const jump = (id: string) => {
    const section = document.getElementById(sectionElementId(id));
    if (section === null) return;
    section.scrollIntoView({ block: 'start' });
    section.querySelector('h2')?.focus({ preventScroll: true });
    setCurrent(id);
  };
  const wanted =
    place.view === 'settings' ? groups.find(({ id, title }) => isCalled(place.path, id, title)) : undefined;
  const wantedId = wanted?.id;
  useEffect(() => {
    if (wantedId === undefined) return;
    setQuery('');
    jump(wantedId);
  }, [wantedId, place.step]);

  useEffect(() => {
    const scroller = body.current?.closest('.view');
    if (scroller == null) return undefined;
    const look = () => {
      const top = scroller.getBoundingClientRect().top + readingLine;
      const above = [...(body.current?.children ?? [])].filter(
        (element) =>
          element instanceof HTMLElement && !element.hidden && element.getBoundingClientRect().top <= top,
      );
      const read = groups.find(({ id }) => above.at(-1)?.firstElementChild?.id === sectionElementId(id));
      if (read !== undefined) setCurrent(read.id);
    };
    scroller.addEventListener('scroll', look, { passive: true });
    return () => scroller.removeEventListener('scroll', look);
  }, []);

  return (
    <View title="Settings" subtitle="What you change is saved as soon as you leave its field.">
      <ProblemNotice />
      <div className="settings">
        <div className="settings-side">
          <SearchField label="Find a setting" value={query} onChange={setQuery} takesSlash />
          <nav aria-label="Sections of the settings">
            <ul className="settings-list">
              {offered
                .filter(({ id }) => shown.has(id))
                .map(({ id, title }) => (
                  <li key={id}>
                    <button
                      type="button"
                      className="settings-jump"
                      aria-current={current === id ? 'true' : undefined}
                      onClick={() => jump(id)}
                    >
                      {title}
                    </button>
                  </li>
                ))}
            </ul>
          </nav>
        </div>
        <div className="settings-body" ref={body}>
          {/* hidden rather than gone: what is typed in one stays */}
          {offered.map(({ id, Section }) => (
            <div key={id} hidden={!shown.has(id)}>
              <Section />
            </div>
          ))}
          {shown.size === 0 && (
            <Empty
              icon="search"
              sentence={`No setting matches “${query}”.`}
              action={<Button onPress={() => setQuery('')}>Show all settings</Button>}
            />
          )}
        </div>
      </div>
    </View>
  );
}

function idsMatching(offered: readonly Group[], query: string): ReadonlySet<string> {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const matching = offered.filter((group) => {
    const text = `${group.title} ${group.words}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return new Set(matching.map(({ id }) => id));
}

/** `network`, or `Network`; what follows a slash is for the section itself. */
function isCalled(path: string | undefined, id: string, title: string): boolean {
  const name = path?.split('/')[0]?.toLowerCase();
  return name === id || name === title.toLowerCase();
}

function ProblemNotice() {
  const problem = useWindowState((state) => state.host.problem);
  const restart = useAction('host.restart', { failure: 'Still not serving', success: 'Serving again' });
  if (problem === null) return null;
  return (
    <Notice tone="bad">
      <div className="row">
        <span className="grow">{problem.message}</span>
        <Button isPending={restart.isPending} onPress={() => void restart.run({})}>
          Try again
        </Button>
      </div>
    </Notice>
  );
}
