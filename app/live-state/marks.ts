// Which parts of the window's state an event may change: the only place that knows these dependencies.

import type { HostEvent, RowChanged } from '../contract/events.ts';
import type { StateValues, TableName } from '../contract/state.ts';

export interface Marks {
  row(table: TableName, id: string): void;
  table(name: TableName): void;
  value(name: keyof StateValues): void;
  all(): void;
  /** Rows about one document. */
  rowsOfFile(table: 'sessions' | 'tokens', fileId: string): void;
}

function markRow(marks: Marks, changed: RowChanged): void {
  if ('id' in changed) marks.row(changed.table, changed.id);
  else if (changed.table === 'conflicts' || changed.table === 'jobs') marks.table(changed.table);
  else marks.value(changed.table);
  if (changed.table !== 'users') return;
  // All of them contain names and roles.
  marks.table('sessions');
  marks.table('tokens');
  marks.table('locks');
}

export function markChanged(marks: Marks, event: HostEvent): void {
  switch (event.event) {
    case 'row-changed':
      markRow(marks, event);
      return;
    case 'token-revoked':
      marks.row('tokens', event.tokenId);
      marks.row('sessions', event.tokenId);
      return;
    case 'settings-changed':
      marks.value('settings');
      marks.value('app');
      marks.value('host');
      // The base addresses of editors depend on them.
      marks.value('editors');
      return;
    case 'editors-changed':
    case 'editor-unreachable':
    case 'editor-reachable':
      marks.value('editors');
      // They show which editor runs in a container.
      marks.value('documentServers');
      return;
    case 'file-renamed':
      marks.rowsOfFile('sessions', event.fileId);
      marks.rowsOfFile('tokens', event.fileId);
      marks.row('locks', event.fileId);
      marks.value('recent');
      marks.table('conflicts');
      return;
    case 'file-trashed':
      marks.row('locks', event.fileId);
      marks.value('recent');
      marks.table('conflicts');
      return;
    case 'save-recovered':
    case 'recovered-save-ended':
      marks.table('recovered');
      return;
    case 'file-created':
    case 'recovered-save-refused':
    case 'database-rebuilt':
      return;
    case 'lock-taken':
    case 'lock-released':
    case 'lock-lapsed':
    case 'lock-regained':
    case 'lock-force-cleared':
    case 'lock-restored':
    case 'file-saved':
    case 'file-restored':
      marks.row('locks', event.fileId);
      return;
    case 'conflict-copy-made':
      marks.row('locks', event.fileId);
      marks.table('conflicts');
      return;
    case 'listening':
    case 'stopping':
    case 'stopped':
    case 'host-changed':
    case 'folder-switched':
      marks.all();
  }
}
