// Where the secrets are: the keychain, or a private file.

import { z } from 'zod';
import type { SecretStore } from '../secrets/secret-store.ts';
import { command, nothing } from './command.ts';

export const secretCommands = {
  'secrets.show': command({
    needs: 'services',
    from: 'terminal',
    args: nothing,
    run: ({ services: { secrets } }) => describe(secrets),
  }),

  /** Open documents notice nothing. */
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
