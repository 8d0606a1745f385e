// What a user does in the window or the terminal, rather than by a request: the name that the journal keeps and that `activity --json`
// prints, and its words.

export const userActions = {
  CreateDocument: 'Created document',
  CreateFolder: 'Created folder',
  Duplicate: 'Duplicated document',
  Rename: 'Renamed',
  Move: 'Moved',
  MoveToTrash: 'Moved to trash',
  UndoTrash: 'Put back from the trash',
  Import: 'Imported',
  RestoreVersion: 'Restored version',
  CopyVersion: 'Saved copy of version',
  ViewVersion: 'Opened version',
  RestoreRecoveredSave: 'Restored recovered save',
  DiscardRecoveredSave: 'Discarded recovered save',
  ForceClear: 'Force-cleared lock',
  UndoForceClear: 'Restored lock',
  EndSession: 'Ended session',
  CreateApiToken: 'Created API token',
  RevokeToken: 'Revoked token',
  RevokeTokensOfUser: 'Revoked tokens of user',
  AddUser: 'Added user',
  RemoveUser: 'Removed user',
  SetPassword: 'Changed password',
  SetRole: 'Changed role',
} as const;

export type UserActionName = keyof typeof userActions;

/** An action in words; a request's operation, such as `PutFile`, unchanged. */
export function operationWords(operation: string): string {
  return Object.hasOwn(userActions, operation) ? userActions[operation as UserActionName] : operation;
}
