/** Place in a list of usage: after this model of this day. */
export interface UsageCursor {
  day: string
  model: string
}

const SPLIT = /^(\d{4}-\d{2}-\d{2}) (.+)$/s

export const toCursor = ({ day, model }: UsageCursor): string =>
  Buffer.from(`${day} ${model}`).toString('base64url')

/** Returns undefined for text that is not a cursor. */
export function parseCursor(text: string): UsageCursor | undefined {
  const [, day, model] = SPLIT.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (day === undefined || model === undefined || model.includes('\u0000')) return undefined
  return Number.isNaN(Date.parse(day)) ? undefined : { day, model }
}
