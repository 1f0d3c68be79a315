/** Attachment: makes an element focusable by keyboard while it can scroll. */
export function scrollable(element: HTMLElement): () => void {
  const look = (): void => {
    const style = getComputedStyle(element);
    const down = style.overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1;
    const across = style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
    if (down || across) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  };
  const watch = new ResizeObserver(look);
  watch.observe(element);
  for (const child of element.children) watch.observe(child);
  return () => watch.disconnect();
}

/** Scrolls an element into view, no further than needed. */
export function scrollIntoSight(element: Element): void {
  element.scrollIntoView({ block: 'nearest' });
}
