import { inspectProperties } from '../inspect-properties.ts'
import { playRows } from '../play-rows.ts'

/** For `workerd test`; all is within one event, as what a worker does for one request. */
export default {
  async test(_controller: unknown, { controlUrl }: { readonly controlUrl: string }): Promise<void> {
    await playRows({ controlUrl, inspect: inspectProperties })
  },
}
