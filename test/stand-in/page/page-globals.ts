// The page globals that the injected sources use. The project's other files don't have the DOM library in scope, so they are declared
// here.

export interface PageEvent {
  detail: unknown;
  preventDefault(): void;
  destination: { url: string; sameDocument: boolean };
  cancelable: boolean;
  hashChange: boolean;
  downloadRequest: string | null;
  formData: unknown;
}

export interface PageWindow {
  top: unknown;
  open(url?: string, target?: string, features?: string): unknown;
  prompt(text?: string): string | null;
  navigation?: { addEventListener(type: string, listener: (event: PageEvent) => void): void };
  CustomEvent: new (type: string, init: { detail: unknown }) => object;
  MutationObserver: new (callback: () => void) => { observe(target: object, options: object): void };
  Event: new (type: string) => object;
  document: {
    addEventListener(type: string, listener: (event: PageEvent) => void): void;
    dispatchEvent(event: object): boolean;
    readonly URL: string;
    readonly title: string;
    readonly head: object | null;
  };
  navigator: Record<string, unknown>;
  [name: string]: unknown;
}
