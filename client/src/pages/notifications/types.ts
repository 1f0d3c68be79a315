import type { NotificationSettings } from '../../wire/server';

/** The properties of all parts of the page. */
export interface PartProps {
  known: NotificationSettings;
  busy: boolean;
  /** Runs a change and returns whether it succeeded. */
  change(work: () => Promise<NotificationSettings | null>): Promise<boolean>;
}
