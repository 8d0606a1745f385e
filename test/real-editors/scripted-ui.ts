// User actions in the pages of the scripted document servers.

import type { Page } from 'playwright';
import type { DialectKind } from '../editors/dialects/dialect.ts';
import { editorFrame, nameCopy, type EditorUi } from './editor-ui.ts';

export function scriptedUi(kind: DialectKind): EditorUi {
  const press = (page: Page, name: string): Promise<void> =>
    editorFrame(page).getByRole('button', { name, exact: true }).click();
  const setName = (page: Page, name: string): Promise<void> =>
    editorFrame(page).getByRole('textbox', { name: 'Name' }).fill(name);
  return {
    ready: (page) => editorFrame(page).getByRole('status').filter({ hasText: 'Editing' }).waitFor(),
    async type(page, text) {
      const before = await editorFrame(page).locator('#text').innerText();
      await editorFrame(page).getByRole('textbox', { name: 'Text' }).fill(`${before} ${text}`.trim());
      await press(page, 'Type');
      await editorFrame(page).locator('#text').filter({ hasText: text }).waitFor();
    },
    save: (page) => press(page, 'Save'),
    async rename(page, name) {
      await setName(page, name);
      await press(page, 'Rename');
    },
    async saveCopy(page, name) {
      await setName(page, name);
      await press(page, 'Save copy as');
      if (kind === 'collabora') await nameCopy(page, name);
    },
    close: (page) => press(page, 'Close document'),
  };
}
