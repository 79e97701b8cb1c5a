/** Search of recordings for watermarks. */
export { createDetectionThread, type DetectionOptions, type DetectionThread } from './detection-thread.ts'
export type { RecordingSearch, RecordingToSearch } from './search-recording.ts'
