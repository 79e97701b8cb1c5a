/** Returns the one way to write a valid tag: `en-US` for `EN-us`. */
export const canonicalTag = (tag: string): string => Intl.getCanonicalLocales(tag)[0] ?? tag

/** Returns the language of a tag without its script and region: `zh` for `zh-TW`. */
export const primaryTag = (tag: string): string => tag.split('-', 1)[0] ?? tag
