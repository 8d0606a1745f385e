// What a user does in the window or the terminal, rather than by a request: the name that the journal keeps and that `activity --json`
// prints, and its words.

import { t } from './messages.ts';

export const userActions = {
  CreateDocument: t('Created document'),
  CreateFolder: t('Created folder'),
  Duplicate: t('Duplicated document'),
  Rename: t('Renamed'),
  Move: t('Moved'),
  MoveToTrash: t('Moved to trash'),
  UndoTrash: t('Put back from the trash'),
  Import: t('Imported'),
  RestoreVersion: t('Restored version'),
  CopyVersion: t('Saved copy of version'),
  ViewVersion: t('Opened version'),
  RestoreRecoveredSave: t('Restored recovered save'),
  DiscardRecoveredSave: t('Discarded recovered save'),
  SaveAnyway: t('Saved anyway'),
  ForceClear: t('Force-cleared lock'),
  UndoForceClear: t('Restored lock'),
  EndSession: t('Ended session'),
  CreateApiToken: t('Created API token'),
  RevokeToken: t('Revoked token'),
  RevokeTokensOfUser: t('Revoked tokens of user'),
  AddUser: t('Added user'),
  RemoveUser: t('Removed user'),
  SetPassword: t('Changed password'),
  SetRole: t('Changed role'),
};

export type UserActionName = keyof typeof userActions;

/** An action's name for users; a request's operation, such as `PutFile`, unchanged. */
export function operationWords(operation: string): string {
  return Object.hasOwn(userActions, operation) ? userActions[operation as UserActionName] : operation;
}
