// The terminal's commands about document servers: connecting them, trying them out, and opening documents in them. An editor
// is named by its id or its name.

import { extname } from 'node:path';
import { z } from 'zod';
import { editorActions, type EditorItem } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import { needsDocumentServer } from '../editors/action-choice.ts';
import { isSwitchedOff } from '../editors/choose-for-file.ts';
import { editorItemOf } from '../editors/editor-item.ts';
import type { Editor } from '../editors/editor.ts';
import { command, file, nothing, runningHost, text } from './command.ts';
import type { CommandContext, ControlServices, OpenedInEditor } from './control-services.ts';
import { findDocument } from './file-argument.ts';

const url = text.max(2048, { error: 'it is too long' });
const mode = z.enum(['edit', 'view']);
const editor = z.strictObject({ editor: text });
const proofMode = z.enum(['off', 'if-present', 'required']);

export const editorCommands = {
  /** Access for an editor that is pointed here by hand, and the page of a connected one that opens it. */
  open: command(z.strictObject({ ...file, mode, editor: text.optional() }), async (context, args) => {
    const { services } = context;
    const host = runningHost(context, 'It must be running to open a document.');
    const chosen = args.editor === undefined ? undefined : findEditor(services, args.editor);
    const user = ownerOf(services);
    const { path } = await findDocument(services, args);
    const input = { user, path, mode: args.mode };
    const page = await host
      .openInEditor({ ...input, editorId: chosen?.id ?? null })
      .catch((error: unknown) => {
        if (chosen === undefined && error instanceof AppError && error.code === 'no-editor') return null;
        throw error;
      });
    const access = await host.openDocument(input);
    return { path, mode: args.mode, ...access, page: page === null ? null : pageOf(page) };
  }),

  /** Null if no editor is connected and the text editor couldn't open it either. The link works once, within a minute. */
  'open-in-editor': command(
    z.strictObject({ ...file, mode, editor: text.optional() }),
    async (context, args) => {
      const { services } = context;
      const host = runningHost(context, 'It must be running to open a document.');
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
      return { path: opened.path, fileId: opened.fileId, mode: args.mode, ...pageOf(opened) };
    },
  ),

  editors: command(nothing, async (context) => {
    await context.host?.textEditorProblem();
    return context.services.editors.list().map((known) => itemOf(context, known));
  }),
  'add-editor': command(
    z.strictObject({
      url,
      name: text.max(512, { error: 'it is too long' }).optional(),
      publicUrl: url.optional(),
      acceptsOtherHosts: z.boolean().optional(),
    }),
    async (context, { url, name, publicUrl, acceptsOtherHosts }) => {
      const added = await context.services.editors.add({
        url,
        ...(name !== undefined && { name }),
        ...(publicUrl !== undefined && { publicUrl }),
        ...(acceptsOtherHosts !== undefined && { acceptsOtherHosts }),
      });
      return itemOf(context, added);
    },
  ),
  'change-editor': command(
    z.strictObject({
      editor: text,
      name: text.max(512, { error: 'it is too long' }).optional(),
      publicUrl: url.nullable().optional(),
      proofMode: proofMode.optional(),
      allowedAddresses: z.array(z.string().max(64)).max(1000).optional(),
      acceptsOtherHosts: z.boolean().optional(),
    }),
    (context, { editor, name, publicUrl, proofMode, allowedAddresses, acceptsOtherHosts }) => {
      const { id } = findEditor(context.services, editor);
      const changed = context.services.editors.change(id, {
        ...(name !== undefined && { name }),
        ...(publicUrl !== undefined && { publicUrl }),
        ...(proofMode !== undefined && { proofMode }),
        ...(allowedAddresses !== undefined && { allowedAddresses }),
        ...(acceptsOtherHosts !== undefined && { acceptsOtherHosts }),
      });
      return itemOf(context, changed);
    },
  ),
  'refresh-editor': command(editor, async (context, args) => {
    const { id } = findEditor(context.services, args.editor);
    return itemOf(context, await context.services.editors.refresh(id));
  }),
  'test-editor': command(editor, async (context, args) => {
    const host = runningHost(context, 'It must be running to test an editor.');
    const { id, name } = findEditor(context.services, args.editor);
    return { name, ...(await host.testEditor(id)) };
  }),
  /** The built-in one is only switched off. */
  'remove-editor': command(editor, async ({ services }, args) => {
    const { id, name, kind } = findEditor(services, args.editor);
    await services.editors.remove(id);
    return { id, name, isBuiltIn: kind === 'text-editor' };
  }),
  /** Null: the first connected one that can. */
  'default-editor': command(
    z.strictObject({ extension: text, editor: text.nullable() }),
    ({ services }, args) => {
      const extension = args.extension.replace(/^\./u, '').toLowerCase();
      const chosen = args.editor === null ? null : findEditor(services, args.editor);
      if (chosen !== null && !opens(chosen, extension)) {
        throw new AppError('no-editor', { detail: `${chosen.name} doesn’t open .${extension}.` });
      }
      services.editors.setDefault(extension, chosen?.id ?? null);
      return { extension, editor: chosen === null ? null : { id: chosen.id, name: chosen.name } };
    },
  ),

  'editor-addresses': command(nothing, (context) =>
    runningHost(context, 'It must be running to list its addresses.').addresses(),
  ),
  /** Null: the address the host has anyway. */
  'use-editor-address': command(
    z.strictObject({ editor: text, url: url.nullable() }),
    async (context, args) => {
      const host = runningHost(context, 'It must be running to change its addresses.');
      const { id, name } = findEditor(context.services, args.editor);
      await host.useAddress(id, args.url === null ? null : args.url.replace(/\/+$/u, ''));
      return { id, name, effectiveUrl: host.baseUrlOf(id) };
    },
  ),
};

