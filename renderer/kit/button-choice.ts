export interface ButtonChoice {
  label: string;
  /** The one to press; the others are quieter. */
  isMain?: boolean;
  /** Instead of the label, for screen readers; begins with it. */
  name?: string;
  press(): void;
}

/** In place of a document. */
export interface ShownChoice {
  title: string;
  more?: string | undefined;
  buttons: readonly ButtonChoice[];
}

/** What happened, and what the user can do about it. */
export interface PageMessage {
  text: string;
  /** One or two short sentences, on their own line. */
  more?: string | undefined;
  tone: 'info' | 'warn' | 'bad';
  /** One of them is the main one. */
  buttons?: readonly ButtonChoice[] | undefined;
  link?: { text?: string; name: string; url: string } | undefined;
}
