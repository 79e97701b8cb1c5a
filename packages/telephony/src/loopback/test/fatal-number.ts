/** Number whose call crashes the real media worker. */
export const FATAL_NUMBER = '+15005559999'
