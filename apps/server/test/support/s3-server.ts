/** An S3 server in a thread of its own, so that its memory does not count as the test's. Posts its port. */
import { parentPort, workerData } from 'node:worker_threads'
import S3rver from '@20minutes/s3rver'

const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  directory: String(workerData),
  silent: true,
  // It computes the signature of a list without the slash after the bucket, which S3 and the SDK include.
  allowMismatchedSignatures: true,
  configureBuckets: [{ name: 'media', configs: [] }],
})
const { port } = await server.run()
parentPort?.postMessage(port)
