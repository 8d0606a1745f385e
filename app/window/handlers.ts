// What the window can ask for: one handler a command of the contract, in groups that window-host.ts puts together. Arguments
// were checked by the contract's table before a handler sees them.

import type { CommandArgs, CommandName, CommandResult } from '../contract/commands.ts';
import { AppError } from '../contract/errors.ts';
import type { Host } from '../host/host.ts';
import type { HostKeeper } from './host-keeper.ts';

export type Handlers = {
  [Name in CommandName]: (args: CommandArgs<Name>) => CommandResult<Name> | Promise<CommandResult<Name>>;
};

/** The host that runs. @throws AppError host-away, or what kept it from starting */
export function requireHost(keeper: Pick<HostKeeper, 'host' | 'problem' | 'isStarting'>): Host {
  const host = keeper.host();
  if (host !== undefined) return host;
  const problem = keeper.problem();
  if (problem !== undefined) throw problem;
  throw new AppError('host-away', {
    detail: keeper.isStarting() ? 'It is starting; try again in a moment.' : 'Start it again.',
  });
}
