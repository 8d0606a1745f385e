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
