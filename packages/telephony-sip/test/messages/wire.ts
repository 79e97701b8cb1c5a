/** Writes a message from text with plain line feeds, which become CRLF. Indented as little as the first line. */
export const wire = (text: string): Uint8Array => new TextEncoder().encode(text.replaceAll('\n', '\r\n'))

/** Reads bytes as text. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
