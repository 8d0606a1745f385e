// Settings: one pane at a time, and a search over all of them that leads to the field. Each value saves itself.

import { useEffect, useMemo, useRef, useState, type ComponentType, type KeyboardEvent } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { EditorsPane } from '../editors/editors.tsx';
import { Button } from '../../kit/button.tsx';
import { FieldRowSkeleton } from '../../kit/field-rows.tsx';
import { SearchField, Select } from '../../kit/fields.tsx';
import { foundParts, MarkedText } from '../../kit/file-name.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useMediaQuery } from '../../kit/media-query.ts';
import { Empty } from '../../kit/blocks.tsx';
import { View } from '../parts/view.tsx';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { AboutPane } from './about.tsx';
import { findPlace, paneIds, paneTitles, searchSettings, type PaneId } from './catalog.ts';
import { Groups, NetworkPane } from './panes.tsx';
import { UsersPane } from './users.tsx';
import './settings.css';

/** Those that aren't only fields. */
const panes: Partial<Record<PaneId, ComponentType<{ path?: string | undefined }>>> = {
  editors: EditorsPane,
  users: UsersPane,
  network: NetworkPane,
  about: AboutPane,
};

const saves = t('window.changes-save-automatically');
const savesInNetwork = t('window.changes-save-automatically-network');
const paneKey = 'settings-pane';
const foundShownMs = 2000;

export function SettingsView() {
  const { place, go } = useNavigation();
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const [query, setQuery] = useState('');
  // A search hides the pane: when it shows again, it doesn't open again what this step opened.
  const [searchedStep, setSearchedStep] = useState(-1);
  const wanted = place.path === undefined ? undefined : findPlace(place.path);
  const pane = wanted?.pane ?? lastPane();
  const title = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery('(max-width: 640px)');
  const found = useMemo(() => searchSettings(query, isInBrowser), [query, isInBrowser]);
  const Pane = panes[pane];

  useEffect(() => {
    sessionStorage.setItem(paneKey, pane);
    setQuery('');
  }, [pane, place.step]);
  const isSearching = query.trim() !== '';
  const shownStep = useRef(-1);
  useEffect(() => {
    // Once for each navigation, when the results of a search have made room for the pane.
    if (wanted === undefined || isSearching || shownStep.current === place.step) return;
    shownStep.current = place.step;
    // The list of panes keeps the focus, for the keyboard.
    if (document.activeElement?.closest('.settings-panes, [role="listbox"]') != null) return;
    if (wanted.id === undefined || !showSetting(body.current, wanted.id)) title.current?.focus();
  }, [place.step, isSearching, wanted]);

  return (
    <View title={t('common.settings')} subtitle={pane === 'network' ? savesInNetwork : saves}>
      <div className="settings">
        <div className="stack settings-side">
          <SearchField
            label={t('window.search-settings')}
            value={query}
            onChange={(typed) => {
              setQuery(typed);
              setSearchedStep(place.step);
            }}
            onSubmit={() => {
              const [first] = found;
              if (first !== undefined) go('settings', first.id);
            }}
            onLeave={() => body.current?.querySelector<HTMLElement>('.settings-hit')?.focus()}
            takesSlash
          />
          <nav aria-label={t('common.settings')} className="settings-panes">
            {isNarrow ? (
              <Select
                label={t('common.settings')}
                isLabelHidden
                value={pane}
                options={paneIds.map((id) => ({ id, title: paneTitles[id] }))}
                onChange={(id) => go('settings', id)}
              />
            ) : (
              <ul className="rail-list settings-list">
                {paneIds.map((id) => (
                  <li key={id}>
                    <button
                      type="button"
                      className="rail-item"
                      aria-current={pane === id && !isSearching ? 'page' : undefined}
                      onClick={() => go('settings', id)}
                    >
                      {paneTitles[id]}
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </nav>
        </div>
        <div className="grow" ref={body}>
          {!isSearching ? (
            <section className="stack settings-pane" aria-labelledby="settings-title">
              <h2 className="settings-title" id="settings-title" ref={title} tabIndex={-1}>
                {paneTitles[pane]}
              </h2>
              {Pane === undefined ? (
                <Groups key={pane} pane={pane} />
              ) : (
                <Pane key={pane} path={searchedStep === place.step ? undefined : place.path} />
              )}
            </section>
          ) : (
            <Found query={query} found={found} onClear={() => setQuery('')} />
          )}
        </div>
      </div>
    </View>
  );
}

/** The same frames, so that nothing jumps when the state comes. */
export function SettingsSkeleton() {
  return (
    <View title={t('common.settings')} subtitle={saves}>
      <div className="settings" aria-hidden="true">
        <div className="stack settings-side">
          <span className="skeleton-field" />
          <ul className="rail-list settings-list">
            {paneIds.map((id) => (
              <li key={id} className="rail-item">
                <span className="skeleton-bar" />
              </li>
            ))}
          </ul>
        </div>
        <div className="grow">
          <div className="stack settings-pane">
            <div className="settings-title">{paneTitles[lastPane()]}</div>
            <div className="section-body">
              {[1, 2, 3, 4, 5].map((row) => (
                <FieldRowSkeleton key={row} />
              ))}
            </div>
          </div>
        </div>
      </div>
    </View>
  );
}

function lastPane(): PaneId {
  const stored = sessionStorage.getItem(paneKey);
  return paneIds.find((id) => id === stored) ?? 'general';
}

/** Brings the setting into view, below the title of its group, and focuses its control. False if it isn't shown at the moment. */
function showSetting(body: HTMLElement | null, id: string): boolean {
  const setting = body?.querySelector(`[data-setting="${id}"]`);
  if (!(setting instanceof HTMLElement)) return false;
  const group = setting.closest('.section');
  group?.scrollIntoView();
  setting.scrollIntoView({ block: group === null ? 'center' : 'nearest' });
  const control = setting.querySelector<HTMLElement>('input, textarea, button');
  control?.focus({ preventScroll: true });
  setting.classList.add('field-found');
  setTimeout(() => setting.classList.remove('field-found'), foundShownMs);
  return control !== null;
}

/** ↓ and ↑ go through the results of the search, and back to its field. */
function goToHit(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const hits = [...event.currentTarget.querySelectorAll<HTMLElement>('.settings-hit')];
  const at = hits.findIndex((hit) => hit === document.activeElement);
  if (event.key === 'ArrowDown') hits[at + 1]?.focus();
  else (hits[at - 1] ?? document.querySelector<HTMLElement>('[data-takes-slash]'))?.focus();
}

function Found(props: { query: string; found: ReturnType<typeof searchSettings>; onClear(): void }) {
  const { go } = useNavigation();
  if (props.found.length === 0) {
    return (
      <Empty
        icon="search"
        title={t('window.no-setting-matches-query', { query: props.query.trim() })}
        action={<Button onPress={props.onClear}>{t('window.show-all-settings')}</Button>}
      />
    );
  }
  return (
    <section aria-label={t('window.search-results')}>
      <p className="visually-hidden" role="status">
        {t('window.settings-found', { count: props.found.length })}
      </p>
      <ul className="section-body status-list" onKeyDown={goToHit}>
        {props.found.map(({ id, label, hint, pane }) => (
          <li key={id}>
            <button type="button" className="field-row settings-hit" onClick={() => go('settings', id)}>
              <span className="stack field-words">
                <span className="field-label">
                  <MarkedText text={label} found={foundParts(label, props.query)} />
                </span>
                <span className="field-hint">{hint}</span>
              </span>
              <span className="line muted">
                {paneTitles[pane]}
                <Icon name="chevron-right" size={12} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
