/** Ids of Twilio: two letters and 32 hexadecimal digits. */
export const isCallSid = (value: string): boolean => /^CA[0-9a-fA-F]{32}$/.test(value)
export const isStreamSid = (value: string): boolean => /^MZ[0-9a-fA-F]{32}$/.test(value)
export const isAccountSid = (value: string): boolean => /^AC[0-9a-fA-F]{32}$/.test(value)
