// Where the secrets are: the keychain, or a private file.

import { z } from 'zod';
import type { SecretStore } from '../secrets/secret-store.ts';
import { command, noArgs } from './command.ts';

export const secretCommands = {
  'secrets.show': command({
    needs: 'services',
    from: 'terminal',
    args: noArgs,
    run: ({ services: { secrets } }) => describe(secrets),
  }),

  /** Open documents aren't affected. */
  'secrets.move': command({
    needs: 'services',
    from: 'terminal',
    args: z.strictObject({ to: z.enum(['keychain', 'file']) }),
    async run({ services }, { to }) {
      await services.secrets.move(to);
      services.emit({ event: 'host-changed' });
      return describe(services.secrets);
    },
  }),
};

function describe({ kind, description }: SecretStore): Pick<SecretStore, 'kind' | 'description'> {
  return { kind, description };
}
