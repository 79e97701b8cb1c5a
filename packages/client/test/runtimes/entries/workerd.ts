import { inspectProperties } from '../inspect-properties.ts'
import { playRows } from '../play-rows.ts'

/** Entry for `workerd test`. Plays all rows within one event, like the work of a worker for one request. */
export default {
  async test(_controller: unknown, { controlUrl }: { readonly controlUrl: string }): Promise<void> {
    await playRows({ controlUrl, inspect: inspectProperties })
  },
}
