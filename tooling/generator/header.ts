/** First line of every generated source. */
export const HEADER = '// Generated from the contracts by `pnpm generate`; do not edit.'
