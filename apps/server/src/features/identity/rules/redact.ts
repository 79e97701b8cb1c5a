const PERSONAL: ReadonlySet<string> = new Set(['external_id', 'extracted'])

/** Removes the personal data from the JSON text of a verification, or of an event about one. */
export const redactText = (text: string): string =>
  JSON.stringify(JSON.parse(text, (name, value: unknown) => (PERSONAL.has(name) ? null : value)))
