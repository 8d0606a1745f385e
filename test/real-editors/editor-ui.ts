// User actions in an editor's page, in the frame of a host page. The selectors are for ONLYOFFICE Docs 7 to 9 and Collabora Online 23
// to 25.

import type { Frame, FrameLocator, Page } from 'playwright';

export interface EditorUi {
  /** Waits until the document can be edited. */
  ready(page: Page): Promise<void>;
  /** Types at the end of the document. */
  type(page: Page, text: string): Promise<void>;
  save(page: Page): Promise<void>;
  /** @param name without extension */
  rename(page: Page, name: string): Promise<void>;
  /** @param name with extension; some editors choose the name themselves */
  saveCopy(page: Page, name: string): Promise<void>;
  /** Closes the document without saving it first. */
  close(page: Page): Promise<void>;
}

/** Long, because a document server takes minutes for its first document. */
const loadLimitMs = 180_000;
/** For dialogs that only some versions show. */
const dialogLimitMs = 3_000;
const keyDelayMs = 40;

export function editorFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe[name="editor"]');
}

/** Fills in the host page's dialog for the name of a copy. */
export async function nameCopy(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Save copy' }).click();
}

/** Posts a message as the editor's page does, instead of using a button that differs between versions. */
async function postFromEditor(page: Page, name: string, values: Record<string, unknown> = {}): Promise<void> {
  const frame: Frame | undefined = page.frames().find((one) => one.parentFrame() === page.mainFrame());
  if (frame === undefined) throw new Error('The editor’s frame is gone.');
  await frame.evaluate(
    (message) => globalThis.parent.postMessage(JSON.stringify({ ...message, SendTime: Date.now() }), '*'),
    { MessageId: name, Values: values },
  );
}

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text, { delay: keyDelayMs });
}

export const collaboraUi: EditorUi = {
  async ready(page) {
    const frame = editorFrame(page);
    // The development edition shows a welcome dialog a few seconds after the document.
    const welcome = frame.locator('iframe[name="iframe-welcome-form"]');
    await page.addLocatorHandler(welcome, async () => {
      await welcome.contentFrame().getByRole('button', { name: 'Close' }).click();
    });
    await frame.locator('.leaflet-layer, #document-canvas').first().waitFor({ timeout: loadLimitMs });
    await frame.locator('#document-name-input').waitFor({ timeout: loadLimitMs });
  },
  async type(page, text) {
    const frame = editorFrame(page);
    await frame.locator('.leaflet-layer, #document-canvas').first().click();
    await frame.locator('#clipboard-area').focus();
    await typeAtEnd(page, text);
  },
  async save(page) {
    await editorFrame(page).locator('#clipboard-area').focus();
    await page.keyboard.press('Control+s');
  },
  async rename(page, name) {
    const input = editorFrame(page).locator('#document-name-input');
    await input.click();
    await input.fill(name);
    await input.press('Enter');
  },
  async saveCopy(page, name) {
    await postFromEditor(page, 'UI_SaveAs', { format: name.split('.').at(-1) });
    await nameCopy(page, name);
  },
  async close(page) {
    const button = editorFrame(page).locator('#closebutton').first();
    const isThere = await button.waitFor({ timeout: dialogLimitMs }).then(
      () => true,
      () => false,
    );
    if (isThere) await button.click();
    else await postFromEditor(page, 'UI_Close', { EverModified: true });
  },
};

function onlyOfficeFrame(page: Page): FrameLocator {
  return editorFrame(page).frameLocator('iframe[name="frameEditor"]');
}

async function openFileMenu(page: Page, item: string): Promise<void> {
  const frame = onlyOfficeFrame(page);
  await frame.locator('a[data-tab="file"]').click();
  await frame.locator(item).click();
}

/** ONLYOFFICE's number for DOCX. */
const docxFormat = '65';

export const onlyOfficeUi: EditorUi = {
  async ready(page) {
    const frame = onlyOfficeFrame(page);
    const confirm = frame.locator('.alert button[result="ok"]').first();
    await page.addLocatorHandler(frame.locator('.alert .info-box').first(), async () => {
      await confirm.click();
    });
    await frame.locator('#id_viewer_overlay').waitFor({ timeout: loadLimitMs });
    await frame
      .locator('#loading-mask, .asc-loadmask')
      .first()
      .waitFor({ state: 'hidden', timeout: loadLimitMs });
  },
  async type(page, text) {
    await onlyOfficeFrame(page).locator('#id_viewer_overlay').click();
    await typeAtEnd(page, text);
  },
  async save(page) {
    await onlyOfficeFrame(page).locator('#area_id').focus();
    await page.keyboard.press('Control+s');
  },
  async rename(page, name) {
    await openFileMenu(page, '#fm-btn-rename');
    const input = onlyOfficeFrame(page).locator('#id-dlg-newname input');
    await input.fill(name);
    await input.press('Enter');
  },
  async saveCopy(page) {
    await openFileMenu(page, '#fm-btn-save-copy');
    const frame = onlyOfficeFrame(page);
    const panel = frame.locator('#panel-savecopy');
    await panel.locator(`[format="${docxFormat}"], [format-value="${docxFormat}"]`).first().click();
    // ONLYOFFICE asks before it converts a document of an older Word version.
    await frame
      .locator('.alert button[result="ok"]')
      .first()
      .click({ timeout: dialogLimitMs })
      .catch(() => undefined);
  },
  async close(page) {
    await postFromEditor(page, 'UI_Close');
  },
};
