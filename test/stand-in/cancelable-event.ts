// The event object of Electron's main process: a listener may veto what follows with preventDefault().

export interface CancelableEvent {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

export function createEvent<Details extends object>(details: Details): CancelableEvent & Details;
export function createEvent(): CancelableEvent;
export function createEvent(details: object = {}): CancelableEvent {
  let isPrevented = false;
  const event = {
    get defaultPrevented(): boolean {
      return isPrevented;
    },
    preventDefault(): void {
      isPrevented = true;
    },
  };
  return Object.defineProperties(event, Object.getOwnPropertyDescriptors(details));
}
