// Written by `make wire` from the server's types. Do not edit.

export const INTERNAL_ERROR = 1011;
export const BAD_MESSAGE = 4400;
export const WRONG_ORIGIN = 4403;
export const NO_TABLE = 4404;
export const SLOW_READER = 4408;
export const UNREADABLE = 4409;
export const SEALED = 4423;
export const TOO_MANY_FRAMES = 4429;
