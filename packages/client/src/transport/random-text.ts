/** 128 random bits as numbers; `crypto.randomUUID` is only there on secure origins. */
export const randomText = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
