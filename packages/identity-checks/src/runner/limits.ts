import type { JobLimits, JobName } from './job.ts'

/** The largest accepted picture, 40 million pixels, needs 460 MB to open and 450 MB to search for a barcode. */
const MEMORY_MB = 1024

/**
 * CPU time by job. The comments give the times measured for pictures of 2 and 12 million pixels on a processor of 2024, or the
 * worst case measured. The limits leave room for a processor a third as fast.
 */
const PROCESSOR_MS: Readonly<Record<JobName, number>> = {
  // face-api takes a second, but an operator's own weights may be large.
  prepare: 60_000,
  // 40 and 160 ms; 1200 for a progressive JPEG of 40 million pixels.
  open_image: 10_000,
  // 6 ms, or 30 in a new process; but a damaged file, such as a header followed by zeros, keeps the parser busy for minutes.
  probe_video: 1000,
  // 8 ms per picture, without ffmpeg, and up to 1200 per portrait.
  take_pictures: 10_000,
  // 5 ms, and 80 in a new process.
  open_document: 5000,
  // 1500 ms for a page of text at 300 dpi; 6000 for one upside down, in two languages.
  read_page: 30_000,
  // 110 ms.
  document_quality: 5000,
  // 650 and 870 ms. Twice that with a back image. In a new process, 1000 ms for face-api, which loads beside it.
  document_recapture: 10_000,
  // 20 and 30 ms. Twice that with a back image.
  document_sides: 5000,
  // 450 ms; 1500 for a page of text, and 5000 for a picture crafted to be slow. Twice that with a back image.
  mrz_checks: 20_000,
  // 350 and 1500 ms.
  barcode: 10_000,
  // 800 ms per side and template's language; 3300 for one that nobody can read.
  document_template: 60_000,
  document_expiry: 1000,
  // 1200 and 3700 ms; 10,000 for a page of dense text. Twice that if it may be upside down.
  printed_fields: 30_000,
  // Excludes ffmpeg, which has its own limit.
  video_motion: 5000,
  // Six pictures and a portrait, 150 ms each.
  faces: 20_000,
  // An operator's model, on twenty pictures.
  liveness: 60_000,
}

/** An operator's module may wait for something that never comes. Twice the CPU time and more, for busy machines. */
const WALL_MS: Partial<Readonly<Record<JobName, number>>> = {
  prepare: 120_000,
  faces: 120_000,
  liveness: 120_000,
}
const STUCK_MS = 300_000

export const limitsOf = (job: JobName): JobLimits => ({
  processorMs: PROCESSOR_MS[job],
  wallMs: WALL_MS[job] ?? STUCK_MS,
  memoryMb: MEMORY_MB,
})
