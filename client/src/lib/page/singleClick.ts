/** Ignores the second half of a double click, for a button that may appear under the pointer. */
export function singleClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail < 2) act();
  };
}
