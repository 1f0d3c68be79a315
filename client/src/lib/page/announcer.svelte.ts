const said = $state({ text: '' });

/** Announces a text to screen readers. A repeated text is changed so that it is read again. */
export function announce(text: string): void {
  if (text) said.text = said.text === text ? `${text}\u00a0` : text;
}

export function announcement(): string {
  return said.text;
}
