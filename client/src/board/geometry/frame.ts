/** Width of the wooden edge around a board in drawing units; the edge shows the coordinates. */
export const EDGE = 40;
