/** A worker that cannot start. */
throw new Error('This thread fails')
