// Responses that most scenarios share. Commands that change the state do it as the host would.

import type { SettingKey, Settings } from '../../../app/settings/settings.ts';
import { createDocumentServerAnswers } from './document-servers.ts';
import { createEditorAnswers } from './editors.ts';
import type { Answers } from './fake-host.ts';
import type { ActivitySummary } from '../../../app/contract/results.ts';
import { day, hour, makeActivity, makeToken } from './rows.ts';
import type { LockItem } from '../../../app/contract/state.ts';

const undoMs = 10_000;

export function createBasicAnswers(): Answers {
  const cleared = new Map<string, LockItem>();

  return {
    ...createEditorAnswers(),
    ...createDocumentServerAnswers(),
    'app.copyText': () => null,
    'app.saveText': ({ suggestedName }) => ({ savedTo: `/home/robin/${suggestedName}` }),
    'app.setStartsAtLogin': ({ isOn }, host) => {
      host.set({ app: { ...host.state.app, startsAtLogin: isOn } });
      return null;
    },
    'app.finishFirstRun': (_args, host) => {
      host.set({ app: { ...host.state.app, isFirstRun: false } });
      return null;
    },
    'app.openHelp': () => null,
    'app.log': () => ({ lines: [] }),
    'app.diagnostics': () => ({ text: 'DocTray 0.1.0 on linux x64' }),
    'app.dismissCrash': (_args, host) => {
      host.set({ app: { ...host.state.app, hasCrashed: false } });
      return null;
    },
    doctor: () => [],
    'app.revealDataFolder': () => null,
    'app.quit': () => null,
    'host.openFolder': () => null,
    'host.chooseFolder': () => ({ folder: null }),
    'host.defaultFolder': () => null,
    'host.copyOwnerPassword': () => null,
    'documents.createSample': () => ({ path: 'Welcome.docx' }),
    'host.pause': ({ minutes }, host) => {
      const pausedUntilMs = minutes === null ? null : Date.now() + minutes * 60_000;
      host.set({ host: { ...host.state.host, status: 'paused', pausedUntilMs } });
      return { pausedUntilMs: minutes === null ? null : Date.now() + minutes * 60_000 };
    },
    'host.resume': (_args, host) => {
      host.set({ host: { ...host.state.host, status: 'serving', pausedUntilMs: null } });
      return null;
    },
    'host.restart': (_args, host) => {
      const value = {
        ...host.state.host,
        status: 'serving',
        problem: null,
        needsListenerRestart: false,
      } as const;
      host.set({ host: value });
      return null;
    },
    'recovered.restore': ({ id }, host) => {
      const item = host.state.recovered.find((row) => row.id === id);
      host.remove('recovered', [id]);
      return { path: (item?.path ?? id).replace(/\.\w+$/u, ' (recovered)$&') };
    },
    'recovered.saveAnyway': ({ id }, host) => {
      const item = host.state.recovered.find((row) => row.id === id);
      host.remove('recovered', [id]);
      return { path: item?.path ?? id };
    },
    'recovered.discard': ({ id }, host) => {
      host.remove('recovered', [id]);
      return { id };
    },
    'conflicts.dismiss': ({ id }, host) => {
      host.remove('conflicts', [id]);
      return { id };
    },
    'jobs.cancel': ({ id }, host) => {
      const job = host.state.jobs.find((row) => row.id === id);
      if (job !== undefined) {
        const upsert = [{ ...job, state: 'canceled' as const, canCancel: false }];
        host.upsert('jobs', upsert);
      }
      return null;
    },
    'jobs.dismiss': ({ id }, host) => {
      host.remove('jobs', [id]);
      return null;
    },
    'locks.forceClear': ({ ids }, host) => {
      const taken = host.state.locks.filter((lock) => ids.includes(lock.id));
      host.remove(
        'locks',
        taken.map(({ id }) => id),
      );
      for (const lock of taken) cleared.set(lock.id, lock);
      const failed = ids
        .filter((id) => !taken.some((lock) => lock.id === id))
        .map((id) => ({
          id,
          path: id,
          message: 'The document isn’t locked.',
          code: 'file-not-locked',
        }));
      return {
        done: taken.map(({ id, path }) => ({ id, path })),
        failed,
        undoUntilMs: taken.length === 0 ? null : Date.now() + undoMs,
      };
    },
    'locks.undoForceClear': ({ ids }, host) => {
      const locks = ids.flatMap((id) => cleared.get(id) ?? []);
      for (const id of ids) cleared.delete(id);
      const isTaken = (lock: LockItem) => host.state.locks.some(({ id }) => id === lock.id);
      const back = locks.filter((lock) => !isTaken(lock));
      host.upsert('locks', back);
      return {
        done: back.map(({ id, path }) => ({ id, path })),
        failed: locks
          .filter((lock) => !back.includes(lock))
          .map(({ id, path }) => ({
            id,
            path,
            message: 'Ben Okafor has locked the document since, so its lock wasn’t restored.',
            code: 'undo-taken',
          })),
      };
    },
    'sessions.end': ({ ids }, host) => {
      const ended = host.state.sessions.filter(({ id }) => ids.includes(id));
      host.remove('sessions', ids);
      return { done: ended.map(({ id, path }) => ({ id, path })), failed: [] };
    },
    'locks.details': () => ({ lockId: '6f1c2b7e…' }),
    'tokens.createApiToken': ({ login, name, days }, host) => {
      const nowMs = Date.now();
      const user = host.state.users.find((known) => known.login === login);
      const token = makeToken(900, nowMs, {
        id: 'new-token',
        kind: 'api',
        name,
        user: login,
        userName: user?.displayName ?? login,
        fileId: null,
        path: null,
        mode: null,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + (days ?? 30) * day,
        lastUsedAtMs: null,
      });
      host.upsert('tokens', [token]);
      return {
        id: token.id,
        token: 'a-new-token-of-43-characters-as-base64url-0',
        login,
        expiresAtMs: token.expiresAtMs,
      };
    },
    'tokens.revoke': ({ ids }, host) => {
      const ended = host.state.tokens.filter(({ id }) => ids.includes(id));
      host.remove('tokens', ids);
      return { done: ended.map(({ id, path }) => ({ id, path: path ?? '' })), failed: [] };
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
      const settings = { ...host.state.settings, [key]: value };
      host.set({ settings });
      return { key: key as SettingKey, value: value as Settings[SettingKey], needsRestart: false };
    },
    'activity.list': () => ({ items: [] }),
    'activity.summary': () => summaryOf(0),
    'activity.ofDocument': ({ fileId, count }) => ({
      items: makeActivities(count, Date.now())
        .map((item) => ({ ...item, fileId }))
        .toReversed(),
    }),
    'activity.watch': () => null,
    'activity.clear': () => null,
    'documents.list': ({ path, startIndex }) => ({ path, startIndex, items: [], total: 0 }),
    'documents.watch': () => null,
    'documents.search': () => ({ items: [], isComplete: true, searched: 0 }),
    'documents.templates': () => [
      { id: 'docx', title: 'Word document', extension: 'docx' },
      { id: 'xlsx', title: 'Excel spreadsheet', extension: 'xlsx' },
      { id: 'pptx', title: 'PowerPoint presentation', extension: 'pptx' },
      { id: 'odt', title: 'Text (OpenDocument)', extension: 'odt' },
    ],
    'documents.reveal': () => null,
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
