const said = $state({ text: '' });

/** For those who listen instead of look. The same words twice are said twice. */
export function announce(text: string): void {
  if (text) said.text = said.text === text ? `${text}\u00a0` : text;
}

export function announcement(): string {
  return said.text;
}
