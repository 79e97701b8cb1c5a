/** A thread that cannot start. */
throw new Error('This thread fails')
