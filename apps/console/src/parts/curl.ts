/** Returns the command that sends JSON to a route of this server, with the key in `$KEY`. */
export const curl = (path: string, body: object, method: 'POST' | 'PUT' = 'POST'): string =>
  [
    `curl ${method === 'POST' ? '' : `-X ${method} `}${location.origin}${path}`,
    `-H "Authorization: Bearer $KEY"`,
    `-H "Content-Type: application/json"`,
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ')

/** Returns the command that sends a form of texts and files. */
export const curlForm = (
  path: string,
  texts: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
) =>
  [
    `curl ${location.origin}${path}`,
    `-H "Authorization: Bearer $KEY"`,
    ...Object.entries(texts).map(([name, text]) => `--form-string ${quoted(`${name}=${text}`)}`),
    ...Object.entries(files).map(([name, file]) => `-F ${name}=@${file}`),
  ].join(' \\\n  ')

/** A quote would end the shell's text, and run what follows. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
