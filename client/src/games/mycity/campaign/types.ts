import type { SeatInfo } from '../../../wire/server';

export type Animal = NonNullable<SeatInfo['animal']>;
