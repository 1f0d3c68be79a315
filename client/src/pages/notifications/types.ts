import type { Notices } from '../../wire/server';

/** The properties of all parts of the page. */
export interface PartProps {
  known: Notices;
  busy: boolean;
  /** Runs a change and returns whether it succeeded. */
  change(work: () => Promise<Notices | null>): Promise<boolean>;
}
