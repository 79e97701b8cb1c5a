import fc from 'fast-check'

/**
 * Draws the same values for every property at each run, so that a change fails for what it did, and not for a case that
 * nobody has met before. CI looks for those every week, with another `PROPERTY_SEED`.
 */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) })
