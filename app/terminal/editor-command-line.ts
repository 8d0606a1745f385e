// The commands about document servers as a person types them, `open` among them.

import { Option, type Command } from 'commander';
import { testOutcome } from '../contract/editors.ts';
import { addDocumentServerCommands } from './document-server-command-line.ts';
import type { CommandHelpers, CommonOptions } from './command-helpers.ts';
import { exitCode, UsageError } from './exit-code.ts';

interface OpenOptions extends CommonOptions {
  mode: 'edit' | 'view';
  editor?: string;
  print?: boolean;
}

interface AddOptions extends CommonOptions {
  name?: string;
  publicUrl?: string;
  acceptOtherHosts?: boolean;
}

interface ChangeOptions extends CommonOptions {
  name?: string;
  publicUrl?: string;
  proof?: 'off' | 'if-present' | 'required';
  allowAddresses?: string;
}

export function addEditorCommands(program: Command, helpers: CommandHelpers): void {
  addOpen(program, helpers);
  const { common, plain, run } = helpers;
  const editors = program.command('editors').description('document servers that documents open in');
  plain(editors.command('list', { isDefault: true }).description('all of them'), 'editors', () => ({}));
  common(editors.command('add <url>').description('connect one by its address; it is asked what it can do'))
    .option('--name <name>', 'what it is called here (default: what it calls itself)')
    .option('--public-url <url>', 'address under which it reaches this machine')
    .option('--accept-other-hosts', 'let its pages lie on another host than the address')
    .action(async (url: string, { acceptOtherHosts, name, publicUrl, ...options }: AddOptions) => {
      await run(options, 'add-editor', {
        url,
        ...(name !== undefined && { name }),
        ...(publicUrl !== undefined && { publicUrl }),
        ...(acceptOtherHosts !== undefined && { acceptsOtherHosts: acceptOtherHosts }),
      });
    });
  common(editors.command('change <editor>').description('change what was set for one'))
    .option('--name <name>', 'what it is called here')
    .option('--public-url <url>', 'address under which it reaches this machine; `none`: the usual one')
    .addOption(
      new Option('--proof <mode>', 'whether its calls must be signed').choices([
        'off',
        'if-present',
        'required',
      ]),
    )
    .option('--allow-addresses <list>', 'addresses its calls may come from, by commas; `none`: from anywhere')
    .action(async (editor: string, options: ChangeOptions) => {
      const { name, publicUrl, proof, allowAddresses } = options;
      const change = {
        ...(name !== undefined && { name }),
        ...(publicUrl !== undefined && { publicUrl: orNull(publicUrl) }),
        ...(proof !== undefined && { proofMode: proof }),
        ...(allowAddresses !== undefined && { allowedAddresses: listOf(allowAddresses) }),
      };
      if (Object.keys(change).length === 0) {
        throw new UsageError(
          'Say what to change: --name, --public-url, --proof or --allow-addresses; see --help.',
        );
      }
      await run(options, 'change-editor', { editor, ...change });
    });
  plain(
    editors.command('refresh <editor>').description('ask one again what it can do'),
    'refresh-editor',
    (editor = '') => ({ editor }),
  );
  common(
    editors.command('test <editor>').description('try both directions: from here to it, and back'),
  ).action(async (editor: string, options: CommonOptions) => {
    const result = await run(options, 'test-editor', { editor });
    if (testOutcome(result) === 'failed') helpers.end(exitCode.failed);
  });
  plain(
    editors.command('remove <editor>').description('disconnect one; its documents stay'),
    'remove-editor',
    (editor = '') => ({ editor }),
  );
  plain(
    editors
      .command('default <extension> <editor>')
      .description('open a type of document in this one; `none`: in the first that can'),
    'default-editor',
    (extension = '', editor = '') => ({ extension, editor: orNull(editor) }),
  );
  addDocumentServerCommands(editors, helpers);
  plain(
    editors.command('addresses').description('addresses under which an editor may reach this machine'),
    'editor-addresses',
    () => ({}),
  );
  plain(
    editors
      .command('use-address <editor> <url>')
      .description('give one of these addresses to an editor, and listen there; `none`: the usual one'),
    'use-editor-address',
    (editor = '', url = '') => ({ editor, url: orNull(url) }),
  );
}

function addOpen(program: Command, helpers: CommandHelpers): void {
  const { terminal, common, call, run } = helpers;
  common(program.command('open <file>').description('open a document in an editor, in the default browser'))
    .addOption(new Option('--mode <mode>', 'what it is opened for').choices(['edit', 'view']).default('edit'))
    .option('--editor <editor>', 'the one to open it in (default: that of its type)')
    .option('--print', 'open nothing: print its addresses and a token for it, as --json does')
    .action(async (file: string, options: OpenOptions) => {
      const { mode, editor, print = false, json = false } = options;
      const args = { file, cwd: terminal.cwd, mode, ...(editor !== undefined && { editor }) };
      if (print || json) {
        await run(options, 'open', args);
        return;
      }
      const opened = await call(options, 'open-in-editor', args);
      if (opened === null) {
        await run(options, 'open', args);
        terminal.stderr.write(noEditorHint(terminal.command));
        return;
      }
      const { openInBrowser } = await import('./open-browser.ts');
      const { show } = await import('./show.ts');
      const lack = await openInBrowser(opened.url, terminal);
      if (lack === undefined) {
        terminal.stdout.write(`${show['open-in-editor'](opened, Date.now())}\n`);
        return;
      }
      // The address is what was asked for; it opens the document once, within a minute.
      terminal.stdout.write(`${opened.url}\n`);
      terminal.stderr.write(
        `${lack} Open this address in a browser within a minute; it works once. Or use --print.\n`,
      );
    });
}

function noEditorHint(command: string): string {
  return `No editor is connected. Connect one with \`${command} editors add URL\`, such as http://localhost:9980.\n`;
}

/** `none` is no value, as in the settings. */
function orNull(typed: string): string | null {
  return typed === 'none' ? null : typed;
}

function listOf(typed: string): string[] {
  if (typed === 'none') return [];
  return typed
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
