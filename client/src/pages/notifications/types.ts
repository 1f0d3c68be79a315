import type { Notices } from '../../wire/server';

/** What every part of the page gets. */
export interface PartProps {
  known: Notices;
  busy: boolean;
  /** Changes something; whether that worked. */
  change(work: () => Promise<Notices | null>): Promise<boolean>;
}
