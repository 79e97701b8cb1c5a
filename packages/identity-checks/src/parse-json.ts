/** Parses JSON, after a byte order mark if there is one (RFC 8259, section 8.1). @throws SyntaxError, which quotes the text */
export const parseJson = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ''))
