/** Ids of Telnyx, which become parts of URLs. Their form is not documented: those of calls look like `v3:…`, all others are UUIDs. */
export const isCallId = (value: string): boolean => /^[A-Za-z0-9:_-]{8,128}$/.test(value)
export const isStreamId = (value: string): boolean => /^[A-Za-z0-9-]{8,64}$/.test(value)
export const isAccountId = (value: string): boolean => /^[A-Za-z0-9-]{8,64}$/.test(value)
export const isApplicationId = (value: string): boolean => /^\d{1,32}$/.test(value)
