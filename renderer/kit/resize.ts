/** Calls back with the element's size, now and whenever it changes. Returns how to stop. */
export function onResize(element: Element, call: ResizeObserverCallback): () => void {
  const observer = new ResizeObserver(call);
  observer.observe(element);
  return () => observer.disconnect();
}
