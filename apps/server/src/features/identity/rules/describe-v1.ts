/** When version 1 ends, and where its callers read how to change. */
export interface V1End {
  sunset: Date | undefined
  guideUrl: string | undefined
}

const DEPRECATED_SINCE_SECONDS = Date.UTC(2026, 10, 20) / 1000

/** Returns the headers that every answer of version 1 has (RFC 9745 and RFC 8594). */
export function describeV1({ sunset, guideUrl }: V1End): Readonly<Record<string, string>> {
  const relation = sunset === undefined ? 'deprecation' : 'deprecation sunset'
  return {
    deprecation: `@${DEPRECATED_SINCE_SECONDS}`,
    ...(sunset && { sunset: sunset.toUTCString() }),
    ...(guideUrl !== undefined && { link: `<${guideUrl}>; rel="${relation}"` }),
  }
}
