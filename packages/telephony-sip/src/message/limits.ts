/** Longest message, start line to body: the most that a UDP datagram can hold. */
export const MAX_MESSAGE_BYTES = 65_536

/** Longest line of a head once its continuation lines are joined, in characters. */
export const MAX_LINE_LENGTH = 8192

/** Most header values in a message, counting each value of a list header. */
export const MAX_HEADERS = 200
