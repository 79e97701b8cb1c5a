/** Name of the preference in RFC 7240, section 4.1. */
export const RESPOND_ASYNC = 'respond-async'

/** Returns whether a `Prefer` header asks for a response before the work is done. Other preferences do not matter. */
export const prefersAsync = (prefer = ''): boolean =>
  prefer.split(',').some((preference) => {
    const [name = ''] = preference.split(';', 1)
    return name.trim().toLowerCase() === RESPOND_ASYNC
  })
