/** What a text says; undefined where it is no JSON, without the error of the parser, as that quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The properties of any value: none if it is no object. */
export const propertiesOf: (value: unknown) => Readonly<Record<string, unknown>> = Object
