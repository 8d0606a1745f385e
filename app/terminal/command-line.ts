// The commands as a person types them. Each says what it needs; what it does is in app/commands and serve.ts.

import { Argument, Command, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { AppError } from '../contract/errors.ts';
import { createCommandHelpers, type CommonOptions } from './command-helpers.ts';
import { addEditorCommands } from './editor-command-line.ts';
import { BrokenOff, exitCode, exitCodeHelp, UsageError, type ExitCode } from './exit-code.ts';
import type { ServeOptions } from './serve-options.ts';
import type { Terminal } from './terminal.ts';
import { addTlsCommands } from './tls-command-line.ts';

/** `end` is told the exit code where it is not that of success; errors are thrown out of parseAsync. */
export function createCommandLine(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const program = new Command(terminal.command)
    .description('DocTray serves a folder on this computer as a WOPI host for document editors.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      // told by `tell`, as every other error
      outputError: () => undefined,
    })
    .addHelpText('afterAll', exitCodeHelp);

  addServe(program.command('serve').description('serve a folder until you press Ctrl+C'), async (options) => {
    const { serve } = await import('./serve.ts');
    end(await serve(options, terminal));
  });
  const startCommand = program
    .command('start')
    .description('open the window, or serve from the terminal if no window can open')
    .option('--no-open', 'don’t open a document in the browser when there is no window');
  addServe(startCommand, async (options) => {
    const { start } = await import('./start.ts');
    end(await start(options, terminal));
  });

  const helpers = createCommandHelpers(terminal, end);
  const { common, run, runOnAll, call, plain } = helpers;
  const { cwd } = terminal;

  addEditorCommands(program, helpers);
  plain(
    program.command('locks').description('documents that are locked, and by whom'),
    'locks.list',
    () => ({}),
  );
  common(program.command('unlock <file>').description('force-clear the lock on a document'))
    .option('--yes', 'don’t ask for confirmation')
    .action(async (file: string, options: CommonOptions & { yes?: boolean }) => {
      const { confirm, requirePerson } = await import('./prompt.ts');
      if (options.yes !== true) requirePerson(terminal);
      const lock = await call(options, 'locks.find', { file, cwd });
      if (options.yes !== true) {
        const { show } = await import('./show.ts');
        terminal.stderr.write(`${show['locks.find'](lock, Date.now())}\n`);
        const question = 'Force-clear it? Unsaved changes in its editor will be kept as a recovered save.';
        if (!(await confirm(terminal, question))) throw new BrokenOff();
      }
      await runOnAll(options, 'locks.forceClear', [lock.fileId]);
    });
  const sessions = program.command('sessions').description('documents that editors have open');
  plain(
    sessions.command('list', { isDefault: true }).description('list all sessions'),
    'sessions.list',
    () => ({}),
  );
  common(sessions.command('end <id...>').description('end sessions; their editors lose access')).action(
    (ids: string[], options: CommonOptions) => runOnAll(options, 'sessions.end', ids),
  );

  const tokens = program.command('tokens').description('API tokens and access tokens');
  plain(
    tokens.command('list', { isDefault: true }).description('list all tokens'),
    'tokens.list',
    () => ({}),
  );
  common(tokens.command('revoke <id...>').description('revoke tokens')).action(
    (ids: string[], options: CommonOptions) => runOnAll(options, 'tokens.revoke', ids),
  );

  const users = program.command('users').description('users who can sign in');
  const hidden = 'read the password from standard input instead of asking';
  plain(users.command('list', { isDefault: true }).description('list all users'), 'users.list', () => ({}));
  common(users.command('add <login>').description('add a user; asks for the password'))
    .option('--name <name>', 'name that others see (default: the login)')
    .addOption(
      new Option('--role <role>', 'role of the user').choices(['editor', 'viewer']).default('editor'),
    )
    .option('--password-stdin', hidden)
    .action(async (login: string, options: CommonOptions & AddUserOptions) => {
      const { readPassword } = await import('./prompt.ts');
      const password = await readPassword(terminal, { fromStdin: options.passwordStdin === true, login });
      const named = options.name === undefined ? {} : { displayName: options.name };
      await run(options, 'users.add', { login, role: options.role, password, ...named });
    });
  common(
    users
      .command('role <login>')
      .description('change what a user may do')
      .addArgument(new Argument('<role>').choices(['editor', 'viewer'])),
  ).action(async (login: string, role: 'editor' | 'viewer', options: CommonOptions) => {
    await run(options, 'users.setRole', { login, role });
  });
  plain(
    users.command('revoke-tokens <login>').description('revoke all of a user’s tokens'),
    'tokens.revokeOfUser',
    (login = '') => ({ login }),
  );
  plain(
    users.command('remove <login>').description('remove a user and revoke their tokens'),
    'users.remove',
    (login = '') => ({
      login,
    }),
  );
  common(users.command('password <login>').description('set a user’s password; asks for it'))
    .option('--password-stdin', hidden)
    .action(async (login: string, options: CommonOptions & { passwordStdin?: boolean }) => {
      const users = await call(options, 'users.list', {});
      if (!users.some((user) => user.login.toLowerCase() === login.toLowerCase())) {
        throw new AppError('user-unknown');
      }
      const { readPassword } = await import('./prompt.ts');
      const password = await readPassword(terminal, { fromStdin: options.passwordStdin === true, login });
      await run(options, 'users.setPassword', { login, password });
    });

  common(program.command('versions <file>').description('earlier versions of a document')).action(
    async (file: string, options: CommonOptions) => {
      await run(options, 'documents.versions', { path: file, cwd });
    },
  );
  common(program.command('restore <file> <version>').description('restore an earlier version')).action(
    async (file: string, versionId: string, options: CommonOptions) => {
      await run(options, 'documents.restoreVersion', { path: file, cwd, versionId });
    },
  );

  const rescued = program
    .command('rescued')
    .description('recovered saves: received, but not written to the file');
  plain(
    rescued.command('list', { isDefault: true }).description('list recovered saves'),
    'rescued.list',
    () => ({}),
  );
  plain(
    rescued.command('restore <id>').description('create a document from a recovered save'),
    'rescued.restore',
    (id = '') => ({ id }),
  );
  common(rescued.command('discard <id>').description('delete a recovered save permanently'))
    .option('--yes', 'don’t ask for confirmation')
    .action(async (id: string, options: CommonOptions & { yes?: boolean }) => {
      if (options.yes !== true) {
        const { confirm } = await import('./prompt.ts');
        if (!(await confirm(terminal, `Delete recovered save ${id} permanently?`))) throw new BrokenOff();
      }
      await run(options, 'rescued.discard', { id });
    });

  common(program.command('pause').description('refuse to open documents; open ones can still be saved'))
    .option('--minutes <number>', 'resume after this many minutes (default: when you resume)')
    .action(async (options: CommonOptions & { minutes?: string }) => {
      const minutes = options.minutes === undefined ? null : minutesOf(options.minutes);
      await run(options, 'host.pause', { minutes });
    });
  plain(
    program.command('resume').description('open documents again after a pause'),
    'host.resume',
    () => ({}),
  );

  addTlsCommands(program, helpers);
  const settings = program.command('settings').description('settings of DocTray');
  plain(
    settings.command('list', { isDefault: true }).description('list all settings'),
    'settings.list',
    () => ({}),
  );
  plain(settings.command('get <key>').description('show one setting'), 'settings.get', (key = '') => ({
    key,
  }));
  common(
    settings
      .command('set <key> <value>')
      .description('change a setting; `none` clears it, commas separate the entries of a list'),
  ).action(async (key: string, typed: string, options: CommonOptions) => {
    const { parseTypedSetting } = await import('../settings/setting-text.ts');
    await run(options, 'settings.set', { key, value: parseTypedSetting(key, typed, cwd) });
  });

  common(program.command('doctor').description('check that everything DocTray needs is working')).action(
    async (options: CommonOptions) => {
      const findings = await run(options, 'doctor', {});
      if (findings.some(({ verdict }) => verdict === 'failed')) end(exitCode.failed);
    },
  );
  return program;
}

/** @throws UsageError */
function minutesOf(typed: string): number {
  const minutes = /^\d{1,4}$/u.test(typed) ? Number(typed) : 0;
  if (minutes < 1 || minutes > 1440) {
    throw new UsageError('--minutes must be a whole number from 1 to 1440.');
  }
  return minutes;
}

interface AddUserOptions {
  name?: string;
  role: 'editor' | 'viewer';
  passwordStdin?: boolean;
}

function addServe(command: Command, run: (options: ServeOptions) => Promise<void>): void {
  command
    .option('--folder <dir>', 'folder to serve (default: the last one, or DocTray in your documents folder)')
    .option('--data <dir>', 'data folder (default: DOCTRAY_DATA, or the standard place of this system)')
    .option('--host <address>', 'address to listen on (default: the setting, 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: the setting, 8790)')
    .option('--public-url <url>', 'URL that editors use to reach DocTray')
    .option('--owner <login>', 'login of the owner, created on the first run (default: owner)')
    .option('--json', 'print one JSON object per event and line')
    .addHelpText(
      'after',
      '\nOn the first run, DOCTRAY_OWNER_PASSWORD sets the owner’s password. Otherwise DocTray generates one.',
    )
    .action(run);
}
