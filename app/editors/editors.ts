// The connected document servers, in the database and in memory. An editor's discovery stays in use when it can't be reached, and
// is never replaced by something the user didn't accept.

import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import { t } from '../contract/messages.ts';
import type { Logger } from '../log/logger.ts';
import { createEditorsTable, type Discovery, type ProofKeys, type Editor } from '../store/editors.ts';
import type { Db } from '../store/open-store.ts';
import { chooseAction, plainExtension, typesOf, type Choice, type ChoiceInput } from './action-choice.ts';
import type { FetchDiscovery } from './discovery-fetch.ts';
import { EditorFault, problemOf, unreachable } from './editor-fault.ts';
import { createDiscoveryRefresh } from './discovery-refresh.ts';
import { editorUrlOf, isSameHost, publicUrlOf } from './editor-url.ts';
import { changedEditor, checkPlaces, freeName, givenName, type EditorChange } from './editor-rules.ts';

/** The built-in text editor, as the service that runs it describes it. */
export interface BuiltInEditor {
  /** Its URL for this computer. */
  url: string;
  discovery: Discovery;
  /** Why it can't open documents; null when it can. */
  problem: EditorFault | null;
  /** Reads its discovery over HTTP, like that of any editor. @throws AppError editor-unreachable */
  readDiscovery: (signal: AbortSignal) => Promise<Discovery>;
}

export interface PublicUrlTrial {
  /** Writes it to the database. */
  keep(): void;
  /** Also after `keep`. An address that was chosen since then stays. */
  undo(): void;
}

export type Editors = ReturnType<typeof createEditors>;

export interface EditorsDeps {
  db: Db;
  clock: Clock;
  fetchDiscovery: FetchDiscovery;
  emit: EmitEvent;
  newId: () => string;
  /** What the built-in one would open; undefined while it's on. */
  switchedOffBuiltIn?: () => Discovery | undefined;
  /** Sets `textEditor` to false. */
  switchOffBuiltIn?: () => Promise<unknown>;
  log: Pick<Logger, 'info' | 'warn'>;
}

