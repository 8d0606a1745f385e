// Our own line icons, 16 × 16, drawn in the colour of the text around them. Always decoration: the word is next to them
// or in the aria-label of what holds them.

import { shapes, type IconName } from './icon-shapes.ts';

export function Icon(props: { name: IconName; className?: string; size?: number }) {
  const size = props.size ?? 16;
  return (
    <svg
      className={props.className === undefined ? 'icon' : `icon ${props.className}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={props.name === 'more' ? 2.2 : 1.3}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[props.name]} />
    </svg>
  );
}

/** The app's own mark, as in build/icons/app-small.svg. */
export function AppMark({ size }: { size: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <rect width="16" height="16" rx="3.5" fill="#0e7a78" />
      <path d="M4 2h5l3 3v7H4z" fill="#ffffff" />
      <path d="M9 2l3 3H9z" fill="#8fcbc5" />
      <path d="M6 6h4v1H6z" fill="#12807c" />
      <path d="M2 9h3.5l1 2h3l1-2H14v3.5a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 12.5z" fill="#ffb938" />
    </svg>
  );
}
