// The command line: `serve`, `start`, and the command groups in commands/.

import { Command, type HelpConfiguration } from 'commander';
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
import { t } from '../contract/messages.ts';

/** `end` sets the exit code, which is 0 by default. `parseAsync` throws errors. */
export function createCommandLine(terminal: Terminal, end: (code: ExitCode) => void): Command {
  const program = new Command(terminal.command)
    .description(t('terminal.description'))
    .version(manifest.version, '-V, --version', t('terminal.option-version'))
    .helpOption('-h, --help', t('terminal.option-help'))
    .helpCommand('help [command]', t('terminal.help-help'))
    // Every command has these. Scripts can pass --yes to any command, without knowing which ones ask.
    .option('--data <dir>', t('terminal.option-data'))
    .option('--json', t('terminal.option-json'))
    .option('--yes', t('terminal.option-yes'))
    .exitOverride()
    .configureHelp(helpWords())
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      // runTerminal prints commander's errors like all others
      outputError: () => undefined,
    })
    .addHelpText('afterAll', exitCodeHelp())
    .hook('preAction', (_, action) => {
      const options = action.optsWithGlobals() as Record<'data' | 'folder' | 'to', string | undefined>;
      // An unset variable in a script must not choose a default folder.
      for (const name of ['data', 'folder', 'to'] as const)
        if (options[name] === '') throw new UsageError(t('terminal.needs-a-path', { option: `--${name}` }));
      // So does an empty path, and no other argument can be empty, except for a setting's value.
      for (const [index, argument] of action.registeredArguments.entries()) {
        const typed = [action.processedArgs[index]].flat();
        if (argument.name() !== 'value' && typed.includes(''))
          throw new UsageError(t('terminal.cant-be-empty', { argument: argument.name().toUpperCase() }));
      }
      const { data } = options;
      if (data !== undefined) terminal.dataOption = `--data ${shellQuoted(data)}`;
    });

  addServe(program.command('serve').description(t('terminal.help-serve')), async (options) => {
    const { serve } = await import('./serve.ts');
    end(await serve(options, terminal));
  });
  const startCommand = program
    .command('start')
    .description(t('terminal.help-start'))
    .option('--no-open', t('terminal.help-start-no-open'))
    .option('--disable-gpu', t('terminal.help-start-disable-gpu'));
  addServe(startCommand, async (options) => {
    const { start } = await import('./start.ts');
    end(await start(options, terminal));
  });

  const helpers = createCommandHelpers(program, terminal, end);
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
    add(helpers);
  }
  return program;
}

function addServe(command: Command, run: (options: ServeOptions) => Promise<void>): void {
  command
    .option('--folder <dir>', t('terminal.help-serve-folder'))
    .option('--data <dir>', t('terminal.option-data'))
    .option('--host <address>', t('terminal.help-serve-host'))
    .option('--port <number>', t('terminal.help-serve-port'))
    .option('--public-url <url>', t('terminal.help-serve-public-url'))
    .option('--owner <login>', t('terminal.help-serve-owner'))
    .option('--json', t('terminal.help-serve-json'))
    .addHelpText('after', `\n${t('terminal.help-serve-owner-password')}`)
    .action(() => run(command.optsWithGlobals()));
}

/** Commander's own words in the user's language. */
function helpWords(): HelpConfiguration {
  const titles: Readonly<Record<string, string>> = {
    'Usage:': t('terminal.title-usage'),
    'Arguments:': t('terminal.title-arguments'),
    'Options:': t('terminal.title-options'),
    'Commands:': t('terminal.title-commands'),
  };
  const described = (text: string): string =>
    text
      .replace(/\(choices:(?= ")/u, `(${t('terminal.choices')}`)
      .replace(/(?<=[(,] ?)default:(?= ")/u, t('terminal.default'));
  return {
    styleTitle: (title) => titles[title] ?? title,
    styleArgumentDescription: described,
    styleOptionDescription: described,
  };
}
