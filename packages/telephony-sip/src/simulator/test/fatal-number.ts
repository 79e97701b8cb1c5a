/** Number whose call crashes the real worker. */
export const FATAL_NUMBER = '+15005559999'
