/** The kind of an id and its end, which tell it from others nearby, such as `call_…7etn0q`. */
export const shortId = (id: string): string => `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}`
