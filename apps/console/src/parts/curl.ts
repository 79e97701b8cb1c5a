/** Returns the command that sends JSON to a route of this server, with the key in `$KEY`. */
export const curl = (path: string, body: object, method: 'POST' | 'PUT' = 'POST'): string =>
  [
    `curl ${method === 'POST' ? '' : `-X ${method} `}${location.origin}${path}`,
    `-H "Authorization: Bearer $KEY"`,
    `-H "Content-Type: application/json"`,
    // A quote would end the shell's text, and run what follows.
    `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
  ].join(' \\\n  ')
