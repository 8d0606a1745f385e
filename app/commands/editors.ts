// Connected editors: adding and testing them, and opening documents in them. DocTray sends requests to the URLs entered here, so
// the host restricts addresses and responses (see editors/connection-rules.ts).

import { extname } from 'node:path';
import { z } from 'zod';
import { editorActions, type ConnectionTest, type EditorItem } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { needsDocumentServer } from '../editors/action-choice.ts';
import { isSwitchedOff } from '../editors/choose-for-file.ts';
import { editorItems } from '../editors/editor-item.ts';
import { editorUrlOf } from '../editors/editor-url.ts';
import type { Editor } from '../store/editors.ts';
import type { Services } from '../host/services.ts';
import { hostOf } from '../network/addresses.ts';
import { command, id, isTooLong, mode, name, text, typedFile, url, type Contexts } from './command.ts';
import { ownerOf } from './documents.ts';
import { findDocument } from '../documents/file-argument.ts';
import { listeningQuestion } from './settings.ts';

/** An id, or a name in any case. */
const idOrName = text;

export const editorCommands = {
  /**
   * A link that opens a document in an editor: its page, with a ticket that works once, within a minute. Null if no editor is
   * connected and the text editor couldn't open it either.
   */
  'editors.link': command({
    needs: 'host',
    from: 'terminal',
    args: z.strictObject({ ...typedFile, mode, editor: text.optional() }),
    async run({ services, host }, args) {
      const chosen = args.editor === undefined ? undefined : findEditor(services, args.editor);
      const { path } = await findDocument(services, args);
      const user = ownerOf(services);
      const opened = await host
        .openInEditor({ user, path, mode: args.mode, editorId: chosen?.id ?? null })
        .catch((error: unknown) => {
          const isNone = services.editors.list().length === 0 && !isSwitchedOff(error);
          if (isNone && error instanceof AppError && error.code === 'no-editor') return null;
          throw withRemedy(error, services, path);
        });
      if (opened === null) return null;
      const { fileId, url, editorId, editorName } = opened;
      return { path: opened.path, fileId, mode: args.mode, url, editorId, editorName };
    },
  }),

  /** An access token for an editor that isn't connected, and a link to the page of a connected one. */
  'editors.access': command({
    needs: 'host',
    from: 'terminal',
    args: z.strictObject({ ...typedFile, mode, editor: text.optional() }),
    async run({ services, host }, args) {
      const chosen = args.editor === undefined ? undefined : findEditor(services, args.editor);
      const { mode } = args;
      const { path } = await findDocument(services, args);
      const input = { user: ownerOf(services), path, mode, editorId: chosen?.id ?? null };
      return { path, mode, ...(await host.openDocument(input)) };
    },
  }),

  'editors.list': command({
    needs: 'services',
    from: 'terminal',
    async run(context) {
      await context.host?.textEditorProblem();
      return editorItems(context.services, context.host);
    },
  }),

  /** Reads its discovery document first; nothing is stored if that fails. */
  'editors.add': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({
      url,
      name: name.nullable().optional(),
      publicUrl: url.nullable().optional(),
      acceptsOtherHosts: z.boolean().optional(),
    }),
    confirm: ({ url }) => ({
      message: t('host.connect-the-editor-at-url', { url: editorUrlOf(url) }),
      detail: t('host.documents-that-you-open-in'),
      button: t('common.connect'),
    }),
    async run(context, { url, name, publicUrl, acceptsOtherHosts }) {
      const added = await context.services.editors.add({
        url,
        ...(name != null && { name }),
        ...(publicUrl != null && { publicUrl }),
        ...(acceptsOtherHosts !== undefined && { acceptsOtherHosts }),
      });
      return itemOf(context, added);
    },
  }),

  'editors.change': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({
      id: idOrName,
      name: name.optional(),
      publicUrl: url.nullable().optional(),
      proofMode: z.enum(['off', 'if-present', 'required']).optional(),
      allowedAddresses: z.array(z.string().max(64)).max(1000).optional(),
      acceptsOtherHosts: z.boolean().optional(),
    }),
    confirm({ id, ...change }, { services }) {
      const editor = findEditor(services, id);
      const trusted = trustedWith(editor, services.editors.changed(editor.id, change));
      if (trusted.length === 0) return undefined;
      return {
        message: t('host.trust-editor-with-more', { editor: editor.name }),
        detail: trusted.join(' '),
        button: t('host.allow'),
      };
    },
    run(context, { id, ...change }) {
      const changed = context.services.editors.change(findEditor(context.services, id).id, change);
      return itemOf(context, changed);
    },
  }),

  'editors.refresh': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id: idOrName }),
    async run(context, args) {
      const { id } = findEditor(context.services, args.id);
      const refreshed = await context.services.editors.refresh(id);
      return itemOf(context, refreshed);
    },
  }),

  /** Tests both directions with real requests; takes up to 30 seconds. */
  'editors.test': command({
    needs: 'host',
    from: 'both',
    args: z.strictObject({ id: idOrName }),
    async run({ services, host }, args): Promise<ConnectionTest & { name: string }> {
      const { id, name } = findEditor(services, args.id);
      try {
        return { name, ...(await host.testEditor(id)) };
      } finally {
        services.emit({ event: 'row-changed', table: 'editors' });
      }
    },
  }),

  /** Disconnects it; the built-in text editor is switched off in the settings. */
  'editors.remove': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ id: idOrName }),
    async run({ services }, args) {
      const { id, name, kind } = findEditor(services, args.id);
      await services.editors.remove(id);
      return { id, name, isBuiltIn: kind === 'text-editor' };
    },
  }),

  /** `editorId`: null for the best one that responds. */
  'editors.setDefault': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({
      extension: text.max(32, { error: isTooLong }),
      editorId: idOrName.nullable(),
    }),
    run({ services }, args) {
      const extension = args.extension.replace(/^\./u, '').toLowerCase();
      const chosen = args.editorId === null ? null : findEditor(services, args.editorId);
      if (chosen !== null && !opens(chosen, extension)) {
        throw new AppError('no-editor', {
          detail: () => t('host.editor-doesnt-open-extension', { editor: chosen.name, extension }),
        });
      }
      services.editors.setDefault(extension, chosen?.id ?? null);
      return { extension, editor: chosen === null ? null : { id: chosen.id, name: chosen.name } };
    },
  }),

  /** Where editors can reach DocTray. */
  'editors.addresses': command({
    needs: 'host',
    from: 'both',
    run: ({ host }) => host.addresses(),
  }),

  /** `url`: one of `editors.addresses`, or null for the default. Listens there if needed. */
  'editors.useAddress': command({
    needs: 'host',
    from: 'both',
    args: z.strictObject({ id: idOrName, url: url.nullable() }),
    confirm: (args) => (args.url === null ? undefined : listeningQuestion([hostOf(args.url)])),
    async run({ services, host }, args) {
      const { id, name } = findEditor(services, args.id);
      await host.useAddress(id, args.url === null ? null : args.url.replace(/\/+$/u, ''));
      services.emit({ event: 'row-changed', table: 'editors' });
      return { id, name, effectiveUrl: host.baseUrlOf(id) };
    },
  }),

  /**
   * Tries the addresses where the editor may reach DocTray, one after the other, and keeps the first that works; listens there
   * if needed. If none works, nothing changes. Takes up to 30 seconds for each, during which the editor's `effectiveUrl` in the state is
   * the address being tried. Returns null if it was canceled. Before it listens on more than this computer, it asks; if that is
   * rejected, it tries only the addresses that need no more.
   * `isInContainer`: the editor runs in a container on this computer, so loopback addresses don't reach DocTray.
   */
  'editors.findAddress': command({
    needs: 'host',
    from: 'window',
    args: z.strictObject({ id, isInContainer: z.boolean() }),
    run({ services, host, confirm }, args) {
      const confirmOpening = async (hosts: readonly string[]): Promise<boolean> => {
        const question = listeningQuestion(hosts);
        return question === undefined || (await confirm(question));
      };
      return services.addressSearch.run(host, { ...args, confirmOpening });
    },
  }),

  /** Cancels the search and restores the previous address; does nothing if none is running. */
  'editors.cancelFindAddress': command({
    needs: 'host',
    from: 'window',
    args: z.strictObject({ id }),
    run: ({ services }, { id }) => services.addressSearch.cancel(id),
  }),
};

