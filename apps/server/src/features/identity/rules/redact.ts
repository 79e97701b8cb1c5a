const PERSONAL: ReadonlySet<string> = new Set(['external_id', 'extracted'])

/** Removes the notes of reviewers from the JSON text of a review or of an entry. */
export const redactNotes = (text: string): string =>
  JSON.stringify(JSON.parse(text, (name, value: unknown) => (name === 'note' ? null : value)))

/** Removes the personal data from the JSON text of a verification, or of an event about one. */
export const redactText = (text: string): string =>
  JSON.stringify(JSON.parse(text, (name, value: unknown) => (PERSONAL.has(name) ? null : value)))
