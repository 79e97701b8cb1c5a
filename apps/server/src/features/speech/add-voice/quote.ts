/** Quotes an argument for the shell of this machine, if it needs that. */
export function quote(argument: string): string {
  if (/^[\w@./:-]+$/.test(argument)) return argument
  return process.platform === 'win32' ? `"${argument}"` : `'${argument.replaceAll("'", String.raw`'\''`)}'`
}
