// What a user does in the window or the terminal, rather than by a request: the name that the journal keeps and that `activity --json`
// prints, and its words.

import { t, type MessageKey } from './messages.ts';

export const userActions = {
  CreateDocument: 'shared.created-document',
  CreateFolder: 'shared.created-folder',
  Duplicate: 'shared.duplicated-document',
  Rename: 'shared.renamed',
  Move: 'shared.moved',
  MoveToTrash: 'shared.moved-to-trash',
  UndoTrash: 'shared.put-back-from-the-trash',
  Import: 'shared.imported',
  RestoreVersion: 'shared.restored-version',
  CopyVersion: 'shared.saved-copy-of-version',
  ViewVersion: 'shared.opened-version',
  RestoreRecoveredSave: 'shared.restored-recovered-save',
  DiscardRecoveredSave: 'shared.discarded-recovered-save',
  SaveAnyway: 'shared.saved-anyway',
  ForceClear: 'shared.force-cleared-lock',
  UndoForceClear: 'shared.restored-lock',
  EndSession: 'shared.ended-session',
  CreateApiToken: 'shared.created-api-token',
  RevokeToken: 'shared.revoked-token',
  RevokeTokensOfUser: 'shared.revoked-tokens-of-user',
  AddUser: 'shared.added-user',
  RemoveUser: 'shared.removed-user',
  SetPassword: 'shared.changed-password',
  SetRole: 'shared.changed-role',
} as const satisfies Record<string, MessageKey>;

export type UserActionName = keyof typeof userActions;

/** An action's name for users; a request's operation, such as `PutFile`, unchanged. */
export function operationWords(operation: string): string {
  return Object.hasOwn(userActions, operation) ? t(userActions[operation as UserActionName]) : operation;
}
