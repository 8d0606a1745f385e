// The command line: `serve`, `start`, and the command groups in commands/.

import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { createCommandHelpers } from './command-helpers.ts';
import { addDocumentCommands } from './commands/documents.ts';
import { addEditorCommands } from './commands/editors.ts';
import { addHostCommands } from './commands/host.ts';
import { addLockCommands } from './commands/locks.ts';
import { addSecretCommands } from './commands/secrets.ts';
import { addSettingCommands } from './commands/settings.ts';
import { addTlsCommands } from './commands/tls.ts';
import { addUninstallCommand } from './commands/uninstall.ts';
import { addUserCommands } from './commands/users.ts';
import { exitCodeHelp, UsageError, type ExitCode } from './exit-code.ts';
import type { ServeOptions } from './serve-options.ts';
import type { Terminal } from './terminal.ts';
import { shellQuoted } from '../contract/format.ts';

/** `end` sets the exit code, which is 0 by default. `parseAsync` throws errors. */
export function createCommandLine(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const program = new Command(terminal.command)
    .description('DocTray serves a folder on this computer as a WOPI host for document editors.')
    .version(manifest.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      // runTerminal prints commander's errors like all others
      outputError: () => undefined,
    })
    .addHelpText('afterAll', exitCodeHelp)
    .hook('preAction', (_, action) => {
      const options = action.opts() as Record<'data' | 'folder' | 'to', string | undefined>;
      // An unset variable in a script must not choose a default folder.
      for (const name of ['data', 'folder', 'to'] as const)
        if (options[name] === '') throw new UsageError(`--${name} needs a path.`);
      // So does an empty path, and no other argument can be empty, except for a setting's value.
      for (const [index, argument] of action.registeredArguments.entries()) {
        const typed = [action.processedArgs[index]].flat();
        if (argument.name() !== 'value' && typed.includes(''))
          throw new UsageError(`${argument.name().toUpperCase()} can’t be empty.`);
      }
      const { data } = options;
      if (data !== undefined) terminal.dataOption = `--data ${shellQuoted(data)}`;
    });

  addServe(program.command('serve').description('serve a folder until you press Ctrl+C'), async (options) => {
    const { serve } = await import('./serve.ts');
    end(await serve(options, terminal));
  });
  const startCommand = program
    .command('start')
    .description('open the window, or serve from the terminal if no window can open')
    .option('--no-open', 'don’t open a document in the browser when there is no window')
    .option('--disable-gpu', 'draw the window without the graphics card');
  addServe(startCommand, async (options) => {
    const { start } = await import('./start.ts');
    end(await start(options, terminal));
  });

  const helpers = createCommandHelpers(terminal, end);
  for (const add of [
    addDocumentCommands,
    addLockCommands,
    addUserCommands,
    addEditorCommands,
    addSettingCommands,
    addTlsCommands,
    addSecretCommands,
    addHostCommands,
    addUninstallCommand,
  ]) {
    add(program, helpers);
  }
  return program;
}

function addServe(command: Command, run: (options: ServeOptions) => Promise<void>): void {
  command
    .option('--folder <dir>', 'folder to serve (default: the last one, or DocTray in your documents folder)')
    .option('--data <dir>', 'data folder (default: DOCTRAY_DATA, or the system’s standard location)')
    .option('--host <address>', 'address to listen on (default: the setting host, or 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: the setting port, or 8790)')
    .option('--public-url <url>', 'URL that editors use to reach DocTray')
    .option('--owner <login>', 'login of the owner, created on the first run (default: owner)')
    .option('--json', 'print events as JSON, one object per line')
    .addHelpText(
      'after',
      '\nOn the first run, DOCTRAY_OWNER_PASSWORD sets the owner’s password. Otherwise DocTray generates one.',
    )
    .action(run);
}
