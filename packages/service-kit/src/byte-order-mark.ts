const BYTE_ORDER_MARK = 0xfeff

/**
 * Removes the byte order mark (RFC 8259, section 8.1) that editors and serializers of Windows begin a text with. Call it before
 * `JSON.parse` of whatever another program wrote.
 */
export const skipByteOrderMark = (text: string): string =>
  text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
