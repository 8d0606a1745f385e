// The commands as a person types them. Each says what it needs; what it does is in control/commands.ts and serve.ts.

import { Command, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { createCommandHelpers, type CommonOptions } from './command-helpers.ts';
import { addEditorCommands } from './editor-command-line.ts';
import { BrokenOff, exitCode, exitCodeHelp, type ExitCode } from './exit-code.ts';
import type { ServeOptions } from './serve-options.ts';
import type { Terminal } from './terminal.ts';
import { addTlsCommands } from './tls-command-line.ts';

/** `end` is told the exit code where it is not that of success; errors are thrown out of parseAsync. */
export function createCommandLine(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const program = new Command(terminal.command)
    .description('DocTray serves one folder of this machine to networked document editors.')
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

  addServe(program.command('serve').description('serve a folder until a signal ends it'), async (options) => {
    const { serve } = await import('./serve.ts');
    end(await serve(options, terminal));
  });
  const startCommand = program
    .command('start')
    .description('open the window, or serve from the terminal where there is none')
    .option('--no-open', 'without a window, do not open a document in the browser');
  addServe(startCommand, async (options) => {
    const { start } = await import('./start.ts');
    end(await start(options, terminal));
  });

  const helpers = createCommandHelpers(terminal, end);
  const { common, run, call, plain } = helpers;
  const { cwd } = terminal;

  addEditorCommands(program, helpers);
  plain(program.command('locks').description('documents that are locked, and by whom'), 'locks', () => ({}));
  common(program.command('unlock <file>').description('clear the lock on a document by force'))
    .option('--yes', 'do not ask')
    .action(async (file: string, options: CommonOptions & { yes?: boolean }) => {
      if (options.yes !== true) {
        const { confirm, requirePerson } = await import('./prompt.ts');
        requirePerson(terminal);
        const { show } = await import('./show.ts');
        const lock = await call(options, 'lock', { file, cwd });
        terminal.stderr.write(`${show.lock(lock, Date.now())}\n`);
        const question = 'Clear it? What its editor has not saved yet will be kept as a recovered save.';
        if (!(await confirm(terminal, question))) throw new BrokenOff();
      }
      await run(options, 'unlock', { file, cwd });
    });
  plain(program.command('sessions').description('documents that editors have open'), 'sessions', () => ({}));

  const tokens = program.command('tokens').description('tokens that open something');
  plain(tokens.command('list', { isDefault: true }).description('all of them'), 'tokens', () => ({}));
  plain(tokens.command('revoke <id>').description('end one'), 'revoke-token', (id = '') => ({ id }));

  const users = program.command('users').description('people who may sign in');
  const hidden = 'read the password from standard input instead of asking';
  plain(users.command('list', { isDefault: true }).description('all of them'), 'users', () => ({}));
  common(users.command('add <login>').description('add one; the password is asked for'))
    .option('--name <name>', 'name that others see (default: the login)')
    .addOption(
      new Option('--role <role>', 'what they may do').choices(['editor', 'viewer']).default('editor'),
    )
    .option('--password-stdin', hidden)
    .action(async (login: string, options: CommonOptions & AddUserOptions) => {
      const { readPassword } = await import('./prompt.ts');
      const password = await readPassword(terminal, { fromStdin: options.passwordStdin === true, login });
      const named = options.name === undefined ? {} : { displayName: options.name };
      await run(options, 'add-user', { login, role: options.role, password, ...named });
    });
  plain(
    users.command('remove <login>').description('remove one and end their tokens'),
    'remove-user',
    (login = '') => ({
      login,
    }),
  );
  common(users.command('password <login>').description('set a password; it is asked for'))
    .option('--password-stdin', hidden)
    .action(async (login: string, options: CommonOptions & { passwordStdin?: boolean }) => {
      await call(options, 'find-user', { login });
      const { readPassword } = await import('./prompt.ts');
      const password = await readPassword(terminal, { fromStdin: options.passwordStdin === true, login });
      await run(options, 'set-password', { login, password });
    });

  plain(
    program.command('versions <file>').description('earlier contents of a document'),
    'versions',
    (file = '') => ({
      file,
      cwd,
    }),
  );
  plain(
    program.command('restore <file> <version>').description('bring an earlier content back'),
    'restore',
    (file = '', version = '') => ({ file, version, cwd }),
  );

  const rescued = program.command('rescued').description('saves that arrived but could not be written');
  plain(rescued.command('list', { isDefault: true }).description('all of them'), 'rescued', () => ({}));
  plain(
    rescued.command('restore <id>').description('make a new document of one'),
    'restore-rescued',
    (id = '') => ({ id }),
  );
  common(rescued.command('discard <id>').description('delete one for good'))
    .option('--yes', 'do not ask')
    .action(async (id: string, options: CommonOptions & { yes?: boolean }) => {
      if (options.yes !== true) {
        const { confirm } = await import('./prompt.ts');
        if (!(await confirm(terminal, `Delete recovered save ${id} for good?`))) throw new BrokenOff();
      }
      await run(options, 'discard-rescued', { id });
    });

  addTlsCommands(program, helpers);
  const settings = program.command('settings').description('what is set');
  plain(settings.command('list', { isDefault: true }).description('all of it'), 'settings', () => ({}));
  plain(settings.command('get <key>').description('one value'), 'setting', (key = '') => ({ key }));
  plain(
    settings
      .command('set <key> <value>')
      .description('change one value; `none` empties it, commas part a list'),
    'set-setting',
    (key = '', value = '') => ({ key, value, cwd }),
  );

  common(program.command('doctor').description('try out what a host needs')).action(
    async (options: CommonOptions) => {
      const findings = await run(options, 'doctor', {});
      if (findings.some(({ verdict }) => verdict === 'failed')) end(exitCode.failed);
    },
  );
  return program;
}

interface AddUserOptions {
  name?: string;
  role: 'editor' | 'viewer';
  passwordStdin?: boolean;
}

function addServe(command: Command, run: (options: ServeOptions) => Promise<void>): void {
  command
    .option(
      '--folder <dir>',
      'folder to serve (default: the last one, else DocTray in your documents folder)',
    )
    .option('--data <dir>', 'data folder (default: DOCTRAY_DATA, else the place this system has for it)')
    .option('--host <address>', 'address of this machine to listen on')
    .option('--port <number>', 'port to listen on; 0 takes any free one')
    .option('--public-url <url>', 'address under which editors reach this machine')
    .option('--owner <login>', 'login of the owner, who is made on the first run (default: owner)')
    .option('--json', 'print one line of JSON an event, the first when it listens')
    .addHelpText(
      'after',
      '\nThe owner’s password is taken from DOCTRAY_OWNER_PASSWORD on the first run, else generated.',
    )
    .action(run);
}
