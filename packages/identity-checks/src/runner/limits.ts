import type { JobLimits, JobName } from './job.ts'

/** The largest picture that is taken, 40 million pixels, needs 460 MB to open and 450 MB to look for a barcode. */
const MEMORY_MB = 1024

/**
 * By job. Beside each: what a picture of 2 and one of 12 million pixels took on a processor of 2024, or the worst that was
 * measured. The limits leave room for a processor a third as fast.
 */
const PROCESSOR_MS: Readonly<Record<JobName, number>> = {
  // Engines of faces take half a second; weights of an operator's own may be large.
  prepare: 60_000,
  // 40 and 160 ms; 1200 for a progressive JPEG of 40 million pixels.
  open_image: 10_000,
  // Some milliseconds. A damaged file can hold the parser for ever.
  probe_video: 3000,
  // 110 ms.
  document_quality: 5000,
  // 650 and 870 ms.
  document_recapture: 5000,
  // 450 ms; 3000 for a page of text, and 5000 for a picture that is made to take long. Twice, with a back.
  mrz_checks: 20_000,
  // 350 and 1500 ms.
  barcode: 10_000,
  document_expiry: 1000,
  // 1200 and 3700 ms; 10,000 for a page of dense text.
  printed_fields: 15_000,
  // Without ffmpeg, which has a limit of its own.
  video_motion: 5000,
  // Six pictures and a portrait, 150 ms each.
  faces: 20_000,
  // A model of the operator's, on six pictures.
  liveness: 30_000,
}

export const limitsOf = (job: JobName): JobLimits => ({
  processorMs: PROCESSOR_MS[job],
  memoryMb: MEMORY_MB,
})
