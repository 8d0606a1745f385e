// A sentence with elements in it, in the order of the user's language.

import { Fragment, type ReactNode } from 'react';
import { messageParts } from '../../../app/contract/messages.ts';

/**
 * @example <Message of="Opened by {user} {when}" values={{ user: 'Ana', when: <RelativeTime atMs={at} /> }} />
 */
export function Message(props: { of: string; values: Readonly<Record<string, ReactNode>> }) {
  const parts = messageParts<ReactNode>(
    props.of,
    props.values as Record<string, string | number | ReactNode>,
  );
  return parts.map((part, index) => <Fragment key={index}>{part}</Fragment>);
}
