/** Ids of Vonage, which become parts of URLs: UUIDs, with their dashes or without. */
export const isCallId = (value: string): boolean => /^[0-9a-fA-F-]{32,36}$/.test(value)
export const isApplicationId = (value: string): boolean => /^[0-9a-fA-F-]{36}$/.test(value)
