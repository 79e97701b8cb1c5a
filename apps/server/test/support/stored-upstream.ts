import type { ServerResponse } from 'node:http'

interface StoredRequest {
  method: string | undefined
  url: string | undefined
  body: Readonly<Record<string, unknown>>
}

interface Line {
  custom_id: string
  body: { model: string }
}

interface Batch {
  id: string
  status: string
  input_file_id: string
  [member: string]: unknown
}

/** What an upstream keeps: files, and batches that end when they are told to. */
export class StoredUpstream {
  readonly files = new Map<string, string>()
  readonly batches = new Map<string, Batch>()
  #made = 0
  readonly #outputs = new Set<string>()

  /** Answers requests for files and batches. Returns false for others. */
  async answer(response: ServerResponse, { method, url = '', body }: StoredRequest): Promise<boolean> {
    const [, , kind, id, action] = url.split('/')
    if (kind !== 'files' && kind !== 'batches') return false
    const send = (value: object) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      return true
    }
    if (kind === 'files') {
      if (id === undefined) {
        const file: unknown = body['file']
        const made = `file-${++this.#made}`
        this.files.set(made, file instanceof File ? await file.text() : '')
        return send(this.#file(made))
      }
      const content = this.files.get(id)
      if (content === undefined) return missing(response)
      if (action === 'content') return Boolean(response.end(content))
      if (method === 'DELETE') this.files.delete(id)
      return send(method === 'DELETE' ? { id, object: 'file', deleted: true } : this.#file(id))
    }
    if (id === undefined) {
      const batch = { ...body, id: `batch-${++this.#made}`, object: 'batch', status: 'validating' }
      const made = { input_file_id: '', ...batch }
      this.batches.set(made.id, made)
      return send(made)
    }
    const batch = this.batches.get(id)
    if (batch === undefined) return missing(response)
    if (action === 'cancel') batch.status = 'cancelling'
    return send(batch)
  }

  /** Ends a batch: every request is answered. */
  complete(id: string, usage: object | undefined): void {
    const batch = this.batches.get(id)
    if (batch === undefined) throw new Error('There is no such batch')
    const lines = (this.files.get(batch.input_file_id) ?? '').trim().split('\n')
    const results = lines.map((line) => {
      const { custom_id, body }: Line = JSON.parse(line)
      return JSON.stringify({
        custom_id,
        response: { status_code: 200, body: { model: body.model } },
        error: null,
      })
    })
    const output = `file-${++this.#made}`
    this.#outputs.add(output)
    this.files.set(output, `${results.join('\n')}\n`)
    const counts = { total: lines.length, completed: lines.length, failed: 0 }
    Object.assign(batch, { status: 'completed', output_file_id: output, request_counts: counts, usage })
  }

  #file(id: string): object {
    const bytes = Buffer.byteLength(this.files.get(id) ?? '')
    return {
      id,
      object: 'file',
      bytes,
      created_at: 1_795_150_800,
      filename: 'requests.jsonl',
      purpose: this.#outputs.has(id) ? 'batch_output' : 'batch',
    }
  }
}

function missing(response: ServerResponse): true {
  response.writeHead(404).end(JSON.stringify({ error: { message: 'No such object' } }))
  return true
}
