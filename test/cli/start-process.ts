// `npm start` as a process of its own, in a test project. What a user's computer has and this one lacks (Electron, a user who isn't
// root) is passed as JSON.

import { exitSoon } from '../../app/terminal/exit-now.ts';
import type { ServeOptions } from '../../app/terminal/serve-options.ts';
import { start, type StartPlace } from '../../app/terminal/start.ts';
import { ownTerminal } from '../../app/terminal/terminal.ts';

const given = JSON.parse(process.argv[2] ?? '') as { options: ServeOptions; place: StartPlace };
await exitSoon(await start(given.options, ownTerminal('doctray'), given.place));
