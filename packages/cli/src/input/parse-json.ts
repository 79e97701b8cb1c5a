/** Parses JSON, after a byte order mark if there is one. @throws SyntaxError, which quotes the text */
export const parseJson = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ''))
