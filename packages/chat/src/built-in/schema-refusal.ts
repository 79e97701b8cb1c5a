/** A schema for which the built-in model gives no answer, with the reason. No reason quotes a value of the schema. */
export class SchemaRefusal extends Error {
  override readonly name = 'SchemaRefusal'
}
