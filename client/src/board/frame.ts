/** The wooden edge around a board, in the units of our drawings; it carries the names of columns and rows. */
export const EDGE = 40;
