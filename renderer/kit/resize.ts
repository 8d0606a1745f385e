/** Calls back with the element's size, now and whenever it changes. Returns how to stop. */
export function onResize(element: Element, call: ResizeObserverCallback): () => void {
  const observer = new ResizeObserver(call);
  observer.observe(element);
  return () => observer.disconnect();
}

/** Px that a scrollbar takes beside content; 0 where it lies over it. As the header of a view has it, whose room is always kept. */
export function scrollbarWidth(): number {
  const header = document.querySelector<HTMLElement>('.view-header');
  return header === null ? 0 : header.offsetWidth - header.clientWidth;
}
