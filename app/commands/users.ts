// The users who can sign in.

import { z } from 'zod';
import { t } from '../contract/messages.ts';
import { command, isTooLong, login, journalAction } from './command.ts';

const text = z.string().max(4096, { error: isTooLong });
const role = z.enum(['editor', 'viewer'], { error: () => t('host.argument-must-be-role') });

export const userCommands = {
  'users.list': command({
    needs: 'services',
    from: 'terminal',
    run: ({ services }) => services.users.list(),
  }),

  'users.add': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ login, displayName: text.optional(), role, password: text }),
    confirm({ login, role, password }, { services }) {
      services.users.checkNew({ login, role, password });
      return {
        message: t('host.let-login-sign-in-to', { login }),
        detail:
          role === 'viewer' ? t('host.they-can-read-every-document') : t('host.they-can-read-and-change'),
        button: t('common.add-user'),
      };
    },
    async run(context, { displayName, ...input }) {
      const user = await context.services.users.add({
        ...input,
        ...(displayName !== undefined && { displayName }),
      });
      journalAction(context, 'AddUser', input.login);
      return user;
    },
  }),

  'users.remove': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ login }),
    run(context, args) {
      context.services.users.remove(args.login);
      journalAction(context, 'RemoveUser', args.login);
      return args;
    },
  }),

  'users.setPassword': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ login, password: text }),
    confirm({ login, password }, { services }) {
      services.users.checkPassword(login, password);
      return {
        message: t('host.set-a-new-password-for', { login }),
        detail: t('host.the-current-password-stops-working'),
        button: t('common.set-password'),
      };
    },
    async run(context, args) {
      await context.services.users.setPassword(args.login, args.password);
      journalAction(context, 'SetPassword', args.login);
      return { login: args.login };
    },
  }),

  'users.setRole': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ login, role }),
    confirm({ login, role }, { services }) {
      if (role !== 'editor' || services.users.byLogin(login)?.role !== 'viewer') return undefined;
      return {
        message: t('host.make-login-an-editor', { login }),
        detail: t('host.they-can-read-and-change'),
        button: t('host.make-editor'),
      };
    },
    run(context, args) {
      context.services.users.setRole(args.login, args.role);
      journalAction(context, 'SetRole', args.login);
      return args;
    },
  }),
};
