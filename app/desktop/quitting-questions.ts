// The words in which a person is asked before the app ends. The answer that loses nothing is the one Enter and Escape give.

import type { Question } from './desktop-ask.ts';
import { countText, namesText } from './menu-text.ts';

/** Answer 0 quits. */
export function openDocumentsQuestion(paths: readonly string[], saves: number): Question {
  const one = paths.length === 1;
  return {
    type: 'question',
    message: `Quit while ${namesText(paths)} ${one ? 'is' : 'are'} still open?`,
    detail: [
      `Editors cannot save ${one ? 'it' : 'them'} until DocTray runs again.`,
      ...(saves === 0 ? [] : [`${countText(saves, 'save', 'saves')} still running will be finished first.`]),
    ].join(' '),
    buttons: ['Quit anyway', 'Keep running'],
    defaultId: 1,
    cancelId: 1,
  };
}

/** Answer 1 quits at once. */
export function stillSavingQuestion(saves: number): Question {
  const one = saves === 1;
  return {
    type: 'warning',
    message: `DocTray is finishing ${countText(saves, 'save', 'saves')}.`,
    detail: `It quits by itself when ${one ? 'it is' : 'they are'} done. If you quit now, ${one ? 'this save is' : 'these saves are'} lost; the ${one ? 'document keeps its' : 'documents keep their'} last saved content.`,
    buttons: ['Wait longer', 'Quit now'],
    defaultId: 0,
    cancelId: 0,
  };
}

/** Where there is no tray. Answer 0 hides the window, 1 quits. */
export function closeQuestion(openDocuments: number): Question {
  const open =
    openDocuments === 0
      ? ''
      : ` ${countText(openDocuments, 'document is', 'documents are')} open in an editor.`;
  return {
    type: 'question',
    message: 'Keep DocTray running without its window?',
    detail: `This desktop has no tray to show DocTray in. To see the window again, start DocTray once more.${open}`,
    buttons: ['Keep running', 'Quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  };
}
