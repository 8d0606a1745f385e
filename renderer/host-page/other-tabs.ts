// What this browser's tabs of the same document tell each other. They share their page session, and the host doesn't know which of them
// are open.

export type TabQuestion = 'is-open' | 'is-editing';
type TabMessage = { ask: TabQuestion } | { yes: TabQuestion } | 'changed';

/** A tab in the background responds within a few milliseconds, unless the computer is busy or the browser has frozen the tab. */
const answerMs = 300;

export type OtherTabs = ReturnType<typeof createOtherTabs>;

export function createOtherTabs(
  fileId: string,
  page: { answerTab(question: TabQuestion): boolean },
  onChange: () => void,
) {
  const channel = new BroadcastChannel(`doctray-${fileId}`);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of this origin, not a window
  const say = (message: TabMessage): void => channel.postMessage(message);
  const answered = new EventTarget();
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data === 'changed') onChange();
    else if ('yes' in data) answered.dispatchEvent(new Event(data.yes));
    else if (page.answerTab(data.ask)) say({ yes: data.ask });
  });
  return {
    /** Whether another tab says yes. */
    ask: async (question: TabQuestion): Promise<boolean> =>
      new Promise((resolve) => {
        answered.addEventListener(question, () => resolve(true), { once: true });
        setTimeout(() => resolve(false), answerMs);
        say({ ask: question });
      }),
    /** The host has something new for them, such as another name. */
    announceChange: () => say('changed'),
  };
}
