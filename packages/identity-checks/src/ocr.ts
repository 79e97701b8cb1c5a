/** Text recognition of documents. */
export { MediaError } from './media/media-error.ts'
export type { MediaErrorCode } from './media/media-error.ts'
export { CheckRunError } from './runner/job-runner.ts'
export type { JobTrouble } from './runner/job-runner.ts'
export { createDocumentReader } from './runner/document-reader.ts'
export type {
  DocumentReader,
  DocumentReaderOptions,
  DocumentToRead,
  OwnedDocument,
} from './runner/document-reader.ts'
export { languagePackage, ocrLanguages, toLanguageCodes, useLanguageData } from './ocr/languages.ts'
export { meanConfidence, textOf } from './ocr/layout.ts'
export type {
  PageBarcode,
  PageError,
  PageTable,
  ReadPage,
  TableCell,
  TextBlock,
  TextBox,
  TextLine,
  TextWord,
} from './ocr/layout.ts'