export function createEditors(deps: EditorsDeps) {
  const { clock, emit } = deps;
  const table = createEditorsTable(deps.db);
  const known = new Map(table.list().map((editor) => [editor.id, editor]));
  let defaults = table.defaults();
  const closing = new AbortController();

  const emitChanged = (): void => emit({ event: 'editors-changed' });
  const list = (): Editor[] => [...known.values()];
  const byId = (id: string): Editor => {
    const editor = known.get(id);
    if (editor === undefined) throw new AppError('editor-unknown');
    return editor;
  };
  /** The stored addresses of editors whose address is being tried. */
  const storedPublicUrls = new Map<string, string | null>();
  const keep = (editor: Editor): Editor => {
    const saved = storedPublicUrls.get(editor.id);
    table.update(saved === undefined ? editor : { ...editor, publicUrl: saved });
    known.set(editor.id, editor);
    return editor;
  };

  let builtIn: BuiltInEditor | undefined;
  const findBuiltIn = (): Editor | undefined => list().find(({ kind }) => kind === 'text-editor');
  const forget = (id: string): void => {
    table.remove(id);
    known.delete(id);
    storedPublicUrls.delete(id);
    refresh.forget(id);
    defaults = table.defaults();
  };

  const changed = (id: string, change: EditorChange): Editor => {
    const editor = byId(id);
    if (editor.kind === 'text-editor') {
      throw new AppError('invalid-argument', { detail: () => t('host.text-editor-has-own-settings') });
    }
    const others = list().filter((other) => other.id !== id);
    return changedEditor(editor, change, others);
  };

  const refresh = createDiscoveryRefresh({
    clock,
    async fetchDiscovery(editor, signal) {
      if (editor.kind !== 'text-editor') return deps.fetchDiscovery(editor.url, signal);
      // Another program may have taken the port. It must never be mistaken for the built-in editor.
      if (builtIn === undefined) throw unreachable(notRunning());
      const { kind, product, version } = editor;
      return { discovery: await builtIn.readDiscovery(signal), kind, product, version };
    },
    byId,
    keep,
    signal: closing.signal,
    onFailed(editor, why) {
      deps.log.warn({}, `${editor.name} can’t be reached. ${why}`);
      emit({ event: 'editor-unreachable', editorId: editor.id, name: editor.name });
    },
    onReached(editor) {
      deps.log.info({}, `${editor.name} can be reached again.`);
      emit({ event: 'editor-reachable', editorId: editor.id, name: editor.name });
    },
    onChanged: emitChanged,
  });

  return {
    /** Oldest first. Entries are never changed in place. */
    list,
    byId: (id: string): Editor | undefined => known.get(id),

    /**
     * Reads its discovery first; if that fails, nothing is saved. `url` may be what a browser shows, or lack its `http://`.
     * @throws AppError editor-url-invalid, editor-exists, editor-unreachable, discovery-invalid, editor-other-host,
     * invalid-argument, name-taken
     */
    async add(input: {
      url: string;
      name?: string;
      publicUrl?: string | null;
      acceptsOtherHosts?: boolean;
    }): Promise<Editor> {
      const url = editorUrlOf(input.url);
      const name = input.name === undefined ? undefined : givenName(input.name, list());
      const publicUrl = input.publicUrl == null ? null : publicUrlOf(input.publicUrl);
      const { acceptsOtherHosts = false } = input;
      const checkNew = (): void => {
        if (list().some((editor) => isAt(editor, url))) throw new AppError('editor-exists');
      };
      checkNew();
      const fetched = await deps.fetchDiscovery(url, closing.signal);
      closing.signal.throwIfAborted();
      checkPlaces(fetched.discovery, { url, acceptsOtherHosts });
      checkNew();
      const nowMs = clock();
      const editor: Editor = {
        ...fetched,
        id: deps.newId(),
        name: name ?? freeName(fetched.product, url, list()),
        url,
        publicUrl,
        proofMode: 'if-present',
        allowedAddresses: [],
        acceptsOtherHosts,
        addedAtMs: nowMs,
        discoveredAtMs: nowMs,
        problem: null,
      };
      table.insert(editor);
      known.set(editor.id, editor);
      emitChanged();
      return editor;
    },

    /** What `change` would make of it, or throw. */
    changed,

    /** @throws AppError editor-unknown, invalid-argument, name-taken, editor-other-host */
    change(id: string, change: EditorChange): Editor {
      const wanted = changed(id, change);
      if (change.publicUrl !== undefined) storedPublicUrls.delete(id);
      const editor = keep(wanted);
      emitChanged();
      return editor;
    },

    /**
     * Sets its base address in memory only: after a crash it has the previous one.
     * @throws AppError editor-unknown, invalid-argument
     */
    tryPublicUrl(id: string, url: string): PublicUrlTrial {
      const before = byId(id);
      const tried = changedEditor(before, { publicUrl: url }, []);
      if (!storedPublicUrls.has(id)) storedPublicUrls.set(id, before.publicUrl);
      known.set(id, tried);
      emitChanged();
      return {
        keep() {
          storedPublicUrls.delete(id);
          const now = known.get(id);
          if (now !== undefined) keep(now);
        },
        undo() {
          const now = known.get(id);
          if (now?.publicUrl !== tried.publicUrl) return;
          storedPublicUrls.delete(id);
          keep({ ...now, publicUrl: before.publicUrl });
          emitChanged();
        },
      };
    },

    /**
     * Reads its discovery again. A failure is recorded in `problem`, the previous discovery stays in use, and the error is thrown.
     * @throws AppError editor-unknown, editor-unreachable, discovery-invalid, editor-other-host
     */
    refresh: async (id: string): Promise<Editor> => refresh.run(id),

    /** Refreshes those that are due; never rejects. */
    async refreshDue(): Promise<void> {
      const due = list().filter((editor) => refresh.isDue(editor));
      await Promise.allSettled(due.map(({ id }) => refresh.run(id)));
    },

    /** Removing the built-in one switches it off in the settings. @throws AppError editor-unknown, settings-invalid */
    async remove(id: string): Promise<void> {
      if (byId(id).kind === 'text-editor') await deps.switchOffBuiltIn?.();
      // The service that follows the setting may have removed it already.
      if (!known.has(id)) return;
      forget(id);
      emitChanged();
    },

    /**
     * Adds or updates the entry of the built-in editor. Emits no event: `listening` must come first.
     * @returns the entry
     */
    registerBuiltIn(given: BuiltInEditor): Editor {
      builtIn = given;
      const { discovery, problem } = given;
      const nowMs = clock();
      const before = findBuiltIn();
      const others = list().filter(({ id }) => id !== before?.id);
      const url = freeUrl(given.url, others);
      const isOldProblem = before?.problem?.code === problem?.code;
      const editor: Editor = {
        id: before?.id ?? builtInId,
        name: before?.name ?? freeName('Text editor', url, others),
        url,
        kind: 'text-editor',
        product: 'DocTray text editor',
        version: null,
        publicUrl: null,
        proofMode: 'required',
        allowedAddresses: [],
        acceptsOtherHosts: false,
        discovery,
        addedAtMs: (isOldProblem && before?.url === url ? before?.addedAtMs : undefined) ?? nowMs,
        discoveredAtMs: nowMs,
        problem:
          problem && problemOf(problem, (isOldProblem ? before?.problem?.sinceMs : undefined) ?? nowMs),
      };
      // The keys are valid for this process only.
      const kept = { ...editor, discovery: { ...discovery, proofKeys: null } };
      if (before === undefined) table.insert(kept);
      else table.update(kept);
      known.set(editor.id, editor);
      return editor;
    },

    /** Removes its entry and its defaults; false if there is none. */
    unregisterBuiltIn(): boolean {
      builtIn = undefined;
      const editor = findBuiltIn();
      if (editor !== undefined) forget(editor.id);
      return editor !== undefined;
    },

    /** Null: the best one available. @throws AppError editor-unknown, invalid-argument */
    setDefault(text: string, editorId: string | null): void {
      const extension = plainExtension(text);
      if (!/^[^\s./\\]{1,32}$/u.test(extension)) {
        throw new AppError('invalid-argument', { detail: () => t('host.enter-an-extension') });
      }
      if (editorId !== null) {
        const { name, discovery } = byId(editorId);
        if (!typesOf(discovery).some((type) => type.extension === extension)) {
          const detail = (): string => t('host.editor-doesnt-open-extension', { editor: name, extension });
          throw new AppError('invalid-argument', { detail });
        }
      }
      if (editorId === null) table.removeDefault(extension);
      else table.setDefault(extension, editorId);
      defaults = table.defaults();
      emitChanged();
    },

    /** Ids of editors by extension. */
    defaults: (): Record<string, string> => ({ ...defaults }),

    /**
     * Which editor opens a document and with which of its actions. A `mode` of 'edit' for a type that can only be viewed or
     * converted returns what is possible. @throws AppError editor-unknown, no-editor
     */
    choose: (input: ChoiceInput): Choice => chooseAction(list(), defaults, input, deps.switchedOffBuiltIn),

    /** After an invalid signature: reads discovery again, at most once a minute; returns the current keys. */
    async keysAfterFailure(id: string): Promise<ProofKeys | null> {
      if (refresh.isRunning(id) || (known.has(id) && !refresh.isRecent(id))) {
        await refresh.run(id).catch(() => undefined); // recorded in `problem`; the previous keys stay in use
      }
      return known.get(id)?.discovery.proofKeys ?? null;
    },

    /** Aborts pending requests. */
    close: () => closing.abort(),
  };
}

/** Always the same: tokens of open documents stay valid after it's switched off and on again. */
const builtInId = '74657874'; // "text"

function notRunning(): EditorFault {
  return new EditorFault('refused', ['host.text-editor-runs-with-doctray', 'host.start-doctray']);
}

/** The built-in one has more addresses than the one it's listed with. */
function isAt(editor: Editor, url: string): boolean {
  if (editor.url === url) return true;
  const [own, other] = [new URL(editor.url), new URL(url)];
  return editor.kind === 'text-editor' && own.port === other.port && isSameHost(own.hostname, other.hostname);
}

/** A connected editor that isn't running may be listed with the same address. */
function freeUrl(url: string, others: readonly Editor[]): string {
  const isTaken = (one: string): boolean => others.some((other) => other.url === one);
  return [url, url.replace('localhost', '127.0.0.1')].find((one) => !isTaken(one)) ?? `${url}/text-editor`;
}
