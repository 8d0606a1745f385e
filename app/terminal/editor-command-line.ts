// The commands about document servers as a person types them, `open` among them.

import { Option, type Command } from 'commander';
import { testOutcome } from '../contract/editors.ts';
import { textEditorOff } from '../editors/editor-fault.ts';
import { addDocumentServerCommands } from './document-server-command-line.ts';
import { withCommandPrefix } from './command-prefix.ts';
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
  const { common, plain, call, run, terminal } = helpers;
  const editors = program.command('editors').description('document servers and the text editor');
  common(editors.command('list', { isDefault: true }).description('list connected editors')).action(
    async (options: CommonOptions) => {
      await run(options, 'editors.list', {});
      if (options.json === true) return;
      const { value: isOn } = await call(options, 'settings.get', { key: 'textEditor' });
      if (isOn !== false) return;
      const { sentence, remedy } = textEditorOff;
      terminal.stdout.write(`${withCommandPrefix(`${sentence} ${remedy}`, terminal)}\n`);
    },
  );
  common(editors.command('add <url>').description('connect a document server at this URL'))
    .option('--name <name>', 'name in DocTray (default: the product’s name)')
    .option('--public-url <url>', 'URL it uses to reach DocTray')
    .option('--accept-other-hosts', 'allow pages on other hosts than this URL')
    .action(async (url: string, { acceptOtherHosts, name, publicUrl, ...options }: AddOptions) => {
      await run(options, 'editors.add', {
        url,
        ...(name !== undefined && { name }),
        ...(publicUrl !== undefined && { publicUrl }),
        ...(acceptOtherHosts !== undefined && { acceptsOtherHosts: acceptOtherHosts }),
      });
    });
  common(editors.command('change <editor>').description('change the settings of an editor'))
    .option('--name <name>', 'name in DocTray')
    .option('--public-url <url>', 'URL it uses to reach DocTray; `none`: the default')
    .addOption(
      new Option('--proof <mode>', 'check the signatures of its calls').choices([
        'off',
        'if-present',
        'required',
      ]),
    )
    .option('--allow-addresses <list>', 'comma-separated addresses it may call from; `none`: anywhere')
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
          'Choose what to change: --name, --public-url, --proof or --allow-addresses. See --help.',
        );
      }
      await run(options, 'editors.change', { id: editor, ...change });
    });
  plain(
    editors.command('refresh <editor>').description('read an editor’s discovery document again'),
    'editors.refresh',
    (id = '') => ({ id }),
  );
  common(editors.command('test <editor>').description('test the connection in both directions')).action(
    async (editor: string, options: CommonOptions) => {
      const result = await run(options, 'editors.test', { id: editor });
      if (testOutcome(result) === 'failed') helpers.end(exitCode.failed);
    },
  );
  plain(
    editors.command('remove <editor>').description('disconnect an editor; documents stay'),
    'editors.remove',
    (id = '') => ({ id }),
  );
  plain(
    editors
      .command('default <extension> <editor>')
      .description('open a type of document in this editor; `none`: in the first that supports it'),
    'editors.setDefault',
    (extension = '', editor = '') => ({ extension, editorId: orNull(editor) }),
  );
  addDocumentServerCommands(editors, helpers);
  plain(
    editors.command('addresses').description('list the addresses where editors can reach DocTray'),
    'editors.addresses',
    () => ({}),
  );
  plain(
    editors
      .command('use-address <editor> <url>')
      .description('make an editor use one of these addresses, and listen there; `none`: the default'),
    'editors.useAddress',
    (id = '', url = '') => ({ id, url: orNull(url) }),
  );
}

function addOpen(program: Command, helpers: CommandHelpers): void {
  const { terminal, common, call, run } = helpers;
  common(program.command('open <file>').description('open a document in the default browser'))
    .addOption(
      new Option('--mode <mode>', 'open for editing or viewing').choices(['edit', 'view']).default('edit'),
    )
    .option('--editor <editor>', 'editor to open it in (default: the one for its type)')
    .option('--print', 'print its URLs and an access token instead of opening it')
    .action(async (file: string, options: OpenOptions) => {
      const { mode, editor, print = false, json = false } = options;
      const args = { file, cwd: terminal.cwd, mode, ...(editor !== undefined && { editor }) };
      if (print || json) {
        await run(options, 'editors.access', args);
        return;
      }
      const opened = await call(options, 'editors.link', args);
      if (opened === null) {
        await run(options, 'editors.access', args);
        terminal.stderr.write(`${withCommandPrefix(noEditorHint, terminal)}\n`);
        return;
      }
      const { openInBrowser } = await import('./open-browser.ts');
      const { show } = await import('./show.ts');
      const lack = await openInBrowser(opened.url, terminal);
      if (lack === undefined) {
        terminal.stdout.write(`${show['editors.link'](opened, Date.now())}\n`);
        return;
      }
      // The address is what was asked for; it opens the document once, within a minute.
      terminal.stdout.write(`${opened.url}\n`);
      terminal.stderr.write(`${lack} Open this address in a browser within a minute. It works once.\n`);
    });
}

const noEditorHint =
  'No editor is connected. Connect one with `editors add URL`, such as http://localhost:9980.';

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
