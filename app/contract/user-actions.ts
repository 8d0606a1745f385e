// What a user does in the window or the terminal, rather than by a request: the name that the journal keeps and that `activity --json`
// prints, and its words.

import { t } from './messages.ts';

export const userActions = {
  CreateDocument: t('shared.created-document'),
  CreateFolder: t('shared.created-folder'),
  Duplicate: t('shared.duplicated-document'),
  Rename: t('shared.renamed'),
  Move: t('shared.moved'),
  MoveToTrash: t('shared.moved-to-trash'),
  UndoTrash: t('shared.put-back-from-the-trash'),
  Import: t('shared.imported'),
  RestoreVersion: t('shared.restored-version'),
  CopyVersion: t('shared.saved-copy-of-version'),
  ViewVersion: t('shared.opened-version'),
  RestoreRecoveredSave: t('shared.restored-recovered-save'),
  DiscardRecoveredSave: t('shared.discarded-recovered-save'),
  SaveAnyway: t('shared.saved-anyway'),
  ForceClear: t('shared.force-cleared-lock'),
  UndoForceClear: t('shared.restored-lock'),
  EndSession: t('shared.ended-session'),
  CreateApiToken: t('shared.created-api-token'),
  RevokeToken: t('shared.revoked-token'),
  RevokeTokensOfUser: t('shared.revoked-tokens-of-user'),
  AddUser: t('shared.added-user'),
  RemoveUser: t('shared.removed-user'),
  SetPassword: t('shared.changed-password'),
  SetRole: t('shared.changed-role'),
};

export type UserActionName = keyof typeof userActions;

/** An action's name for users; a request's operation, such as `PutFile`, unchanged. */
export function operationWords(operation: string): string {
  return Object.hasOwn(userActions, operation) ? userActions[operation as UserActionName] : operation;
}
