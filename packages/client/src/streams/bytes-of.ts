/** Concatenates parts to one array of bytes. */
export const bytesOf = async (
  parts: ConstructorParameters<typeof Blob>[0],
): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await new Blob(parts).arrayBuffer())
