/** Operations that only an upstream of the operator's can answer. A server without one answers 404. */
export const OF_UPSTREAMS: ReadonlySet<string> = new Set([
  'models.embed',
  'models.complete',
  'models.moderate',
  'models.draw',
  'models.transcribe',
  'models.translate',
  'models.createFile',
  'models.listFiles',
  'models.retrieveFile',
  'models.readFile',
  'models.removeFile',
  'models.createBatch',
  'models.listBatches',
  'models.retrieveBatch',
  'models.cancelBatch',
])
