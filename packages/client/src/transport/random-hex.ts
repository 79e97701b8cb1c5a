/** 128 random bits as 32 letters; `crypto.randomUUID` is only there on secure origins. */
export const randomHex = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
