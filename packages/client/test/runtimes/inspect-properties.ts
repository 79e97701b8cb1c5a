/** Formats an error like a console, for runtimes without an inspect function: enumerable properties, stack and cause. */
export function inspectProperties(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { stack, cause } = value instanceof Error ? value : { stack: '', cause: undefined }
  const properties = Object.entries(value).map(([name, inner]) => `${name}: ${inspectProperties(inner)}`)
  return [stack, ...properties, cause === undefined ? '' : inspectProperties(cause)].join('\n')
}
