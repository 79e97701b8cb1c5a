/** The place that the stored body of a request is bound to. */
export const requestPlace = (batchId: string, position: number): string => `${batchId} request ${position}`
