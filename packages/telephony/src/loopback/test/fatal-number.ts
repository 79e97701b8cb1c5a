/** The number whose call tears the real media worker down. */
export const FATAL_NUMBER = '+15005559999'
