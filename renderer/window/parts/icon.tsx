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
