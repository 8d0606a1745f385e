// The tabs of one browser share their session, so the host can't tell them apart. They ask each other who edits the document.

export interface OtherTabs {
  /** Whether the document is being edited in another tab of this browser. */
  areEditing(): Promise<boolean>;
}

/** A tab in the background responds within a few milliseconds, unless the computer is busy. */
const answerMs = 300;

/** @param isEditing whether this tab edits the document */
export function createOtherTabs(fileId: string, isEditing: () => boolean): OtherTabs {
  const channel = new BroadcastChannel(`doctray-${fileId}`);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of this origin, not a window
  const say = (message: 'is-editing' | 'editing'): void => channel.postMessage(message);
  let hasAnswer = false;
  channel.addEventListener('message', ({ data }) => {
    if (data === 'editing') hasAnswer = true;
    else if (isEditing()) say('editing');
  });
  return {
    async areEditing() {
      hasAnswer = false;
      say('is-editing');
      await new Promise((resolve) => setTimeout(resolve, answerMs));
      return hasAnswer;
    },
  };
}