const proofStrength = { off: 0, 'if-present': 1, required: 2 };

/** What an editor could do after a change and can't do before it, in sentences. */
function trustedWith(before: Editor, after: Editor): string[] {
  const sentences: string[] = [];
  if (after.acceptsOtherHosts && !before.acceptsOtherHosts) sentences.push(t('host.its-pages-can-be-on'));
  if (proofStrength[after.proofMode] < proofStrength[before.proofMode])
    sentences.push(
      after.proofMode === 'off'
        ? t('host.doctray-no-longer-checks-the')
        : t('host.doctray-no-longer-requires-signatures'),
    );
  const [had, has] = [before.allowedAddresses, after.allowedAddresses];
  if (had.length > 0 && has.length === 0) sentences.push(t('host.its-requests-can-come-from'));
  const added = had.length === 0 ? [] : has.filter((address) => !had.includes(address));
  if (added.length > 0) sentences.push(t('host.its-requests-can-also-come', { addresses: added.join(', ') }));
  if (after.publicUrl !== null && after.publicUrl !== before.publicUrl)
    sentences.push(t('host.it-sends-its-requests-with', { url: after.publicUrl }));
  return sentences;
}

/** Adds what to do in the terminal if no editor opens the document. */
function withRemedy(error: unknown, { editors }: Services, path: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'no-editor') return error;
  const all = editors.list();
  const remedies = needsDocumentServer(all, extname(path))
    ? [t('host.start-document-server'), ...(isSwitchedOff(error) ? [t('host.switch-text-editor-on')] : [])]
    : isSwitchedOff(error)
      ? [t('host.switch-text-editor-on-or-connect')]
      : all.flatMap(({ problem }) => problem?.remedy ?? []);
  if (remedies.length === 0) return error;
  return new AppError('no-editor', { detail: [error.detail, ...remedies].join(' ') });
}

/** @throws AppError editor-unknown */
function findEditor({ editors }: Services, typed: string): Editor {
  const wanted = typed.toLowerCase();
  const found = editors.byId(typed) ?? editors.list().find(({ name }) => name.toLowerCase() === wanted);
  if (found === undefined) throw new AppError('editor-unknown');
  return found;
}

function opens({ discovery }: Editor, extension: string): boolean {
  const names: readonly string[] = editorActions;
  return discovery.actions.some((action) => action.extension === extension && names.includes(action.name));
}

function itemOf({ services, host }: Contexts['services'], { id }: Pick<Editor, 'id'>): EditorItem {
  const item = editorItems(services, host).find((each) => each.id === id);
  if (item === undefined) throw new AppError('editor-unknown');
  return item;
}
