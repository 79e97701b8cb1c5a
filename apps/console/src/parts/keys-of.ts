/** Names of a record, in the order in which they are written. */
export const keysOf = <Name extends string>(of: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(of).filter((name): name is Name => Object.hasOwn(of, name))
