// What the window's document commands work with, for as long as the app runs: the folder that is shown and watched, the search,
// imports, and what is remembered about documents.

import type { TemplateItem } from '../contract/results.ts';
import type { Clock } from '../contract/clock.ts';
import type { HostEvent } from '../contract/events.ts';
import type { Logger } from '../log/logger.ts';
import type { Sample } from '../templates/templates.ts';
import type { Conflicts } from './conflicts.ts';
import { createDocumentChanges, type DocumentChanges, type DocumentChangesDeps } from './document-changes.ts';
import { createMakeDocument, type MakeDocument } from './document-making.ts';
import type { DocumentHosting, DocumentKeeper, DocumentServices } from './document-services.ts';
import { createFolderView, type FolderView } from './folder-view.ts';
import { createFolderWatch, type FolderWatch } from './folder-watch.ts';
import { clearImportLeftovers, createImports, type Imports } from './import.ts';
import type { Jobs } from './jobs.ts';
import type { Recent } from './recent.ts';
import { createSearch, type Search } from './search.ts';

export interface DocumentTemplates {
  templates: readonly TemplateItem[];
  blankDocument(id: string): Uint8Array | Promise<Uint8Array>;
  samples(): readonly Sample[];
}

export interface DocumentDeskDeps extends Omit<DocumentChangesDeps, 'clock'> {
  keeper: DocumentKeeper;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  jobs: Jobs;
  recent: Recent;
  conflicts: Conflicts;
  /** Loaded with the first new document. */
  loadTemplates: () => Promise<DocumentTemplates>;
  /** At most ten times a second. */
  pushFolderChanged: (push: { path: string }) => void;
  /** These are others now and no event says so. */
  mark: (what: 'recent' | 'conflicts') => void;
}

export interface DocumentDesk {
  view: FolderView;
  search: Search;
  imports: Imports;
  changes: DocumentChanges;
  watch: FolderWatch;
  recent: Recent;
  loadTemplates(): Promise<DocumentTemplates>;
  make(services: DocumentServices, hosting: DocumentHosting): MakeDocument;
  /** Ends watching, searching and listening. Jobs end with `jobs.close()`. */
  close(): void;
}

export function createDocumentDesk(deps: DocumentDeskDeps): DocumentDesk {
  const { keeper, jobs, conflicts, recent, clock } = deps;
  const view = createFolderView();
  const search = createSearch();
  const imports = createImports({ jobs });
  const changes = createDocumentChanges(deps);
  const watch = createFolderWatch({
    jail: () => keeper.host()?.services.folders.active()?.folder.jail,
    onDirty: view.forget,
    onChange: (path) => deps.pushFolderChanged({ path }),
    // A long folder that changes all the time must not be read all the time.
    pauseMs: () => 4 * view.lastCostMs(),
  });

  let cleared: DocumentServices | undefined;
  /** Once for each host and folder. */
  const clearUp = (): void => {
    const services = keeper.host()?.services;
    const folder = services?.folders.active()?.folder;
    if (services === undefined || folder === undefined) return;
    if (services !== cleared) void clearImportLeftovers(services, folder);
    cleared = services;
    void conflicts.check();
  };

  const note = (event: HostEvent): void => {
    switch (event.event) {
      case 'conflict-copy-made':
        deps.mark('conflicts');
        return;
      case 'file-renamed':
      case 'file-trashed':
        deps.mark('recent');
        void conflicts.check();
        return;
      case 'listening':
      case 'host-changed':
      case 'folder-switched':
        if (event.event === 'folder-switched') cleared = undefined;
        clearUp();
        watch.check();
        return;
      case 'stopping':
        imports.stop();
        search.stop();
        view.forget();
        return;
      default:
        return;
    }
  };
  const endEvents = keeper.onEvent((event) => {
    try {
      note(event);
    } catch (error) {
      deps.log.warn({ err: error }, 'What the window remembers could not be written.');
    }
  });
  clearUp();

  return {
    view,
    search,
    imports,
    changes,
    watch,
    recent,
    loadTemplates: deps.loadTemplates,
    make: (services, hosting) => createMakeDocument(services, hosting, clock),
    close() {
      endEvents();
      watch.close();
      search.stop();
      imports.stop();
    },
  };
}
