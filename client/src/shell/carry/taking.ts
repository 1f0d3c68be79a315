import { open } from '../../net/carry';
import { openWords, refusal } from './words';

/** The name of the table that became of a file, or why there is none. */
export async function taken(file: Blob): Promise<string | ReturnType<typeof refusal>> {
  try {
    return await open(file);
  } catch (error) {
    await openWords();
    return refusal(error);
  }
}
