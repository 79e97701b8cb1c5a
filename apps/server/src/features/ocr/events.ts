/** Events about documents read in the background that are counted and logged. */
export const OCR_EVENTS = ['document_accepted', 'document_ended', 'document_erased'] as const
export type OcrEvent = (typeof OCR_EVENTS)[number]
