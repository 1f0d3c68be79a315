/** For a button that may come to lie under the pointer: the second half of a double click is not for it. */
export function singleClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail < 2) act();
  };
}
