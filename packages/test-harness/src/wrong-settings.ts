/** Values that few settings take. The first ones are mistakes of operators. */
const WRONG = [
  '127.0.0.1:9199',
  'hunter2',
  '-1',
  '1.5',
  '70000',
  'NaN',
  '99999999999999999999',
  ' ',
  ',',
  '{',
  '\u0000',
]

/** Sentences of zod's own. */
const FOREIGN = /Invalid |Too (?:small|big)|Unrecognized |expected .* received/

/**
 * Reads settings with each variable missing and wrong, and returns what an operator should not see: an error of another class,
 * which would be printed with its stack, a sentence of a library, or the value.
 *
 * @param required values of the variables without which nothing can be read
 */
export function findUnfitRefusals(
  settings: { readonly variables: readonly string[]; read(environment: Record<string, string>): unknown },
  required: Readonly<Record<string, string>> = {},
): string[] {
  return settings.variables.flatMap((name) =>
    [undefined, ...WRONG].flatMap((value) => {
      const { [name]: _, ...others } = required
      try {
        settings.read({ ...others, ...(value !== undefined && { [name]: value }) })
        return []
      } catch (error) {
        const text = String(error)
        const isFit = text.startsWith('ConfigError:') && !FOREIGN.test(text) && !text.includes('hunter2')
        return isFit ? [] : [`${name}=${value ?? ''} ${text}`]
      }
    }),
  )
}
