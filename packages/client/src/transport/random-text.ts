/** 122 random bits or more. `crypto.randomUUID`, which takes a fifth of the time, is only there on secure origins. */
export const randomText = (): string =>
  crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
