// A morning of work on a folder, run through the real host: three users, two kinds of editor, saves, a stale lock, a revoked token and
// a recovered save.

import assert from 'node:assert/strict';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createEditor } from '../editors/scripted-editor.ts';
import { createWire } from '../editors/wire.ts';
import { startDeskApp, type Access, type DeskApp, type DeskAppOptions } from './desk-app.ts';
import { projectRoot } from './running-app.ts';
import { emitPower } from './stand-in-hooks.ts';

const minute = 60_000;
const ana = { login: 'ana', displayName: 'Ana Ruiz', password: 'ten green bottles' };
const robin = { login: 'robin', displayName: 'Robin Vale', password: 'nine blue whales' };

/** The folder at the start: path → fixture. */
const contents: Record<string, string> = {
  'Budget 2026.xlsx': 'sums.xlsx',
  'Handbook.docx': 'letter.docx',
  'Offer Northwind.docx': 'letter.docx',
  'Price list.xlsx': 'sums.xlsx',
  'Spring review.pptx': 'talk.pptx',
  'To the council.odt': 'letter.odt',
  'Welcome.docx': 'letter.docx',
  'Finance/Forecast.xlsx': 'sums.xlsx',
  'Finance/Invoices/Invoice 0042.docx': 'letter.docx',
  'Finance/Invoices/Invoice 0043.docx': 'letter.docx',
  'Minutes/Minutes May.odt': 'letter.odt',
  'Minutes/Minutes June.odt': 'letter.odt',
  'Talks/Roadmap.pptx': 'talk.pptx',
};

/**
 * Three documents are being edited, two locks are stale, a save waits to be restored.
 * @param nowMs the app's clock stops at this time, and moves from step to step
 * @param prepare called before the first user signs in
 */
export async function startBusyDay(
  nowMs: number,
  options: Pick<DeskAppOptions, 'env' | 'settings'>,
  prepare: (desk: DeskApp) => Promise<void>,
): Promise<DeskApp> {
  const files: Record<string, Buffer> = {};
  for (const [path, fixture] of Object.entries(contents))
    files[path] = await readFile(join(projectRoot, 'test', 'fixtures', fixture));
  const desk = await startDeskApp({ ...options, files });
  try {
    await desk.baseUrl();
    await prepare(desk);
    // Hours and days apart.
    for (const [index, path] of Object.keys(contents).entries()) {
      const at = new Date(nowMs - (index * 31 + 7) * 60 * minute);
      await utimes(join(desk.folder, path), at, at);
    }
    await desk.stopClock(nowMs);
    // After a resume, the host counts its deadlines from the new time.
    await emitPower(desk.app, 'resume');
    await play(desk);
    return desk;
  } catch (error) {
    await desk.close();
    throw error;
  }
}

async function play(desk: DeskApp): Promise<void> {
  const pass = async (minutes: number): Promise<void> => {
    // the journal records a request after its response, with the time of that moment
    await new Promise((resolve) => setTimeout(resolve, 30));
    await desk.moveClock(minutes * minute);
  };
  /** Keeps two events from having the same time while the clock is stopped. */
  const moment = (): Promise<void> => pass(0.15);
  const access = async (
    path: string,
    mode: 'edit' | 'view',
    user?: { login: string; password: string },
  ): Promise<Access> => {
    await moment();
    return desk.access(path, mode, user);
  };
  const changed = async (path: string, by: number): Promise<Buffer> => {
    await moment();
    return Buffer.concat([await readFile(join(desk.folder, path)), Buffer.alloc(by, 0)]);
  };
  for (const user of [ana, robin]) await desk.call('users.add', { ...user, role: 'editor' });
  for (const user of [undefined, ana, robin]) {
    await moment();
    await desk.signIn(user);
  }

  const june = await createEditor('collabora').open(await access('Minutes/Minutes June.odt', 'edit', robin));
  june.edit(await changed('Minutes/Minutes June.odt', 812));
  assert.equal((await june.save('timer'))?.status, 200);

  await pass(2);
  const budget = await createEditor('onlyoffice').open(await access('Budget 2026.xlsx', 'edit', ana));
  budget.edit(await changed('Budget 2026.xlsx', 1310));
  assert.equal((await budget.save())?.status, 200);

  await pass(3);
  const letterAccess = await access('Welcome.docx', 'edit');
  const letter = await createEditor('onlyoffice').open(letterAccess);
  letter.edit(await changed('Welcome.docx', 640));
  const ids = [letterAccess.fileId];
  await desk.stateWhere(({ locks }) => locks.some(({ id }) => ids.includes(id)), 'the lock is known');
  await desk.call('locks.forceClear', { ids });
  await pass(1);
  assert.equal((await letter.save())?.status, 409);

  await pass(2);
  budget.edit(await changed('Budget 2026.xlsx', 460));
  assert.equal((await budget.save())?.status, 200);
  const may = await access('Minutes/Minutes May.odt', 'edit', ana);
  await createEditor('collabora').open(may);
  const ofMay = ({ fileId }: { fileId: string }): boolean => fileId === may.fileId;
  const { sessions } = await desk.stateWhere((state) => state.sessions.some(ofMay), 'the session is known');

  await pass(4);
  const talk = await createEditor('collabora').open(await access('Spring review.pptx', 'edit', robin));
  talk.edit(await changed('Spring review.pptx', 52_000));
  assert.equal((await talk.save())?.status, 200);
  await moment();
  await desk.call('sessions.end', { ids: sessions.filter(ofMay).map(({ id }) => id) });

  await pass(3);
  await createEditor('onlyoffice').open(await access('Price list.xlsx', 'view', robin), { mode: 'view' });
  budget.edit(await changed('Budget 2026.xlsx', 220));
  assert.equal((await budget.save('timer'))?.status, 200);

  await pass(4);
  await createEditor('onlyoffice').open(await access('Offer Northwind.docx', 'edit', ana));
  await moment();
  await desk.call('documents.open', { path: 'Handbook.docx', mode: 'view' });
  await moment();
  await desk.call('documents.open', { path: 'Welcome.docx', mode: 'edit' });
  const wrong = await access('Handbook.docx', 'view');
  const wire = createWire();
  await wire.call({
    operation: 'CheckFileInfo',
    access: { ...wrong, accessToken: `${wrong.accessToken.slice(0, -4)}none` },
  });

  await pass(2);
  assert.equal((await budget.keepAlive()).status, 200);
  await moment();
  assert.equal((await talk.keepAlive()).status, 200);
  await pass(1);
  const isSo = await desk.stateWhere(
    ({ locks, recovered }) =>
      locks.length === 5 &&
      locks.filter(({ state }) => state === 'stale').length === 2 &&
      recovered.length === 1,
    'three documents are edited, two locks are stale, a save was recovered',
  );
  assert.equal(isSo.users.length, 3);
}
