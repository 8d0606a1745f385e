// Responses that most scenarios share. Commands that change the state do it as the host would.

import type { SettingKey, Settings } from '../../../app/settings/settings.ts';
import { createDocumentServerAnswers } from './document-servers.ts';
import { createEditorAnswers } from './editors.ts';
import { changed, type Answers, type FakeHost, type Scenario, type StateChange } from './fake-host.ts';
import type { ActivitySummary } from '../../../app/contract/results.ts';
import { atLastCalls, day, hour, makeActivity, makeQuietState, makeToken } from './rows.ts';
import type { LockItem, WindowState } from '../../../app/contract/state.ts';

const undoMs = 10_000;

/** A host that is serving, with nothing going on except these changes, and with these answers besides the basic ones. */
export function quiet(nowMs: number, change: StateChange = {}, answers: Answers = {}): Scenario {
  return changed({ state: makeQuietState(nowMs), answers: createBasicAnswers() }, change, answers);
}

/** Removes rows from a table, and returns them. */
function take<Name extends 'locks' | 'sessions' | 'tokens' | 'recovered'>(
  host: FakeHost,
  table: Name,
  ids: readonly string[],
): WindowState[Name] {
  const taken = host.state[table].filter(({ id }) => ids.includes(id)) as WindowState[Name];
  host.remove(table, ids);
  return taken;
}

function createBasicAnswers(): Answers {
  const cleared: LockItem[] = [];

  return {
    ...createEditorAnswers(),
    ...createDocumentServerAnswers(),
    'app.saveText': ({ suggestedName }) => ({ savedTo: `/home/robin/${suggestedName}` }),
    'app.setStartsAtLogin': ({ isOn }, host) => {
      host.set({ app: { startsAtLogin: isOn } });
      return null;
    },
    'app.finishFirstRun': (_args, host) => {
      host.set({ app: { isFirstRun: false } });
      return null;
    },
    'app.log': () => ({ lines: [] }),
    'app.diagnostics': () => ({ text: 'DocTray 0.1.0 on linux x64' }),
    'app.dismissCrash': (_args, host) => {
      host.set({ app: { hasCrashed: false } });
      return null;
    },
    doctor: () => [],
    'host.chooseFolder': () => ({ folder: null }),
    'documents.createSample': () => ({ path: 'Welcome.docx' }),
    'host.pause': ({ minutes }, host) => {
      const pausedUntilMs = minutes === null ? null : Date.now() + minutes * 60_000;
      host.set({ host: { status: 'paused', pausedUntilMs } });
      return { pausedUntilMs };
    },
    'host.resume': (_args, host) => {
      host.set({ host: { status: 'serving', pausedUntilMs: null } });
      return null;
    },
    'host.restart': (_args, host) => {
      host.set({ host: { status: 'serving', problem: null, needsListenerRestart: false } });
      return null;
    },
    'recovered.restore': ({ id }, host) => {
      const [item] = take(host, 'recovered', [id]);
      return { path: (item?.path ?? id).replace(/\.\w+$/u, ' (recovered)$&') };
    },
    'recovered.saveAnyway': ({ id }, host) => ({ path: take(host, 'recovered', [id])[0]?.path ?? id }),
    'recovered.discard': ({ id }, host) => {
      host.remove('recovered', [id]);
      return { id };
    },
    'conflicts.dismiss': ({ id }, host) => {
      host.remove('conflicts', [id]);
      return { id };
    },
    'jobs.cancel': ({ id }, host) => {
      const canceled = host.state.jobs.filter((job) => job.id === id);
      host.upsert(
        'jobs',
        canceled.map((job) => ({ ...job, state: 'canceled', canCancel: false })),
      );
      return null;
    },
    'jobs.dismiss': ({ id }, host) => {
      host.remove('jobs', [id]);
      return null;
    },
    'locks.forceClear': ({ ids }, host) => {
      const done = take(host, 'locks', ids);
      cleared.push(...done);
      return { done, failed: [], undoUntilMs: Date.now() + undoMs };
    },
    'locks.undoForceClear': ({ ids }, host) => {
      const done = cleared.filter(({ id }) => ids.includes(id));
      host.upsert('locks', done);
      return { done, failed: [] };
    },
    'sessions.end': ({ ids }, host) => ({ done: take(host, 'sessions', ids), failed: [] }),
    'locks.details': () => ({ lockId: '6f1c2b7e…' }),
    'tokens.createApiToken': ({ login, name, days }, host) => {
      const nowMs = Date.now();
      const user = host.state.users.find((known) => known.login === login);
      const token = makeToken(900, nowMs, {
        id: 'new-token',
        name,
        user: login,
        userName: user?.displayName ?? login,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + (days ?? 30) * day,
        lastUsedAtMs: null,
      });
      host.upsert('tokens', [token]);
      const { id, expiresAtMs } = token;
      return { id, token: 'a-new-token-of-43-characters-as-base64url-0', login, expiresAtMs };
    },
    'tokens.revoke': ({ ids }, host) => {
      const done = take(host, 'tokens', ids).map(({ id, path }) => ({ id, path: path ?? '' }));
      return { done, failed: [] };
    },
    'tokens.revokeOfUser': ({ login }, host) => {
      const ids = host.state.tokens.filter(({ user }) => user === login).map(({ id }) => id);
      host.remove('tokens', ids);
      return { count: ids.length };
    },
    'settings.bindAddresses': () => [
      { address: '192.168.1.14', interfaceName: 'wlan0' },
      { address: '172.17.0.1', interfaceName: 'docker0' },
    ],
    'settings.check': () => ({ sentence: null }),
    'settings.set': ({ key, value }, host) => {
      host.set({ settings: { [key]: value } });
      return { key: key as SettingKey, value: value as Settings[SettingKey], needsRestart: false };
    },
    'activity.list': () => ({ items: [] }),
    'activity.summary': () => summaryOf(0),
    'activity.ofDocument': ({ fileId, count }, host) => {
      const items = makeActivities(count, Date.now()).map((item) => ({ ...item, fileId }));
      return { items: atLastCalls(items, host.state).toReversed() };
    },
    'documents.list': ({ path, startIndex }) => ({ path, startIndex, items: [], total: 0 }),
    'documents.search': () => ({ items: [], isComplete: true, searched: 0 }),
    'documents.templates': () => [
      { id: 'docx', title: 'Word document', extension: 'docx' },
      { id: 'xlsx', title: 'Excel spreadsheet', extension: 'xlsx' },
      { id: 'pptx', title: 'PowerPoint presentation', extension: 'pptx' },
      { id: 'odt', title: 'Text (OpenDocument)', extension: 'odt' },
    ],
    'versions.usage': () => ({ count: 0, bytes: 0 }),
  };
}

/** Since yesterday's noon, with that many documents. */
export function summaryOf(documents: number): ActivitySummary {
  const sinceMs = new Date().setHours(0, 0, 0, 0) - 12 * hour;
  return { sinceMs, saves: documents * 24, documents, errors: documents > 0 ? 3 : 0 };
}

/** `count` entries up to now, oldest first. */
export function makeActivities(count: number, nowMs: number, files?: number) {
  return Array.from({ length: count }, (_, index) =>
    makeActivity(index + 1, nowMs - (count - index) * 900, files),
  );
}
