// The commands about connected editors. What is typed here leads this machine to an address of the user's choice: the host
// checks what it asks for and what it gets, and everything it says about it comes back as data.

import type { CommandArgs } from '../contract/commands.ts';
import type { ConnectionTest, ReachableAddress } from '../contract/editors.ts';
import type { Editor } from '../editors/editor.ts';
import type { Handlers } from './handlers.ts';

export type EditorHandlers = Omit<
  Pick<Handlers, Extract<keyof Handlers, `editors.${string}`>>,
  'editors.detect' | 'editors.findAddress' | 'editors.cancelFindAddress'
>;

type Change = Omit<CommandArgs<'editors.change'>, 'id'>;

/** What of the host is asked here. */
export interface EditorHandlersHost {
  services: {
    editors: {
      add(input: {
        url: string;
        name?: string;
        publicUrl?: string | null;
        acceptsOtherHosts?: boolean;
      }): Promise<Editor>;
      change(id: string, change: { [Key in keyof Change]?: Exclude<Change[Key], undefined> }): Editor;
      refresh(id: string): Promise<Editor>;
      remove(id: string): Promise<void>;
      setDefault(extension: string, editorId: string | null): void;
    };
  };
  testEditor(id: string): Promise<ConnectionTest>;
  addresses(): ReachableAddress[];
  useAddress(editorId: string, url: string | null): Promise<void>;
}

export interface EditorHandlerDeps {
  /** @throws AppError host-away, or what kept it from starting */
  requireHost: () => EditorHandlersHost;
  /** A test is known that no event tells of, also of one that failed. */
  mark: (what: 'editors') => void;
}

export function createEditorHandlers({ requireHost, mark }: EditorHandlerDeps): EditorHandlers {
  const editors = (): EditorHandlersHost['services']['editors'] => requireHost().services.editors;
  return {
    async 'editors.add'({ url, name, publicUrl, acceptsOtherHosts }) {
      const given = name === null ? {} : { name };
      const { id } = await editors().add({ url, ...given, publicUrl, acceptsOtherHosts });
      return { id };
    },

    'editors.change'({ id, name, publicUrl, proofMode, allowedAddresses, acceptsOtherHosts }) {
      editors().change(id, {
        ...(name !== undefined && { name }),
        ...(publicUrl !== undefined && { publicUrl }),
        ...(proofMode !== undefined && { proofMode }),
        ...(allowedAddresses !== undefined && { allowedAddresses }),
        ...(acceptsOtherHosts !== undefined && { acceptsOtherHosts }),
      });
      return null;
    },

    async 'editors.refresh'({ id }) {
      await editors().refresh(id);
      return null;
    },

    async 'editors.test'({ id }) {
      try {
        return await requireHost().testEditor(id);
      } finally {
        mark('editors');
      }
    },

    async 'editors.remove'({ id }) {
      await editors().remove(id);
      return null;
    },

    'editors.setDefault'({ extension, editorId }) {
      editors().setDefault(extension, editorId);
      return null;
    },

    'editors.addresses': () => requireHost().addresses(),

    async 'editors.useAddress'({ id, url }) {
      await requireHost().useAddress(id, url);
      mark('editors');
      return null;
    },
  };
}
