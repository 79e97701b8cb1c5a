/** Parses JSON; returns undefined if the text is malformed. Drops the parser's error, because its message quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the properties of any value; a value that is not an object has none. */
export const propertiesOf: (value: unknown) => Readonly<Record<string, unknown>> = Object