/** What to do in the terminal about the document server or the built-in text editor that's missing. */
function withRemedy(error: unknown, { editors }: ControlServices, path: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'no-editor') return error;
  const all = editors.list();
  const start = 'Start one with `editors start onlyoffice` or `editors start collabora`.';
  const remedies = needsDocumentServer(all, extname(path))
    ? [
        start,
        ...(isSwitchedOff(error) ? ['Switch the text editor on with `settings set textEditor true`.'] : []),
      ]
    : isSwitchedOff(error)
      ? [
          'Switch it on with `settings set textEditor true`, or connect a document server with `editors add URL`.',
        ]
      : all.flatMap(({ problem }) => problem?.remedy ?? []);
  if (remedies.length === 0) return error;
  return new AppError('no-editor', { detail: [error.detail, ...remedies].join(' ') });
}

function ownerOf(services: ControlServices) {
  const user = services.users.list().find(({ role }) => role === 'owner');
  if (user === undefined) throw new AppError('user-unknown');
  return user;
}

/** @throws AppError editor-unknown; invalid-argument when two have this name */
function findEditor({ editors }: ControlServices, typed: string): Editor {
  const byId = editors.byId(typed);
  if (byId !== undefined) return byId;
  const wanted = typed.toLowerCase();
  const [found, other] = editors.list().filter(({ name }) => name.toLowerCase() === wanted);
  if (found === undefined) throw new AppError('editor-unknown');
  if (other !== undefined) {
    throw new AppError('invalid-argument', { detail: `Two editors are called ${typed}. Use an id.` });
  }
  return found;
}

function opens({ discovery }: Editor, extension: string): boolean {
  const names: readonly string[] = editorActions;
  return discovery.actions.some((action) => action.extension === extension && names.includes(action.name));
}

function pageOf({ url, editorId, editorName }: OpenedInEditor) {
  return { url, editorId, editorName };
}

/** `isReady`: the built-in one, which DocTray runs itself. */
function itemOf({ services, host }: CommandContext, known: Editor): EditorItem & { isReady: boolean } {
  // What its last process noted says nothing of now.
  const editor = host === undefined && known.kind === 'text-editor' ? { ...known, problem: null } : known;
  const item = editorItemOf(editor, {
    defaults: services.editors.defaults(),
    effectiveUrl: host?.baseUrlOf(known.id) ?? known.publicUrl ?? addressBySettings(services),
    lastTest: host?.lastTest(known.id),
  });
  return { ...item, isReady: host !== undefined && item.kind === 'text-editor' && item.problem === null };
}

/** What a host that started now would be reached at. */
function addressBySettings({ settings }: ControlServices): string {
  const { publicUrl, port } = settings.current();
  return publicUrl ?? `http://127.0.0.1:${port}`;
}
